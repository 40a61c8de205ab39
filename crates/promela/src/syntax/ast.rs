//! The syntax tree: a model as it was written, names not yet resolved.
//!
//! Macros are gone by now and calls of inlines are expanded, but every node's
//! span tells where its text came from. Scopes are [`Block`]s and nothing else:
//! the branches of `if` and `do` open none.

mod expr;
mod stmt;

pub use expr::*;
pub use stmt::*;

use crate::syntax::token::Token;
use isospin_source::{Name, Span};

/// Tells one occurrence of a name in a tree from all others. Places do not: the argument of an
/// inline or a macro can be put in several times, and mean something else each time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Occurrence(pub u32);

/// A name and its place.
#[derive(Clone, PartialEq, Debug)]
pub struct Ident {
    /// The name.
    pub name: Name,
    /// Its place.
    pub span: Span,
    /// Which occurrence of the name it is.
    pub occurrence: Occurrence,
}

/// A whole model.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Tree {
    /// What stands at the outermost level, in source order.
    pub items: Vec<Item>,
    /// The formulas that were given beside the model; they are no part of its text.
    pub formulas: Vec<Ltl>,
}

impl Tree {
    /// The formulas of the model, and those that were given beside it.
    pub fn all_formulas(&self) -> impl Iterator<Item = &Ltl> {
        let own = self.items.iter().filter_map(|item| match item {
            Item::Ltl(ltl) => Some(ltl),
            _ => None,
        });
        own.chain(&self.formulas)
    }
}

/// Something at the outermost level.
#[allow(clippy::large_enum_variant)] // There are few of them, most of them large.
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
    /// A cluster of processes.
    Cluster(Cluster),
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
            Item::Cluster(c) => c.span,
            Item::EmbeddedC(c) => c.span,
        }
    }
}

/// `cluster(Name, P, Q[3], Other)`
#[derive(Clone, PartialEq, Debug)]
pub struct Cluster {
    /// The whole of it.
    pub span: Span,
    /// Its name.
    pub name: Ident,
    /// Its members.
    pub members: Vec<ClusterMember>,
}

/// A member of a cluster: all processes of a type, one of them, or those of another cluster.
#[derive(Clone, PartialEq, Debug)]
pub struct ClusterMember {
    /// The proctype or the cluster.
    pub name: Ident,
    /// Which process of the type: a constant.
    pub number: Option<Expr>,
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
    /// `timer`, in a model that declares timers.
    Timer,
    /// `scalarset(name, n)`: names that can change places.
    Scalarset(Ident, Box<Expr>),
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
