//! Expressions, and references to variables.

use super::{EmbeddedC, Ident, ReceiveArg};
use isospin_source::Span;

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
    /// `expire(t)`, in a model that declares timers: whether the timer has expired.
    Expire(VarRef),
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
