//! Partial-order reduction: which of a state's steps are enough.
//!
//! In a state, a set of processes is *closed* when nothing that the processes outside it may ever
//! do disturbs what the processes inside could do next: neither what they can do nor whether they
//! can. The steps of a closed set are then a persistent set, and everything else can wait. A closed
//! set grows from one process by adding whoever disturbs a member; so it is found where processes
//! share things in groups, and no hierarchy of clusters has to be declared (Bošnački, chapter 2,
//! has clusters of this kind, built by hand).
//!
//! The side conditions, with the names of the thesis:
//!
//! - C0: the set has a step whenever the state has one.
//! - C1: no step that depends on the set's happens before one of them. [`Facts`] says what a
//!   process may touch in its next step and ever after; see there for channels, rendez-vous under
//!   `unless`, starting and ending, and looking at others.
//! - C2: where a property looks at the states, the steps are invisible to it.
//! - C3: nothing is put off for ever. The search sees to that: a state of whose chosen steps none
//!   leads to a new state is expanded fully. From a state that is not, the new successor has
//!   everything enabled that was put off, and along new states one cannot go round in circles.
//!
//! # Fairness
//!
//! Fairness, weak or strong, looks at whether processes can move, and that can change without
//! their doing: by a message, by a partner that comes to a rendez-vous (chapter 3). So under
//! fairness a closed set also contains every process that its next steps may *wake*: let move
//! though it could not. It is enough to look at where that process stands in the state. Cycles that
//! remain are executions, and who can move is known in every state whatever is left out, so nothing
//! is found that is not there. That nothing is lost:
//!
//! Let σ be a fair execution from a state, A the processes of the closed set chosen there. One of
//! them can move, and by C1 nobody else can change that; as σ is fair, some process of A moves on
//! it. Let aₖ be the first such step. It is independent of those before it, so putting it in front
//! gives an execution that is as fair, since it ends in the same way, and that a property cannot
//! tell from σ, by C2. So the execution that is followed, step by step, takes exactly the steps of
//! σ, and by C3 it takes each of them at some time; whoever moves infinitely often still does. Now
//! let p be a process that moves no more, from somewhere on.
//!
//! - Weak fairness: say p could always move on the execution followed. σ has a first state sᵢ in
//!   which p cannot move. If p is in A, it could move in all states before sₖ, by C1, so k ≤ i and
//!   after the exchange the state is nearer. If p is not in A and k ≤ i, it is nearer as well; if
//!   k > i, p cannot move after aₖ either, for aₖ does not wake it: the state is as far as before.
//!   But each of the i steps before it is taken at some time. So it is reached: a contradiction.
//! - Strong fairness: σ has a last state in which p can move. In the same way it comes nearer, as a
//!   step of A neither wakes a process outside nor, by C1, keeps one from moving, and as the
//!   processes outside do neither to p where p is in A. In the end no such state is left.

mod closed;

use std::sync::Arc;

use isospin_machine::Successors;
use isospin_model::facts::{Facts, Objects, Waiting};
use isospin_model::{LocationId, Model, ProcTypeId, Shape};

use crate::expand::{Group, Reducer};
use closed::{Disturbance, InState};

/// A reduction that may be off.
impl Reducer for Option<Ample> {
    const ACTIVE: bool = true;

    fn choose(
        &mut self,
        model: &Model,
        state: &[u8],
        steps: &Successors,
        groups: &[Group],
    ) -> Option<&[usize]> {
        self.as_mut()?.smallest(model, state, steps, groups)
    }

    fn revoke(&mut self) {
        if let Some(ample) = self {
            ample.revoke();
        }
    }

    fn counts(&self) -> ReductionCounts {
        self.as_ref().map_or(ReductionCounts::default(), |ample| ample.counts)
    }
}

