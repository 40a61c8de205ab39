//! The words that mean something in Promela.

macro_rules! keywords {
    ($($variant:ident = $text:literal,)*) => {
        /// A keyword.
        #[allow(missing_docs)]
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Keyword { $($variant,)* }

        impl Keyword {
            /// As it is written.
            pub fn text(self) -> &'static str {
                match self { $(Keyword::$variant => $text,)* }
            }

            /// The keyword that the word is.
            pub fn from_word(word: &str) -> Option<Keyword> {
                Some(match word {
                    $($text => Keyword::$variant,)*
                    _ => return None,
                })
            }
        }
    };
}

keywords! {
    Active = "active", Assert = "assert", Atomic = "atomic", Bit = "bit", Bool = "bool",
    Break = "break", Byte = "byte", CCode = "c_code", CDecl = "c_decl", CExpr = "c_expr",
    CState = "c_state", CTrack = "c_track", Chan = "chan", DProctype = "D_proctype",
    DStep = "d_step", Do = "do", Else = "else", Empty = "empty", Enabled = "enabled",
    Eval = "eval", False = "false", Fi = "fi", For = "for", Full = "full",
    GetPriority = "get_priority", Goto = "goto", Hidden = "hidden", If = "if", In = "in",
    Init = "init", Inline = "inline", Int = "int", Len = "len", Local = "local", Ltl = "ltl",
    Mtype = "mtype", Nempty = "nempty", Never = "never", Nfull = "nfull", Notrace = "notrace",
    Np = "np_", Od = "od", Of = "of", PcValue = "pc_value", Pid = "pid", Printf = "printf",
    Printm = "printm", Priority = "priority", Proctype = "proctype", Provided = "provided",
    Return = "return", Run = "run", Select = "select", SetPriority = "set_priority",
    Short = "short", Show = "show", Skip = "skip", Timeout = "timeout", Trace = "trace",
    True = "true", Typedef = "typedef", Unless = "unless", Unsigned = "unsigned",
    Xr = "xr", Xs = "xs",
}
