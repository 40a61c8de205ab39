//! The nodes that a liveness search has visited, and how far it may go.

use isospin_machine::Machine;
use isospin_store::{Insert, Marks, OutOfMemory, StateSet};

use super::arcs::Arcs;
use super::product::Product;
use crate::limits::{Control, Progress, Watch};
use crate::marks::copies;
use crate::marks::product::ENTERED;
use crate::result::Incomplete;

/// The search was ended by a limit; the control says which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stopped;

/// The visited nodes, counted.
pub(super) struct Visited<'s, S: StateSet + 's> {
    set: &'s S,
    handle: S::Handle<'s>,
    /// The nodes that the arcs of the fan lead to that was looked up last, by number of arc.
    pub ids: Vec<S::Id>,
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

impl<'s, S: Marks> Visited<'s, S> {
    pub fn new(
        set: &'s S,
        control: &'s Control,
        depth: Option<u32>,
        progress: &'s mut dyn FnMut(&Progress),
    ) -> Self {
        Visited {
            set,
            handle: set.handle(),
            ids: Vec::new(),
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
    pub fn restart(self, set: &'s S) -> Self {
        let handle = set.handle();
        Visited { set, handle, charged: 0, states: 0, transitions: 0, depth: 0, ..self }
    }

    /// Looks up, and stores, the node with this identity: the first one, at which the search
    /// arrives, too.
    pub fn place(&mut self, identity: &[u8]) -> Result<S::Id, Stopped> {
        self.transitions += 1;
        self.handle.push(identity, None);
        self.commit()?;
        self.ids.last().copied().ok_or(Stopped)
    }

    /// Looks up, and stores, the nodes that the arcs of the product's fan lead to. All together,
    /// so that the memory in which they are looked up is on its way before it is needed.
    pub fn look_up<M: Machine>(&mut self, product: &mut Product<'_, M>) -> Result<(), Stopped> {
        for k in 0..product.fan.len() {
            self.handle.push(product.fan_identity(k), None);
        }
        self.commit()
    }

    /// Looks up what waits.
    #[inline]
    fn commit(&mut self) -> Result<(), Stopped> {
        let Visited { handle, ids, .. } = self;
        ids.clear();
        let placed = handle.commit(|answer, _| {
            ids.push(answer.id);
            Ok(())
        });
        self.afford(placed)
    }

    /// As [`look_up`](Self::look_up), and pushes the arcs to nodes that were not stored before.
    pub fn keep_new<M: Machine>(
        &mut self,
        product: &mut Product<'_, M>,
        arcs: &mut Arcs<S::Id>,
    ) -> Result<(), Stopped> {
        for k in 0..product.fan.len() {
            self.handle.push(product.fan_identity(k), None);
        }
        let mut arc = 0..;
        let placed = self.handle.commit(|answer, _| {
            if let (Some(k), true) = (arc.next(), answer.new) {
                product.fan.keep(k, answer.id, arcs);
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

    /// A node is entered for the first time, and given these marks.
    pub fn enter(&mut self, id: S::Id, marks: u8) {
        self.states += 1;
        self.set_marks(id, ENTERED | marks);
    }

    /// Whether a node has been entered. Nodes are stored when an arc to them is found.
    pub fn is_entered(&self, id: S::Id) -> bool {
        self.marks(id) & ENTERED != 0
    }

    /// The node with this identity, if it has been stored.
    pub fn find(&mut self, identity: &[u8]) -> Option<S::Id> {
        self.handle.find(identity)
    }

    #[inline]
    pub fn marks(&self, id: S::Id) -> u8 {
        self.set.marks(id, 0)
    }

    #[inline]
    pub fn set_marks(&self, id: S::Id, marks: u8) {
        self.set.change_marks(id, 0, marks, 0);
    }

    #[inline]
    pub fn clear_marks(&self, id: S::Id, marks: u8) {
        self.set.change_marks(id, 0, 0, marks);
    }

    /// The marks of copy `copy` of a node.
    pub fn copy_marks(&self, id: S::Id, copy: u8) -> u8 {
        let (byte, bit) = copies::place(copy);
        let both = [self.set.marks(id, byte), self.set.marks(id, byte + 1)];
        (u16::from_le_bytes(both) >> bit) as u8 & 7
    }

    /// Sets some of them and clears some.
    pub fn change_copy_marks(&self, id: S::Id, copy: u8, set: u8, clear: u8) {
        let (byte, bit) = copies::place(copy);
        let (set, clear) = (u16::from(set) << bit, u16::from(clear) << bit);
        for (k, byte) in (byte..).take(2).enumerate() {
            let part = |bits: u16| bits.to_le_bytes()[k];
            if part(set | clear) != 0 {
                self.set.change_marks(id, byte, part(set), part(clear));
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
        if self.watch.tick(progress) {
            Err(Stopped)
        } else {
            Ok(())
        }
    }
}
