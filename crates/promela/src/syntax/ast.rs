//! The syntax tree: a model as it was written, names not yet resolved.
//!
//! Macros are gone by now and calls of inlines are expanded, but every node's
//! span tells where its text came from. Scopes are [`Block`]s and nothing else:
//! the branches of `if` and `do` open none.

use crate::source::{Name, Span};
use crate::syntax::token::Token;

/// A name and its place.
#[derive(Clone, PartialEq, Debug)]
pub struct Ident {
    /// The name.
    pub name: Name,
    /// Its place.
    pub span: Span,
}

/// A whole model.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Tree {
    /// What stands at the outermost level, in source order.
    pub items: Vec<Item>,
}

/// Something at the outermost level.
#[derive(Clone, PartialEq, Debug)]
pub enum Item {
    /// A proctype.
    Proctype(Proctype),
    /// The initial process.
    Init(Init),
    /// A never claim.
    Never(Never),
    /// A trace or notrace assertion.
    Trace(Trace),
    /// An ltl property.
    Ltl(Ltl),
    /// Global variables.
    Variables(VarDecl),
    /// A typedef.
    Typedef(Typedef),
    /// Names of an mtype.
    Mtype(MtypeDecl),
    /// An inline's definition; its calls carry the expanded body.
    Inline(InlineDef),
    /// Embedded C, which has already been complained about.
    EmbeddedC(EmbeddedC),
}

impl Item {
    /// Its place.
    pub fn span(&self) -> Span {
        match self {
            Item::Proctype(p) => p.span,
            Item::Init(i) => i.span,
            Item::Never(n) => n.span,
            Item::Trace(t) => t.span,
            Item::Ltl(l) => l.span,
            Item::Variables(v) => v.span,
            Item::Typedef(t) => t.span,
            Item::Mtype(m) => m.span,
            Item::Inline(i) => i.span,
            Item::EmbeddedC(c) => c.span,
        }
    }
}

/// `active [n] proctype name(params) priority n provided (e) { ... }`
#[derive(Clone, PartialEq, Debug)]
pub struct Proctype {
    /// The whole of it.
    pub span: Span,
    /// Its name.
    pub name: Ident,
    /// Whether it is a `D_proctype`.
    pub deterministic: bool,
    /// `active`, if it is.
    pub active: Option<Active>,
    /// The parameters, as declarations of one or more names each.
    pub params: Vec<VarDecl>,
    /// `priority n`
    pub priority: Option<Expr>,
    /// `provided (e)`
    pub provided: Option<Expr>,
    /// The body.
    pub body: Block,
}

/// `active` or `active [n]`.
#[derive(Clone, PartialEq, Debug)]
pub struct Active {
    /// Its place.
    pub span: Span,
    /// How many: a constant expression, or the name of an initialised variable.
    pub count: Option<Expr>,
}

/// `init priority n { ... }`
#[derive(Clone, PartialEq, Debug)]
pub struct Init {
    /// The whole of it.
    pub span: Span,
    /// The word `init`.
    pub keyword: Span,
    /// `priority n`
    pub priority: Option<Expr>,
    /// The body.
    pub body: Block,
}

/// `never name { ... }`
#[derive(Clone, PartialEq, Debug)]
pub struct Never {
    /// The whole of it.
    pub span: Span,
    /// The word `never`.
    pub keyword: Span,
    /// Its name, if it has one.
    pub name: Option<Ident>,
    /// The body.
    pub body: Block,
}

/// `trace { ... }` or `notrace { ... }`
#[derive(Clone, PartialEq, Debug)]
pub struct Trace {
    /// The whole of it.
    pub span: Span,
    /// The word `trace` or `notrace`.
    pub keyword: Span,
    /// Whether it is `notrace`.
    pub negated: bool,
    /// The body.
    pub body: Block,
}

/// `ltl name { formula }`
#[derive(Clone, PartialEq, Debug)]
pub struct Ltl {
    /// The whole of it.
    pub span: Span,
    /// Its name, if it has one.
    pub name: Option<Ident>,
    /// The formula; the temporal operators appear nowhere else.
    pub formula: Expr,
    /// The tokens of the formula, macros expanded, without the braces.
    pub tokens: Vec<Token>,
}

