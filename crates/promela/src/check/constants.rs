//! The values of constant expressions.

use super::Checker;
use crate::operators;
use crate::symbols::{Meaning, VariableId};
use crate::syntax::ast::{Expr, ExprKind, Ident};

/// The value of an expression of plain constants.
pub(super) fn value(expr: &Expr) -> Option<i32> {
    operators::constant(expr, &|_| None)
}

impl Checker<'_> {
    /// The value of a constant expression; its names must be constants of an
    /// mtype, or it is a single variable whose initial value is taken.
    pub(super) fn const_value(&mut self, expr: &Expr, what: &str) -> Option<i32> {
        if let Some(unknown) = self.unknown_constant(expr) {
            if let Some(id) = self.variable_in(expr) {
                let variable = self.symbols.variable_mut(id);
                variable.read = true;
                return variable.initial;
            }
            let Ident { name, span, .. } = unknown;
            if self.symbols.variable_of(unknown).is_some() {
                self.error(*span, format!("{what} must be constant, and `{name}` is a variable"));
            } else {
                self.undeclared(name, *span);
            }
        }
        self.symbols.constant(expr)
    }

    /// As [`Self::const_value`], without a word.
    pub(super) fn known_value(&self, expr: &Expr) -> Option<i32> {
        match self.variable_in(expr) {
            Some(id) => self.symbols.variable(id).initial,
            None => self.symbols.constant(expr),
        }
    }

    /// Looks up the names in an expression; the first that is no constant's.
    fn unknown_constant<'e>(&mut self, expr: &'e Expr) -> Option<&'e Ident> {
        match &expr.kind {
            ExprKind::Var(var) => {
                let meaning = self.scopes.find(&var.name().name);
                if let Some(meaning) = meaning {
                    self.symbols.set_meaning(var.name(), meaning);
                }
                (!matches!(meaning, Some(Meaning::Constant(..)))).then_some(var.name())
            }
            ExprKind::Unary(_, e) => self.unknown_constant(e),
            ExprKind::Binary(_, a, b) => {
                let first = self.unknown_constant(a);
                let second = self.unknown_constant(b);
                first.or(second)
            }
            _ => None,
        }
    }

    /// The variable, if the expression is nothing else.
    pub(super) fn variable_in(&self, expr: &Expr) -> Option<VariableId> {
        match &expr.kind {
            ExprKind::Var(var) => self.symbols.variable_of(var.name()),
            _ => None,
        }
    }
}
