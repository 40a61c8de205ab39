//! What names stand for. The checks find it out, once; lowering and whoever shows a model to a
//! person ask here.
//!
//! [`Symbols::meaning`] says what one occurrence of a name in the tree means: what it refers to,
//! or, where something is declared, what it declares. A name that means nothing has been
//! complained about, or is one that only the grammar knows (inlines, properties).

mod kind;
mod types;
mod variable;

pub use kind::Kind;
pub(crate) use types::UNNAMED;
pub use types::{Mtype, Scalarset, Typedef};
pub use variable::{Channel, Place, Predefined, Variable};

use crate::syntax::ast::{Ident, Occurrence};
use isospin_source::{Name, Span};
use std::collections::HashMap;

macro_rules! ids {
    ($($(#[doc = $doc:literal])* $name:ident,)*) => {
        $(
            $(#[doc = $doc])*
            #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
            pub struct $name(pub usize);
        )*
    };
}

ids! {
    /// A variable or a parameter, in the order of the text.
    VariableId,
    /// A typedef, in the order of the text.
    TypedefId,
    /// An mtype; the first is the one without a name.
    MtypeId,
    /// A scalarset, by its first use.
    ScalarsetId,
    /// A process type, `init` among them, in the order of the text.
    ProctypeId,
    /// A label.
    LabelId,
    /// A cluster, in the order of the text.
    ClusterId,
}

/// What an occurrence of a name means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// A variable.
    Variable(VariableId),
    /// A field of a structure, by its position.
    Field(TypedefId, usize),
    /// A constant of an mtype, with its value.
    Constant(MtypeId, i32),
    /// A process type.
    Proctype(ProctypeId),
    /// A label.
    Label(LabelId),
    /// A cluster.
    Cluster(ClusterId),
}

/// A process type.
#[derive(Clone, Debug)]
pub struct ProctypeSymbol {
    /// Its name.
    pub name: Name,
    /// Where it is named.
    pub span: Span,
    /// Its parameters and local variables; of several of one name, the last. Known once its body
    /// has been checked.
    pub variables: Option<HashMap<Name, VariableId>>,
}

/// A label.
#[derive(Clone, Debug)]
pub struct Label {
    /// Its name.
    pub name: Name,
    /// Its place.
    pub span: Span,
    /// Whether a remote reference names it.
    pub remote: bool,
}

/// What a model makes use of, and others need not pay for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Uses {
    /// Priorities are given, set or read.
    pub priorities: bool,
    /// `enabled`.
    pub enabled: bool,
    /// `_last`.
    pub last: bool,
}

/// All names of a model, and what every occurrence of one means.
#[derive(Debug, Default)]
pub struct Symbols {
    pub(crate) variables: Vec<Variable>,
    pub(crate) typedefs: Vec<Typedef>,
    pub(crate) mtypes: Vec<Mtype>,
    pub(crate) scalarsets: Vec<Scalarset>,
    pub(crate) proctypes: Vec<ProctypeSymbol>,
    pub(crate) labels: Vec<Label>,
    pub(crate) uses: Uses,
    /// The types of each name.
    names: types::TypeNames,
    /// By occurrence.
    meanings: Vec<Option<Meaning>>,
}

impl Symbols {
    /// The predefined variables, and the mtype without a name.
    pub(crate) fn new() -> Symbols {
        let mut symbols = Symbols {
            variables: Predefined::ALL.iter().map(|&p| Variable::predefined(p)).collect(),
            ..Symbols::default()
        };
        symbols.intern_mtype("");
        symbols
    }

    /// What this occurrence of a name means.
    pub fn meaning(&self, ident: &Ident) -> Option<Meaning> {
        let Occurrence(at) = ident.occurrence;
        self.meanings.get(at as usize).copied().flatten()
    }

    /// The variable that this occurrence of a name means.
    pub fn variable_of(&self, ident: &Ident) -> Option<VariableId> {
        match self.meaning(ident)? {
            Meaning::Variable(id) => Some(id),
            _ => None,
        }
    }

    /// The process type that this occurrence of a name means.
    pub fn proctype_of(&self, ident: &Ident) -> Option<ProctypeId> {
        match self.meaning(ident)? {
            Meaning::Proctype(id) => Some(id),
            _ => None,
        }
    }

    /// The label that this occurrence of a name means.
    pub fn label_of(&self, ident: &Ident) -> Option<LabelId> {
        match self.meaning(ident)? {
            Meaning::Label(id) => Some(id),
            _ => None,
        }
    }

    pub(crate) fn set_meaning(&mut self, ident: &Ident, meaning: Meaning) {
        let Occurrence(at) = ident.occurrence;
        let at = at as usize;
        if self.meanings.len() <= at {
            self.meanings.resize(at + 1, None);
        }
        self.meanings[at] = Some(meaning);
    }

    /// A variable.
    pub fn variable(&self, id: VariableId) -> &Variable {
        &self.variables[id.0]
    }

    pub(crate) fn variable_mut(&mut self, id: VariableId) -> &mut Variable {
        &mut self.variables[id.0]
    }

    pub(crate) fn add_variable(&mut self, variable: Variable) -> VariableId {
        self.variables.push(variable);
        VariableId(self.variables.len() - 1)
    }

    /// A process type.
    pub fn proctype(&self, id: ProctypeId) -> &ProctypeSymbol {
        &self.proctypes[id.0]
    }

    /// A label.
    pub fn label(&self, id: LabelId) -> &Label {
        &self.labels[id.0]
    }

    pub(crate) fn add_label(&mut self, ident: &Ident) -> LabelId {
        let label = Label { name: ident.name.clone(), span: ident.span, remote: false };
        self.labels.push(label);
        let id = LabelId(self.labels.len() - 1);
        self.set_meaning(ident, Meaning::Label(id));
        id
    }
}