/// `typedef name { ... }`
#[derive(Clone, PartialEq, Debug)]
pub struct Typedef {
    /// The whole of it.
    pub span: Span,
    /// Its name.
    pub name: Ident,
    /// The fields.
    pub fields: Vec<VarDecl>,
}

/// `mtype:subtype = { a, b, c }`
#[derive(Clone, PartialEq, Debug)]
pub struct MtypeDecl {
    /// The whole of it.
    pub span: Span,
    /// The name after the colon, if there is one.
    pub subtype: Option<Ident>,
    /// The constants, in source order; Spin numbers them from the last to the
    /// first within one declaration.
    pub names: Vec<Ident>,
}

/// `inline name(a, b) { ... }`
#[derive(Clone, PartialEq, Debug)]
pub struct InlineDef {
    /// The whole of it.
    pub span: Span,
    /// Its name.
    pub name: Ident,
    /// Its parameters.
    pub params: Vec<Ident>,
    /// The body's tokens, with its braces.
    pub body: Vec<Token>,
}

/// Which kind of embedded C.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EmbeddedKind {
    /// `c_code`
    Code,
    /// `c_decl`
    Decl,
    /// `c_expr`
    Expr,
    /// `c_state`
    State,
    /// `c_track`
    Track,
}

impl EmbeddedKind {
    /// The keyword.
    pub fn keyword(self) -> &'static str {
        match self {
            EmbeddedKind::Code => "c_code",
            EmbeddedKind::Decl => "c_decl",
            EmbeddedKind::Expr => "c_expr",
            EmbeddedKind::State => "c_state",
            EmbeddedKind::Track => "c_track",
        }
    }
}

/// A piece of embedded C.
#[derive(Clone, PartialEq, Debug)]
pub struct EmbeddedC {
    /// The whole of it, braces included.
    pub span: Span,
    /// Which kind.
    pub kind: EmbeddedKind,
}

/// `hidden`, `show` or `local`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Visibility {
    /// `hidden`: not part of the state.
    Hidden,
    /// `show`: of interest to the message sequence chart.
    Show,
    /// `local`: promised to be used by one process alone.
    Local,
}

/// One declaration of one or more variables: `hidden byte a, b = 2, c[3]`.
#[derive(Clone, PartialEq, Debug)]
pub struct VarDecl {
    /// The whole of it.
    pub span: Span,
    /// `hidden`, `show` or `local`.
    pub visibility: Option<Visibility>,
    /// The type.
    pub ty: Type,
    /// The variables.
    pub vars: Vec<Declarator>,
}

/// A type where it is used.
#[derive(Clone, PartialEq, Debug)]
pub struct Type {
    /// Its place.
    pub span: Span,
    /// Which.
    pub kind: TypeKind,
}

/// Which type.
#[derive(Clone, PartialEq, Debug)]
pub enum TypeKind {
    /// `bit`
    Bit,
    /// `bool`
    Bool,
    /// `byte`
    Byte,
    /// `pid`
    Pid,
    /// `short`
    Short,
    /// `int`
    Int,
    /// `unsigned`; the width is the declarator's.
    Unsigned,
    /// `chan`
    Chan,
    /// `mtype` or `mtype:name`
    Mtype(Option<Ident>),
    /// A typedef's name.
    Named(Ident),
}

/// One variable of a declaration.
#[derive(Clone, PartialEq, Debug)]
pub struct Declarator {
    /// The whole of it, initialiser included.
    pub span: Span,
    /// Its name.
    pub name: Ident,
    /// `: n`, the width in bits of an unsigned.
    pub width: Option<Expr>,
    /// `[n]`: a constant expression, or the name of an initialised variable.
    pub size: Option<Expr>,
    /// `= ...`
    pub init: Option<Initializer>,
}

