//! Numbers of states, which outgrow every machine word.

use std::fmt;
use std::ops::{Add, Shl, ShlAssign, Shr};

/// A natural number, its digits to the base of 2^32, the lowest first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Count(Vec<u32>);

impl Count {
    /// Further digits, each of which may be too large by itself: the rest is carried on.
    fn carried(mut digits: Vec<u32>, more: impl Iterator<Item = u64>) -> Count {
        let mut carry = 0;
        for digit in more {
            let total = digit + carry;
            digits.push(total as u32);
            carry = total >> 32;
        }
        digits.push(carry as u32);
        Count(digits).trimmed()
    }

    fn trimmed(mut self) -> Count {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
        self
    }
}

impl From<u32> for Count {
    fn from(value: u32) -> Count {
        Count(vec![value]).trimmed()
    }
}

impl Add for Count {
    type Output = Count;

    fn add(self, other: Count) -> Count {
        let digit = |of: &Count, k: usize| of.0.get(k).copied().unwrap_or(0) as u64;
        let longest = self.0.len().max(other.0.len());
        Count::carried(Vec::new(), (0..longest).map(|k| digit(&self, k) + digit(&other, k)))
    }
}

impl Shl<u32> for Count {
    type Output = Count;

    fn shl(self, by: u32) -> Count {
        let (digits, bits) = ((by / 32) as usize, by % 32);
        Count::carried(vec![0; digits], self.0.into_iter().map(|digit| (digit as u64) << bits))
    }
}

impl Shr<u32> for Count {
    type Output = Count;

    fn shr(self, by: u32) -> Count {
        let (digits, bits) = ((by / 32) as usize, by % 32);
        let rest = self.0.get(digits..).unwrap_or(&[]);
        let shifted = rest.iter().enumerate().map(|(k, digit)| {
            let above = rest.get(k + 1).copied().unwrap_or(0) as u64;
            ((above << 32 | *digit as u64) >> bits) as u32
        });
        Count(shifted.collect()).trimmed()
    }
}

impl ShlAssign<i32> for Count {
    fn shl_assign(&mut self, by: i32) {
        let value = std::mem::take(self);
        *self = if by < 0 { value >> by.unsigned_abs() } else { value << by as u32 };
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut rest, mut groups) = (self.0.clone(), Vec::new());
        while !rest.is_empty() {
            let mut remainder = 0u64;
            for digit in rest.iter_mut().rev() {
                let wide = remainder << 32 | *digit as u64;
                *digit = (wide / 1_000_000_000) as u32;
                remainder = wide % 1_000_000_000;
            }
            groups.push(remainder);
            while rest.last() == Some(&0) {
                rest.pop();
            }
        }
        let Some(first) = groups.pop() else { return f.pad("0") };
        let mut text = first.to_string();
        for group in groups.into_iter().rev() {
            text.push_str(&format!("{group:09}"));
        }
        f.pad(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_written_in_full() {
        let large = Count::from(3) << 100;
        assert_eq!(large.to_string(), "3802951800684688204490109616128");
        assert_eq!((large.clone() >> 99).to_string(), "6");
        assert_eq!((large.clone() + large).to_string(), (Count::from(6) << 100).to_string());
        assert_eq!(Count::from(0).to_string(), "0");
        assert_eq!((Count::from(1_000_000_000)).to_string(), "1000000000");
    }
}
