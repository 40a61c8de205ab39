//! Values and finite domains.

/// A value: a truth value (0 or 1), an integer, the bits of a word, or a symbolic constant
/// ([`SYMBOL_BASE`] and its number). What it stands for is known from the expression's sort.
pub type Value = i64;

/// Symbolic constants are numbered from here, far from every integer that a model counts to.
pub const SYMBOL_BASE: Value = 1 << 40;

/// The values that a variable can have.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub enum Domain {
    /// True and false.
    Boolean,
    /// All integers from the first to the second.
    Range(Value, Value),
    /// Integers and symbolic constants, each once, in the order in which they were written.
    Values(Vec<Value>),
    /// Words of so many bits, at most 64.
    Word {
        /// Whether the word is read as a number in two's complement.
        signed: bool,
        /// The number of bits.
        width: u32,
    },
}

impl Domain {
    /// The number of values; saturates for words of 64 bits.
    pub fn size(&self) -> u64 {
        match self {
            Domain::Boolean => 2,
            Domain::Range(low, high) => high.abs_diff(*low) + 1,
            Domain::Values(values) => values.len() as u64,
            Domain::Word { width, .. } => 1u64.checked_shl(*width).unwrap_or(u64::MAX),
        }
    }

    /// The number of bits that a code of a value needs.
    pub fn bits(&self) -> u32 {
        match self {
            Domain::Word { width, .. } => *width,
            _ => 64 - (self.size() - 1).leading_zeros(),
        }
    }

    /// Whether a value belongs to the domain.
    pub fn contains(&self, value: Value) -> bool {
        match self {
            Domain::Boolean => value == 0 || value == 1,
            Domain::Range(low, high) => (*low..=*high).contains(&value),
            Domain::Values(values) => values.contains(&value),
            Domain::Word { width, .. } => *width >= 64 || (value as u64) >> width == 0,
        }
    }

    /// The value with this code; codes count from 0.
    pub fn value(&self, code: u64) -> Value {
        match self {
            Domain::Range(low, _) => low + code as Value,
            Domain::Values(values) => values[code as usize],
            Domain::Boolean | Domain::Word { .. } => code as Value,
        }
    }

    /// The code of a value of the domain.
    pub fn code(&self, value: Value) -> Option<u64> {
        if !self.contains(value) {
            return None;
        }
        Some(match self {
            Domain::Range(low, _) => value.abs_diff(*low),
            Domain::Values(values) => values.iter().position(|v| *v == value)? as u64,
            Domain::Boolean | Domain::Word { .. } => value as u64,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_values_are_inverse() {
        let domains = [
            Domain::Boolean,
            Domain::Range(-3, 4),
            Domain::Values(vec![7, SYMBOL_BASE, SYMBOL_BASE + 1]),
            Domain::Word { signed: true, width: 3 },
        ];
        for domain in domains {
            for code in 0..domain.size() {
                let value = domain.value(code);
                assert!(domain.contains(value));
                assert_eq!(domain.code(value), Some(code));
            }
            assert!(1u64 << domain.bits() >= domain.size());
        }
    }

    #[test]
    fn a_domain_with_one_value_needs_no_bits() {
        assert_eq!(Domain::Range(5, 5).bits(), 0);
        assert_eq!(Domain::Values(vec![SYMBOL_BASE]).bits(), 0);
    }
}
