//! Which slots a step may look at, and which it may change.
//!
//! | file | what it has |
//! | --- | --- |
//! | `mod.rs` | steps: an atomic sequence counts as one, and a rendez-vous as its receiver's, too |
//! | `action.rs` | actions, sends, receives |
//! | `expr.rs` | expressions, places, and which of several they mean |
//!
//! Nothing is forgotten: where it cannot be told which element of an array, which channel or which
//! process is meant, all of them are.

mod action;
mod expr;

use std::collections::HashSet;

use isospin_machine::Evaluator;
use isospin_model::{Action, DetStep, Edge, EdgeId, LocationId, Model};

use crate::bits::Bits;
use crate::space::Space;

/// What a step, or one of several, may touch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Access {
    pub reads: Bits,
    pub writes: Bits,
    /// Slots that decide which others are meant.
    pub selectors: Bits,
    /// Anything at all.
    pub everything: bool,
}

/// What is known when it is asked which slots are meant.
pub(crate) enum Known<'k> {
    /// Nothing.
    Nothing,
    /// The values of these slots, in this state.
    Some(&'k Bits, &'k [u8]),
}

/// Who may receive in the first step, if that is a rendez-vous.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Partner {
    /// Whoever can.
    Anybody,
    /// That is not looked at.
    Nobody,
    /// This process, at this location.
    This(usize, LocationId),
}

/// Finds what steps of processes of a space may touch.
pub(crate) struct Reader<'r> {
    model: &'r Model,
    space: &'r Space,
    known: Known<'r>,
    evaluator: Evaluator,
    pub access: Access,
    /// Where processes go on inside atomic sequences.
    todo: Vec<(usize, LocationId)>,
    seen: HashSet<(usize, LocationId)>,
    partner: Partner,
    /// Whether processes may be started.
    starts: bool,
    /// Whether there may be a rendez-vous.
    meets: bool,
}

