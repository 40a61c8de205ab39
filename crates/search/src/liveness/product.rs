//! The product of a model and a property automaton, node by node.
//!
//! A node is a state of the model and a state of the automaton that is about to read it. An arc is
//! a step of the automaton together with one of the model, an atomic sequence counting as one.
//! Where the model can do nothing it stays where it is while the automaton goes on: a finite
//! execution counts as one that stutters for ever.

use std::ops::ControlFlow;
use std::sync::Arc;

use isospin_machine::{Machine, RuntimeError};
use isospin_symmetry::Element;

use super::arcs::{Arcs, Fan};
use super::divergence::{self, Divergence};
use super::ends::Ends;
use super::property::{End, PropertyAutomaton};
use super::reading::Reading;
use super::tracked::Tracked;
use super::waiting::Waiting;
use crate::door::Door;
use crate::expand::{Expander, Movers};
use crate::limits::Control;
use crate::reduce::{Ample, ReductionCounts};

/// How many bytes of a node are the automaton's.
pub const AUTOMATON_BYTES: usize = 4;

/// The automaton's state in a node.
pub fn automaton_state(node: &[u8]) -> u32 {
    let tail = &node[node.len() - AUTOMATON_BYTES..];
    u32::from_le_bytes([tail[0], tail[1], tail[2], tail[3]])
}

/// The model's state in a node, with who is [waited for](Waiting) behind it where that is so.
pub fn model_state(node: &[u8]) -> &[u8] {
    &node[..node.len() - AUTOMATON_BYTES]
}

/// A model and a property automaton that moves along with it.
pub struct Product<'c, M> {
    expander: Expander<'c, M, Option<Ample>>,
    automaton: Arc<PropertyAutomaton>,
    door: Door,
    tracked: Tracked,
    gave_up: bool,
    reading: Reading,
    /// The atomic sequence that was found last to go round for ever.
    diverged: Option<Divergence>,
    /// Whether there is a reduction.
    reducing: bool,
    /// Who is waited for.
    waiting: Waiting,
    /// Whether only the first of several twins is followed.
    leaders: bool,
    /// Whether the ranks of nodes are taken note of when their identity is asked for.
    pub(super) ranked: bool,
    /// What is stored of the last node that was asked for, under symmetry.
    identity: Vec<u8>,
    /// The ends of the automaton that could be come to, where they are taken note of and not
    /// entered.
    pub(super) ends: Option<Ends>,
    /// Whether some step could not be completed.
    pub(super) failed: bool,
    /// The arcs out of the node that was looked at last.
    pub(super) fan: Fan,
}

