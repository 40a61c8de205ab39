//! What operators mean.
//!
//! This is the one place that says it: the interpreter evaluates with it, everything that folds
//! constants folds with it, and the tests compare generated code with it. Values are 32-bit signed
//! integers; arithmetic wraps around, and truth values are numbers, 0 and 1, as in C.
//! [`Scalar::truncate`](crate::Scalar::truncate) says what remains of a value once it is stored.

mod simplify;

use std::fmt;

pub use crate::expr::{BinaryOp, UnaryOp};

/// A division, or the remainder of one, by 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DivisionByZero;

impl fmt::Display for DivisionByZero {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("division by zero")
    }
}

impl std::error::Error for DivisionByZero {}

impl UnaryOp {
    /// All of them.
    pub const ALL: [UnaryOp; 3] = [UnaryOp::Not, UnaryOp::Negate, UnaryOp::Complement];

    /// The operator's value.
    #[inline]
    pub const fn apply(self, value: i32) -> i32 {
        match self {
            UnaryOp::Not => (value == 0) as i32,
            UnaryOp::Negate => value.wrapping_neg(),
            UnaryOp::Complement => !value,
        }
    }

    /// The operator as C writes it.
    pub const fn symbol(self) -> &'static str {
        match self {
            UnaryOp::Not => "!",
            UnaryOp::Negate => "-",
            UnaryOp::Complement => "~",
        }
    }
}

impl BinaryOp {
    /// All of them.
    pub const ALL: [BinaryOp; 18] = [
        BinaryOp::Add,
        BinaryOp::Subtract,
        BinaryOp::Multiply,
        BinaryOp::Divide,
        BinaryOp::Modulo,
        BinaryOp::BitAnd,
        BinaryOp::BitOr,
        BinaryOp::BitXor,
        BinaryOp::ShiftLeft,
        BinaryOp::ShiftRight,
        BinaryOp::Less,
        BinaryOp::LessEqual,
        BinaryOp::Greater,
        BinaryOp::GreaterEqual,
        BinaryOp::Equal,
        BinaryOp::NotEqual,
        BinaryOp::And,
        BinaryOp::Or,
    ];

    /// The operator's value, as compiled C has it on the machines that Spin runs on: only the low
    /// five bits of a shift's distance count, a shift to the right keeps the sign, division rounds
    /// towards 0, and the smallest number divided by -1 is itself.
    #[inline]
    pub const fn apply(self, left: i32, right: i32) -> Result<i32, DivisionByZero> {
        Ok(match self {
            BinaryOp::Add => left.wrapping_add(right),
            BinaryOp::Subtract => left.wrapping_sub(right),
            BinaryOp::Multiply => left.wrapping_mul(right),
            BinaryOp::Divide | BinaryOp::Modulo if right == 0 => return Err(DivisionByZero),
            BinaryOp::Divide => left.wrapping_div(right),
            BinaryOp::Modulo => left.wrapping_rem(right),
            BinaryOp::BitAnd => left & right,
            BinaryOp::BitOr => left | right,
            BinaryOp::BitXor => left ^ right,
            BinaryOp::ShiftLeft => left.wrapping_shl(right as u32),
            BinaryOp::ShiftRight => left.wrapping_shr(right as u32),
            BinaryOp::Less => (left < right) as i32,
            BinaryOp::LessEqual => (left <= right) as i32,
            BinaryOp::Greater => (left > right) as i32,
            BinaryOp::GreaterEqual => (left >= right) as i32,
            BinaryOp::Equal => (left == right) as i32,
            BinaryOp::NotEqual => (left != right) as i32,
            BinaryOp::And => (left != 0 && right != 0) as i32,
            BinaryOp::Or => (left != 0 || right != 0) as i32,
        })
    }

    /// The value, where the left operand alone decides: then the right one is not evaluated.
    #[inline]
    pub const fn decided_by(self, left: i32) -> Option<i32> {
        match self {
            BinaryOp::And if left == 0 => Some(0),
            BinaryOp::Or if left != 0 => Some(1),
            _ => None,
        }
    }

    /// Whether the value is a truth value, 0 or 1, whatever the operands are.
    pub const fn is_truth_valued(self) -> bool {
        self.is_comparison() || matches!(self, BinaryOp::And | BinaryOp::Or)
    }

    /// Whether it compares two numbers.
    pub const fn is_comparison(self) -> bool {
        matches!(
            self,
            BinaryOp::Less
                | BinaryOp::LessEqual
                | BinaryOp::Greater
                | BinaryOp::GreaterEqual
                | BinaryOp::Equal
                | BinaryOp::NotEqual
        )
    }

    /// Whether the operands may change places, as far as values are concerned.
    pub const fn is_commutative(self) -> bool {
        self.is_associative() || matches!(self, BinaryOp::Equal | BinaryOp::NotEqual)
    }

    /// Whether parentheses in a chain of this operator do not matter.
    pub const fn is_associative(self) -> bool {
        matches!(
            self,
            BinaryOp::Add
                | BinaryOp::Multiply
                | BinaryOp::BitAnd
                | BinaryOp::BitOr
                | BinaryOp::BitXor
                | BinaryOp::And
                | BinaryOp::Or
        )
    }

