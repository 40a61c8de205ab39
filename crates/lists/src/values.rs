//! Values of slots as values of lists.

use std::collections::HashMap;

/// Numbers for values. Those that are not negative stand for themselves; the others are counted, so
/// that no value is ever taken for [a copy](crate::diagram::COPY).
#[derive(Debug, Default)]
pub(crate) struct Values {
    negative: Vec<i32>,
    numbers: HashMap<i32, u32>,
}

const FIRST_NEGATIVE: u32 = 1 << 31;

impl Values {
    /// The number of a value.
    #[inline]
    pub fn code(&mut self, value: i32) -> u32 {
        if value >= 0 {
            return value as u32;
        }
        *self.numbers.entry(value).or_insert_with(|| {
            self.negative.push(value);
            FIRST_NEGATIVE + self.negative.len() as u32 - 1
        })
    }

    /// The value with a number.
    #[inline]
    pub fn value(&self, code: u32) -> i32 {
        match code.checked_sub(FIRST_NEGATIVE) {
            None => code as i32,
            Some(at) => self.negative[at as usize],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_has_a_number_of_its_own() {
        let mut values = Values::default();
        let all = [0, 1, -1, i32::MAX, i32::MIN, -2, -1];
        let codes: Vec<u32> = all.iter().map(|v| values.code(*v)).collect();
        assert!(codes.iter().all(|c| *c != crate::diagram::COPY));
        let back: Vec<i32> = codes.iter().map(|c| values.value(*c)).collect();
        assert_eq!(back, all);
    }
}
