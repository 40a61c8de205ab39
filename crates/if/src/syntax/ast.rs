//! The tree.

use isospin_source::Span;

/// A name and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ident {
    /// The name.
    pub name: String,
    /// Where it stands.
    pub span: Span,
}

/// A system.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// Its name.
    pub name: String,
    /// What it declares, in order.
    pub items: Vec<Item>,
}

/// A declaration of a system or of a process.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Item {
    Const(Const),
    Type(TypeDecl),
    Var(Var),
    Procedure(Procedure),
    Resource(Vec<Ident>),
    Signal(Signal),
    Route(Route),
    PriorityRule(Ident),
    Process(Process),
    State(State),
}

/// `const N = e;`
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Const {
    pub name: Ident,
    pub value: Expr,
}

/// `type N = ..;`
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct TypeDecl {
    pub name: Ident,
    pub definition: Type,
}

/// A type as written.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Type {
    pub kind: TypeKind,
    pub span: Span,
}

/// The kinds of types.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum TypeKind {
    Named(String),
    Enum(Vec<Ident>),
    Range(Expr, Expr),
    Record(Vec<(Ident, Type)>),
    Array(Expr, Box<Type>),
    String(Expr, Box<Type>),
    Tree,
    Abstract,
}

/// `var x T := e public;`
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Var {
    pub name: Ident,
    pub ty: Type,
    pub value: Option<Expr>,
    pub public: bool,
}

/// A formal parameter.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Parameter {
    pub name: Ident,
    pub ty: Type,
}

/// A procedure. Its body is C text, or there is none.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Procedure {
    pub name: Ident,
    pub parameters: Vec<Parameter>,
    pub returns: Option<Type>,
    pub code: Option<Span>,
}

/// `signal s(T, ..);`
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Signal {
    pub name: Ident,
    pub parameters: Vec<Type>,
}

/// A signal route.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Route {
    pub name: Ident,
    pub count: Expr,
    pub options: Vec<Ident>,
    pub from: Ident,
    pub to: Ident,
    pub signals: Vec<Ident>,
}

/// A process.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Process {
    pub name: Ident,
    pub count: Expr,
    pub parameters: Vec<Parameter>,
    pub items: Vec<Item>,
}

/// A state.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct State {
    pub name: Ident,
    pub options: Vec<Ident>,
    pub tpc: Vec<Expr>,
    pub save: Vec<Ident>,
    pub states: Vec<State>,
    pub transitions: Vec<Transition>,
}

/// A transition.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Transition {
    pub span: Span,
    pub choices: Vec<Choice>,
    pub deadline: Option<Ident>,
    pub priority: Option<Span>,
    pub acquire: Vec<Ident>,
    pub provided: Option<Expr>,
    pub when: Vec<Expr>,
    pub input: Option<Input>,
    pub body: Vec<Statement>,
    pub next: Next,
}

/// `exists x T :` before a transition.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Choice {
    pub all: bool,
    pub name: Ident,
    pub ty: Type,
}

/// `input s(lv, ..)`.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Input {
    pub signal: Ident,
    pub places: Vec<Expr>,
    pub span: Span,
}

/// What follows a transition.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Next {
    State(Ident),
    Same(Span),
    Stop(Span),
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
    Task(Expr, Expr),
    Set(Expr, Expr),
    Reset(Expr),
    Release(Vec<Ident>),
    Output { signal: Ident, args: Vec<Expr>, via: Option<Expr>, to: Option<Expr> },
    Fork { place: Option<Expr>, process: Ident, args: Vec<Expr> },
    Kill(Expr),
    Call { procedure: Ident },
    If { condition: Expr, then: Vec<Statement>, otherwise: Vec<Statement> },
    While { condition: Expr, body: Vec<Statement> },
}

/// An expression and where it stands.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

/// An operator with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Unary {
    Not,
    Negate,
    Active,
    TimeValue,
    Length,
}

/// An operator with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    Concat,
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
    Equal,
    NotEqual,
    And,
    Or,
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum ExprKind {
    Number(i64),
    Bool(bool),
    Real,
    SelfPid,
    Nil,
    Void,
    Name(String),
    Field(Box<Expr>, Ident),
    Index(Box<Expr>, Box<Expr>),
    Slice(Box<Expr>, Box<Expr>, Box<Expr>),
    Call(Ident),
    /// `{N}e`.
    Cast(Ident, Box<Expr>),
    /// `{N}e@s`, in properties only.
    At(Box<Expr>, Ident),
    Quantified {
        all: bool,
        name: Ident,
        ty: Box<Type>,
        body: Box<Expr>,
    },
    Unary(Unary, Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
}
