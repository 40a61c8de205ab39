//! Simplifications that keep the value of an expression, and whether it has one.

use crate::expr::{BinaryOp, Expr, Index, Region, UnaryOp};

impl Expr {
    /// An expression with the same value in every state, or the same error; simpler where constants
    /// among the operands allow it. Looks at the outermost operator only.
    pub fn simplified(self) -> Expr {
        match &self {
            Expr::Unary(op, e) => match **e {
                Expr::Const(value) => Expr::Const(op.apply(value)),
                _ => self,
            },
            Expr::Binary(op, a, b) => match (op, &**a, &**b) {
                (op, Expr::Const(x), Expr::Const(y)) => op.apply(*x, *y).map_or(self, Expr::Const),
                (BinaryOp::And | BinaryOp::Or, Expr::Const(x), e) => match op.decided_by(*x) {
                    Some(value) => Expr::Const(value),
                    // The value of `1 && e` is not that of `e`, but whether `e` is 0.
                    None if e.is_truth_valued() => e.clone(),
                    None => self,
                },
                (BinaryOp::And | BinaryOp::Or, e, Expr::Const(y)) => match op.decided_by(*y) {
                    Some(value) if e.always_has_value(&|_| false) => Expr::Const(value),
                    None if e.is_truth_valued() => e.clone(),
                    _ => self,
                },
                _ => self,
            },
            Expr::Conditional(condition, then, otherwise) => match **condition {
                Expr::Const(0) => (**otherwise).clone(),
                Expr::Const(_) => (**then).clone(),
                _ => self,
            },
            _ => self,
        }
    }

    /// Whether the value is 0 or 1 in every state.
    pub fn is_truth_valued(&self) -> bool {
        match self {
            Expr::Const(value) => matches!(value, 0 | 1),
            Expr::Load(place) => place.ty.bits == 1 && !place.ty.signed,
            Expr::Unary(op, _) => *op == UnaryOp::Not,
            Expr::Binary(op, ..) => op.is_truth_valued(),
            Expr::Conditional(_, a, b) => a.is_truth_valued() && b.is_truth_valued(),
            Expr::Full(_)
            | Expr::Empty(_)
            | Expr::Poll { .. }
            | Expr::Timeout
            | Expr::NonProgress
            | Expr::Enabled(_)
            | Expr::AtLocation { .. } => true,
            Expr::ChannelId { .. }
            | Expr::Len(_)
            | Expr::Run { .. }
            | Expr::Pid
            | Expr::ProcessCount
            | Expr::Last
            | Expr::PcValue(_)
            | Expr::Priority(_) => false,
        }
    }

