//! The values of constant expressions.

use crate::syntax::ast::{BinaryOp, Expr, ExprKind, UnaryOp};

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
