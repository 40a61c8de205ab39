//! Real states waiting to be expanded, one after the other in one buffer.

use crate::limits::{Budget, OutOfMemory};
use crate::store::Outcome;

#[derive(Clone, Copy, Debug)]
struct Entry<T> {
    start: usize,
    depth: u32,
    tag: T,
}

/// A stack of real states, each with its depth and something of the search's own. New arrivals are
/// pushed before it is known whether they are new, and those that are not are squeezed out.
#[derive(Debug)]
pub(super) struct Frontier<T> {
    bytes: Vec<u8>,
    entries: Vec<Entry<T>>,
}

impl<T> Default for Frontier<T> {
    fn default() -> Self {
        Frontier {
            bytes: Vec::new(),
            entries: Vec::new(),
        }
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

    /// Adds a state at the end.
    #[inline]
    pub fn push(
        &mut self,
        state: &[u8],
        depth: u32,
        tag: T,
        budget: &Budget,
    ) -> Result<(), OutOfMemory> {
        budget.reserve(&mut self.bytes, state.len())?;
        budget.reserve(&mut self.entries, 1)?;
        let start = self.bytes.len();
        self.bytes.extend_from_slice(state);
        self.entries.push(Entry { start, depth, tag });
        Ok(())
    }

    fn end(&self, k: usize) -> usize {
        self.entries.get(k + 1).map_or(self.bytes.len(), |e| e.start)
    }

    /// State `k`.
    #[inline]
    pub fn state(&self, k: usize) -> &[u8] {
        &self.bytes[self.entries[k].start..self.end(k)]
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
    pub fn truncate(&mut self, len: usize) {
        if let Some(entry) = self.entries.get(len) {
            self.bytes.truncate(entry.start);
            self.entries.truncate(len);
        }
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
        let moved = self.entries.get(half).map_or(self.bytes.len(), |e| e.start);
        self.bytes.drain(..moved);
        self.entries.drain(..half);
        for entry in &mut self.entries {
            entry.start -= moved;
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
        let (start, end) = (other.entries[from].start, other.end(to - 1));
        budget.reserve(&mut self.bytes, end - start)?;
        budget.reserve(&mut self.entries, to - from)?;
        let base = self.bytes.len();
        self.bytes.extend_from_slice(&other.bytes[start..end]);
        self.entries
            .extend(other.entries[from..to].iter().map(|e| Entry {
                start: e.start - start + base,
                ..*e
            }));
        Ok(())
    }

    /// Drops everything.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.entries.clear();
    }

    /// Of the states from `from` on, for which the store gave `outcomes`, keeps the new ones and
    /// tags them. Says how many that are and how deep the deepest is.
    pub fn keep_new(
        &mut self,
        from: usize,
        outcomes: &[Outcome],
        mut tag: impl FnMut(T, &Outcome) -> T,
    ) -> (u64, u32) {
        let mut kept = from;
        let mut deepest = 0;
        let mut at = self.entries.get(from).map_or(0, |e| e.start);
        for (k, outcome) in (from..).zip(outcomes) {
            if !outcome.new {
                continue;
            }
            let (start, end) = (self.entries[k].start, self.end(k));
            let mut entry = self.entries[k];
            if start != at {
                self.bytes.copy_within(start..end, at);
                entry.start = at;
            }
            at += end - start;
            entry.tag = tag(entry.tag, outcome);
            deepest = deepest.max(entry.depth);
            self.entries[kept] = entry;
            kept += 1;
        }
        if from < self.entries.len() {
            self.bytes.truncate(at);
        }
        self.entries.truncate(kept);
        ((kept - from) as u64, deepest)
    }

    /// Gives its memory back.
    pub fn release(self, budget: &Budget) {
        budget.release(self.bytes.capacity() as u64);
        budget.release((self.entries.capacity() * size_of::<Entry<T>>()) as u64);
    }
}
