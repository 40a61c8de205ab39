//! Partial-order reduction: which of a state's steps are enough.
//!
//! In a state, a set of processes is *closed* when nothing that the processes outside it may ever
//! do disturbs what the processes inside could do next: neither what they can do nor whether they
//! can. The steps of a closed set are then a persistent set, and everything else can wait. A closed
//! set grows from one process by adding whoever disturbs a member; so it is found where processes
//! share things in groups, and no hierarchy of clusters has to be declared ([Bosnacki 2001,
//! chapter 2] has clusters of this kind, built by hand).
//!
//! | file | what it does |
//! | --- | --- |
//! | `rows.rs` | what processes may need, wherever they can stand |
//! | `disturb.rs` | by what it is disturbed |
//! | `standing.rs` | where the processes of a state stand |
//! | `own.rs` | what is known only once the process is |
//! | `needs.rs` | who disturbs a process in a state |
//! | `sight.rs` | which steps a property may see |
//! | `closed.rs` | the closed set with the fewest steps |
//! | `gain.rs` | whether it pays to look |
//!
//! The side conditions, with the names of [Bosnacki 2001]:
//!
//! - C0: the set has a step whenever the state has one.
//! - C1: no step that depends on the set's happens before one of them. [`Facts`] says what a
//!   process may touch in its next step and ever after; see there for channels, rendez-vous under
//!   `unless`, starting and ending, and looking at others.
//! - C2: where a property looks at the states, the steps are invisible to it: they touch nothing
//!   that it looks at and, where it looks at labels, lead nobody to one or away from one.
//! - C3: nothing is put off for ever. The search sees to that: from a state where steps were put
//!   off, one of the chosen steps leads on in an order that ends, until one comes to a state that
//!   was expanded fully. Everything that was put off can still be taken there. What the order is
//!   depends on the search: `safety::dfs`, `safety::parents` and `liveness::proviso` say.
//!
//! # Fairness
//!
//! Fairness, weak or strong, looks at whether processes can move, and that can change without
//! their doing: by a message, by a partner that comes to a rendez-vous [Bosnacki 2001, chapter 3].
//! So under fairness a closed set also contains every process that its next steps may *wake*: let
//! move though it could not. It is enough to look at where that process stands in the state. Cycles
//! that remain are executions, and who can move is known in every state whatever is left out, so
//! nothing is found that is not there. That nothing is lost:
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
//!
//! # Symmetry
//!
//! Up to symmetry the choice is made in the representative and carried back, so that all states of
//! an orbit are reduced alike. [Emerson 1997] has the combination without fairness; the end of
//! [Bosnacki 2001, chapter 7] leaves it open with fairness. The argument above is about one
//! execution at a time, and so it goes through. Three things have to be seen.
//!
//! - *What is chosen is still closed.* A permutation π of the group is an automorphism: it takes
//!   steps to steps, what a step touches to what its image touches, and who can move to who can
//!   move. So if A is closed in the representative r = π(s), then π⁻¹(A) is closed in s and, under
//!   fairness, contains whom its next steps may wake; and its steps are invisible, since π leaves
//!   every atom of the property as it is. C0, C1 and C2 hold in s because they hold in r. (That
//!   needs a choice by the representative alone: [`Ample::steady`] does not look at what was found
//!   in states before.)
//! - *C3 is a matter of nodes.* Let the search follow, from every stored node, the arcs of the one
//!   real state with which it was entered. Take an execution σ of the model from the initial state.
//!   Step by step, the proof above replaces it by one that follows chosen steps; where it comes to a
//!   state s' = π(s) of a node that was entered with s, it goes on with the images under π of what
//!   was chosen in s, which is what is chosen in s'. So the execution that is followed is, node by
//!   node, a way through the graph that was searched. It puts a step off for ever only if from
//!   somewhere on it comes to reduced nodes only; a graph is finite, so it comes to some of them
//!   again and again, along a cycle of nodes. On every cycle of nodes one is expanded fully, because
//!   one of its arcs led into the stack when the search followed it: the stack is one of nodes.
//! - *Fairness is that of the execution followed, in real numbers.* Who can move in a state is found
//!   from all its steps and not from the chosen ones. The execution followed is an execution of the
//!   model and fair by the argument above; its nodes stay from somewhere on in one component, along
//!   arcs of which the classes of `liveness::component` are made. So in every class somebody is
//!   settled, and the component is accepted: nothing is lost. Nothing is invented either: cycles are
//!   put together of arcs between nodes of the component, all of them real, and each is confirmed.
//!
//! With state symmetry, of the chosen processes that can do the same up to their names only the
//! first is followed. The others' arcs are images of its arcs under an exchange that leaves the
//! state as it is: they lead to the same nodes, so cycles of nodes and the stack stay what they are,
//! and for the classes the twins are joined. Among the *chosen* only: where a process is chosen and
//! its twin is not, there is nothing that it could be left out for.
//!
//! Not sound would be: sets found with facts that are not fair; to choose anew, by another stack, in
//! a second search; to look at reduced steps for who can move.

