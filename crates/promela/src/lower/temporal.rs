//! Temporal formulas.

use isospin_model::Temporal;

use super::Lowering;
use crate::operators::binary;
use crate::syntax::ast::{BinaryOp, Const, Expr, ExprKind, UnaryOp};

impl Lowering<'_> {
    /// A temporal formula. What stands below the temporal and logical operators is an atom.
    pub(super) fn temporal(&mut self, expr: &Expr) -> Temporal {
        match &expr.kind {
            ExprKind::Const(Const::True) => Temporal::Const(true),
            ExprKind::Const(Const::False) => Temporal::Const(false),
            ExprKind::Unary(op, e) => {
                let wrap: fn(Box<Temporal>) -> Temporal = match op {
                    UnaryOp::Not => Temporal::Not,
                    UnaryOp::Next => Temporal::Next,
                    UnaryOp::Always => Temporal::Always,
                    UnaryOp::Eventually => Temporal::Eventually,
                    UnaryOp::Complement | UnaryOp::Negate => return self.atom(expr),
                };
                wrap(Box::new(self.temporal(e)))
            }
            ExprKind::Binary(op, a, b) => {
                let wrap: fn(Box<Temporal>, Box<Temporal>) -> Temporal = match op {
                    BinaryOp::And => Temporal::And,
                    BinaryOp::Or => Temporal::Or,
                    // Between formulas, Spin reads a single sign as the double one.
                    BinaryOp::BitAnd if is_temporal(a) || is_temporal(b) => Temporal::And,
                    BinaryOp::BitOr if is_temporal(a) || is_temporal(b) => Temporal::Or,
                    BinaryOp::Implies => Temporal::Implies,
                    BinaryOp::Equivalent => Temporal::Equivalent,
                    BinaryOp::Until => Temporal::Until,
                    BinaryOp::Release => Temporal::Release,
                    BinaryOp::WeakUntil => Temporal::WeakUntil,
                    _ => return self.atom(expr),
                };
                let left = self.temporal(a);
                wrap(Box::new(left), Box::new(self.temporal(b)))
            }
            _ => self.atom(expr),
        }
    }

    fn atom(&mut self, expr: &Expr) -> Temporal {
        Temporal::Atom { expr: self.expr(expr), text: self.text(expr.span) }
    }
}

/// Whether a temporal operator stands in the expression, below logical ones only.
fn is_temporal(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Unary(op, e) => {
            matches!(op, UnaryOp::Next | UnaryOp::Always | UnaryOp::Eventually) || is_temporal(e)
        }
        ExprKind::Binary(op, a, b) => {
            binary(*op).is_none() && *op != BinaryOp::Implies || is_temporal(a) || is_temporal(b)
        }
        _ => false,
    }
}