    /// Whether it can be evaluated in every state, and nothing but its value comes of it: then it
    /// does not matter when it is evaluated, or whether. `inside` says of which indices it is known
    /// that they are in range. Errs on the side of `false`.
    pub fn always_has_value(&self, inside: &dyn Fn(&Index) -> bool) -> bool {
        !self.any(&|e| match e {
            Expr::Binary(BinaryOp::Divide | BinaryOp::Modulo, _, divisor) => {
                !matches!(**divisor, Expr::Const(value) if value != 0)
            }
            Expr::Load(place) => {
                matches!(place.region, Region::Remote { .. }) || !place.indices.iter().all(inside)
            }
            Expr::ChannelId { index, .. } => !index.as_deref().is_none_or(inside),
            Expr::Len(c) | Expr::Full(c) | Expr::Empty(c) => !matches!(**c, Expr::ChannelId { .. }),
            Expr::Poll { .. } | Expr::Run { .. } | Expr::Enabled(_) => true,
            _ => false,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::Place;
    use crate::operators::DivisionByZero;
    use crate::scalar::Scalar;

    const NUMBERS: [i32; 7] = [0, 1, -1, 2, 3, i32::MIN, i32::MAX];

    fn variable(offset: u32, ty: Scalar) -> Expr {
        Expr::Load(Place { region: Region::Global, offset, indices: Vec::new(), ty })
    }

    /// The value where the variables have these values; both operands are evaluated only where the
    /// left one does not decide.
    fn value(expr: &Expr, variables: &[i32]) -> Result<i32, DivisionByZero> {
        Ok(match expr {
            Expr::Const(value) => *value,
            Expr::Load(place) => place.ty.truncate(variables[place.offset as usize]),
            Expr::Unary(op, e) => op.apply(value(e, variables)?),
            Expr::Binary(op, a, b) => {
                let a = value(a, variables)?;
                match op.decided_by(a) {
                    Some(value) => value,
                    None => op.apply(a, value(b, variables)?)?,
                }
            }
            Expr::Conditional(c, a, b) => {
                value(if value(c, variables)? != 0 { a } else { b }, variables)?
            }
            other => panic!("{other:?} is not part of this test"),
        })
    }

    /// Every operator over constants, variables, truth values and what may divide by zero.
    fn small_expressions() -> Vec<Expr> {
        let (number, flag) = (variable(0, Scalar::INT), variable(1, Scalar::BIT));
        let mut leaves: Vec<Expr> = [0, 1, -1, 2].map(Expr::Const).to_vec();
        leaves.extend([number.clone(), flag.clone()]);
        leaves.push(Expr::binary(BinaryOp::Equal, number.clone(), flag.clone()));
        leaves.push(Expr::binary(BinaryOp::Add, number.clone(), Expr::Const(1)));
        leaves.push(Expr::binary(BinaryOp::Divide, Expr::Const(1), number.clone()));
        leaves.extend(UnaryOp::ALL.map(|op| Expr::unary(op, number.clone())));
        let mut all = leaves.clone();
        for a in &leaves {
            all.extend(UnaryOp::ALL.map(|op| Expr::unary(op, a.clone())));
            for b in &leaves {
                all.extend(BinaryOp::ALL.map(|op| Expr::binary(op, a.clone(), b.clone())));
                let [a, b, c] = [a, b, &flag].map(|e| Box::new(e.clone()));
                all.push(Expr::Conditional(a, b, c));
            }
        }
        all
    }

    #[test]
    fn every_simplification_keeps_the_value() {
        let mut simpler = 0;
        for expr in small_expressions() {
            let simplified = expr.clone().simplified();
            simpler += usize::from(simplified != expr);
            for a in NUMBERS {
                for b in [0, 1] {
                    let (before, after) = (value(&expr, &[a, b]), value(&simplified, &[a, b]));
                    assert_eq!(before, after, "{expr:?} became {simplified:?} at {a}, {b}");
                }
            }
        }
        assert!(simpler > 400, "{simpler}");
    }

    #[test]
    fn what_is_said_to_be_a_truth_value_is_one() {
        for expr in small_expressions().into_iter().filter(Expr::is_truth_valued) {
            for a in NUMBERS {
                for b in [0, 1] {
                    assert!(matches!(value(&expr, &[a, b]), Ok(0 | 1) | Err(_)), "{expr:?}");
                }
            }
        }
    }

    #[test]
    fn what_is_said_to_always_have_a_value_has_one() {
        for expr in small_expressions().iter().filter(|e| e.always_has_value(&|_| false)) {
            for a in NUMBERS {
                assert!(value(expr, &[a, 1]).is_ok(), "{expr:?} at {a}");
            }
        }
    }

    #[test]
    fn a_conjunction_with_a_true_constant_is_not_its_other_operand() {
        let number = variable(0, Scalar::BYTE);
        for (op, constant) in [(BinaryOp::And, 1), (BinaryOp::Or, 0)] {
            for (a, b) in
                [(number.clone(), Expr::Const(constant)), (Expr::Const(constant), number.clone())]
            {
                let expr = Expr::binary(op, a, b);
                assert_eq!(expr.clone().simplified(), expr);
            }
        }
    }

    #[test]
    fn what_may_go_wrong_is_not_dropped() {
        let quotient = Expr::binary(BinaryOp::Divide, Expr::Const(1), variable(0, Scalar::INT));
        let run = Expr::Run { proctype: crate::ProcTypeId(0), args: Vec::new(), priority: 1 };
        for e in [quotient, run, Expr::Enabled(Box::new(Expr::Const(0)))] {
            let expr = Expr::binary(BinaryOp::And, e, Expr::Const(0));
            assert_eq!(expr.clone().simplified(), expr);
        }
    }
}
