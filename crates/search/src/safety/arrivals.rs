//! States that have just been reached, on their way into the set, and from there onto a frontier
//! if they are new.

use isospin_store::{Answer, Budget, Insert, OutOfMemory, StateSet};

use super::frontier::Frontier;
use crate::door::Door;
use crate::limits::Control;

/// A batch of arrivals. A frontier keeps states packed, behind their hidden bytes, which the set
/// does not get to see. Under symmetry the set sees representatives, and the frontier keeps the
/// states as they are.
pub(super) struct Arrivals<'s, S: StateSet + 's, W> {
    pub handle: S::Handle<'s>,
    pub door: Door,
    hidden: usize,
    /// Under symmetry, the states that wait, as they are, and where each ends.
    real: Vec<u8>,
    ends: Vec<usize>,
    waiting: Vec<(u32, W)>,
    prefixes: Vec<u8>,
    /// How many bytes the states that wait have.
    bytes: usize,
}

/// States with more bytes than this together are looked up at once.
const MAX_BYTES: usize = 1 << 20;

/// What became of a batch.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Settled {
    pub arrivals: u64,
    pub new: u64,
    /// The depth of the deepest new state.
    pub depth: u32,
}

impl<'s, S: StateSet, W: Copy> Arrivals<'s, S, W> {
    /// Arrivals at states of a set, through this door.
    pub fn new(set: &'s S, door: Door) -> Self {
        Arrivals {
            handle: set.handle(),
            hidden: door.hidden(),
            door,
            real: Vec::new(),
            ends: Vec::new(),
            waiting: Vec::new(),
            prefixes: Vec::new(),
            bytes: 0,
        }
    }

    /// Whether so many are waiting, or so large ones that they should wait no longer.
    #[inline]
    pub fn are_enough(&self, count: usize) -> bool {
        self.waiting.len() >= count || self.bytes > MAX_BYTES
    }

    /// Adds an arrival.
    #[inline]
    pub fn push(&mut self, state: &[u8], depth: u32, note: W, parent: Option<S::Id>) {
        self.bytes += state.len();
        if self.door.is_symmetric() {
            self.real.extend_from_slice(state);
            self.ends.push(self.real.len());
            self.handle.push(self.door.identity(state), parent);
            self.waiting.push((depth, note));
            return;
        }
        let (prefix, visible) = state.split_at(self.hidden);
        if !prefix.is_empty() {
            self.prefixes.extend_from_slice(prefix);
        }
        self.handle.push(visible, parent);
        self.waiting.push((depth, note));
    }

    /// Looks up everything that waits and pushes what is new. `tag` is told what was noted with
    /// each arrival and what became of it; what it says goes onto the frontier with a state that is
    /// new.
    #[inline]
    pub fn settle<T: Copy>(
        &mut self,
        frontier: &mut Frontier<T>,
        control: &Control,
        mut tag: impl FnMut(W, Answer<S::Id>) -> T,
    ) -> Result<Settled, OutOfMemory> {
        let budget: &Budget = &control.budget;
        self.door.watch(control);
        let mut settled = Settled { arrivals: self.waiting.len() as u64, ..Settled::default() };
        let (hidden, waiting, prefixes) = (self.hidden, &self.waiting, &self.prefixes);
        let (real, ends, symmetric) = (&self.real, &self.ends, self.door.is_symmetric());
        let mut k = 0;
        let result = self.handle.commit(|answer, packed| {
            let (depth, note) = waiting[k];
            let tag = tag(note, answer);
            if answer.new {
                settled.new += 1;
                settled.depth = settled.depth.max(depth);
                let parts = if symmetric {
                    [&real[if k == 0 { 0 } else { ends[k - 1] }..ends[k]], &[]]
                } else {
                    [&prefixes[k * hidden..(k + 1) * hidden], packed]
                };
                frontier.push(parts, depth, tag, budget)?;
            }
            k += 1;
            Ok(())
        });
        self.waiting.clear();
        self.bytes = 0;
        self.prefixes.clear();
        self.real.clear();
        self.ends.clear();
        result.map(|()| settled)
    }

    /// Writes state `k` of the frontier into `state`.
    #[inline]
    pub fn unpack<T: Copy>(&mut self, frontier: &Frontier<T>, k: usize, state: &mut Vec<u8>) {
        if self.door.is_symmetric() {
            state.clear();
            state.extend_from_slice(frontier.packed(k));
            return;
        }
        let (prefix, packed) = frontier.packed(k).split_at(self.hidden);
        self.handle.packer().unpack(packed, state);
        if !prefix.is_empty() {
            state.splice(0..0, prefix.iter().copied());
        }
    }
}