impl<'r> Reader<'r> {
    /// Nothing read yet.
    pub fn new(model: &'r Model, space: &'r Space, known: Known<'r>) -> Reader<'r> {
        let mut evaluator = Evaluator::default();
        match known {
            Known::Nothing => evaluator.observe(model, &space.zero),
            Known::Some(_, state) => evaluator.observe(model, state),
        }
        Reader {
            model,
            space,
            known,
            evaluator,
            access: Access::default(),
            todo: Vec::new(),
            seen: HashSet::new(),
            partner: Partner::Anybody,
            starts: false,
            meets: false,
        }
    }

    /// Steps along these edges, all of which leave the same location of a process.
    pub fn steps(mut self, pid: usize, edges: &[EdgeId], partner: Partner) -> Access {
        let features = &self.model.features;
        // Whether somebody else could move is what such models look at.
        self.access.everything = features.priorities || features.enabled;
        self.access.reads.insert(self.space.locations[pid]);
        self.partner = partner;
        if let Partner::This(other, _) = partner {
            self.access.reads.insert(self.space.locations[other]);
        }
        let automaton = &self.model.proctype(self.space.types[pid]).automaton;
        for id in edges {
            self.edge(pid, &automaton.edges[id.index()]);
        }
        self.partner = Partner::Anybody;
        while let Some((pid, location)) = self.todo.pop() {
            self.access.reads.insert(self.space.locations[pid]);
            let automaton = &self.model.proctype(self.space.types[pid]).automaton;
            for edge in automaton.edges_of(location) {
                self.edge(pid, edge);
            }
        }
        // Whoever is started in a sequence may receive in it, and is not there to be looked at.
        self.access.everything |= self.starts && self.meets;
        if self.access.everything {
            self.access.reads = Bits::all(self.space.levels());
            self.access.writes = self.access.reads.clone();
        }
        self.access
    }

    /// The passing of time.
    pub fn tick(mut self) -> Access {
        if let Some(time) = &self.model.time {
            let mut timers = Vec::new();
            time.for_each(self.model, &self.space.zero, |at| timers.push(at));
            for at in timers {
                self.touch_at(at, true, true);
            }
        }
        self.access
    }

    /// What a receiver's steps from a location look at to know whether they take part.
    pub fn receiver(mut self, pid: usize, location: LocationId) -> Access {
        self.receiving(pid, location, None);
        self.access
    }

    /// Which channels a process can receive from in a rendez-vous at a location; nothing where that
    /// is not known.
    pub fn channels_of(&mut self, pid: usize, location: LocationId) -> Option<Vec<usize>> {
        let automaton = &self.model.proctype(self.space.types[pid]).automaton;
        let mut all = Vec::new();
        for edge in automaton.edges_of(location) {
            for channel in receives(&edge.action) {
                match self.channel(pid, channel) {
                    expr::Meant::One(channel) => all.push(channel),
                    expr::Meant::None => {}
                    expr::Meant::Any => return None,
                }
            }
        }
        Some(all)
    }

    /// The channel that a send along an edge uses; `Err` where that is not known.
    pub fn channel_of(&mut self, pid: usize, edge: EdgeId) -> Result<Option<usize>, ()> {
        let automaton = &self.model.proctype(self.space.types[pid]).automaton;
        let Action::Send { channel, .. } = &automaton.edges[edge.index()].action else {
            return Ok(None);
        };
        match self.channel(pid, channel) {
            expr::Meant::One(channel) => Ok(Some(channel)),
            expr::Meant::None => Ok(None),
            expr::Meant::Any => Err(()),
        }
    }

    fn edge(&mut self, pid: usize, edge: &Edge) {
        self.provided(pid);
        self.action(pid, &edge.action);
        self.access.writes_last(self.space);
        if !matches!(edge.action, Action::End) {
            self.arrive(pid, edge);
        }
    }

    /// What taking an edge does beside its action.
    fn arrive(&mut self, pid: usize, edge: &Edge) {
        let frame = self.space.shape.frames[pid].1;
        self.access.writes.insert(self.space.locations[pid]);
        for &(at, len) in &edge.resets {
            let range = (frame + at) as usize..(frame + at + len) as usize;
            for at in range.filter(|&at| self.space.slot_at(at).is_some()) {
                self.touch_at(at, false, true);
            }
        }
        if edge.atomic && self.seen.insert((pid, edge.target)) {
            self.todo.push((pid, edge.target));
        }
    }

    fn provided(&mut self, pid: usize) {
        if let Some(condition) = &self.model.proctype(self.space.types[pid]).provided {
            self.expr(Some(pid), condition);
        }
    }

    /// Those who may receive what a process sends on a rendez-vous channel.
    fn receivers(&mut self, sender: usize, channel: Option<usize>) {
        self.meets = true;
        match self.partner {
            Partner::Anybody => {}
            Partner::Nobody => return,
            Partner::This(pid, location) => return self.receiving(pid, location, channel),
        }
        for pid in (0..self.space.types.len()).filter(|&pid| pid != sender) {
            let automaton = &self.model.proctype(self.space.types[pid]).automaton;
            for location in automaton.location_ids() {
                self.receiving(pid, location, channel);
            }
        }
    }

    fn receiving(&mut self, pid: usize, location: LocationId, channel: Option<usize>) {
        let automaton = &self.model.proctype(self.space.types[pid]).automaton;
        for edge in automaton.edges_of(location) {
            let from = receives(&edge.action);
            let fits = from.into_iter().any(|from| match (self.channel(pid, from), channel) {
                (expr::Meant::One(one), Some(other)) => one == other,
                _ => true,
            });
            if fits {
                self.access.reads.insert(self.space.locations[pid]);
                self.edge(pid, edge);
            }
        }
    }

    fn touch_at(&mut self, offset: usize, read: bool, write: bool) {
        let Some(slot) = self.space.slot_at(offset) else {
            // Nothing is known of what is there.
            self.access.everything = true;
            return;
        };
        if read {
            self.access.reads.insert(slot);
        }
        if write {
            self.access.writes.insert(slot);
        }
    }
}

impl Access {
    fn writes_last(&mut self, space: &Space) {
        if let Some(last) = space.last {
            self.writes.insert(last);
        }
    }
}

/// The channels that an action begins to receive from.
pub(crate) fn receives(action: &Action) -> Vec<&isospin_model::Expr> {
    match action {
        Action::Receive { channel, .. } => vec![channel],
        Action::DetStep(step) => first_of(step).flat_map(receives).collect(),
        _ => Vec::new(),
    }
}

fn first_of(step: &DetStep) -> impl Iterator<Item = &Action> {
    step.nodes[0].edges.iter().map(|e| &e.action)
}
