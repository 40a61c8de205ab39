//! The tree: modules, and expressions in a table.

use isospin_source::Span;

/// An expression's number in the tree.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Expr(pub(crate) u32);

/// A name with its place.
#[derive(Clone, Debug)]
pub(crate) struct Ident {
    pub(crate) text: String,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum ExprKind {
    True,
    False,
    Number(i64),
    Word {
        signed: bool,
        width: u32,
        bits: u64,
    },
    Name(String),
    SelfName,
    Dot(Expr, Ident),
    Index(Expr, Expr),
    Slice(Expr, Expr, Expr),
    Unary(&'static str, Expr),
    Binary(&'static str, Expr, Expr),
    /// `c ? a : b`.
    Choose(Expr, Expr, Expr),
    Case(Vec<(Expr, Expr)>),
    Set(Vec<Expr>),
    Range(Expr, Expr),
    Array(Vec<Expr>),
    Call(&'static str, Vec<Expr>),
    Next(Expr),
    /// A temporal operator with its bounds.
    Temporal(&'static str, Vec<Expr>, Option<(Expr, Expr)>),
}

/// Which temporal operators are inside an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Temporal {
    pub(crate) branching: bool,
    pub(crate) linear: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct ExprNode {
    pub(crate) kind: ExprKind,
    pub(crate) span: Span,
    pub(crate) temporal: Temporal,
    pub(crate) depth: u32,
}

#[derive(Clone, Debug)]
pub(crate) enum Type {
    Boolean,
    Range(Expr, Expr),
    Enumeration(Vec<Expr>),
    Word {
        signed: bool,
        width: Expr,
    },
    Array {
        low: Expr,
        high: Expr,
        of: Box<Type>,
    },
    Instance {
        process: bool,
        module: Ident,
        arguments: Vec<Expr>,
    },
    /// Something that no finite domain is, as the text says.
    Unsupported(&'static str, Span),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum VarKind {
    State,
    Input,
    Frozen,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum AssignKind {
    Init,
    Next,
    Current,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SpecKind {
    Ctl,
    Ltl,
    Invariant,
    Psl,
    Shortest,
    Longest,
}

#[derive(Clone, Debug)]
pub(crate) enum Element {
    Variable { kind: VarKind, name: Ident, of: Type },
    Define { name: Ident, body: Expr },
    Constants(Vec<Ident>),
    Assign { kind: AssignKind, target: Expr, value: Expr },
    Init(Expr),
    Trans(Expr),
    Invar(Expr),
    Justice(Expr),
    Compassion(Expr, Expr),
    Spec { kind: SpecKind, name: Option<Ident>, formulas: Vec<Expr>, span: Span },
    Isa(Ident),
}

#[derive(Clone, Debug)]
pub(crate) struct Module {
    pub(crate) name: Ident,
    pub(crate) parameters: Vec<Ident>,
    pub(crate) elements: Vec<Element>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    pub(crate) exprs: Vec<ExprNode>,
    pub(crate) modules: Vec<Module>,
}

impl Tree {
    pub(crate) fn node(&self, expr: Expr) -> &ExprNode {
        &self.exprs[expr.0 as usize]
    }

    pub(crate) fn span(&self, expr: Expr) -> Span {
        self.node(expr).span
    }
}