impl<'c, M: Machine> Product<'c, M> {
    /// The product of what `machine` executes and `automaton`.
    pub(crate) fn new(
        mut machine: M,
        automaton: Arc<PropertyAutomaton>,
        reducer: Option<Ample>,
        door: Door,
        control: &'c Control,
    ) -> Product<'c, M> {
        machine.watch(&automaton.atoms);
        let reducing = reducer.is_some();
        Product {
            reading: Reading::of(&automaton),
            diverged: None,
            expander: Expander::new(machine, reducer, control),
            automaton,
            tracked: Tracked::new(door.symmetry()),
            door,
            gave_up: false,
            reducing,
            waiting: Waiting::default(),
            leaders: false,
            ranked: false,
            identity: Vec::new(),
            ends: None,
            failed: false,
            fan: Fan::default(),
        }
    }

    /// The machine that executes the model.
    pub(super) fn machine(&mut self) -> &mut M {
        self.expander.machine()
    }

    /// Whether a limit was reached; looks at the clock.
    pub(super) fn is_over(&self) -> bool {
        self.expander.control().poll()
    }

    /// The machine alone.
    pub fn into_machine(self) -> M {
        self.expander.into_machine()
    }

    /// The automaton.
    pub fn automaton(&self) -> &PropertyAutomaton {
        &self.automaton
    }

    /// The part of a node that tells it apart from others.
    pub fn identity<'n>(&'n mut self, node: &'n [u8]) -> &'n [u8] {
        identity(&mut self.door, &mut self.tracked, &mut self.identity, node)
    }

    /// The part that tells it apart of the node that arc `k` of the fan leads to.
    #[inline]
    pub(super) fn fan_identity(&mut self, k: usize) -> &[u8] {
        if !self.door.is_symmetric() {
            return self.fan_orbit(k);
        }
        // Arcs that differ in the automaton's state only have one representative of the model's,
        // unless permutations move that; and arcs are asked for one after the other.
        let Some(first) = self.fan.same_state(k).filter(|_| !self.tracked.is_used()) else {
            self.fan_orbit(k);
            self.fan.identities.push(self.identity.clone());
            if self.ranked {
                self.door.add_ranks(&mut self.fan.ranks);
            }
            return &self.identity;
        };
        self.identity.clone_from(&self.fan.identities[first]);
        let tail = self.identity.len() - AUTOMATON_BYTES;
        self.identity[tail..].copy_from_slice(&self.fan.to(k).to_le_bytes());
        if self.ranked {
            let len = self.processes();
            self.fan.ranks.extend_from_within(first * len..(first + 1) * len);
        }
        &self.identity
    }

    /// The same for somebody who asks for the permutation behind it.
    pub(super) fn fan_orbit(&mut self, k: usize) -> &[u8] {
        identity(&mut self.door, &mut self.tracked, &mut self.identity, self.fan.node(k))
    }

    /// Has nodes say who is waited for. The symmetry is one [with bytes](Symmetry::with_bytes).
    pub(super) fn wait(&mut self) {
        self.waiting = Waiting::new(self.processes());
        self.fan.room = self.waiting.processes;
    }

    /// Whether nodes say who is waited for.
    pub(super) fn waits(&self) -> bool {
        self.waiting.processes > 0
    }

    /// The state of the model alone in a node.
    pub(super) fn bare<'n>(&self, node: &'n [u8]) -> &'n [u8] {
        self.waiting.bare(model_state(node))
    }

    /// Has only the first of several processes followed that can do the same up to their names, or
    /// all of them: state symmetry [Gyuris 1999].
    pub(super) fn follow_first_twins(&mut self, leaders: bool) {
        self.leaders = leaders;
    }

    /// For each process the first one that can do the same in the node expanded last, where only
    /// those are followed.
    pub(super) fn twins(&mut self) -> &[u8] {
        self.expander.twins()
    }

    /// The permutation that takes the node whose identity was asked for last to its representative.
    pub(super) fn element(&self) -> Element {
        self.door.element().cloned().unwrap_or_default()
    }

    /// Appends what it does to the numbers of processes.
    pub(super) fn add_ranks(&self, ranks: &mut Vec<u8>) {
        self.door.add_ranks(ranks);
    }

    /// The permutation that moves nothing.
    pub(super) fn no_renaming(&self) -> Element {
        self.door.symmetry().map(|s| s.identity()).unwrap_or_default()
    }

    /// The permutation that exchanges the names of two processes.
    pub(super) fn exchanging(&self, a: usize, b: usize) -> Element {
        self.door.symmetry().map(|s| s.exchanging(a, b)).unwrap_or_default()
    }

    /// What a permutation does to the numbers of processes.
    pub(super) fn ranks(&self, element: &Element) -> Vec<u8> {
        self.door.symmetry().map(|s| s.ranks(element)).unwrap_or_default()
    }

    /// How many processes permutations act on; none without symmetry.
    pub(super) fn processes(&self) -> usize {
        self.door.symmetry().map_or(0, |s| s.types().count())
    }

    /// Whether nodes are stored up to symmetry.
    pub(super) fn is_symmetric(&self) -> bool {
        self.door.is_symmetric()
    }

    /// Notes in `control` what went wrong while representatives were looked for.
    pub(super) fn watch(&self, control: &Control) {
        self.door.watch(control);
    }

    /// Whether a node has shown that the model is not symmetric after all.
    pub(super) fn is_asymmetric(&self) -> bool {
        self.gave_up || self.door.is_broken()
    }

    /// The model is not symmetric after all.
    pub(super) fn give_up(&mut self) {
        self.gave_up = true;
    }

    /// The permutation that takes a node to its representative.
    pub(super) fn element_of(&mut self, node: &[u8]) -> Element {
        self.door.identity(self.tracked.vector(node));
        self.door.element().cloned().unwrap_or_default()
    }

    /// The image of a node under a permutation, as a vector and the automaton's state that stands
    /// for its own.
    pub(super) fn image(&mut self, node: &[u8], element: &Element) -> (Vec<u8>, u32) {
        let mut image = Vec::new();
        if let Some(symmetry) = self.door.symmetry() {
            symmetry.apply(element, self.tracked.vector(node), &mut image);
        }
        (image, self.tracked.base(node))
    }

    /// Whether an image is a node, apart from what does not count.
    pub(super) fn agree(&mut self, (image, base): &(Vec<u8>, u32), node: &[u8]) -> bool {
        self.tracked.base(node) == *base
            && self.door.symmetry().is_some_and(|s| s.agree(image, self.tracked.vector(node)))
    }

    /// The first node.
    pub fn initial(&mut self) -> Result<Vec<u8>, RuntimeError> {
        let mut node = Vec::new();
        self.expander.initial(&mut node)?;
        node.resize(node.len() + self.waiting.processes, 0);
        node.extend_from_slice(&self.automaton.initial.to_le_bytes());
        Ok(node)
    }

    /// Whether a node is accepting, in an automaton whose acceptance can be read off its states.
    pub fn accepting(&mut self, node: &[u8]) -> bool {
        self.waiting.is_over(model_state(node)) && self.is_accepting(node)
    }

    /// The same, whoever is waited for.
    fn is_accepting(&self, node: &[u8]) -> bool {
        self.automaton.states[automaton_state(node) as usize].accepting
            || (self.automaton.accept_labels && self.expander.at_accept(self.bare(node)))
    }

    /// Whether the node that arc `k` of the fan leads to is accepting.
    pub(super) fn fan_accepts(&mut self, k: usize) -> bool {
        if self.automaton.states[self.fan.to(k) as usize].accepting && !self.waits() {
            return true;
        }
        if !self.automaton.accept_labels && !self.waits() {
            return false;
        }
        let node = self.fan.node(k).to_vec();
        self.accepting(&node)
    }

    /// Whether some process makes progress in a node's state.
    pub(super) fn at_progress(&self, node: &[u8]) -> bool {
        self.expander.at_progress(model_state(node))
    }

    /// Whether, and how, the automaton has run to its end.
    pub fn end(&self, node: &[u8]) -> Option<End> {
        self.automaton.states[automaton_state(node) as usize].end
    }

    /// Whether the automaton has run to its end.
    pub fn at_end(&self, node: &[u8]) -> bool {
        self.end(node).is_some()
    }

    /// How the atomic sequence goes round for ever that was found last.
    pub(super) fn diverged(&mut self) -> Option<Divergence> {
        self.diverged.take()
    }

    /// Pushes the arcs out of `node`.
    pub fn expand(&mut self, node: &[u8], arcs: &mut Arcs) {
        let leaders = std::mem::replace(&mut self.leaders, false);
        self.fan_out(node, true);
        self.leaders = leaders;
        for k in 0..self.fan.len() {
            self.fan.keep(k, (), arcs);
        }
    }

    /// How often the reduction applied.
    pub fn reduction(&self) -> ReductionCounts {
        self.expander.reduction()
    }

    /// Finds the states that follow one. Says whether some were left out, which must not be if it
    /// is to be expanded fully.
    ///
    /// Nor if the chosen steps lead nowhere, because each of them goes wrong or is an atomic
    /// sequence that goes round in circles: an execution on which none of them is ever taken is as
    /// good as one that starts with one of them only if that one leads on.
    ///
    /// `Break` where a limit ended it half way: the sink never does.
    fn expand_model(&mut self, node: &[u8], full: bool) -> ControlFlow<(), bool> {
        let state = self.waiting.bare(model_state(node));
        if !self.door.is_symmetric() {
            self.expander.expand(state, u32::MAX, &mut self.fan)?;
            let reduced = self.expander.is_reduced();
            if reduced && (full || !self.fan.moves()) {
                self.expander.expand_rest(u32::MAX, &mut self.fan)?;
                return ControlFlow::Continue(false);
            }
            return ControlFlow::Continue(reduced);
        }
        // States of one orbit must be reduced alike: what is chosen is chosen in the
        // representative, and carried back.
        let mut chosen = None;
        if !full && self.reducing {
            let representative = self.door.whole(self.tracked.vector(node)).to_vec();
            let own = &representative[..representative.len() - self.tracked.len];
            chosen = self.expander.choose_processes(self.waiting.bare(own));
        }
        let ranks: Vec<u8> = match (self.door.symmetry(), self.door.element()) {
            (Some(symmetry), Some(element)) if chosen.is_some() => symmetry.ranks(element),
            _ => Vec::new(),
        };
        self.expander.twins().clear();
        if self.leaders {
            self.door.twins(self.tracked.vector(node), self.expander.twins());
        }
        let counts = |pid: usize| match &chosen {
            None => true,
            Some(chosen) => chosen.contains(ranks.get(pid).unwrap_or(&(pid as u8))),
        };
        self.expander.expand_chosen(state, counts, &mut self.fan)?;
        if self.expander.is_reduced() && !self.fan.moves() {
            self.expander.expand_chosen(state, |_| true, &mut self.fan)?;
        }
        ControlFlow::Continue(self.expander.is_reduced())
    }

    /// Finds the arcs out of `node`: all, or those that partial-order reduction finds to be enough.
    /// Says whether some were left out.
    pub(super) fn fan_out(&mut self, node: &[u8], full: bool) -> bool {
        let state = self.waiting.bare(model_state(node));
        let from = automaton_state(node) as usize;
        if self.waits() {
            let accepting = self.is_accepting(node);
            self.waiting.begin(model_state(node), accepting);
        }
        self.fan.clear();
        self.take_edges(state, from);
        if self.fan.taken.is_empty() {
            return false;
        }
        if self.leads_only_to(End::Unreadable) {
            self.fan.add(state, Movers::default());
            return false;
        }
        let ControlFlow::Continue(reduced) = self.expand_model(node, full) else {
            // What was not found is not known not to be there: to take the node for one in which
            // nothing can happen would be to make an execution up. The search is about to end.
            self.fan.clear();
            return false;
        };
        self.failed |= self.fan.runtime;
        if self.fan.endless && self.diverges(node) {
            return false;
        }
        let from = &self.automaton.states[from];
        if !self.fan.moves() && !self.fan.endless && !from.endless {
            // Nothing can happen: the model stutters. Where a step would go wrong it does not, but
            // a claim that comes to its end in this state has come to it.
            if self.fan.runtime {
                self.fan.retain_edges(|to| self.automaton.states[to as usize].end.is_some());
            }
            self.fan.add(state, Movers::default());
        }
        if from.still {
            self.fan.retain(|m| *m != Movers::default() && !m.has_tick());
        }
        if self.fan.fair {
            self.fan.idle = self.expander.movable();
            self.fan.idle.invert();
        }
        if self.waits() {
            let (waiting, idle) = (&self.waiting, self.fan.idle);
            self.fan.fill_room(|movers, out| waiting.write(&idle, movers, out));
        }
        let labelled = self.automaton.accept_labels && self.expander.at_accept(state);
        self.fan.label = if labelled { self.automaton.label_mark() } else { 0 };
        reduced
    }

    /// Which processes can move in the model's state of the node expanded last.
    pub fn movable(&self) -> Movers {
        self.expander.movable()
    }

    /// Finds the edges that the automaton can take from one of its states; the way to its end for
    /// what cannot be evaluated, where that is so.
    fn take_edges(&mut self, state: &[u8], from: usize) {
        let Product { expander, automaton, reading, fan, ends, .. } = self;
        let taken = &mut fan.taken;
        let read = reading.edges(expander.machine(), automaton, from, state, |edge| match ends {
            Some(ends) if automaton.states[edge.to as usize].end.is_some() => ends.note(edge.to),
            _ => taken.push((edge.to, edge.marks)),
        });
        if read.is_err() {
            taken.clear();
            // Without such an end nothing that may fail is asked.
            taken.extend(automaton.end(End::Unreadable).map(|end| (end, 0)));
        }
    }

    /// Whether all that the automaton can do is to come to this end.
    fn leads_only_to(&self, end: End) -> bool {
        matches!(self.fan.taken[..], [(to, _)] if self.automaton.states[to as usize].end == Some(end))
    }

    /// An atomic sequence goes round for ever from the node that was expanded. If the automaton
    /// accepts such an execution, the fan leads to that end and nowhere else.
    fn diverges(&mut self, node: &[u8]) -> bool {
        if let Some(ends) = &mut self.ends {
            // This search looks at ends of the automaton only; whatever that sequence comes by is
            // for another one.
            ends.note_all(&self.automaton);
            return false;
        }
        let Some(end) = self.automaton.end(End::Divergence) else { return false };
        let state = self.waiting.bare(model_state(node));
        let (expander, reading) = (&mut self.expander, &mut self.reading);
        let found =
            divergence::find(expander, reading, &self.automaton, state, automaton_state(node));
        // Kept, because there may be no time to find it again.
        self.diverged = found;
        if self.diverged.is_none() {
            return false;
        }
        self.fan.clear();
        self.fan.taken.push((end, 0));
        self.fan.add(state, Movers::default());
        true
    }
}

/// The part of a node that tells it apart from others; `room` is where it is put together.
#[inline]
fn identity<'n>(
    door: &'n mut Door,
    tracked: &mut Tracked,
    room: &'n mut Vec<u8>,
    node: &'n [u8],
) -> &'n [u8] {
    if !door.is_symmetric() {
        return &node[door.hidden()..];
    }
    room.clear();
    room.extend_from_slice(door.identity(tracked.vector(node)));
    room.extend_from_slice(&tracked.base(node).to_le_bytes());
    room
}
