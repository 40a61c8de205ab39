//! What operators mean on values. Everything that evaluates calls this; what decision diagrams do
//! is compared with it.

use crate::{Sort, Value};

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Unary {
    /// Negation of a truth value, or of every bit of a word.
    Not,
    /// Arithmetic negation; modulo the width for words.
    Minus,
    /// A number as a truth value: whether it is not zero.
    ToBoolean,
    /// A truth value or a word as an integer.
    ToInteger,
    /// A truth value as a word of one bit, or a word read with or without sign, of a new width:
    /// the sign or zeros are added, or high bits dropped (for a signed word its sign is kept).
    Resize {
        /// Whether the result is signed.
        signed: bool,
        /// The width of the result.
        width: u32,
    },
    /// The same bits, signed or unsigned.
    Reinterpret {
        /// Whether the result is signed.
        signed: bool,
    },
    /// Bits of a word, as an unsigned word.
    Select {
        /// The highest bit, counted from 0.
        high: u32,
        /// The lowest bit.
        low: u32,
    },
}

/// Operators with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Binary {
    /// Conjunction, bit by bit for words.
    And,
    /// Disjunction, bit by bit for words.
    Or,
    /// Exclusive disjunction, bit by bit for words.
    Xor,
    /// Equality.
    Equal,
    /// Less than.
    Less,
    /// Less than or equal to.
    LessEqual,
    /// Sum.
    Add,
    /// Difference.
    Subtract,
    /// Product.
    Multiply,
    /// Quotient, rounded towards zero; 0 where the divisor is 0.
    Divide,
    /// Remainder with the dividend's sign; 0 where the divisor is 0.
    Remainder,
    /// Two words side by side, the first one in the high bits.
    Concatenate,
    /// A word shifted to the left by a number.
    ShiftLeft,
    /// A word shifted to the right by a number; a signed word keeps its sign.
    ShiftRight,
}

/// The bits of a word as a number.
pub fn number(sort: Sort, value: Value) -> i128 {
    match sort {
        Sort::Word { signed: true, width } if width > 0 => {
            let shift = 64 - width;
            (((value as u64) << shift) as i64 >> shift) as i128
        }
        Sort::Word { .. } => (value as u64) as i128,
        _ => value as i128,
    }
}

/// A number cut to a sort: the low bits for words.
fn cut(sort: Sort, number: i128) -> Value {
    match sort {
        Sort::Word { width, .. } => (number as u64 & mask(width)) as Value,
        _ => number.clamp(Value::MIN as i128, Value::MAX as i128) as Value,
    }
}

/// As many ones as the width says.
pub fn mask(width: u32) -> u64 {
    if width >= 64 {
        u64::MAX
    } else {
        (1 << width) - 1
    }
}

/// The value of an operator with one operand; the sorts are those of operand and result.
pub fn unary(operator: Unary, operand: (Sort, Value), result: Sort) -> Value {
    let (sort, value) = operand;
    match operator {
        Unary::Not if sort == Sort::Boolean => 1 - value,
        Unary::Not => cut(result, !number(sort, value)),
        Unary::Minus => cut(result, -number(sort, value)),
        Unary::ToBoolean => (value != 0) as Value,
        Unary::ToInteger => cut(result, number(sort, value)),
        Unary::Resize { signed: true, width } if is_narrower(width, sort) => {
            // The sign stays the sign; the bits below it are the low ones.
            let sign = (number(sort, value) < 0) as u64;
            let low = value as u64 & mask(width.saturating_sub(1));
            (low | sign << (width - 1)) as Value
        }
        Unary::Resize { .. } => cut(result, number(sort, value)),
        Unary::Reinterpret { .. } => value,
        Unary::Select { high, low } => {
            (value as u64 >> low & mask(high.saturating_sub(low) + 1)) as Value
        }
    }
}

fn is_narrower(width: u32, sort: Sort) -> bool {
    matches!(sort, Sort::Word { width: old, .. } if width < old) && width > 0
}

/// The value of an operator with two operands; the sorts are those of operands and result.
pub fn binary(operator: Binary, left: (Sort, Value), right: (Sort, Value), result: Sort) -> Value {
    let (l, r) = (number(left.0, left.1), number(right.0, right.1));
    match operator {
        Binary::And => left.1 & right.1,
        Binary::Or => left.1 | right.1,
        Binary::Xor => left.1 ^ right.1,
        Binary::Equal => (left.1 == right.1) as Value,
        Binary::Less => (l < r) as Value,
        Binary::LessEqual => (l <= r) as Value,
        Binary::Add => cut(result, l + r),
        Binary::Subtract => cut(result, l - r),
        Binary::Multiply => cut(result, l.wrapping_mul(r)),
        Binary::Divide => cut(result, if r == 0 { 0 } else { l / r }),
        Binary::Remainder => cut(result, if r == 0 { 0 } else { l % r }),
        Binary::Concatenate => {
            let Sort::Word { width, .. } = right.0 else { return left.1 };
            let high = (left.1 as u64).checked_shl(width).unwrap_or(0);
            (high | right.1 as u64) as Value
        }
        Binary::ShiftLeft => cut(result, if (0..64).contains(&r) { l << r } else { 0 }),
        Binary::ShiftRight => cut(result, l >> r.clamp(0, 64)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INT: Sort = Sort::Scalar;

    fn word(signed: bool, width: u32) -> Sort {
        Sort::Word { signed, width }
    }

    #[test]
    fn division_rounds_towards_zero_and_the_remainder_has_the_dividends_sign() {
        let of = |op, a, b| binary(op, (INT, a), (INT, b), INT);
        assert_eq!(of(Binary::Divide, -7, 2), -3);
        assert_eq!(of(Binary::Remainder, -7, 2), -1);
        assert_eq!(of(Binary::Remainder, 7, -2), 1);
    }

    #[test]
    fn words_wrap_and_compare_by_their_sign() {
        let (u, s) = (word(false, 4), word(true, 4));
        assert_eq!(binary(Binary::Add, (u, 15), (u, 2), u), 1);
        assert_eq!(binary(Binary::Less, (u, 15), (u, 1), Sort::Boolean), 0);
        assert_eq!(binary(Binary::Less, (s, 15), (s, 1), Sort::Boolean), 1);
        assert_eq!(unary(Unary::Minus, (u, 1), u), 15);
        assert_eq!(binary(Binary::ShiftRight, (s, 8), (INT, 1), s), 12);
    }

    #[test]
    fn resizing_extends_by_the_sign_and_selection_counts_from_zero() {
        let s = word(true, 2);
        let wide = Unary::Resize { signed: true, width: 4 };
        assert_eq!(unary(wide, (s, 2), word(true, 4)), 14);
        let bits = Unary::Select { high: 2, low: 1 };
        assert_eq!(unary(bits, (word(false, 4), 0b1101), word(false, 2)), 0b10);
    }
}
