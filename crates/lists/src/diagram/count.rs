//! How many vectors there are, however many that is.

use std::collections::HashMap;
use std::fmt;

use super::table::{List, Lists};

/// A number of vectors, its digits to the base of 10^18, the lowest first.
#[derive(Clone, PartialEq, Eq, Debug, Default, Hash)]
pub struct Count(Vec<u64>);

const BASE: u64 = 1_000_000_000_000_000_000;

impl Count {
    /// Adds another number.
    pub fn add(&mut self, other: &Count) {
        let mut carry = 0;
        for k in 0..self.0.len().max(other.0.len()) {
            if k == self.0.len() {
                self.0.push(0);
            }
            let sum = self.0[k] + other.0.get(k).copied().unwrap_or(0) + carry;
            self.0[k] = sum % BASE;
            carry = sum / BASE;
        }
        if carry > 0 {
            self.0.push(carry);
        }
    }

    /// The number, if a machine word holds it.
    pub fn as_u64(&self) -> Option<u64> {
        match self.0[..] {
            [] => Some(0),
            [low] => Some(low),
            [low, high] => high.checked_mul(BASE)?.checked_add(low),
            _ => None,
        }
    }
}

impl From<u64> for Count {
    fn from(value: u64) -> Count {
        let digits = [value % BASE, value / BASE];
        let len = digits.iter().rposition(|d| *d > 0).map_or(0, |last| last + 1);
        Count(digits[..len].to_vec())
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = self.0.last().map_or_else(|| "0".to_owned(), u64::to_string);
        for digit in self.0.iter().rev().skip(1) {
            text.push_str(&format!("{digit:018}"));
        }
        f.pad(&text)
    }
}

impl Lists {
    /// How many vectors a set has.
    pub fn count(&self, list: List) -> Count {
        let mut known: HashMap<List, Count> = HashMap::new();
        known.insert(List::EMPTY, Count::default());
        known.insert(List::END, Count::from(1));
        // First everything below and beside, then the node; the stack is our own.
        let mut todo = vec![list];
        while let Some(&list) = todo.last() {
            if known.contains_key(&list) {
                todo.pop();
                continue;
            }
            let node = self.node(list);
            match (known.get(&node.down), known.get(&node.right)) {
                (Some(down), Some(right)) => {
                    let mut sum = down.clone();
                    sum.add(right);
                    known.insert(list, sum);
                    todo.pop();
                }
                _ => todo.extend([node.right, node.down]),
            }
        }
        known.remove(&list).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_written_in_full() {
        let mut number = Count::from(1);
        let mut power: u128 = 1;
        for _ in 0..120 {
            number.add(&number.clone());
            power *= 2;
            assert_eq!(number.to_string(), power.to_string());
            assert_eq!(number.as_u64(), u64::try_from(power).ok());
        }
        assert_eq!(Count::default().to_string(), "0");
        for value in [0, 1, BASE - 1, BASE, u64::MAX] {
            assert_eq!(Count::from(value).to_string(), value.to_string());
            assert_eq!(Count::from(value).as_u64(), Some(value));
        }
    }
}
