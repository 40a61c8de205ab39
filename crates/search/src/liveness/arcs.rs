//! Arcs of the product: as they are found, and on a search's stack.

use std::collections::HashMap;
use std::hash::Hash;
use std::ops::ControlFlow;

use isospin_machine::{Fault, Step};
use isospin_model::{LocationId, ProcTypeId};

use super::product::AUTOMATON_BYTES;
use crate::expand::{Movers, Sink};
use crate::room::make_room;

/// What an arc contributes: property marks, and the processes that are no reason to call a cycle
/// through it unfair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Contribution {
    /// Acceptance sets of the property.
    pub property: u64,
    /// Processes that move along the arc, and processes that cannot move where it starts.
    pub processes: Movers,
}

impl Contribution {
    /// Adds what another arc contributes.
    pub fn add(&mut self, other: &Contribution) {
        self.property |= other.property;
        self.processes.add(&other.processes);
    }

    /// Whether everything in `other` is contributed.
    pub fn contain(&self, other: &Contribution) -> bool {
        self.missing(other) == 0
    }

    /// How much of `other` is not contributed.
    pub fn missing(&self, other: &Contribution) -> u32 {
        (other.property & !self.property).count_ones() + self.processes.missing(&other.processes)
    }
}

/// What is known of an arc of the product beside where it leads.
#[derive(Clone, Copy, Debug)]
pub struct ArcLabel {
    /// What it contributes.
    pub contribution: Contribution,
    /// Who moves along it; nobody when the model stutters.
    pub movers: Movers,
}

/// A stack of arcs: those of a node are pushed when it is entered and dropped when it is left. With
/// each is kept which node of the store it leads to, where they were looked up.
#[derive(Debug)]
pub struct Arcs<I = ()> {
    /// The nodes that the arcs lead to, each with its ranks.
    bytes: Vec<u8>,
    /// How many bytes behind each node are its ranks: what the permutation that takes it to its
    /// representative does to the numbers of processes.
    ranks: usize,
    list: Vec<Entry<I>>,
    contributions: Numbered<Contribution>,
    movers: Numbered<Movers>,
}

/// An arc on the stack. Stacks can be deep; what many arcs have in common is kept once.
#[derive(Clone, Copy, Debug)]
struct Entry<I> {
    /// Where its node starts; it ends where the next one starts.
    start: usize,
    id: I,
    /// The numbers of what it contributes and of who moves.
    contribution: u32,
    movers: u32,
}

/// Values by number.
#[derive(Debug, Default)]
struct Numbered<T> {
    values: Vec<T>,
    numbers: HashMap<T, u32>,
}

impl<T: Copy + Eq + Hash> Numbered<T> {
    /// The number of a value.
    #[inline]
    fn number(&mut self, value: T) -> u32 {
        // Most values are among the first ones.
        if let Some(number) = self.values.iter().take(8).position(|v| *v == value) {
            return number as u32;
        }
        self.later_number(value)
    }

    #[cold]
    fn later_number(&mut self, value: T) -> u32 {
        *self.numbers.entry(value).or_insert_with(|| {
            self.values.push(value);
            self.values.len() as u32 - 1
        })
    }
}

impl<I> Default for Arcs<I> {
    fn default() -> Self {
        Arcs {
            bytes: Vec::new(),
            ranks: 0,
            list: Vec::new(),
            contributions: Numbered::default(),
            movers: Numbered::default(),
        }
    }
}

impl<I: Copy> Arcs<I> {
    /// Pushes a node that no arc leads to: the first. If it has ranks, so have all others.
    pub fn push(&mut self, node: &[u8], ranks: &[u8], id: I) {
        let arc = ArcLabel { contribution: Contribution::default(), movers: Movers::default() };
        self.ranks = ranks.len();
        self.push_arc(node, ranks, &arc, id);
    }

    fn push_arc(&mut self, node: &[u8], ranks: &[u8], arc: &ArcLabel, id: I) {
        let contribution = self.contributions.number(arc.contribution);
        let movers = self.movers.number(arc.movers);
        make_room(&mut self.list, 1);
        make_room(&mut self.bytes, node.len() + ranks.len());
        self.list.push(Entry { start: self.bytes.len(), id, contribution, movers });
        self.bytes.extend_from_slice(node);
        self.bytes.extend_from_slice(ranks);
    }

    /// Drops all but the first `len` arcs.
    pub fn truncate(&mut self, len: usize) {
        if let Some(first) = self.list.get(len) {
            self.bytes.truncate(first.start);
            self.list.truncate(len);
        }
    }

    /// How many arcs there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// What is known of arc `k`.
    pub fn label(&self, k: usize) -> ArcLabel {
        let Entry { contribution, movers, .. } = self.list[k];
        ArcLabel {
            contribution: self.contributions.values[contribution as usize],
            movers: self.movers.values[movers as usize],
        }
    }

    /// Which node of the store arc `k` leads to.
    pub fn id(&self, k: usize) -> I {
        self.list[k].id
    }

    /// The node that arc `k` leads to.
    pub fn node(&self, k: usize) -> &[u8] {
        &self.bytes[self.list[k].start..self.end(k) - self.ranks]
    }

