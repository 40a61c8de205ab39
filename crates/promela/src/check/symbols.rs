//! What names stand for: variables, their types, and the scopes they live in.

use crate::syntax::ast::{Ident, Type, TypeKind};
use isospin_source::{Diagnostic, Name, Span};
use std::collections::HashMap;
use std::rc::Rc;

/// A type, as far as the checks care.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Kind {
    Bit,
    Bool,
    Byte,
    Pid,
    Short,
    Int,
    Unsigned(u32),
    Mtype(Option<Name>),
    Chan,
    Timer,
    Struct(Name),
}

impl Kind {
    pub fn of(ty: &Type, width: u32) -> Kind {
        match &ty.kind {
            TypeKind::Bit => Kind::Bit,
            TypeKind::Bool => Kind::Bool,
            TypeKind::Byte | TypeKind::Scalarset(..) => Kind::Byte,
            TypeKind::Pid => Kind::Pid,
            TypeKind::Short => Kind::Short,
            TypeKind::Int => Kind::Int,
            TypeKind::Unsigned => Kind::Unsigned(width),
            TypeKind::Chan => Kind::Chan,
            TypeKind::Timer => Kind::Timer,
            TypeKind::Mtype(subtype) => Kind::Mtype(subtype.as_ref().map(|s| s.name.clone())),
            TypeKind::Named(name) => Kind::Struct(name.name.clone()),
        }
    }

    pub fn describe(&self) -> String {
        match self {
            Kind::Bit => "bit".into(),
            Kind::Bool => "bool".into(),
            Kind::Byte => "byte".into(),
            Kind::Pid => "pid".into(),
            Kind::Short => "short".into(),
            Kind::Int => "int".into(),
            Kind::Unsigned(width) => format!("unsigned:{width}"),
            Kind::Mtype(None) => "mtype".into(),
            Kind::Mtype(Some(name)) => format!("mtype:{name}"),
            Kind::Chan => "chan".into(),
            Kind::Timer => "timer".into(),
            Kind::Struct(name) => name.to_string(),
        }
    }
}

/// The fields of a channel's messages.
pub(super) type Fields = Rc<Vec<Kind>>;

/// A variable, or a field of a typedef.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub name: Name,
    pub span: Span,
    pub kind: Kind,
    pub array: bool,
    /// The messages of a channel that is declared with its messages.
    pub fields: Option<Fields>,
    /// The capacity of such a channel.
    pub capacity: i64,
    pub place: Place,
    pub hidden: bool,
    /// The mtype whose constants have been assigned to it.
    pub mtype: Option<Name>,
    /// The value it starts with, where that is a plain constant.
    pub initial: Option<i64>,
    pub read: bool,
    pub written: bool,
    /// The process that claimed `xr` and `xs`.
    pub claims: [Option<Name>; 2],
}

/// Where a variable is declared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    Global,
    Local,
    Parameter,
    Predefined,
}

/// What a name stands for inside a body.
#[derive(Clone, Copy, Debug)]
pub(super) enum Local {
    Variable(usize),
    Label(Span),
}

/// What a name stands for at the outermost level.
#[derive(Clone, Debug)]
pub(super) enum Global {
    Variable(usize),
    /// A constant of an mtype.
    Mtype {
        subtype: Name,
        span: Span,
    },
    Proctype(Span),
    Typedef(Span),
    Inline(Span),
}

/// An mtype without a name.
pub(super) const UNNAMED: &str = "_unnamed_";

/// All names so far.
#[derive(Default)]
pub(super) struct Symbols {
    pub variables: Vec<Variable>,
    pub globals: HashMap<Name, Global>,
    pub typedefs: HashMap<Name, Rc<Vec<Variable>>>,
    /// The blocks around this place, outermost first.
    pub scopes: Vec<HashMap<Name, Local>>,
    /// The variables of each proctype that has been read, by name.
    pub locals: HashMap<Name, HashMap<Name, usize>>,
}