/// How often a reduction applied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReductionCounts {
    /// States in which some steps were put off.
    pub reduced: u64,
    /// States that had to be expanded fully because of C3.
    pub revoked: u64,
    /// States in which every closed set contains every process that can move.
    pub no_closed_set: u64,
    /// States in which the only closed sets are visible to the property (C2).
    pub visible: u64,
    /// States in which one process or none could move.
    pub trivial: u64,
}

impl ReductionCounts {
    /// Adds the counts of another search.
    pub fn add(&mut self, other: &ReductionCounts) {
        self.reduced += other.reduced;
        self.revoked += other.revoked;
        self.no_closed_set += other.no_closed_set;
        self.visible += other.visible;
        self.trivial += other.trivial;
    }
}

/// Chooses closed sets.
pub struct Ample {
    facts: Arc<Facts>,
    /// What the property looks at.
    observed: Objects,
    disturbance: Disturbance,
    shape: Shape,
    /// For each process, where it stands.
    places: Vec<(ProcTypeId, LocationId)>,
    /// For each process, its group of steps, if it can move.
    group_of: Vec<Option<usize>>,
    inside: Vec<bool>,
    todo: Vec<usize>,
    /// The edges of a member that cannot be taken and wait, by position in its facts.
    waiting: Vec<usize>,
    best: Vec<usize>,
    /// In which order processes are looked at, where it is not that of their numbers.
    ranks: Vec<u8>,
    order: Vec<usize>,
    counts: ReductionCounts,
}

impl Reducer for Ample {
    const ACTIVE: bool = true;

    fn choose(
        &mut self,
        model: &Model,
        state: &[u8],
        steps: &Successors,
        groups: &[Group],
    ) -> Option<&[usize]> {
        self.smallest(model, state, steps, groups)
    }

    fn revoke(&mut self) {
        self.counts.reduced -= 1;
        self.counts.revoked += 1;
    }

    fn counts(&self) -> ReductionCounts {
        self.counts
    }
}

impl Ample {
    /// A reduction that stands on these facts, which have no
    /// [obstacle](Facts::obstacle). `observed` is what the property looks at.
    pub fn new(facts: Arc<Facts>, observed: Objects) -> Ample {
        Ample {
            disturbance: Disturbance::new(&facts),
            facts,
            observed,
            shape: Shape::default(),
            places: Vec::new(),
            group_of: Vec::new(),
            inside: Vec::new(),
            todo: Vec::new(),
            waiting: Vec::new(),
            best: Vec::new(),
            ranks: Vec::new(),
            order: Vec::new(),
            counts: ReductionCounts::default(),
        }
    }

    /// Has the processes of the next states looked at in the order of these ranks. Of closed sets
    /// of one size the first is chosen, so that states of one orbit, with the ranks that their
    /// processes have in its representative, get the same choice.
    pub(crate) fn set_ranks(&mut self, ranks: impl Iterator<Item = u8>) {
        self.ranks.clear();
        self.ranks.extend(ranks);
    }

    /// The smallest closed set of processes that can be found, as groups.
    fn smallest(
        &mut self,
        model: &Model,
        state: &[u8],
        steps: &Successors,
        groups: &[Group],
    ) -> Option<&[usize]> {
        if groups.len() < 2 {
            self.counts.trivial += 1;
            return None;
        }
        self.read(model, state, groups);
        let mut best_size = usize::MAX;
        let mut visible = false;
        self.order.clear();
        self.order.extend(0..groups.len());
        if !self.ranks.is_empty() {
            let ranks = &self.ranks;
            self.order.sort_by_key(|&k| ranks.get(groups[k].pid));
        }
        for k in 0..self.order.len() {
            let seed = self.order[k];
            if !self.grow(model, state, steps, groups, groups[seed].pid) {
                continue;
            }
            let chosen = (0..groups.len()).filter(|&k| self.inside[groups[k].pid]);
            let size: usize = chosen.clone().map(|k| groups[k].to - groups[k].from).sum();
            if size >= best_size {
                continue;
            }
            // In a rendez-vous a member moves that has no step of its own.
            let mut moving = (0..self.places.len()).filter(|&pid| {
                let own = self.group_of[pid].is_some();
                self.inside[pid] && (own || model.features.rendezvous)
            });
            let seen = moving.any(|pid| self.is_visible(pid));
            if seen {
                visible = true;
                continue;
            }
            best_size = size;
            self.best.clear();
            self.best.extend(chosen);
            if size == 1 {
                break;
            }
        }
        if best_size == usize::MAX {
            match visible {
                true => self.counts.visible += 1,
                false => self.counts.no_closed_set += 1,
            }
            return None;
        }
        self.counts.reduced += 1;
        Some(&self.best)
    }