    /// The ranks of the node that arc `k` leads to.
    pub fn ranks(&self, k: usize) -> &[u8] {
        let end = self.end(k);
        &self.bytes[end - self.ranks..end]
    }

    fn end(&self, k: usize) -> usize {
        self.list.get(k + 1).map_or(self.bytes.len(), |next| next.start)
    }

    /// How many bytes the stack takes.
    pub fn size(&self) -> u64 {
        (self.bytes.capacity() + self.list.capacity() * size_of::<Entry<I>>()) as u64
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
    /// The ranks of the nodes whose identity was asked for, one after the other; see
    /// [`Arcs::ranks`].
    pub ranks: Vec<u8>,
    /// How many bytes there are between a state and the automaton's.
    pub room: usize,
    /// Up to symmetry, what is stored of the nodes that the first arcs lead to.
    pub identities: Vec<Vec<u8>>,
    /// Whether executions have to be fair; otherwise arcs contribute nothing for processes.
    pub fair: bool,
    /// Processes that cannot move, where that matters.
    pub idle: Movers,
    /// The acceptance set of the node itself.
    pub label: u64,
    /// Some step could not be completed.
    pub runtime: bool,
    /// Some atomic sequence can go round for ever.
    pub endless: bool,
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
        self.ranks.clear();
        self.identities.clear();
        self.runtime = false;
        self.endless = false;
    }

    /// Whether the model has a step.
    pub fn moves(&self) -> bool {
        !self.followers.is_empty()
    }

    /// Adds a state of the model that follows.
    #[inline]
    pub fn add(&mut self, state: &[u8], movers: Movers) {
        let start = self.bytes.len();
        make_room(&mut self.bytes, state.len() + self.room + AUTOMATON_BYTES);
        self.bytes.extend_from_slice(state);
        if self.room > 0 {
            self.bytes.resize(self.bytes.len() + self.room, 0);
        }
        self.bytes.extend_from_slice(&[0; AUTOMATON_BYTES]);
        self.followers.push(Follower { start, end: self.bytes.len(), movers });
    }

    /// Forgets the states that were not reached as `wanted`.
    pub fn retain(&mut self, wanted: impl Fn(&Movers) -> bool) {
        self.followers.retain(|f| wanted(&f.movers));
    }

    /// Writes what is between the states and the automaton's, by who moved.
    pub fn fill_room(&mut self, write: impl Fn(&Movers, &mut [u8])) {
        for follower in &self.followers {
            let end = follower.end - AUTOMATON_BYTES;
            write(&follower.movers, &mut self.bytes[end - self.room..end]);
        }
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
        let (to, _) = self.taken[k / self.followers.len()];
        let range = self.range(k);
        let node = &mut self.bytes[range];
        let tail = node.len() - AUTOMATON_BYTES;
        node[tail..].copy_from_slice(&to.to_le_bytes());
        node
    }

    /// The first arc with the same state of the model as arc `k`, if what is stored of the node that
    /// it leads to is known.
    pub fn same_state(&self, k: usize) -> Option<usize> {
        let first = k % self.followers.len();
        (first < k && first < self.identities.len()).then_some(first)
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
    pub fn contribution(&self, k: usize) -> Contribution {
        let property = self.taken[k / self.followers.len()].1 | self.label;
        let mut processes = Movers::default();
        if self.fair {
            processes = self.idle;
            processes.add(&self.movers(k));
        }
        Contribution { property, processes }
    }

    /// Pushes arc `k`, which leads to node `id` of the store, onto a stack.
    pub fn keep<I: Copy>(&mut self, k: usize, id: I, arcs: &mut Arcs<I>) {
        let arc = ArcLabel { contribution: self.contribution(k), movers: self.movers(k) };
        let len = arcs.ranks;
        self.node(k);
        let (node, ranks) = (self.range(k), k * len..(k + 1) * len);
        arcs.push_arc(&self.bytes[node], &self.ranks[ranks], &arc, id);
    }

    /// The ranks of the node that arc `k` leads to, of `len` processes.
    pub fn ranks(&self, k: usize, len: usize) -> &[u8] {
        &self.ranks[k * len..(k + 1) * len]
    }

    fn range(&self, k: usize) -> std::ops::Range<usize> {
        let Follower { start, end, .. } = self.followers[k % self.followers.len()];
        start..end
    }
}

impl Sink for Fan {
    const MOVERS: bool = true;

    #[inline]
    fn arrive(&mut self, state: &[u8], _steps: u32, movers: &Movers) -> ControlFlow<()> {
        self.add(state, *movers);
        ControlFlow::Continue(())
    }

    fn fault(&mut self, _: Option<ProcTypeId>, _: Step, fault: Fault) -> ControlFlow<()> {
        // Assertions are a matter of safety; a step that cannot be completed leads nowhere.
        self.runtime |= matches!(fault, Fault::Runtime(_));
        ControlFlow::Continue(())
    }

    fn invalid_end(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn endless(&mut self, _: ProcTypeId, _: LocationId) -> ControlFlow<()> {
        self.endless = true;
        ControlFlow::Continue(())
    }
}