/// What a variable starts with.
#[derive(Clone, PartialEq, Debug)]
pub enum Initializer {
    /// `= e`
    Expr(Expr),
    /// `= { 1, 2, 3 }`: constants, one an element.
    List {
        /// The braces and what is between them.
        span: Span,
        /// The constants.
        items: Vec<Expr>,
    },
    /// `= [n] of { t, t }`
    Channel(ChannelInit),
}

/// `[n] of { t, t }`
#[derive(Clone, PartialEq, Debug)]
pub struct ChannelInit {
    /// The whole of it.
    pub span: Span,
    /// The number of messages that it holds: a constant expression.
    pub capacity: Expr,
    /// The types of a message's fields.
    pub fields: Vec<Type>,
}

/// `{ ... }`: a sequence of statements with a scope of its own.
#[derive(Clone, PartialEq, Debug)]
pub struct Block {
    /// The braces and what is between them.
    pub span: Span,
    /// The statements; declarations stand among them where they were written.
    pub stmts: Vec<Stmt>,
}

/// One statement with its labels.
#[derive(Clone, PartialEq, Debug)]
pub struct Stmt {
    /// The statement without its labels.
    pub span: Span,
    /// The labels before it, in source order.
    pub labels: Vec<Ident>,
    /// What it is.
    pub kind: StmtKind,
}

/// What a statement is.
#[derive(Clone, PartialEq, Debug)]
pub enum StmtKind {
    /// Local variables.
    Decl(VarDecl),
    /// `xr c, d` or `xs c, d`
    Exclusive {
        /// `xs` rather than `xr`.
        send: bool,
        /// The channels.
        channels: Vec<VarRef>,
    },
    /// `target = value`
    Assign {
        /// What is assigned to.
        target: VarRef,
        /// The value.
        value: Expr,
    },
    /// `target++`
    Increment(VarRef),
    /// `target--`
    Decrement(VarRef),
    /// `channel!args` or `channel!!args`
    Send(Send),
    /// `channel?args`, `channel??args`, `channel?<args>` or `channel??<args>`
    Receive(Receive),
    /// An expression as a statement: executable when it is not zero.
    Expr(Expr),
    /// `else`
    Else,
    /// `break`
    Break,
    /// `goto label`
    Goto(Ident),
    /// `if :: ... fi`
    If(Vec<Branch>),
    /// `do :: ... od`
    Do(Vec<Branch>),
    /// `for (v : a .. b) { ... }` or `for (v in a) { ... }`
    For(Box<For>),
    /// `select (v : a .. b)`
    Select(Box<Select>),
    /// `atomic { ... }`
    Atomic(Block),
    /// `d_step { ... }`
    DStep(Block),
    /// `{ ... }`
    Block(Block),
    /// `body unless escape`; labels in front of it are the body's.
    Unless {
        /// What is executed.
        body: Box<Stmt>,
        /// What takes over as soon as it can.
        escape: Box<Stmt>,
    },
    /// `assert(e)`
    Assert(Expr),
    /// `printf("format", args)`
    Printf {
        /// The format.
        format: Str,
        /// The arguments.
        args: Vec<Expr>,
    },
    /// `printm(e)`: a variable or a constant.
    Printm(Expr),
    /// `set_priority(pid, priority)`
    SetPriority {
        /// Whose priority.
        pid: Expr,
        /// The new priority.
        priority: Expr,
    },
    /// `name(args)` or `target = name(args)`, expanded.
    InlineCall(Box<InlineCall>),
    /// `return e` in an inline's body: `target = e` of the call's target.
    Return {
        /// The target of the call.
        target: VarRef,
        /// The value.
        value: Expr,
    },
    /// `c_code { ... }`, which has already been complained about.
    EmbeddedC(EmbeddedC),
    /// Something that could not be read and has already been complained about.
    Error,
}

/// `channel!args`
#[derive(Clone, PartialEq, Debug)]
pub struct Send {
    /// The channel.
    pub channel: VarRef,
    /// Whether it is the sorted send, `!!`.
    pub sorted: bool,
    /// The fields; `c!a(b, c)` and `c!a, b, c` are the same.
    pub args: Vec<Expr>,
}

