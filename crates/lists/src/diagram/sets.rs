//! Union, difference, intersection.

use super::plan::{INTERSECT, MINUS, UNION};
use super::table::{List, Lists, Stop};

impl Lists {
    /// The vectors of either set.
    pub fn union(&mut self, a: List, b: List) -> Result<List, Stop> {
        if a == b || b.is_empty() {
            return Ok(a);
        }
        if a.is_empty() {
            return Ok(b);
        }
        let (a, b) = (a.min(b), a.max(b));
        let key = [UNION, a.0, b.0, 0];
        if let Some(known) = self.cached(&key)? {
            return Ok(known);
        }
        let base = self.scratch.len();
        let (mut left, mut right) = (a, b);
        // What is left of one list once the other has ended is there already, as are common ends.
        while !left.is_empty() && !right.is_empty() && left != right {
            let (l, r) = (self.node(left), self.node(right));
            let down = if l.value == r.value { self.union(l.down, r.down)? } else { List::EMPTY };
            self.scratch.push(match l.value.cmp(&r.value) {
                std::cmp::Ordering::Less => (l.value, l.down),
                std::cmp::Ordering::Greater => (r.value, r.down),
                std::cmp::Ordering::Equal => (l.value, down),
            });
            if l.value <= r.value {
                left = l.right;
            }
            if r.value <= l.value {
                right = r.right;
            }
        }
        let rest = if left.is_empty() { right } else { left };
        let result = self.build_before(base, rest)?;
        Ok(self.remember(key, result))
    }

    /// The vectors of the first set that are not in the second.
    pub fn minus(&mut self, a: List, b: List) -> Result<List, Stop> {
        if a == b || a.is_empty() {
            return Ok(List::EMPTY);
        }
        if b.is_empty() {
            return Ok(a);
        }
        let key = [MINUS, a.0, b.0, 0];
        if let Some(known) = self.cached(&key)? {
            return Ok(known);
        }
        let base = self.scratch.len();
        let (mut left, mut right) = (a, b);
        while !left.is_empty() && !right.is_empty() && left != right {
            let (l, r) = (self.node(left), self.node(right));
            if l.value < r.value {
                self.scratch.push((l.value, l.down));
            } else if l.value == r.value {
                let down = self.minus(l.down, r.down)?;
                self.push_part(l.value, down);
            }
            if l.value <= r.value {
                left = l.right;
            }
            if r.value <= l.value {
                right = r.right;
            }
        }
        let rest = if left == right { List::EMPTY } else { left };
        let result = self.build_before(base, rest)?;
        Ok(self.remember(key, result))
    }

    /// The vectors of both sets.
    pub fn intersect(&mut self, a: List, b: List) -> Result<List, Stop> {
        if a == b || a.is_empty() {
            return Ok(a);
        }
        if b.is_empty() {
            return Ok(b);
        }
        let (a, b) = (a.min(b), a.max(b));
        let key = [INTERSECT, a.0, b.0, 0];
        if let Some(known) = self.cached(&key)? {
            return Ok(known);
        }
        let base = self.scratch.len();
        let (mut left, mut right) = (a, b);
        while !left.is_empty() && !right.is_empty() && left != right {
            let (l, r) = (self.node(left), self.node(right));
            if l.value == r.value {
                let down = self.intersect(l.down, r.down)?;
                self.push_part(l.value, down);
            }
            if l.value <= r.value {
                left = l.right;
            }
            if r.value <= l.value {
                right = r.right;
            }
        }
        let rest = if left == right { left } else { List::EMPTY };
        let result = self.build_before(base, rest)?;
        Ok(self.remember(key, result))
    }

    /// Adds a part to the list that is being put together, unless nothing follows its value.
    #[inline]
    pub(super) fn push_part(&mut self, value: u32, down: List) {
        if !down.is_empty() {
            self.scratch.push((value, down));
        }
    }

    /// The list of what has been put together above `base`, before `rest`.
    fn build_before(&mut self, base: usize, rest: List) -> Result<List, Stop> {
        let mut list = rest;
        while self.scratch.len() > base {
            if let Some((value, down)) = self.scratch.pop() {
                list = self.make(value, down, list)?;
            }
        }
        Ok(list)
    }
}
