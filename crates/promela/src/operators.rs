//! Promela's operators as the model's, whose meaning the model says, and the values of constant
//! expressions.

use crate::syntax::ast::{BinaryOp, Expr, ExprKind, Ident, UnaryOp};
use isospin_model as model;

/// The model's operator; none for those of temporal logic.
pub(crate) fn binary(op: BinaryOp) -> Option<model::BinaryOp> {
    Some(match op {
        BinaryOp::Add => model::BinaryOp::Add,
        BinaryOp::Sub => model::BinaryOp::Subtract,
        BinaryOp::Mul => model::BinaryOp::Multiply,
        BinaryOp::Div => model::BinaryOp::Divide,
        BinaryOp::Rem => model::BinaryOp::Modulo,
        BinaryOp::BitAnd => model::BinaryOp::BitAnd,
        BinaryOp::BitXor => model::BinaryOp::BitXor,
        BinaryOp::BitOr => model::BinaryOp::BitOr,
        BinaryOp::Gt => model::BinaryOp::Greater,
        BinaryOp::Lt => model::BinaryOp::Less,
        BinaryOp::Ge => model::BinaryOp::GreaterEqual,
        BinaryOp::Le => model::BinaryOp::LessEqual,
        BinaryOp::Eq => model::BinaryOp::Equal,
        BinaryOp::Ne => model::BinaryOp::NotEqual,
        BinaryOp::And => model::BinaryOp::And,
        BinaryOp::Or => model::BinaryOp::Or,
        BinaryOp::Shl => model::BinaryOp::ShiftLeft,
        BinaryOp::Shr => model::BinaryOp::ShiftRight,
        BinaryOp::Until
        | BinaryOp::Release
        | BinaryOp::WeakUntil
        | BinaryOp::Implies
        | BinaryOp::Equivalent => return None,
    })
}

/// The model's operator; none for those of temporal logic.
pub(crate) fn unary(op: UnaryOp) -> Option<model::UnaryOp> {
    Some(match op {
        UnaryOp::Not => model::UnaryOp::Not,
        UnaryOp::Complement => model::UnaryOp::Complement,
        UnaryOp::Negate => model::UnaryOp::Negate,
        UnaryOp::Next | UnaryOp::Always | UnaryOp::Eventually => return None,
    })
}

/// The value of an expression of constants; `name` says which names are constants.
pub(crate) fn constant(expr: &Expr, name: &impl Fn(&Ident) -> Option<i32>) -> Option<i32> {
    match &expr.kind {
        ExprKind::Const(constant) => Some(constant.value()),
        ExprKind::Var(var) => name(var.as_name()?),
        ExprKind::Unary(op, operand) => Some(unary(*op)?.apply(constant(operand, name)?)),
        ExprKind::Binary(op, a, b) => {
            binary(*op)?.apply(constant(a, name)?, constant(b, name)?).ok()
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::ast::Const;
    use isospin_source::Span;

    fn number(value: i32) -> Expr {
        Expr { span: Span::NONE, kind: ExprKind::Const(Const::Int(value)) }
    }

    fn value(op: BinaryOp, a: i32, b: i32) -> Option<i32> {
        let kind = ExprKind::Binary(op, Box::new(number(a)), Box::new(number(b)));
        constant(&Expr { span: Span::NONE, kind }, &|_| None)
    }

    #[test]
    fn constants_are_computed_with_as_the_model_does() {
        assert_eq!(value(BinaryOp::Add, i32::MAX, 1), Some(i32::MIN));
        assert_eq!(value(BinaryOp::Shl, 1, 4), Some(16));
        assert_eq!(value(BinaryOp::And, 2, 4), Some(1));
        assert_eq!(value(BinaryOp::Rem, -7, 2), Some(-1));
    }

    #[test]
    fn a_division_by_zero_has_no_value_and_neither_has_a_formula() {
        assert_eq!(value(BinaryOp::Div, 1, 0), None);
        assert_eq!(value(BinaryOp::Until, 1, 1), None);
    }
}
