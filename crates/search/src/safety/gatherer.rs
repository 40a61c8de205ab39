//! What becomes of what an expansion finds: states that were reached go into the set and onto the
//! frontier if they are new; violations are counted, and the first of each kind is kept.

use std::ops::ControlFlow;
use std::sync::Mutex;

use isospin_machine::{Fault, Machine, Step};
use isospin_model::{LocationId, ProcTypeId};
use isospin_store::{OutOfMemory, StateSet};

use super::arrivals::Arrivals;
use super::counters::Counters;
use super::findings::{Findings, Site};
use super::frontier::Frontier;
use super::path::Path;
use super::tracing::Failure;
use crate::expand::{Expander, Movers, Reducer, Sink};
use crate::limits::{Control, Incomplete};

/// How many states are expanded together at most, in a depth-first search.
pub(super) const MAX_GROUP: usize = 16;
/// How many look-ups are enough for a group.
pub(super) const ENOUGH_LOOK_UPS: usize = 32;
/// How many look-ups are made together at most, in a depth-first search.
pub(super) const MAX_LOOK_UPS: usize = 4096;

/// The successors of states of so many bytes may be more than there is room for.
const LARGE_STATE: usize = 1 << 16;

/// One thread's share of a search.
pub(super) struct Gatherer<'s, S: StateSet, P: Path<S>> {
    pub arrivals: Arrivals<'s, S, P::From>,
    /// States waiting to be expanded.
    pub frontier: Frontier<P::Tag>,
    pub path: P,
    pub control: &'s Control,
    pub counters: &'s Counters,
    pub findings: &'s Mutex<Findings<P::Witness>>,
    /// How many steps a path may have.
    pub depth_limit: u32,
    /// How many look-ups are made together at most.
    pub batch: usize,
    /// The depth of the state that is being expanded.
    pub depth: u32,
}

impl<S: StateSet, P: Path<S>> Gatherer<'_, S, P> {
    /// Puts the initial state onto the frontier.
    pub fn start(&mut self, initial: &[u8]) -> ControlFlow<()> {
        self.arrivals.push(initial, 0, self.path.current(), None);
        self.look_up()
    }

    /// Expands the state that the path is at, so many steps deep, and says whether steps of it were
    /// put off. What it led to is looked up as soon as that has to be known.
    #[inline]
    pub fn expand<M: Machine, R: Reducer>(
        &mut self,
        expander: &mut Expander<'_, M, R>,
        state: &[u8],
        depth: u32,
    ) -> ControlFlow<(), bool> {
        if depth >= self.depth_limit {
            self.control.cut_depth();
            return ControlFlow::Continue(false);
        }
        self.afford(self.room_for_steps(expander, state))?;
        self.depth = depth;
        let room = self.depth_limit - depth;
        self.arrivals.door.twins(state, expander.twins());
        expander.expand(state, room, self)?;
        if !R::ACTIVE {
            return ControlFlow::Continue(false);
        }
        let mut reduced = expander.is_reduced();
        if !reduced {
            self.path.set_full();
            return ControlFlow::Continue(false);
        }
        self.look_up()?;
        while reduced && !self.path.may_put_off(&self.frontier) {
            expander.expand_more(state, room, self)?;
            reduced = expander.is_reduced();
            if !reduced {
                self.path.set_full();
            }
            self.look_up()?;
        }
        ControlFlow::Continue(reduced)
    }

    /// Whether there is room for the successors of a state, which is a matter of large states only.
    #[inline]
    fn room_for_steps<M: Machine, R: Reducer>(
        &self,
        expander: &mut Expander<'_, M, R>,
        state: &[u8],
    ) -> Result<(), OutOfMemory> {
        if state.len() < LARGE_STATE {
            return Ok(());
        }
        // A copy a process, in a buffer that may be twice as large as what it holds.
        let processes = expander.machine().process_count(state) as u64;
        let bytes = 2 * (processes + 1) * state.len() as u64;
        self.control.budget.charge(bytes)?;
        self.control.budget.release(bytes);
        Ok(())
    }

    /// Looks up what has arrived and pushes what is new.
    pub fn look_up(&mut self) -> ControlFlow<()> {
        let Gatherer { arrivals, frontier, path, .. } = self;
        let settled =
            arrivals.settle(frontier, self.control, |from, answer| path.arrive(from, answer));
        match settled {
            Ok(settled) => {
                self.counters.add(settled);
                ControlFlow::Continue(())
            }
            Err(error) => self.afford(Err(error)),
        }
    }

    /// Ends the search if there is no memory for something.
    #[inline]
    pub fn afford(&self, result: Result<(), OutOfMemory>) -> ControlFlow<()> {
        if result.is_err() {
            self.control.stop(Some(Incomplete::Memory));
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    #[cold]
    fn violation(&mut self, site: Site, failure: Failure) -> ControlFlow<()> {
        let mut findings = self.findings.lock().unwrap_or_else(|e| e.into_inner());
        let Some(advice) = findings.count(failure.kind(), site) else {
            return ControlFlow::Continue(());
        };
        if advice.keep {
            let witness = self.path.witness(&mut self.arrivals, &self.frontier, failure);
            witness.into_iter().for_each(|witness| findings.keep(site, witness));
        }
        if advice.stop {
            self.control.stop(None);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

impl<S: StateSet, P: Path<S>> Sink for Gatherer<'_, S, P> {
    #[inline]
    fn arrive(&mut self, state: &[u8], steps: u32, _movers: &Movers) -> ControlFlow<()> {
        let depth = self.depth.saturating_add(steps);
        self.arrivals.push(state, depth, self.path.current(), self.path.parent());
        if self.arrivals.are_enough(self.batch) {
            self.look_up()?;
        }
        ControlFlow::Continue(())
    }

    fn fault(&mut self, proctype: Option<ProcTypeId>, step: Step, fault: Fault) -> ControlFlow<()> {
        let failure = Failure::Step(step, fault);
        self.violation(Site::of_step(failure.kind(), proctype, step), failure)
    }

    fn invalid_end(&mut self) -> ControlFlow<()> {
        self.violation(Site::of_state(Failure::End.kind()), Failure::End)
    }

    fn endless(&mut self, proctype: ProcTypeId, location: LocationId) -> ControlFlow<()> {
        let mut findings = self.findings.lock().unwrap_or_else(|e| e.into_inner());
        findings.endless.get_or_insert((proctype, location));
        ControlFlow::Continue(())
    }
}
