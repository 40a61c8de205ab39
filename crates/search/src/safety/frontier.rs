//! States waiting to be expanded, packed, one after the other in one buffer.

use isospin_store::{Budget, OutOfMemory};

/// A state on the frontier. A deep search has nearly all states there, so no byte is wasted on
/// alignment.
#[derive(Clone, Copy, Debug)]
#[repr(C, packed)]
struct Entry<T> {
    start: Start,
    depth: u32,
    tag: T,
}

/// Where a state starts, in as many bytes as a buffer that fits into memory needs.
#[derive(Clone, Copy, Debug)]
struct Start([u8; 5]);

impl Start {
    #[inline]
    fn new(start: usize) -> Start {
        let [a, b, c, d, e, ..] = (start as u64).to_le_bytes();
        Start([a, b, c, d, e])
    }

    #[inline]
    fn get(self) -> usize {
        let Start([a, b, c, d, e]) = self;
        u64::from_le_bytes([a, b, c, d, e, 0, 0, 0]) as usize
    }
}

impl<T: Copy> Entry<T> {
    #[inline]
    fn start(&self) -> usize {
        self.start.get()
    }
}

/// A stack of packed states, each with its depth and something of the search's own.
pub(super) struct Frontier<T> {
    bytes: Vec<u8>,
    entries: Vec<Entry<T>>,
}

impl<T> Default for Frontier<T> {
    fn default() -> Self {
        Frontier { bytes: Vec::new(), entries: Vec::new() }
    }
}

impl<T: Copy> Frontier<T> {
    /// How many states there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Adds a state, given in two parts, at the end.
    #[inline]
    pub fn push(
        &mut self,
        parts: [&[u8]; 2],
        depth: u32,
        tag: T,
        budget: &Budget,
    ) -> Result<(), OutOfMemory> {
        budget.reserve(&mut self.bytes, parts[0].len() + parts[1].len())?;
        budget.reserve(&mut self.entries, 1)?;
        let start = self.bytes.len();
        self.bytes.extend_from_slice(parts[0]);
        self.bytes.extend_from_slice(parts[1]);
        self.entries.push(Entry { start: Start::new(start), depth, tag });
        Ok(())
    }

    #[inline]
    fn end(&self, k: usize) -> usize {
        self.entries.get(k + 1).map_or(self.bytes.len(), |e| e.start())
    }

    /// State `k`, packed.
    #[inline]
    pub fn packed(&self, k: usize) -> &[u8] {
        &self.bytes[self.entries[k].start()..self.end(k)]
    }

    /// The depth of state `k`.
    #[inline]
    pub fn depth(&self, k: usize) -> u32 {
        self.entries[k].depth
    }

    /// What the search noted with state `k`.
    #[inline]
    pub fn tag(&self, k: usize) -> T {
        self.entries[k].tag
    }

    /// Drops all but the first `len` states.
    #[inline]
    pub fn truncate(&mut self, len: usize) {
        if let Some(entry) = self.entries.get(len) {
            self.bytes.truncate(entry.start());
            self.entries.truncate(len);
        }
    }

    /// Drops everything.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.entries.clear();
    }

    /// Moves the states from `from` on into `to`, which is emptied first.
    pub fn split_off_into(
        &mut self,
        from: usize,
        to: &mut Self,
        budget: &Budget,
    ) -> Result<(), OutOfMemory> {
        to.clear();
        to.append(self, from, self.len(), budget)?;
        self.truncate(from);
        Ok(())
    }

    /// Splits off the lower half.
    pub fn give_half(&mut self, budget: &Budget) -> Result<Self, OutOfMemory> {
        let mut given = Self::default();
        let half = self.len() / 2;
        given.append(self, 0, half, budget)?;
        let moved = self.entries.get(half).map_or(self.bytes.len(), |e| e.start());
        self.bytes.drain(..moved);
        self.entries.drain(..half);
        for entry in &mut self.entries {
            entry.start = Start::new(entry.start() - moved);
        }
        Ok(given)
    }

    fn append(
        &mut self,
        other: &Self,
        from: usize,
        to: usize,
        budget: &Budget,
    ) -> Result<(), OutOfMemory> {
        if from == to {
            return Ok(());
        }
        let (start, end) = (other.entries[from].start(), other.end(to - 1));
        budget.reserve(&mut self.bytes, end - start)?;
        budget.reserve(&mut self.entries, to - from)?;
        let base = self.bytes.len();
        self.bytes.extend_from_slice(&other.bytes[start..end]);
        self.entries.extend(
            other.entries[from..to]
                .iter()
                .map(|e| Entry { start: Start::new(e.start() - start + base), ..*e }),
        );
        Ok(())
    }

    /// Gives its memory back.
    pub fn release(self, budget: &Budget) {
        budget.release(self.bytes.capacity() as u64);
        budget.release((self.entries.capacity() * size_of::<Entry<T>>()) as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_and_tails_are_what_was_pushed() {
        let budget = Budget::new(None);
        let mut frontier = Frontier::default();
        for n in 0..9u8 {
            let state = vec![n; n as usize];
            frontier.push([&[n], &state], n.into(), n, &budget).unwrap();
        }
        let mut tail = Frontier::default();
        frontier.split_off_into(6, &mut tail, &budget).unwrap();
        let given = frontier.give_half(&budget).unwrap();
        for (part, range) in [(&given, 0..3), (&frontier, 3..6), (&tail, 6..9)] {
            assert_eq!(part.len(), range.len());
            for (k, n) in range.enumerate() {
                assert_eq!(part.packed(k), vec![n; n as usize + 1]);
                assert_eq!((part.depth(k), part.tag(k)), (n.into(), n));
            }
        }
        for part in [frontier, tail, given] {
            part.release(&budget);
        }
        assert_eq!(budget.used(), 0);
    }
}