/// `channel?args`
#[derive(Clone, PartialEq, Debug)]
pub struct Receive {
    /// The channel.
    pub channel: VarRef,
    /// Whether any message of the channel will do (`??`) rather than the first.
    pub random: bool,
    /// Whether the message stays in the channel (`?<args>`).
    pub copy: bool,
    /// The fields.
    pub args: Vec<ReceiveArg>,
}

/// A field of a receive.
#[derive(Clone, PartialEq, Debug)]
pub struct ReceiveArg {
    /// Its place.
    pub span: Span,
    /// What it is.
    pub kind: ReceiveArgKind,
}

/// What a field of a receive is.
#[derive(Clone, PartialEq, Debug)]
pub enum ReceiveArgKind {
    /// A variable to receive into, `_` to ignore the field, or the name of an
    /// mtype's constant to match.
    Var(VarRef),
    /// `eval(e)`: a value to match.
    Eval(Expr),
    /// A constant to match.
    Const(Const),
}

/// `:: ...`, a branch of `if` or `do`.
#[derive(Clone, PartialEq, Debug)]
pub struct Branch {
    /// From the `::` to its last statement.
    pub span: Span,
    /// The statements; the first is the guard. Not a scope of its own.
    pub stmts: Vec<Stmt>,
}

/// A for loop.
#[derive(Clone, PartialEq, Debug)]
pub struct For {
    /// The variable that runs.
    pub var: VarRef,
    /// What it runs over.
    pub range: ForRange,
    /// The body.
    pub body: Block,
}

/// What a for loop runs over.
#[derive(Clone, PartialEq, Debug)]
pub enum ForRange {
    /// `: from .. to`, both included.
    Range {
        /// The first value.
        from: Expr,
        /// The last value.
        to: Expr,
    },
    /// `in` an array (its indices) or a channel (its messages).
    In(VarRef),
}

/// `select (var : from .. to)`
#[derive(Clone, PartialEq, Debug)]
pub struct Select {
    /// What is assigned to.
    pub var: VarRef,
    /// The least value.
    pub from: Expr,
    /// The greatest value.
    pub to: Expr,
    /// Whether Spin reads it as an `if` with one assignment a value (or, for
    /// more than 33 values, as `var = from; do :: var < to -> var++ :: break od`):
    /// a plain name and plain numbers on one line, outside inlines.
    /// Otherwise it is the loop that Spin makes for all other bounds.
    pub literal: bool,
}

/// A call of an inline, with what it stands for.
#[derive(Clone, PartialEq, Debug)]
pub struct InlineCall {
    /// The inline's name.
    pub name: Ident,
    /// `target =` in front of the call.
    pub target: Option<VarRef>,
    /// The tokens of each argument.
    pub args: Vec<Vec<Token>>,
    /// The body with the arguments put in, a scope of its own.
    pub body: Block,
}

/// A string literal.
#[derive(Clone, PartialEq, Debug)]
pub struct Str {
    /// Its place.
    pub span: Span,
    /// What is between the quotes, escapes as written.
    pub text: Name,
}

/// A reference to a variable: `a`, `a[i]`, `a.b`, `a[i].b[j].c`.
#[derive(Clone, PartialEq, Debug)]
pub struct VarRef {
    /// The whole of it.
    pub span: Span,
    /// The variable and then the fields; never empty.
    pub segments: Vec<Segment>,
}

impl VarRef {
    /// The variable's own name, without fields.
    pub fn name(&self) -> &Ident {
        &self.segments[0].name
    }

    /// The name, if it is nothing but a name.
    pub fn as_name(&self) -> Option<&Ident> {
        match &self.segments[..] {
            [Segment { name, index: None }] => Some(name),
            _ => None,
        }
    }
}

/// One name of a reference, with its index.
#[derive(Clone, PartialEq, Debug)]
pub struct Segment {
    /// The variable's or the field's name.
    pub name: Ident,
    /// `[index]`
    pub index: Option<Box<Expr>>,
}

