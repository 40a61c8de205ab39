//! Depth-first search on one thread with partial-order reduction.
//!
//! The stack tells when nothing would be put off for ever (C3): a state of whose chosen steps none
//! leads to a state that is new, that is *finished* with everything above it, or that was expanded
//! fully itself, gets more steps, in the end all. New and finished states are done with before the state itself
//! is, so from a state where steps were put off one gets to states that are done with earlier and
//! earlier, and in the end to one where nothing was. What was put off can still be taken there.

use std::ops::ControlFlow;
use std::sync::Arc;

use isospin_machine::{Fault, Machine, Step};
use isospin_model::ProcTypeId;

use super::findings::{Findings, Site};
use super::tracing::{self, Failure};
use super::{no_initial_state, no_memory, Run, Stats};
use crate::door::Door;
use crate::expand::{Expander, Movers, NoObserver, Reducer, Sink};
use crate::limits::{Control, OutOfMemory, Progress, Watch};
use crate::options::Options;
use crate::result::Incomplete;
use crate::scout;
use crate::store::{Extras, Handle, StateId, Store};

/// The state and everything above it are done with.
const FINISHED: u8 = 1;
/// All steps of the state were followed.
const FULL: u8 = 2;

pub(super) fn search<M: Machine, F: Fn() -> M, R: Reducer>(
    machines: &F,
    reducer: R,
    options: &Options,
    control: &Control,
    progress: &mut dyn FnMut(&Progress),
) -> Run {
    let mut machine = machines();
    let mut state = Vec::new();
    if let Err(error) = machine.initial(&mut state) {
        return no_initial_state(&machine, error, options);
    }
    let extras = Extras { flags: true, ..Extras::default() };
    let Ok(mut store) = Store::<false>::new(extras, Arc::clone(&control.budget)) else {
        return no_memory(&machine, control, options);
    };
    let samples = scout::samples(&mut machine);
    store.train(samples.iter().map(Vec::as_slice));
    drop(samples);

    let mut search = Search {
        machines,
        store: &store,
        handle: store.handle(),
        control,
        door: Door::new(machine.model().layout.hidden as usize, options),
        bytes: Vec::new(),
        stack: Vec::new(),
        arrivals: Vec::new(),
        arrived: Vec::new(),
        depth: 0,
        stats: Stats::default(),
        findings: Findings::new(options),
    };
    let mut expander = Expander::with(machine, reducer, NoObserver, control);
    let mut watch = Watch::new(control, Some(progress));
    let limit = options.depth.unwrap_or(u32::MAX);
    let flow = search.run(&mut expander, &state, limit, &mut watch);
    let Search { handle, mut stats, findings, .. } = search;
    drop(handle);
    stats.store_bytes = store.bytes();
    Run {
        stats,
        findings,
        reached: expander.reached().clone(),
        reduction: expander.reduction(),
        exhausted: flow.is_continue(),
    }
}

/// A state on the stack: waiting, or expanded and part of the path.
#[derive(Clone, Copy)]
struct Entry {
    start: usize,
    depth: u32,
    id: StateId,
    expanded: bool,
}

/// A state that was reached and not looked up yet.
#[derive(Clone, Copy)]
struct Arrival {
    start: usize,
    end: usize,
    depth: u32,
}

struct Search<'s, F> {
    machines: &'s F,
    store: &'s Store<false>,
    handle: Handle<'s, false>,
    control: &'s Control,
    door: Door,
    /// The states on the stack, one after the other.
    bytes: Vec<u8>,
    stack: Vec<Entry>,
    arrived: Vec<u8>,
    arrivals: Vec<Arrival>,
    /// The depth of the state that is being expanded.
    depth: u32,
    stats: Stats,
    findings: Findings,
}

