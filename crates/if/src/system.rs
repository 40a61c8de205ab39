//! A system as it was understood: every name resolved, every expression typed. What is refused is
//! not in it.

use isospin_source::Span;

pub use crate::syntax::ast::Binary;

/// What a value can be.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Type {
    Integer,
    Boolean,
    Pid,
    Clock,
    Range(i32, i32),
    Enum(usize),
    Record(usize),
    Array(u32, Box<Type>),
    /// Something is wrong with it, and that has been said.
    Wrong,
}

impl Type {
    /// Whether it is a single number, and its least and greatest value.
    pub fn bounds(&self) -> Option<(i32, i32)> {
        match self {
            Type::Range(low, high) => Some((*low, *high)),
            Type::Boolean => Some((0, 1)),
            _ => None,
        }
    }

    /// Whether it is a number.
    pub fn is_number(&self) -> bool {
        matches!(self, Type::Integer | Type::Range(..) | Type::Wrong)
    }
}

/// An enumeration.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Enumeration {
    pub name: String,
    pub literals: Vec<String>,
}

/// A record.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Record {
    pub name: String,
    pub fields: Vec<(String, Type)>,
}

/// A signal.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Signal {
    pub name: String,
    pub parameters: Vec<Type>,
    pub span: Span,
}

/// Who a message of a route reaches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    /// The instance that it is sent to; nobody, if it is sent to nobody.
    Peer,
    /// Any one instance.
    Unicast,
    /// All instances.
    Multicast,
}

/// When a route delivers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pace {
    /// At once.
    Urgent,
    /// So long after a message was sent.
    Delay(i32, i32),
    /// So long after the last delivery.
    Rate(i32, i32),
}

/// A signal route.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Route {
    pub name: String,
    pub count: u32,
    /// The processes that it leads from and to; `None` for the environment.
    pub from: Option<usize>,
    pub to: Option<usize>,
    pub signals: Vec<usize>,
    /// Whether messages may overtake each other.
    pub multiset: bool,
    pub lossy: bool,
    pub reach: Reach,
    pub pace: Pace,
    pub span: Span,
}

/// A variable.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Variable {
    pub name: String,
    pub ty: Type,
    pub value: Option<Expr>,
    pub public: bool,
    pub span: Span,
}

/// A process.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Process {
    pub name: String,
    /// How many instances there are at the start.
    pub count: u32,
    /// How many of the variables are parameters.
    pub parameters: usize,
    pub variables: Vec<Variable>,
    pub states: Vec<State>,
    /// Where it starts; meaningless without states.
    pub start: usize,
    pub span: Span,
}

/// A state that contains no others.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct State {
    pub name: String,
    pub unstable: bool,
    pub tpc: Vec<Expr>,
    pub save: Vec<usize>,
    pub transitions: Vec<Transition>,
    pub span: Span,
}

/// When a transition keeps time from passing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Deadline {
    Eager,
    Delayable,
    Lazy,
}

/// A transition.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Transition {
    /// The variables that are chosen freely: their numbers, and from what to what.
    pub choices: Vec<(usize, i32, i32)>,
    pub deadline: Deadline,
    pub acquire: Vec<usize>,
    pub provided: Option<Expr>,
    pub when: Vec<Expr>,
    pub input: Option<Input>,
    pub body: Vec<Statement>,
    pub next: Next,
    pub span: Span,
}

/// A signal that is taken, and where its parameters go.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Input {
    pub signal: usize,
    pub places: Vec<Place>,
    pub span: Span,
}

/// What follows a transition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Next {
    State(usize),
    Stop,
}

/// A statement and where it stands.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Statement {
    pub kind: StatementKind,
    pub span: Span,
}

/// The kinds of statements.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum StatementKind {
    Skip,
    Informal(String),
    Assign(Place, Expr),
    /// A clock starts to count from a value.
    Set(Place, Expr),
    /// A clock stops, or a variable gets the value that it starts with.
    Reset(Place),
    Release(Vec<usize>),
    Output {
        signal: usize,
        args: Vec<Expr>,
        via: Option<Expr>,
        to: Option<Expr>,
    },
    Fork {
        place: Option<Place>,
        process: usize,
        args: Vec<Expr>,
    },
    Kill(Expr),
    If {
        condition: Expr,
        then: Vec<Statement>,
        otherwise: Vec<Statement>,
    },
    While {
        condition: Expr,
        body: Vec<Statement>,
    },
}

/// Where a value is stored.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Place {
    pub base: Base,
    pub path: Vec<Access>,
    pub ty: Type,
    pub span: Span,
}

/// Whose variable it is.
#[derive(Clone, Debug)]
pub enum Base {
    /// The system's.
    Global(usize),
    /// One of the process itself.
    Local(usize),
    /// One of a process of this kind.
    Remote(usize, Box<Expr>, usize),
}

/// A part of a variable.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Access {
    Field(usize),
    Index(Expr),
}

/// What a cast names instances of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Owner {
    Process(usize),
    Route(usize),
}

/// An expression with its type.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: Type,
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum ExprKind {
    Const(i32),
    Nil,
    SelfPid,
    Read(Place),
    /// A variable of a quantifier or of a choice, by its number.
    Bound(usize),
    Instance(Owner, Box<Expr>),
    Not(Box<Expr>),
    Negate(Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    Active(Place),
    TimeValue(Place),
    Quantified {
        all: bool,
        bound: usize,
        low: i32,
        high: i32,
        body: Box<Expr>,
    },
    /// Whether a process stands in one of these states; in properties only.
    At(usize, Box<Expr>, Vec<usize>),
    /// How many signals wait for a process or in a route; in properties only.
    Waiting(Owner, Box<Expr>),
}

/// A system.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct System {
    pub name: String,
    pub enumerations: Vec<Enumeration>,
    pub records: Vec<Record>,
    pub signals: Vec<Signal>,
    pub routes: Vec<Route>,
    pub globals: Vec<Variable>,
    pub resources: Vec<String>,
    pub processes: Vec<Process>,
}
