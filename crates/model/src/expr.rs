//! Expressions: trees over places in the state vector. Every value is a 32-bit signed integer.

use crate::action::ReceiveArg;
use crate::ids::{LocationId, ProcTypeId};
use crate::scalar::Scalar;

/// An operator with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// Logical negation: 1 for 0, 0 for the rest.
    Not,
    /// Arithmetic negation, wrapping.
    Negate,
    /// Bitwise complement.
    Complement,
}

/// An operator with two operands. `And` and `Or` do not evaluate their right side when the left
/// one decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    BitAnd,
    BitOr,
    BitXor,
    ShiftLeft,
    ShiftRight,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    And,
    Or,
}

/// Whose channels a number counts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChannelOwner {
    /// The model's own channels, numbered from 1.
    Global,
    /// The channels that the executing process created, counted from 0.
    Executing,
}

/// A value computed from a state.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// A constant.
    Const(i32),
    /// The value of a variable.
    Load(Place),
    /// An operator applied to one operand.
    Unary(UnaryOp, Box<Expr>),
    /// An operator applied to two operands.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `(condition -> then : otherwise)`.
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// The number of a channel that a declaration created and that never changes: the channel
    /// `first` of `owner`, or `first + index` of an array of them.
    ChannelId {
        /// Who created it.
        owner: ChannelOwner,
        /// Its place among its owner's channels.
        first: u16,
        /// For an array of channels, the index into it.
        index: Option<Box<Index>>,
    },
    /// How many messages the channel holds.
    Len(Box<Expr>),
    /// Whether the channel holds as many messages as it can.
    Full(Box<Expr>),
    /// Whether the channel holds none.
    Empty(Box<Expr>),
    /// Whether a receive of this pattern would succeed, without receiving.
    Poll {
        /// The channel.
        channel: Box<Expr>,
        /// The pattern; nothing is stored.
        pattern: Vec<ReceiveArg>,
        /// Whether any message in the channel will do, and not only the first.
        random: bool,
    },
    /// Starts a process and yields its number.
    Run {
        /// What it runs.
        proctype: ProcTypeId,
        /// The values of its parameters.
        args: Vec<Expr>,
        /// Its priority.
        priority: u8,
    },
    /// Whether nothing else can happen anywhere.
    Timeout,
    /// Whether no process is at a progress label.
    NonProgress,
    /// The number of the executing process.
    Pid,
    /// How many processes there are.
    ProcessCount,
    /// The number of the process that took the last step.
    Last,
    /// Whether the process with this number can take a step.
    Enabled(Box<Expr>),
    /// The number of the location where the process with this number stands, see
    /// [`Location::number`](crate::Location::number).
    PcValue(Box<Expr>),
    /// The priority of the process with this number.
    Priority(Box<Expr>),
    /// Whether a process of this type stands at one of these locations. Without a number, the
    /// oldest process of that type is meant.
    AtLocation {
        /// Which type of process.
        proctype: ProcTypeId,
        /// Which process.
        pid: Option<Box<Expr>>,
        /// Where it may stand.
        location: Option<LocationId>,
    },
}

impl Expr {
    /// `left op right`.
    pub fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
        Expr::Binary(op, Box::new(left), Box::new(right))
    }

    /// `op operand`.
    pub fn unary(op: UnaryOp, operand: Expr) -> Expr {
        Expr::Unary(op, Box::new(operand))
    }

    /// Calls `visit` for this expression and everything below it, indices of places included.
    pub fn walk<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        isospin_limits::check();
        visit(self);
        match self {
            Expr::Const(_)
            | Expr::Timeout
            | Expr::NonProgress
            | Expr::Pid
            | Expr::ProcessCount
            | Expr::Last => {}
            Expr::Load(place) => place.walk(visit),
            Expr::Unary(_, e)
            | Expr::Len(e)
            | Expr::Full(e)
            | Expr::Empty(e)
            | Expr::Enabled(e)
            | Expr::PcValue(e)
            | Expr::Priority(e) => e.walk(visit),
            Expr::Binary(_, a, b) => {
                a.walk(visit);
                b.walk(visit);
            }
            Expr::Conditional(a, b, c) => {
                a.walk(visit);
                b.walk(visit);
                c.walk(visit);
            }
            Expr::ChannelId { index, .. } => {
                if let Some(index) = index {
                    index.expr.walk(visit);
                }
            }
            Expr::Poll { channel, pattern, .. } => {
                channel.walk(visit);
                for arg in pattern {
                    arg.walk(visit);
                }
            }
            Expr::Run { args, .. } => args.iter().for_each(|a| a.walk(visit)),
            Expr::AtLocation { pid, .. } => {
                if let Some(pid) = pid {
                    pid.walk(visit);
                }
            }
        }
    }

    /// Whether there may be states in which it has no value: an index that may lie outside its
    /// array, a divisor that may be 0, a variable that may name no channel, and the like.
    pub fn may_fail(&self) -> bool {
        let outside = |index: &Index| match index.expr {
            Expr::Const(c) => c < 0 || c as u32 >= index.len,
            _ => true,
        };
        self.any(&|e| match e {
            Expr::Load(place) => place.indices.iter().any(outside),
            Expr::ChannelId { index: Some(index), .. } => outside(index),
            Expr::Binary(BinaryOp::Divide | BinaryOp::Modulo, _, by) => {
                !matches!(**by, Expr::Const(c) if c != 0)
            }
            Expr::Len(channel) | Expr::Full(channel) | Expr::Empty(channel) => {
                !matches!(**channel, Expr::ChannelId { .. })
            }
            Expr::Poll { .. } | Expr::Run { .. } | Expr::Enabled(_) => true,
            _ => false,
        })
    }

    /// Whether `test` holds for this expression or anything below it.
    pub fn any(&self, test: &dyn Fn(&Expr) -> bool) -> bool {
        let mut found = false;
        self.walk(&mut |e| found |= test(e));
        found
    }
}

/// Which part of the state vector an offset counts from.
#[derive(Clone, Debug, PartialEq)]
pub enum Region {
    /// The start of the vector.
    Global,
    /// The frame of the executing process.
    Local,
    /// The frame of another process. A process that is not there reads as 0.
    Remote {
        /// Which type of process.
        proctype: ProcTypeId,
        /// Which process; without it, the oldest of that type.
        pid: Option<Box<Expr>>,
    },
}

/// One index into an array: `expr` must lie in `0..len`, and each step is `stride` bytes (or
/// channels).
#[derive(Clone, Debug, PartialEq)]
pub struct Index {
    /// The index.
    pub expr: Expr,
    /// How many elements the array has.
    pub len: u32,
    /// How far apart they are.
    pub stride: u32,
}

/// A single value in the state vector: an offset plus one term per array index.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// What `offset` counts from.
    pub region: Region,
    /// Where the variable starts.
    pub offset: u32,
    /// The indices, outermost first.
    pub indices: Vec<Index>,
    /// The type of the value.
    pub ty: Scalar,
}

impl Place {
    /// Calls `visit` for every expression in the indices.
    pub fn walk<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        if let Region::Remote { pid: Some(pid), .. } = &self.region {
            pid.walk(visit);
        }
        for index in &self.indices {
            index.expr.walk(visit);
        }
    }
}
