//! States that have just been reached, on their way into the store, and from there onto a frontier
//! if they are new.

use super::frontier::Frontier;
use crate::limits::{Budget, OutOfMemory};
use crate::store::{Handle, Outcome, StateId};

/// A batch of arrivals. A frontier keeps states packed as the store packs them, behind their
/// hidden bytes, which the store does not get to see.
pub(super) struct Arrivals<'s, T, const SHARED: bool> {
    pub handle: Handle<'s, SHARED>,
    hidden: usize,
    waiting: Vec<(u32, T)>,
    prefixes: Vec<u8>,
}

/// What became of a batch.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Settled {
    pub arrivals: u64,
    pub new: u64,
    /// The depth of the deepest new state.
    pub depth: u32,
}

impl<'s, T: Copy, const SHARED: bool> Arrivals<'s, T, SHARED> {
    /// For states with this many hidden bytes.
    pub fn new(handle: Handle<'s, SHARED>, hidden: usize) -> Self {
        Arrivals { handle, hidden, waiting: Vec::new(), prefixes: Vec::new() }
    }

    /// How many are waiting.
    #[inline]
    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Adds an arrival.
    #[inline]
    pub fn push(&mut self, state: &[u8], depth: u32, tag: T, parent: Option<StateId>) {
        let (prefix, visible) = state.split_at(self.hidden);
        if !prefix.is_empty() {
            self.prefixes.extend_from_slice(prefix);
        }
        self.handle.push(visible, parent);
        self.waiting.push((depth, tag));
    }

    /// Looks up everything that waits and pushes what is new.
    pub fn settle(
        &mut self,
        frontier: &mut Frontier<T>,
        budget: &Budget,
        retag: impl Fn(T, Outcome) -> T,
    ) -> Result<Settled, OutOfMemory> {
        let mut settled = Settled { arrivals: self.waiting.len() as u64, ..Settled::default() };
        let (hidden, waiting, prefixes) = (self.hidden, &self.waiting, &self.prefixes);
        let mut k = 0;
        let result = self.handle.commit_each(|outcome, packed| {
            if outcome.new {
                let (depth, tag) = waiting[k];
                settled.new += 1;
                settled.depth = settled.depth.max(depth);
                let prefix = &prefixes[k * hidden..(k + 1) * hidden];
                frontier.push([prefix, packed], depth, retag(tag, outcome), budget)?;
            }
            k += 1;
            Ok(())
        });
        self.waiting.clear();
        self.prefixes.clear();
        result.map(|()| settled)
    }

    /// Writes state `k` of the frontier into `state`.
    #[inline]
    pub fn unpack(&mut self, frontier: &Frontier<T>, k: usize, state: &mut Vec<u8>) {
        let (prefix, packed) = frontier.packed(k).split_at(self.hidden);
        self.handle.unpack(packed, state);
        if !prefix.is_empty() {
            state.splice(0..0, prefix.iter().copied());
        }
    }
}
