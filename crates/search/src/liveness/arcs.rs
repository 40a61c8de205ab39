//! Arcs of the product: as they are found, and on a search's stack.

use std::ops::ControlFlow;

use isospin_machine::{Fault, Step};
use isospin_model::ProcTypeId;

use super::product::TAIL;
use crate::expand::{Movers, Sink};
use crate::store::StateId;

/// What an arc contributes: property marks, and the processes that are no reason to call a cycle
/// through it unfair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Marks {
    /// Acceptance sets of the property.
    pub property: u64,
    /// Processes that move along the arc, and processes that cannot move where it starts.
    pub processes: Movers,
}

impl Marks {
    /// Adds what another arc contributes.
    pub fn add(&mut self, other: &Marks) {
        self.property |= other.property;
        self.processes.add(&other.processes);
    }

    /// Whether everything in `other` is contributed.
    pub fn contain(&self, other: &Marks) -> bool {
        self.missing(other) == 0
    }

    /// How much of `other` is not contributed.
    pub fn missing(&self, other: &Marks) -> u32 {
        (other.property & !self.property).count_ones() + self.processes.missing(&other.processes)
    }
}

/// An arc of the product; its node is `bytes[start..end]` of the [`Arcs`].
#[derive(Clone, Copy, Debug)]
pub struct Arc {
    /// Where the node that it leads to starts.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// What it contributes.
    pub marks: Marks,
    /// Who moves along it; nobody when the model stutters.
    pub movers: Movers,
    /// Its node in the store, if it was looked up.
    pub id: StateId,
}

/// A stack of arcs: those of a node are pushed when it is entered and dropped when it is left.
#[derive(Debug, Default)]
pub struct Arcs {
    /// The nodes that the arcs lead to.
    pub bytes: Vec<u8>,
    /// The arcs.
    pub list: Vec<Arc>,
}

impl Arcs {
    /// Pushes a node that no arc leads to: the first.
    pub fn push(&mut self, node: &[u8], id: StateId) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(node);
        let (marks, movers) = (Marks::default(), Movers::default());
        self.list.push(Arc { start, end: self.bytes.len(), marks, movers, id });
    }

    /// Drops all but the first `len` arcs.
    pub fn truncate(&mut self, len: usize) {
        self.list.truncate(len);
        self.bytes.truncate(self.list.last().map_or(0, |a| a.end));
    }

    /// The node that arc `k` leads to.
    pub fn node(&self, k: usize) -> &[u8] {
        &self.bytes[self.list[k].start..self.list[k].end]
    }

    /// How many bytes the stack takes.
    pub fn size(&self) -> u64 {
        (self.bytes.capacity() + self.list.capacity() * size_of::<Arc>()) as u64
    }
}

/// The arcs out of one node, before anybody has looked where they lead: the states of the model
/// that follow, each with every edge that the automaton takes. Most arcs lead to where the search
/// has been; only those that it keeps are written out.
#[derive(Default)]
pub(super) struct Fan {
    /// The states, each with room for the automaton's behind it.
    bytes: Vec<u8>,
    followers: Vec<Follower>,
    /// Where the automaton goes, and the acceptance sets that its edge belongs to.
    pub taken: Vec<(u32, u64)>,
    /// Processes that cannot move.
    pub idle: Movers,
    /// The acceptance set of the node itself.
    pub label: u64,
    /// Some step could not be completed.
    pub runtime: bool,
    /// The nodes in the store, by number of arc, once they have been looked up.
    pub ids: Vec<StateId>,
}

/// A state of the model that follows, and who moved.
struct Follower {
    start: usize,
    end: usize,
    movers: Movers,
}

impl Fan {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.followers.clear();
        self.taken.clear();
        self.ids.clear();
        self.runtime = false;
    }

    /// Whether the model has a step.
    pub fn moves(&self) -> bool {
        !self.followers.is_empty()
    }

    /// Adds a state of the model that follows.
    pub fn add(&mut self, state: &[u8], movers: Movers) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(state);
        self.bytes.extend_from_slice(&[0; TAIL]);
        self.followers.push(Follower { start, end: self.bytes.len(), movers });
    }

    /// Forgets the states that were not reached as `wanted`.
    pub fn retain(&mut self, wanted: impl Fn(&Movers) -> bool) {
        self.followers.retain(|f| wanted(&f.movers));
    }

    /// Forgets the automaton's edges that do not lead where it is `wanted`.
    pub fn retain_edges(&mut self, wanted: impl Fn(u32) -> bool) {
        self.taken.retain(|&(to, _)| wanted(to));
    }

    /// How many arcs there are.
    pub fn len(&self) -> usize {
        self.taken.len() * self.followers.len()
    }

    /// The node that arc `k` leads to.
    #[inline]
    pub fn node(&mut self, k: usize) -> &[u8] {
        let count = self.followers.len();
        let Follower { start, end, .. } = self.followers[k % count];
        let (to, _) = self.taken[k / count];
        let node = &mut self.bytes[start..end];
        let tail = node.len() - TAIL;
        node[tail..].copy_from_slice(&to.to_le_bytes());
        node
    }

    /// The automaton's state in the node that arc `k` leads to.
    #[inline]
    pub fn to(&self, k: usize) -> u32 {
        self.taken[k / self.followers.len()].0
    }

    /// Who moves along arc `k`.
    pub fn movers(&self, k: usize) -> Movers {
        self.followers[k % self.followers.len()].movers
    }

    /// What arc `k` contributes.
    pub fn marks(&self, k: usize) -> Marks {
        let property = self.taken[k / self.followers.len()].1 | self.label;
        let mut processes = self.idle;
        processes.add(&self.movers(k));
        Marks { property, processes }
    }

    /// Pushes arc `k` onto a stack.
    pub fn keep(&mut self, k: usize, arcs: &mut Arcs) {
        let (marks, id) = (self.marks(k), self.ids.get(k).copied().unwrap_or_default());
        let movers = self.movers(k);
        let start = arcs.bytes.len();
        arcs.bytes.extend_from_slice(self.node(k));
        arcs.list.push(Arc { start, end: arcs.bytes.len(), marks, movers, id });
    }
}

impl Sink for Fan {
    const MOVERS: bool = true;

    #[inline]
    fn arrive(&mut self, state: &[u8], _steps: u32, movers: &Movers) -> ControlFlow<()> {
        self.add(state, *movers);
        ControlFlow::Continue(())
    }

    fn fault(&mut self, _: ProcTypeId, _: Step, fault: Fault) -> ControlFlow<()> {
        // Assertions are a matter of safety; a step that cannot be completed leads nowhere.
        self.runtime |= matches!(fault, Fault::Runtime(_));
        ControlFlow::Continue(())
    }

    fn invalid_end(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}