/// A constant as written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Const {
    /// A number, in the range of an `int`.
    Int(i32),
    /// `true`
    True,
    /// `false`
    False,
    /// `skip`
    Skip,
    /// `'c'`
    Char(u8),
}

impl Const {
    /// Its value.
    pub fn value(self) -> i32 {
        match self {
            Const::Int(value) => value,
            Const::True | Const::Skip => 1,
            Const::False => 0,
            Const::Char(c) => i32::from(c),
        }
    }
}

/// An expression.
#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    /// Its place, with the parentheses around it.
    pub span: Span,
    /// What it is.
    pub kind: ExprKind,
}

/// What an expression is.
#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    /// A constant.
    Const(Const),
    /// A variable, a predefined variable (`_pid`, `_last`, `_nr_pr`,
    /// `_priority`, `_`) or a constant of an mtype.
    Var(VarRef),
    /// `op e`
    Unary(UnaryOp, Box<Expr>),
    /// `e op e`
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `(cond -> then : otherwise)`
    Conditional {
        /// The condition.
        cond: Box<Expr>,
        /// The value where it is not zero.
        then: Box<Expr>,
        /// The value where it is zero.
        otherwise: Box<Expr>,
    },
    /// `run name(args) priority n`
    Run(Box<Run>),
    /// `len(c)`
    Len(VarRef),
    /// `full(c)`, `empty(c)`, `nfull(c)` or `nempty(c)`
    Probe(Probe, VarRef),
    /// `c?[args]` or `c??[args]`
    Poll(Box<Poll>),
    /// `enabled(pid)`
    Enabled(Box<Expr>),
    /// `pc_value(pid)`
    PcValue(Box<Expr>),
    /// `get_priority(pid)`
    GetPriority(Box<Expr>),
    /// `timeout`
    Timeout,
    /// `np_`
    NonProgress,
    /// `P[pid]@label` or `P@label`
    RemoteLabel {
        /// The proctype.
        proctype: Ident,
        /// The process.
        pid: Option<Box<Expr>>,
        /// The label.
        label: Ident,
    },
    /// `P[pid]:var[index]` or `P:var`
    RemoteVar {
        /// The proctype.
        proctype: Ident,
        /// The process.
        pid: Option<Box<Expr>>,
        /// The variable, without fields.
        var: Box<Segment>,
    },
    /// `c_expr { ... }`, which has already been complained about.
    EmbeddedC(EmbeddedC),
    /// Something that could not be read and has already been complained about.
    Error,
}

/// `run name(args) priority n`
#[derive(Clone, PartialEq, Debug)]
pub struct Run {
    /// The proctype.
    pub proctype: Ident,
    /// The arguments.
    pub args: Vec<Expr>,
    /// `priority n`
    pub priority: Option<Expr>,
}

/// `channel?[args]`
#[derive(Clone, PartialEq, Debug)]
pub struct Poll {
    /// The channel.
    pub channel: VarRef,
    /// Whether any message of the channel will do (`??`).
    pub random: bool,
    /// The fields.
    pub args: Vec<ReceiveArg>,
}

/// What is asked of a channel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Probe {
    /// `full`
    Full,
    /// `empty`
    Empty,
    /// `nfull`
    NFull,
    /// `nempty`
    NEmpty,
}

/// An operator before its operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    /// `!`
    Not,
    /// `~`
    Complement,
    /// `-`
    Negate,
    /// `X`, in an ltl formula.
    Next,
    /// `[]`, in an ltl formula.
    Always,
    /// `<>`, in an ltl formula.
    Eventually,
}

/// An operator between its operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `&`
    BitAnd,
    /// `^`
    BitXor,
    /// `|`
    BitOr,
    /// `>`
    Gt,
    /// `<`
    Lt,
    /// `>=`
    Ge,
    /// `<=`
    Le,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `&&`
    And,
    /// `||`
    Or,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
    /// `U`, in an ltl formula.
    Until,
    /// `V`, in an ltl formula.
    Release,
    /// `W`, in an ltl formula.
    WeakUntil,
    /// `->`, in an ltl formula.
    Implies,
    /// `<->`, in an ltl formula.
    Equivalent,
}
