//! What names mean at the place where the walk is: the one point at which a name is looked up.

use crate::symbols::{Meaning, MtypeId, Place, Symbols, VariableId};
use crate::syntax::ast::Ident;
use isospin_source::{Diagnostic, Name, Span};
use std::collections::HashMap;

/// What a name stands for at the outermost level.
#[derive(Clone, Debug)]
pub(super) enum Global {
    Variable(VariableId),
    /// A constant of an mtype.
    Constant {
        mtype: MtypeId,
        value: i32,
        span: Span,
    },
    Proctype(Span),
    Typedef(Span),
    Inline(Span),
}

/// The names that can be used here.
pub(super) struct Scopes {
    pub globals: HashMap<Name, Global>,
    /// The blocks around this place, outermost first.
    pub blocks: Vec<HashMap<Name, VariableId>>,
}

impl Scopes {
    /// The predefined variables.
    pub fn new(symbols: &Symbols) -> Scopes {
        let predefined = symbols.variables.iter().enumerate();
        let globals = predefined.map(|(k, v)| (v.name.clone(), Global::Variable(VariableId(k))));
        Scopes { globals: globals.collect(), blocks: Vec::new() }
    }

    pub fn enter(&mut self) {
        self.blocks.push(HashMap::new());
    }

    pub fn leave(&mut self) {
        self.blocks.pop();
    }

    pub fn declare(&mut self, name: Name, id: VariableId) {
        match self.blocks.last_mut() {
            Some(block) => {
                block.insert(name, id);
            }
            None => {
                self.globals.insert(name, Global::Variable(id));
            }
        }
    }

    pub fn local(&self, name: &str) -> Option<VariableId> {
        self.blocks.iter().rev().find_map(|s| s.get(name)).copied()
    }

    /// What the name means in an expression: a variable, or a constant of an mtype.
    pub fn find(&self, name: &str) -> Option<Meaning> {
        if let Some(id) = self.local(name) {
            return Some(Meaning::Variable(id));
        }
        match *self.globals.get(name)? {
            Global::Variable(id) => Some(Meaning::Variable(id)),
            Global::Constant { mtype, value, .. } => Some(Meaning::Constant(mtype, value)),
            _ => None,
        }
    }

    /// Says why the name cannot be declared here. Labels have a space of their own.
    pub fn clash(&self, symbols: &Symbols, ident: &Ident, what: &str) -> Option<Diagnostic> {
        let name = &ident.name;
        let (as_what, first) = match (self.local(name), self.globals.get(name)) {
            (Some(id), _) | (None, Some(&Global::Variable(id))) => {
                let earlier = symbols.variable(id);
                let as_what = match earlier.place {
                    Place::Global => "a global variable",
                    Place::Local | Place::Field => "a local variable",
                    Place::Parameter => "a parameter",
                    Place::Predefined(_) => "a predefined variable",
                };
                (as_what, earlier.span)
            }
            (None, Some(Global::Constant { span, .. })) => ("a constant of an mtype", *span),
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
        let locals = self.blocks.iter().flatten().map(|(name, _)| name.as_str());
        let globals = self.globals.iter().filter_map(|(name, global)| {
            matches!(global, Global::Variable(_) | Global::Constant { .. }).then_some(name.as_str())
        });
        locals.chain(globals)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbols::Predefined;

    #[test]
    fn inner_blocks_hide_outer_ones() {
        let mut scopes = Scopes::new(&Symbols::new());
        scopes.declare("x".into(), VariableId(10));
        scopes.enter();
        assert_eq!(scopes.find("x"), Some(Meaning::Variable(VariableId(10))));
        scopes.declare("x".into(), VariableId(11));
        assert_eq!(scopes.find("x"), Some(Meaning::Variable(VariableId(11))));
        scopes.leave();
        assert_eq!(scopes.find("x"), Some(Meaning::Variable(VariableId(10))));
    }

    #[test]
    fn predefined_variables_are_there_from_the_start() {
        let symbols = Symbols::new();
        let scopes = Scopes::new(&symbols);
        for which in Predefined::ALL {
            let Some(Meaning::Variable(id)) = scopes.find(which.name()) else {
                panic!("{which:?}")
            };
            assert_eq!(symbols.variable(id).place, Place::Predefined(*which));
        }
    }
}
