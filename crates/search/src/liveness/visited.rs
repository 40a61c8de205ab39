//! The nodes that a liveness search has visited, and how far it may go.

use crate::limits::{Control, OutOfMemory};
use crate::result::Incomplete;
use crate::store::{Handle, StateId};

/// The search was ended by a limit; the control says which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stopped;

/// How many nodes are entered between two looks at the limits.
const INTERVAL: u64 = 256;

/// The visited nodes, counted.
pub(super) struct Visited<'s> {
    handle: Handle<'s, false>,
    control: &'s Control,
    depth_limit: u64,
    ticks: u64,
    charged: u64,
    /// Nodes stored.
    pub states: u64,
    /// Arrivals at nodes.
    pub transitions: u64,
    /// The deepest stack.
    pub depth: u64,
}

impl<'s> Visited<'s> {
    pub fn new(handle: Handle<'s, false>, control: &'s Control, depth: Option<u32>) -> Self {
        let depth_limit = depth.map_or(u64::MAX, u64::from);
        Visited {
            handle,
            control,
            depth_limit,
            ticks: 0,
            charged: 0,
            states: 0,
            transitions: 0,
            depth: 0,
        }
    }

    /// The node with this identity, and whether it was not there before.
    pub fn insert(&mut self, identity: &[u8]) -> Result<(StateId, bool), Stopped> {
        self.handle.push(identity, None);
        match self.handle.commit() {
            Ok(outcomes) => {
                let outcome = outcomes[0];
                self.transitions += 1;
                self.states += u64::from(outcome.new);
                Ok((outcome.id, outcome.new))
            }
            Err(OutOfMemory) => {
                self.control.stop(Some(Incomplete::Memory));
                Err(Stopped)
            }
        }
    }

    /// The node with this identity, if it has been visited.
    pub fn find(&mut self, identity: &[u8]) -> Option<StateId> {
        self.handle.find(identity)
    }

    pub fn flags(&self, id: StateId) -> u8 {
        self.handle.store().flags(id)
    }

    pub fn set_flags(&self, id: StateId, flags: u8) {
        self.handle.store().set_flags(id, flags);
    }

    pub fn clear_flags(&self, id: StateId, flags: u8) {
        self.handle.store().clear_flags(id, flags);
    }

    /// Three flag bits of copy `copy` of a node.
    pub fn copy_flags(&self, id: StateId, copy: u8) -> u8 {
        let store = self.handle.store();
        let (byte, bit) = (3 * copy / 8, 3 * copy % 8);
        let both = u16::from_le_bytes([store.copy_flags(id, byte), store.copy_flags(id, byte + 1)]);
        (both >> bit) as u8 & 7
    }

    /// Sets some of them and clears some.
    pub fn change_copy_flags(&self, id: StateId, copy: u8, set: u8, clear: u8) {
        let (byte, bit) = (3 * copy / 8, 3 * copy % 8);
        let (set, clear) = (u16::from(set) << bit, u16::from(clear) << bit);
        for (k, byte) in (byte..).take(2).enumerate() {
            let part = |bits: u16| bits.to_le_bytes()[k];
            if part(set | clear) != 0 {
                self.handle.store().change_copy_flags(id, byte, part(set), part(clear));
            }
        }
    }

    /// A node was entered: the stack is `depth` deep and the search holds `bytes` beside the
    /// store.
    pub fn tick(&mut self, depth: usize, bytes: u64) -> Result<(), Stopped> {
        self.depth = self.depth.max(depth as u64);
        if depth as u64 > self.depth_limit {
            self.control.stop(Some(Incomplete::Depth));
            return Err(Stopped);
        }
        self.ticks += 1;
        if bytes > self.charged {
            // Vectors grow by doubling: both places may exist for a moment.
            if self.control.budget.charge(2 * (bytes - self.charged)).is_err() {
                self.control.stop(Some(Incomplete::Memory));
                return Err(Stopped);
            }
            self.charged = bytes;
        }
        match self.ticks % INTERVAL == 0 && self.control.poll() {
            true => Err(Stopped),
            false => Ok(()),
        }
    }
}