impl<M: Machine, F: Fn() -> M> Search<'_, F> {
    fn run<R: Reducer>(
        &mut self,
        expander: &mut Expander<'_, M, R>,
        initial: &[u8],
        limit: u32,
        watch: &mut Watch<'_>,
    ) -> ControlFlow<()> {
        let mut state = Vec::new();
        self.arrive(initial, 0, &Movers::default())?;
        self.look_up()?;
        while let Some(top) = self.stack.last_mut() {
            if top.expanded {
                self.store.set_flags(top.id, FINISHED);
                self.bytes.truncate(top.start);
                self.stack.pop();
                continue;
            }
            top.expanded = true;
            let (depth, id) = (top.depth, top.id);
            state.clear();
            state.extend_from_slice(&self.bytes[top.start..]);
            if depth >= limit {
                self.control.cut_depth();
                continue;
            }
            self.depth = depth;
            self.door.twins(&state, expander.twins());
            expander.expand(&state, limit - depth, self)?;
            if !expander.is_reduced() {
                // The state may lead to itself.
                self.store.set_flags(id, FULL);
            }
            while !self.look_up()? && expander.is_reduced() {
                expander.expand_more(&state, limit - depth, self)?;
                if !expander.is_reduced() {
                    self.store.set_flags(id, FULL);
                }
            }
            if watch.tick(|| self.progress()) {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }

    fn progress(&self) -> Progress {
        Progress {
            states: self.stats.states,
            transitions: self.stats.transitions,
            depth: u64::from(self.stats.depth),
            errors: self.findings.errors(),
            ..Progress::default()
        }
    }

    /// Counts a violation and works out its steps if they are wanted.
    #[cold]
    fn violation(&mut self, site: Site, failure: Failure) -> ControlFlow<()> {
        let Some(advice) = self.findings.count(failure.kind(), site) else {
            return ControlFlow::Continue(());
        };
        if advice.keep {
            let ends = self.stack.iter().skip(1).map(|e| e.start).chain([self.bytes.len()]);
            let path = self
                .stack
                .iter()
                .zip(ends)
                .filter(|(e, _)| e.expanded)
                .map(|(e, end)| self.bytes[e.start..end].to_vec());
            let violation = tracing::along_states(&mut (self.machines)(), path, failure);
            self.findings.keep(site, violation);
        }
        match advice.stop {
            true => {
                self.control.stop(None);
                ControlFlow::Break(())
            }
            false => ControlFlow::Continue(()),
        }
    }
}

impl<F> Search<'_, F> {
    /// Looks up what has arrived and pushes what is new. Says whether something was new, finished
    /// or expanded fully.
    fn look_up(&mut self) -> ControlFlow<(), bool> {
        for arrival in &self.arrivals {
            let state = &self.arrived[arrival.start..arrival.end];
            self.handle.push(self.door.identity(state), None);
        }
        self.door.watch(self.control);
        let store = self.store;
        let mut good = false;
        let outcomes = match self.handle.commit() {
            Ok(outcomes) => outcomes,
            Err(error) => return self.out_of_memory(error),
        };
        for (arrival, outcome) in self.arrivals.iter().zip(outcomes) {
            self.stats.transitions += 1;
            if !outcome.new {
                good = good || store.flags(outcome.id) & (FINISHED | FULL) != 0;
                continue;
            }
            good = true;
            self.stats.states += 1;
            self.stats.depth = self.stats.depth.max(arrival.depth);
            let state = &self.arrived[arrival.start..arrival.end];
            let budget = &self.control.budget;
            let room = budget
                .reserve(&mut self.bytes, state.len())
                .and_then(|()| budget.reserve(&mut self.stack, 1));
            if room.is_err() {
                self.control.stop(Some(Incomplete::Memory));
                return ControlFlow::Break(());
            }
            let start = self.bytes.len();
            self.bytes.extend_from_slice(state);
            let (depth, id) = (arrival.depth, outcome.id);
            self.stack.push(Entry { start, depth, id, expanded: false });
        }
        self.arrivals.clear();
        self.arrived.clear();
        ControlFlow::Continue(good)
    }

    fn out_of_memory<T>(&self, _: OutOfMemory) -> ControlFlow<(), T> {
        self.control.stop(Some(Incomplete::Memory));
        ControlFlow::Break(())
    }
}

impl<M: Machine, F: Fn() -> M> Sink for Search<'_, F> {
    fn arrive(&mut self, state: &[u8], steps: u32, _movers: &Movers) -> ControlFlow<()> {
        let start = self.arrived.len();
        self.arrived.extend_from_slice(state);
        let (end, depth) = (self.arrived.len(), self.depth.saturating_add(steps));
        self.arrivals.push(Arrival { start, end, depth });
        ControlFlow::Continue(())
    }

    fn fault(&mut self, proctype: ProcTypeId, step: Step, fault: Fault) -> ControlFlow<()> {
        let failure = Failure::Step(step, fault);
        let site = Site::of_step(failure.kind(), proctype, step.edge);
        self.violation(site, failure)
    }

    fn invalid_end(&mut self) -> ControlFlow<()> {
        self.violation(Site::of_state(Failure::End.kind()), Failure::End)
    }
}