impl Symbols {
    /// The predefined variables.
    pub fn new() -> Self {
        let mut symbols = Symbols::default();
        for name in ["_", "_p", "_pid", "_last", "_nr_pr", "_priority"] {
            let kind = if name == "_" { Kind::Int } else { Kind::Byte };
            let variable = Variable {
                name: name.into(),
                span: Span::NONE,
                kind,
                array: false,
                fields: None,
                capacity: 0,
                place: Place::Predefined,
                hidden: true,
                mtype: None,
                initial: None,
                read: true,
                written: true,
                claims: [None, None],
            };
            let id = symbols.add(variable);
            symbols.globals.insert(name.into(), Global::Variable(id));
        }
        symbols
    }

    pub fn add(&mut self, variable: Variable) -> usize {
        self.variables.push(variable);
        self.variables.len() - 1
    }

    pub fn local(&self, name: &str) -> Option<Local> {
        self.scopes.iter().rev().find_map(|s| s.get(name)).copied()
    }

    /// The variable of that name here.
    pub fn variable(&self, name: &str) -> Option<usize> {
        match (self.local(name), self.globals.get(name)) {
            (Some(Local::Variable(id)), _) => Some(id),
            (Some(Local::Label(_)), _) => None,
            (None, Some(Global::Variable(id))) => Some(*id),
            _ => None,
        }
    }

    /// The mtype that the name is a constant of.
    pub fn mtype_of(&self, name: &str) -> Option<&Name> {
        match (self.local(name), self.globals.get(name)) {
            (None, Some(Global::Mtype { subtype, .. })) => Some(subtype),
            _ => None,
        }
    }

    /// Says why the name cannot be declared here as a variable or label.
    pub fn clash(&self, ident: &Ident, what: &str) -> Option<Diagnostic> {
        let name = &ident.name;
        let (as_what, first) = match (self.local(name), self.globals.get(name)) {
            (Some(Local::Variable(_)), _) | (None, Some(Global::Variable(_))) => {
                let earlier = &self.variables[self.variable(name)?];
                let as_what = match earlier.place {
                    Place::Global => "a global variable",
                    Place::Local => "a local variable",
                    Place::Parameter => "a parameter",
                    Place::Predefined => "a predefined variable",
                };
                (as_what, earlier.span)
            }
            (Some(Local::Label(span)), _) => ("a label", span),
            (None, Some(Global::Mtype { span, .. })) => ("a constant of an mtype", *span),
            (None, Some(Global::Proctype(span))) => ("a proctype", *span),
            (None, Some(Global::Typedef(span))) => ("a typedef", *span),
            (None, Some(Global::Inline(span))) => ("an inline", *span),
            (None, None) => return None,
        };
        let message = format!("{what} `{name}` is already the name of {as_what}");
        let mut diagnostic = Diagnostic::error(ident.span, message);
        if first != Span::NONE {
            diagnostic = diagnostic.note_at(first, "declared first here");
        }
        Some(diagnostic)
    }

    /// All names that can be used as variables here.
    pub fn visible(&self) -> impl Iterator<Item = &str> {
        let locals = self.scopes.iter().flatten().filter_map(|(name, local)| {
            matches!(local, Local::Variable(_)).then_some(name.as_str())
        });
        let globals = self.globals.iter().filter_map(|(name, global)| {
            matches!(global, Global::Variable(_) | Global::Mtype { .. }).then_some(name.as_str())
        });
        locals.chain(globals)
    }

    /// How many simple fields a value of the type takes in a message, and
    /// whether an array of structures keeps it from being in one.
    pub fn flatten(&self, kind: &Kind, out: &mut Vec<Kind>) -> Result<(), Name> {
        let Kind::Struct(name) = kind else {
            out.push(kind.clone());
            return Ok(());
        };
        for field in self.typedefs.get(name).into_iter().flat_map(|f| f.iter()) {
            if field.array && matches!(field.kind, Kind::Struct(_)) {
                return Err(field.name.clone());
            }
            let repeat = if field.array { field.capacity.clamp(0, 1024) } else { 1 };
            for _ in 0..repeat {
                self.flatten(&field.kind, out)?;
                // Structures within structures multiply.
                if out.len() > 4096 {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}