    fn read(&mut self, model: &Model, state: &[u8], groups: &[Group]) {
        self.shape.read(model, state);
        self.places.clear();
        for &(ty, frame) in &self.shape.frames {
            let layout = &model.proctypes[ty as usize].frame;
            self.places.push((ty, layout.location(state, frame as usize)));
        }
        self.group_of.clear();
        self.group_of.resize(self.places.len(), None);
        for (k, group) in groups.iter().enumerate() {
            self.group_of[group.pid] = Some(k);
        }
    }

    /// Grows the smallest closed set around a process into `inside`. Gives up once every process
    /// that can move is in it.
    fn grow(
        &mut self,
        model: &Model,
        state: &[u8],
        steps: &Successors,
        groups: &[Group],
        seed: usize,
    ) -> bool {
        let count = self.places.len();
        self.inside.clear();
        self.inside.resize(count, false);
        self.inside[seed] = true;
        self.todo.clear();
        self.todo.push(seed);
        let mut left = groups.len() - 1;
        let here = InState { model, shape: &self.shape, state };
        while let Some(member) = self.todo.pop() {
            let (ty, location) = self.places[member];
            let taken = self.group_of[member].map(|k| &groups[k]);
            let facts = self.facts.at(ty, location);
            // An edge that cannot be taken waits; somebody outside must not let it through.
            let waits = |waiting: &&Waiting| {
                let edge = waiting.edge;
                let can =
                    |g: &Group| steps.list()[g.from..g.to].iter().any(|s| s.step.edge == edge);
                !taken.is_some_and(can)
                    && !waiting.first_message.is_some_and(|c| here.has_messages(member, c))
            };
            self.waiting.clear();
            self.waiting
                .extend(facts.waiting.iter().enumerate().filter(|(_, w)| waits(w)).map(|(k, _)| k));
            // Who waits to end waits for the next younger process; while that stays, it stays.
            let waits_for = (facts.ends && taken.is_none()).then_some(member + 1);
            for other in 0..count {
                if self.inside[other] {
                    continue;
                }
                let pair = ((member, self.places[member]), (other, self.places[other]));
                let known = &mut self.disturbance;
                let disturbed = waits_for == Some(other)
                    || known.next(&self.facts, &here, pair.0, pair.1)
                    || self.facts.fair && known.wakes(&self.facts, &here, pair.0, pair.1)
                    || self.waiting.iter().any(|&k| {
                        let future = &self.facts.at(pair.1 .1 .0, pair.1 .1 .1).future;
                        here.disturbs((member, &facts.waiting[k].access), (other, future))
                    });
                if disturbed {
                    self.inside[other] = true;
                    self.todo.push(other);
                    if self.group_of[other].is_some() {
                        left -= 1;
                        if left == 0 {
                            return false;
                        }
                    }
                }
            }
        }
        true
    }

    /// Whether the property may see the next step of a process.
    fn is_visible(&self, pid: usize) -> bool {
        let (ty, location) = self.places[pid];
        let next = &self.facts.at(ty, location).next;
        // Channels of its own are resolved only where processes are compared.
        next.writes.meets(&self.observed)
            || (self.observed.has_channels() && next.own.iter().any(|o| !o.read_only))
    }
}
