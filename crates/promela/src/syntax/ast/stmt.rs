//! Statements.

use super::{Const, EmbeddedC, Expr, Ident, VarDecl, VarRef};
use crate::syntax::token::Token;
use isospin_source::{Name, Span};

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
    /// What is done with a timer, in a model that declares timers.
    Timer(Box<TimerStmt>),
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

/// What is done with a timer.
#[derive(Clone, PartialEq, Debug)]
pub struct TimerStmt {
    /// The timer.
    pub timer: VarRef,
    /// What is done with it.
    pub kind: TimerStmtKind,
}

/// What is done with a timer.
#[derive(Clone, PartialEq, Debug)]
pub enum TimerStmtKind {
    /// `set(t, e)`: it expires in so much time.
    Set(Expr),
    /// `reset(t)`: it is off.
    Reset,
    /// `delay(t, e)`: it is set, and waited for.
    Delay(Expr),
    /// `bdelay(t, a, b)`: it is set to some time from `a` to `b`, and waited for.
    BoundedDelay(Expr, Expr),
    /// `udelay(t)`: any number of delays of one unit.
    UnboundedDelay,
}

impl TimerStmtKind {
    /// The word that it starts with.
    pub fn word(&self) -> &'static str {
        match self {
            TimerStmtKind::Set(_) => "set",
            TimerStmtKind::Reset => "reset",
            TimerStmtKind::Delay(_) => "delay",
            TimerStmtKind::BoundedDelay(..) => "bdelay",
            TimerStmtKind::UnboundedDelay => "udelay",
        }
    }

    /// The expressions in it.
    pub fn operands(&self) -> Vec<&Expr> {
        match self {
            TimerStmtKind::Set(e) | TimerStmtKind::Delay(e) => vec![e],
            TimerStmtKind::BoundedDelay(a, b) => vec![a, b],
            TimerStmtKind::Reset | TimerStmtKind::UnboundedDelay => Vec::new(),
        }
    }
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
