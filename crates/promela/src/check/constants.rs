//! The values of constant expressions.

use super::Checker;
use crate::symbols::{Meaning, VariableId};
use crate::syntax::ast::{BinaryOp, Expr, ExprKind, Ident, UnaryOp};

/// The value of an expression of plain constants.
pub(super) fn value(expr: &Expr) -> Option<i64> {
    match &expr.kind {
        ExprKind::Const(constant) => Some(i64::from(constant.value())),
        ExprKind::Unary(op, operand) => {
            let operand = value(operand)?;
            Some(match op {
                UnaryOp::Negate => -operand,
                UnaryOp::Not => i64::from(operand == 0),
                UnaryOp::Complement => i64::from(!(operand as i32)),
                _ => return None,
            })
        }
        ExprKind::Binary(op, a, b) => {
            let (a, b) = (value(a)?, value(b)?);
            match op {
                BinaryOp::Add => a.checked_add(b),
                BinaryOp::Sub => a.checked_sub(b),
                BinaryOp::Mul => a.checked_mul(b),
                BinaryOp::Div => a.checked_div(b),
                BinaryOp::Rem => a.checked_rem(b),
                BinaryOp::Shl if (0..31).contains(&b) => Some(a << b),
                BinaryOp::Shr if (0..31).contains(&b) => Some(a >> b),
                BinaryOp::BitAnd => Some(a & b),
                BinaryOp::BitOr => Some(a | b),
                BinaryOp::BitXor => Some(a ^ b),
                _ => None,
            }
        }
        _ => None,
    }
}

impl Checker<'_> {
    /// The value of a constant expression; its names must be constants of an
    /// mtype, or it is a single variable whose initial value is taken.
    pub(super) fn const_value(&mut self, expr: &Expr, what: &str) -> Option<i64> {
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
        self.plain_value(expr)
    }

    /// As [`Self::const_value`], without a word.
    pub(super) fn known_value(&self, expr: &Expr) -> Option<i64> {
        match self.variable_in(expr) {
            Some(id) => self.symbols.variable(id).initial,
            None => self.plain_value(expr),
        }
    }

    /// The value of an expression of constants, those of mtypes among them.
    pub(super) fn plain_value(&self, expr: &Expr) -> Option<i64> {
        value(expr).or_else(|| self.symbols.constant(expr).map(i64::from))
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
