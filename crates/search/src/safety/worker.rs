//! One thread of a parallel search.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::Mutex;

use isospin_machine::{Fault, Machine, Step};
use isospin_model::ProcTypeId;
use isospin_store::{Insert, OutOfMemory, StateId};

use super::arrivals::{Arrivals, Settled};
use super::findings::{Findings, Site};
use super::pool::{Pool, Work};
use super::proviso::Proviso;
use super::tracing::Failure;
use crate::expand::{Expander, Movers, Reducer, Sink};
use crate::limits::Control;
use crate::reduce::ReductionCounts;
use crate::result::{Incomplete, Reached, Violation};

/// How many states are expanded together at most.
const GROUP: usize = 16;
/// How many look-ups are enough for a group.
const ENOUGH: usize = 32;
/// How many look-ups are made together at most.
const BATCH: usize = 4096;
/// Who has fewer states than this gives nothing away.
const GENEROUS: usize = 8;

/// What a worker has counted, for others to read while it runs. On a cache line of its own.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(super) struct Counters {
    pub states: AtomicU64,
    pub transitions: AtomicU64,
    pub depth: AtomicU32,
}

impl Counters {
    fn add(&self, settled: Settled) {
        let add = |counter: &AtomicU64, n| {
            counter.store(counter.load(Ordering::Relaxed) + n, Ordering::Relaxed);
        };
        add(&self.states, settled.new);
        add(&self.transitions, settled.arrivals);
        if settled.depth > self.depth.load(Ordering::Relaxed) {
            self.depth.store(settled.depth, Ordering::Relaxed);
        }
    }
}

/// Violations of all workers. The steps of those that are kept are worked out at the end, from
/// the state and the failure.
pub(super) struct Shared {
    pub findings: Findings,
    pub kept: Vec<(StateId, Failure)>,
}

/// One thread of the search.
pub(super) struct Worker<'s> {
    /// Each with the state that it was reached from.
    arrivals: Arrivals<'s, Option<StateId>, true>,
    pub control: &'s Control,
    pub pool: &'s Pool,
    pub shared: &'s Mutex<Shared>,
    pub counters: &'s Counters,
    pub limit: u32,
    frontier: Work,
    proviso: Proviso<'s, true>,
    depth: u32,
}

impl<'s> Worker<'s> {
    pub fn new(
        proviso: Proviso<'s, true>,
        arrivals: Arrivals<'s, Option<StateId>, true>,
        control: &'s Control,
        pool: &'s Pool,
        shared: &'s Mutex<Shared>,
        counters: &'s Counters,
        limit: u32,
    ) -> Self {
        Worker {
            proviso,
            arrivals,
            control,
            pool,
            shared,
            counters,
            limit,
            frontier: Work::default(),
            depth: 0,
        }
    }

    /// Searches until there is no work left anywhere.
    pub fn run<M: Machine, R: Reducer>(
        mut self,
        machine: M,
        reducer: R,
    ) -> (Reached, ReductionCounts) {
        let mut expander = Expander::new(machine, reducer, self.control);
        loop {
            self.arrivals.handle.leave();
            let Some(work) = self.pool.take(self.control) else {
                break;
            };
            self.arrivals.handle.come_back();
            std::mem::replace(&mut self.frontier, work).release(&self.control.budget);
            if self.finish(&mut expander).is_break() {
                break;
            }
        }
        self.frontier.release(&self.control.budget);
        (expander.reached().clone(), expander.reduction())
    }

    /// Expands until the frontier is empty.
    fn finish<M: Machine, R: Reducer>(
        &mut self,
        expander: &mut Expander<'_, M, R>,
    ) -> ControlFlow<()> {
        let mut group = Work::default();
        let mut state = Vec::new();
        while !self.frontier.is_empty() {
            if self.control.stopped() {
                return ControlFlow::Break(());
            }
            // The group leaves the frontier: paths are kept as parents in the store.
            let first = self.frontier.len().saturating_sub(GROUP);
            let moved = self.frontier.split_off_into(first, &mut group, &self.control.budget);
            self.afford(moved)?;
            for k in (0..group.len()).rev() {
                self.depth = group.depth(k);
                if self.depth >= self.limit {
                    self.control.cut_depth();
                    continue;
                }
                self.proviso.begin(group.tag(k), R::ACTIVE);
                self.arrivals.unpack(&group, k, &mut state);
                let room = self.limit - self.depth;
                self.arrivals.door.twins(&state, expander.twins());
                expander.expand(&state, room, self)?;
                let mut reduced = expander.is_reduced();
                if R::ACTIVE && !reduced {
                    self.proviso.set_full();
                }
                if reduced || self.arrivals.len() >= ENOUGH {
                    self.look_up()?;
                }
                while reduced && !self.proviso.holds() {
                    expander.expand_more(&state, room, self)?;
                    reduced = expander.is_reduced();
                    if !reduced {
                        self.proviso.set_full();
                    }
                    self.look_up()?;
                }
            }
            self.look_up()?;
            if self.pool.is_hungry() && self.frontier.len() >= GENEROUS {
                let given = self.frontier.give_half(&self.control.budget);
                match given {
                    Ok(work) => self.pool.give(work),
                    Err(error) => self.afford(Err(error))?,
                }
            }
        }
        group.release(&self.control.budget);
        ControlFlow::Continue(())
    }

    fn look_up(&mut self) -> ControlFlow<()> {
        let Worker { arrivals, frontier, proviso, .. } = self;
        let settled = arrivals.settle(frontier, self.control, |from, answer| {
            proviso.arrive(from, answer);
            answer.id
        });
        match settled {
            Ok(settled) => self.counters.add(settled),
            Err(error) => return self.afford(Err(error)),
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn afford(&self, result: Result<(), OutOfMemory>) -> ControlFlow<()> {
        match result {
            Ok(()) => ControlFlow::Continue(()),
            Err(OutOfMemory) => {
                self.control.stop(Some(Incomplete::Memory));
                ControlFlow::Break(())
            }
        }
    }

    #[cold]
    fn violation(&mut self, site: Site, failure: Failure) -> ControlFlow<()> {
        let Some(current) = self.proviso.current() else {
            return ControlFlow::Continue(());
        };
        let mut shared = self.shared.lock().unwrap_or_else(|e| e.into_inner());
        let Some(advice) = shared.findings.count(failure.kind(), site) else {
            return ControlFlow::Continue(());
        };
        if advice.keep {
            let kind = failure.kind();
            let steps = Vec::new();
            shared.findings.keep(site, Violation { kind, steps });
            shared.kept.push((current, failure));
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

impl Sink for Worker<'_> {
    #[inline]
    fn arrive(&mut self, state: &[u8], steps: u32, _movers: &Movers) -> ControlFlow<()> {
        let depth = self.depth.saturating_add(steps);
        let current = self.proviso.current();
        self.arrivals.push(state, depth, current, current);
        if self.arrivals.len() >= BATCH {
            self.look_up()?;
        }
        ControlFlow::Continue(())
    }

    fn fault(&mut self, proctype: Option<ProcTypeId>, step: Step, fault: Fault) -> ControlFlow<()> {
        let failure = Failure::Step(step, fault);
        let site = Site::of_step(failure.kind(), proctype, step);
        self.violation(site, failure)
    }

    fn invalid_end(&mut self) -> ControlFlow<()> {
        self.violation(Site::of_state(Failure::End.kind()), Failure::End)
    }
}
