//! The nodes that a liveness search has visited, and how far it may go.

use isospin_machine::Machine;

use super::arcs::Arcs;
use super::product::Product;
use crate::limits::{Control, OutOfMemory, Progress, Watch};
use crate::result::Incomplete;
use crate::store::{Handle, StateId};

/// The search was ended by a limit; the control says which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stopped;

/// Entered by the search that visits every node.
pub(super) const ENTERED: u8 = 16;

/// The visited nodes, counted.
pub(super) struct Visited<'s> {
    handle: Handle<'s, false>,
    control: &'s Control,
    watch: Watch<'s>,
    depth_limit: u64,
    charged: u64,
    /// Nodes entered.
    pub states: u64,
    /// Arrivals at nodes.
    pub transitions: u64,
    /// The deepest stack.
    pub depth: u64,
}

impl<'s> Visited<'s> {
    pub fn new(
        handle: Handle<'s, false>,
        control: &'s Control,
        depth: Option<u32>,
        progress: &'s mut dyn FnMut(&Progress),
    ) -> Self {
        Visited {
            handle,
            control,
            watch: Watch::new(control, Some(progress)),
            depth_limit: depth.map_or(u64::MAX, u64::from),
            charged: 0,
            states: 0,
            transitions: 0,
            depth: 0,
        }
    }

    /// Starts anew, with another store.
    pub fn restart(self, handle: Handle<'s, false>) -> Self {
        Visited { handle, charged: 0, states: 0, transitions: 0, depth: 0, ..self }
    }

    /// Looks up, and stores, the node with this identity: the first one, at which the search
    /// arrives, too.
    pub fn place(&mut self, identity: &[u8]) -> Result<StateId, Stopped> {
        self.transitions += 1;
        self.handle.push(identity, None);
        let placed = self.handle.commit().map(|outcomes| outcomes[0].id);
        self.afford(placed)
    }

    /// Looks up, and stores, the nodes that the arcs of the product's fan lead to. All together,
    /// so that the memory in which they are looked up is on its way before it is needed.
    pub fn look_up<M: Machine>(&mut self, product: &mut Product<'_, M>) -> Result<(), Stopped> {
        for k in 0..product.fan.len() {
            self.handle.push(product.fan_identity(k), None);
        }
        let ids = &mut product.fan.ids;
        let placed = self.handle.commit_each(|outcome, _| {
            ids.push(outcome.id);
            Ok(())
        });
        self.afford(placed)
    }

    /// As [`look_up`](Self::look_up), and pushes the arcs to nodes that were not stored before.
    pub fn keep_new<M: Machine>(
        &mut self,
        product: &mut Product<'_, M>,
        arcs: &mut Arcs,
    ) -> Result<(), Stopped> {
        for k in 0..product.fan.len() {
            self.handle.push(product.fan_identity(k), None);
        }
        let mut arc = 0..;
        let placed = self.handle.commit_each(|outcome, _| {
            if let (Some(k), true) = (arc.next(), outcome.new) {
                product.fan.keep(k, arcs);
            }
            Ok(())
        });
        self.afford(placed)
    }

    fn afford<T>(&self, result: Result<T, OutOfMemory>) -> Result<T, Stopped> {
        result.map_err(|OutOfMemory| {
            self.control.stop(Some(Incomplete::Memory));
            Stopped
        })
    }

    /// A node is entered for the first time, and given these flags.
    pub fn enter(&mut self, id: StateId, flags: u8) {
        self.states += 1;
        self.set_flags(id, ENTERED | flags);
    }

    /// Whether a node has been entered. Nodes are stored when an arc to them is found.
    pub fn is_entered(&self, id: StateId) -> bool {
        self.flags(id) & ENTERED != 0
    }

    /// The node with this identity, if it has been stored.
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
        if bytes > self.charged {
            // While a vector grows, its old place and its new one are both there for a moment.
            if self.control.budget.charge(bytes).is_err() {
                self.control.stop(Some(Incomplete::Memory));
                return Err(Stopped);
            }
            self.control.budget.release(self.charged);
            self.charged = bytes;
        }
        let (states, transitions) = (self.states, self.transitions);
        let progress =
            || Progress { states, transitions, depth: depth as u64, ..Progress::default() };
        match self.watch.tick(progress) {
            true => Err(Stopped),
            false => Ok(()),
        }
    }
}