mod closed;
mod disturb;
mod gain;
mod needs;
mod own;
mod rows;
mod sight;
mod standing;

use std::sync::Arc;

use isospin_analysis::facts::{Facts, Objects};
use isospin_machine::Successors;
use isospin_model::Model;

pub use crate::expand::ReductionCounts;
use crate::expand::{Group, Reducer};
use closed::{Finder, Sets};
use disturb::Disturbance;
use gain::{Gain, Patience};
use rows::Rows;
use sight::Sight;

/// Among which sets of steps a reduction chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum AmpleSets {
    /// Those of single processes that nobody disturbs, as in Spin.
    Process,
    /// Those of closed sets of processes: clusters.
    Cluster,
    /// The same, where an edge that cannot be taken needs no more than that a condition which fails
    /// is left alone.
    #[default]
    Stubborn,
}

/// Chooses closed sets.
pub struct Ample {
    kind: AmpleSets,
    patience: Patience,
    gain: Gain,
    sets: Sets,
    /// Where there are up to 64 processes, and where there are more.
    narrow: Finder<1>,
    wide: Finder<4>,
    counts: ReductionCounts,
}

/// A state, its steps, and who takes them.
type Expanded<'s> = (&'s Model, &'s [u8], &'s Successors, &'s [Group]);

impl Reducer for Ample {
    const ACTIVE: bool = true;

    fn choose(
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
        if !self.patience.looks() {
            self.counts.unsought += 1;
            return None;
        }
        let expanded = (model, state, steps, groups);
        let size = if is_narrow(expanded) {
            self.narrow.smallest(&mut self.sets, &mut self.gain, self.kind, expanded)
        } else {
            self.wide.smallest(&mut self.sets, &mut self.gain, self.kind, expanded)
        };
        self.patience.add(size < usize::MAX);
        if size == usize::MAX {
            if self.sets.seen {
                self.counts.visible += 1;
            } else {
                self.counts.no_closed_set += 1;
            }
            return None;
        }
        self.counts.reduced += 1;
        Some(&self.sets.best)
    }

    fn choose_more(
        &mut self,
        model: &Model,
        state: &[u8],
        steps: &Successors,
        groups: &[Group],
        taken: &[usize],
    ) -> Option<&[usize]> {
        // Two closed sets together are a closed set.
        let new = |k: usize| !taken.contains(&k);
        let guards = self.kind == AmpleSets::Stubborn;
        let expanded = (model, state, steps, groups);
        let size = if is_narrow(expanded) {
            self.narrow.find(&mut self.sets, self.kind, expanded, new, guards)
        } else {
            self.wide.find(&mut self.sets, self.kind, expanded, new, guards)
        };
        if size == usize::MAX {
            return None;
        }
        self.sets.best.retain(|&k| new(k));
        (taken.len() + self.sets.best.len() < groups.len()).then_some(&self.sets.best)
    }

    fn revoke(&mut self) {
        self.counts.reduced -= 1;
        self.counts.revoked += 1;
    }

    fn counts(&self) -> ReductionCounts {
        self.counts
    }
}

fn is_narrow((model, state, ..): Expanded<'_>) -> bool {
    state[model.layout.process_count as usize] <= 64
}

impl Ample {
    /// A reduction that stands on these facts, which have no
    /// [obstacle](Facts::obstacle). `observed` is what the property looks at.
    pub fn new(facts: Arc<Facts>, observed: &Objects, kind: AmpleSets) -> Ample {
        let (rows, accesses) = Rows::new(&facts);
        Ample {
            kind,
            patience: Patience::default(),
            gain: Gain::default(),
            sets: Sets {
                sight: Sight::new(&facts, observed),
                disturbance: Disturbance::new(facts, accesses, rows.needs.len()),
                rows,
                best: Vec::new(),
                seen: false,
            },
            narrow: Finder::default(),
            wide: Finder::default(),
            counts: ReductionCounts::default(),
        }
    }

    /// Lets the property also see the next step from some locations of each process type.
    pub fn seeing(mut self, locations: &[Vec<bool>]) -> Ample {
        self.sets.sight.add(locations);
        self
    }

    /// Makes the choice a matter of the state alone, not of what was found in states before.
    pub fn steady(mut self) -> Ample {
        (self.patience, self.gain) = (Patience::always(), Gain::always());
        self
    }
}
