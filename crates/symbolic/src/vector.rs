//! Numbers as vectors of diagrams, the lowest bit first. Integers are in two's complement with as
//! many bits as they need, the last one being the sign; words have exactly their width.

use crate::diagram::{Diagram, Diagrams, Result};

pub(crate) type Vector = Vec<Diagram>;

impl Diagrams {
    /// An integer that is known.
    pub(crate) fn integer(&self, value: i64) -> Vector {
        let width = 65 - (if value < 0 { !value } else { value }).leading_zeros();
        (0..width).map(|k| self.constant(value >> k.min(63) & 1 == 1)).collect()
    }

    /// A word that is known.
    pub(crate) fn word(&self, bits: u64, width: u32) -> Vector {
        (0..width).map(|k| self.constant(bits >> k & 1 == 1)).collect()
    }

    /// More bits: the sign once more, or zeros.
    pub(crate) fn widened(&self, a: &[Diagram], width: usize, signed: bool) -> Vector {
        let mut wide = a.to_vec();
        let fill = match a.last() {
            Some(sign) if signed => sign.clone(),
            _ => self.no(),
        };
        wide.resize(width.max(a.len()), fill);
        wide
    }

    /// Without bits that only repeat the sign.
    pub(crate) fn shortened(&self, mut a: Vector) -> Vector {
        while a.len() > 1 && a[a.len() - 1] == a[a.len() - 2] {
            a.pop();
        }
        a
    }

    /// The low bits of the sum and a carry.
    pub(crate) fn sum(&self, a: &[Diagram], b: &[Diagram], carry: bool) -> Result<Vector> {
        let mut carry = self.constant(carry);
        let mut sum = Vec::with_capacity(a.len());
        for (x, y) in a.iter().zip(b) {
            let half = self.differ(x, y)?;
            sum.push(self.differ(&half, &carry)?);
            carry = self.choose(&half, &carry, x)?;
        }
        Ok(sum)
    }

    pub(crate) fn inverted(&self, a: &[Diagram]) -> Result<Vector> {
        a.iter().map(|bit| self.not(bit)).collect()
    }

    /// The low bits of the difference.
    pub(crate) fn difference(&self, a: &[Diagram], b: &[Diagram]) -> Result<Vector> {
        self.sum(a, &self.inverted(b)?, true)
    }

    pub(crate) fn negated(&self, a: &[Diagram]) -> Result<Vector> {
        let zero = vec![self.no(); a.len()];
        self.difference(&zero, a)
    }

    pub(crate) fn selected(&self, c: &Diagram, a: &[Diagram], b: &[Diagram]) -> Result<Vector> {
        a.iter().zip(b).map(|(x, y)| self.choose(c, x, y)).collect()
    }

    pub(crate) fn equal(&self, a: &[Diagram], b: &[Diagram]) -> Result<Diagram> {
        let apart = |(x, y): (&Diagram, &Diagram)| {
            self.is_yes(x) && self.is_no(y) || self.is_no(x) && self.is_yes(y)
        };
        if a.iter().zip(b).any(apart) {
            return Ok(self.no());
        }
        let mut all = self.yes();
        for (x, y) in a.iter().zip(b).rev() {
            all = self.and(&self.same(x, y)?, &all)?;
        }
        Ok(all)
    }

    /// Whether the first is less, both of one width.
    pub(crate) fn less(&self, a: &[Diagram], b: &[Diagram], signed: bool) -> Result<Diagram> {
        let mut less = self.no();
        for (k, (x, y)) in a.iter().zip(b).enumerate() {
            // Of signs, the one that is set is less.
            let (x, y) = if signed && k + 1 == a.len() { (y, x) } else { (x, y) };
            less = self.choose(&self.differ(x, y)?, y, &less)?;
        }
        Ok(less)
    }

    /// The low bits of the product, as many as the first has.
    pub(crate) fn product(&self, a: &[Diagram], b: &[Diagram]) -> Result<Vector> {
        let width = a.len();
        let mut total = vec![self.no(); width];
        for (k, bit) in b.iter().enumerate().take(width) {
            if self.is_no(bit) {
                continue;
            }
            let mut row = vec![self.no(); k];
            for digit in &a[..width - k] {
                row.push(self.and(digit, bit)?);
            }
            total = self.sum(&total, &row, false)?;
        }
        Ok(total)
    }

    /// Quotient and remainder of numbers without signs, of one width; by zero both are 0.
    pub(crate) fn quotient(&self, a: &[Diagram], b: &[Diagram]) -> Result<(Vector, Vector)> {
        let width = a.len();
        let divisor = self.widened(b, width + 1, false);
        let mut rest = vec![self.no(); width + 1];
        let mut quotient = vec![self.no(); width];
        for k in (0..width).rev() {
            rest.pop();
            rest.insert(0, a[k].clone());
            let fits = self.not(&self.less(&rest, &divisor, false)?)?;
            let less = self.difference(&rest, &divisor)?;
            rest = self.selected(&fits, &less, &rest)?;
            quotient[k] = fits;
        }
        rest.pop();
        let zero = self.equal(b, &vec![self.no(); width])?;
        let nothing = vec![self.no(); width];
        let quotient = self.selected(&zero, &nothing, &quotient)?;
        Ok((quotient, self.selected(&zero, &nothing, &rest)?))
    }

    /// Quotient, rounded towards zero, and remainder of numbers with signs, of one width.
    pub(crate) fn signed_quotient(&self, a: &[Diagram], b: &[Diagram]) -> Result<(Vector, Vector)> {
        let (sign_a, sign_b) = (a[a.len() - 1].clone(), b[b.len() - 1].clone());
        let positive = |of: &[Diagram], sign: &Diagram| -> Result<Vector> {
            self.selected(sign, &self.negated(of)?, of)
        };
        let (q, r) = self.quotient(&positive(a, &sign_a)?, &positive(b, &sign_b)?)?;
        let opposite = self.differ(&sign_a, &sign_b)?;
        Ok((positive(&q, &opposite)?, positive(&r, &sign_a)?))
    }

    /// A word shifted by a number without sign, bit by bit of that number.
    pub(crate) fn shifted(
        &self,
        a: &[Diagram],
        by: &[Diagram],
        left: bool,
        fill: &Diagram,
    ) -> Result<Vector> {
        let mut word = a.to_vec();
        for (k, bit) in by.iter().enumerate() {
            let distance = if k < 32 { 1usize << k } else { usize::MAX };
            let moved: Vector = (0..word.len())
                .map(|at| {
                    let from =
                        if left { at.checked_sub(distance) } else { at.checked_add(distance) };
                    from.and_then(|from| word.get(from)).unwrap_or(fill).clone()
                })
                .collect();
            word = self.selected(bit, &moved, &word)?;
        }
        Ok(word)
    }
}