    /// The operator as C writes it.
    pub const fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Subtract => "-",
            BinaryOp::Multiply => "*",
            BinaryOp::Divide => "/",
            BinaryOp::Modulo => "%",
            BinaryOp::BitAnd => "&",
            BinaryOp::BitOr => "|",
            BinaryOp::BitXor => "^",
            BinaryOp::ShiftLeft => "<<",
            BinaryOp::ShiftRight => ">>",
            BinaryOp::Less => "<",
            BinaryOp::LessEqual => "<=",
            BinaryOp::Greater => ">",
            BinaryOp::GreaterEqual => ">=",
            BinaryOp::Equal => "==",
            BinaryOp::NotEqual => "!=",
            BinaryOp::And => "&&",
            BinaryOp::Or => "||",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EDGES: [i32; 16] = [
        0,
        1,
        -1,
        2,
        -2,
        7,
        31,
        32,
        33,
        255,
        256,
        65_535,
        i32::MIN,
        i32::MIN + 1,
        i32::MAX - 1,
        i32::MAX,
    ];

    fn pairs() -> impl Iterator<Item = (i32, i32)> {
        EDGES.iter().flat_map(|&a| EDGES.iter().map(move |&b| (a, b)))
    }

    #[test]
    fn arithmetic_wraps_around() {
        assert_eq!(BinaryOp::Add.apply(i32::MAX, 1), Ok(i32::MIN));
        assert_eq!(BinaryOp::Subtract.apply(i32::MIN, 1), Ok(i32::MAX));
        assert_eq!(BinaryOp::Multiply.apply(i32::MAX, 2), Ok(-2));
        assert_eq!(UnaryOp::Negate.apply(i32::MIN), i32::MIN);
        for (a, b) in pairs() {
            let low = |wide: i64| wide as i32;
            assert_eq!(BinaryOp::Add.apply(a, b), Ok(low(i64::from(a) + i64::from(b))));
            assert_eq!(BinaryOp::Subtract.apply(a, b), Ok(low(i64::from(a) - i64::from(b))));
            assert_eq!(BinaryOp::Multiply.apply(a, b), Ok(low(i64::from(a) * i64::from(b))));
        }
    }

    #[test]
    fn division_rounds_towards_zero_and_wraps_around() {
        assert_eq!(BinaryOp::Divide.apply(-7, 2), Ok(-3));
        assert_eq!(BinaryOp::Modulo.apply(-7, 2), Ok(-1));
        assert_eq!(BinaryOp::Divide.apply(i32::MIN, -1), Ok(i32::MIN));
        assert_eq!(BinaryOp::Modulo.apply(i32::MIN, -1), Ok(0));
        for a in EDGES {
            assert_eq!(BinaryOp::Divide.apply(a, 0), Err(DivisionByZero));
            assert_eq!(BinaryOp::Modulo.apply(a, 0), Err(DivisionByZero));
        }
        for (a, b) in pairs().filter(|&(_, b)| b != 0) {
            let quotient = BinaryOp::Divide.apply(a, b).expect("not by zero");
            let rest = BinaryOp::Modulo.apply(a, b).expect("not by zero");
            assert_eq!(quotient.wrapping_mul(b).wrapping_add(rest), a, "{a} {b}");
        }
    }

    #[test]
    fn only_the_low_five_bits_of_a_distance_count() {
        assert_eq!(BinaryOp::ShiftLeft.apply(1, 31), Ok(i32::MIN));
        assert_eq!(BinaryOp::ShiftLeft.apply(1, 32), Ok(1));
        assert_eq!(BinaryOp::ShiftLeft.apply(1, 33), Ok(2));
        assert_eq!(BinaryOp::ShiftLeft.apply(1, -1), Ok(i32::MIN));
        assert_eq!(BinaryOp::ShiftRight.apply(-8, 1), Ok(-4));
        assert_eq!(BinaryOp::ShiftRight.apply(-8, 32), Ok(-8));
    }

    #[test]
    fn truth_values_are_numbers() {
        for (a, b) in pairs() {
            for op in BinaryOp::ALL.into_iter().filter(|op| op.is_truth_valued()) {
                let value = op.apply(a, b).expect("truth values are always there");
                assert!(value == 0 || value == 1, "{a} {op:?} {b}");
            }
        }
        assert_eq!(BinaryOp::And.apply(2, 4), Ok(1));
        assert_eq!(BinaryOp::Or.apply(0, -3), Ok(1));
        assert_eq!(UnaryOp::Not.apply(UnaryOp::Not.apply(7)), 1);
    }

    #[test]
    fn what_the_left_operand_decides_is_the_value_for_every_right_one() {
        for op in BinaryOp::ALL {
            for (a, b) in pairs() {
                if let Some(value) = op.decided_by(a) {
                    assert_eq!(op.apply(a, b), Ok(value), "{a} {op:?} {b}");
                }
            }
        }
    }

    #[test]
    fn operands_change_places_exactly_where_it_is_said_that_they_may() {
        for op in BinaryOp::ALL {
            let same = pairs().all(|(a, b)| op.apply(a, b) == op.apply(b, a));
            assert_eq!(same, op.is_commutative(), "{op:?}");
        }
    }

    #[test]
    fn parentheses_do_not_matter_where_it_is_said_so() {
        for op in BinaryOp::ALL.into_iter().filter(|op| op.is_associative()) {
            for (a, b) in pairs() {
                for c in EDGES {
                    let left = op.apply(op.apply(a, b).expect("a value"), c);
                    let right = op.apply(a, op.apply(b, c).expect("a value"));
                    assert_eq!(left, right, "{a} {op:?} {b} {op:?} {c}");
                }
            }
        }
    }
}
