//! Models as text: everything that is in a model, for people, and back.
//!
//! [`write()`] prints a whole model and [`read()`] makes the same model of it again: what is written
//! of a model that [`verify`](crate::Model::verify)s reads back as an equal one. Tests that start
//! from a model are written in it by hand, so most things may be left out: where variables are,
//! what the model makes use of, numbers of locations and statements.
//!
//! ```text
//! model     = ["model" (string | word)] item*
//! item      = "files" string ("," string)*
//!           | "mtype" [name] "{" [name "=" number ("," name "=" number)*] "}"
//!           | "scalarset" name number [source]
//!           | "channels" contents                        the next channel type, counted from 0
//!           | "vector" "hidden" number "count" number ["last" number] ["event" number]
//!             "frames" number                            the layout's fixed places
//!           | ["hidden"] variable | channel | first
//!           | "active" ["[" number "]"] name ["priority" number]
//!           | "initial"? "process" name "(" [variable ("," variable)*] ")" [source]
//!             "{" frame* location* "}"
//!           | "never" name [source] "{" ["start" target] location* "}"
//!           | ("trace" | "notrace") [source] "{" follow* "}"
//!           | "ltl" name [source] [string] "{" formula "}"
//!           | "exclusive" ("send" | "receive") name "(" expr ")" [source]
//!           | "cluster" name [source] "{" name ["[" number "]"] ("," ...)* "}"
//!           | "time" ("tick" | "expiry" | "event" | "abstract") ["watched"] ["open"]
//!           | "while" name "@" number expr                 what time passes under
//!           | "present" number                             where it is noted who is there
//!           | "names" string ("," string)*                 what processes are called
//!           | "uses" ("none" | feature ("," feature)*)   computed where it is left out
//!           | "statements" number
//! contents  = "[" number "]" "of" "{" [type ("," type)*] "}"
//! variable  = type path ["at" number] ["=" expr]
//! path      = name ["[" number ["by" number] "]"] ("." path)*     "by": bytes from one to the next
//! type      = ("bit" | "byte" | "short" | "int" | "pid" | "chan" | "timer" | "clock" number number | "unsigned" number
//!           | "signed" number | "mtype" [":" name] | "name" ":" name) ["/" number]    "/": bits
//! channel   = "channel" channel-name "=" ("type" number | contents) ["at" number]
//! first     = "initially" place "=" expr
//! frame     = variable | channel | first | "provided" expr | "deterministic" | "start" target
//!           | "frame" "location" number ["priority" number] "size" number
//! location  = "location" [number] ["(" label ("," label)* ")"] ["number" number]
//!             ["end"] ["progress"] ["accept"] [source] edge*
//! edge      = action ["->" target] ["atomic"] ["delayable" | "lazy"] ["escape" number]
//!             ["reset" number "+" number ("," number "+" number)*] ["statement" number]
//!             [source] [string]
//! target    = number | label
//! action    = "skip" | "else" | "exit" | "when" expr | (place | "_") "=" expr
//!           | "send" ["sorted"] channel-expr "(" [expr ("," expr)*] ")"
//!           | "receive" ["any"] ["copy"] ["past" number ("," number)*] channel-expr "(" [pattern ("," pattern)*] ")"
//!           | "assert" expr | "print" string "(" [expr ("," expr)*] ")" | "printm" expr
//!           | "set_priority" "(" expr "," expr ")" | "fail" word number
//!           | "d_step" "{" ("node" [number] (action "->" (number | "out") [source] [string])*)* "}"
//! pattern   = "_" | number | "eval" "(" expr ")" | place
//! follow    = "location" [number] ["end"]
//!             (("send" | "receive") channel-expr "(" [pattern ("," pattern)*] ")" "->" number)*
//! source    = "@" [number ":"] number ":" number          file, line, column
//! ```
//!
//! Expressions are those of C, with `(if c then a else b)`. A place is a variable's name with an
//! index for every array in it; `::x` is the global one where a local one has the same name, `x#8`
//! the one at byte 8 where two have it, and `P:x` or `P[e]:x` that of another process. An index in
//! parentheses, as in `a[(1)]`, is evaluated when the model runs. `&q`, `&q[e]` and `&::q` are
//! channels that declarations create; `channel(own 2)` and `channel(2, e of 3)` say the same by
//! number. `P@4`, `P@here` and `P[e]@4` ask where a process stands. `run P(e) priority 3`, `len(e)`,
//! `full(e)`, `empty(e)`, `poll(c, pattern)`, `poll any(c, pattern)`, `enabled(e)`, `pc_value(e)`,
//! `priority(e)`, `timeout`, `np_`, `_pid`, `_nr_pr` and `_last` are what they are in Promela.
//! Formulas are `true`, `false`, atoms `{ expr string }`, `!`, `X`, `[]`, `<>`, and, in parentheses,
//! two with one of `&&`, `||`, `->`, `<->`, `U`, `W`, `V` between them. Names that are words of the
//! language, or no names, stand in quotes. `//` starts a comment.

mod lex;
mod names;
mod read;
#[cfg(test)]
mod tests;
mod write;

use std::fmt;

pub use read::read;
pub use write::write;

/// What is wrong with a text, and where. Lines and columns count from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// The line.
    pub line: usize,
    /// The column, in characters.
    pub column: usize,
    /// A sentence.
    pub message: String,
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for TextError {}
