//! How a search is set up, what its threads share, and what it hands back.

use std::sync::{Arc, Mutex};

use isospin_machine::{Machine, RuntimeError};
use isospin_store::{Keep, Packing, StateSet};

use super::arrivals::Arrivals;
use super::counters::{Counters, Stats};
use super::findings::{Findings, Resolved, Site};
use super::frontier::Frontier;
use super::gatherer::Gatherer;
use super::path::Path;
use crate::door::Door;
use crate::expand::{Reached, ReductionCounts};
use crate::limits::{Control, Incomplete, Progress};
use crate::options::Options;
use crate::result::{Violation, ViolationKind};
use crate::scout;

/// What one of the searches hands back.
pub(super) struct Run {
    pub stats: Stats,
    pub found: Resolved,
    pub reached: Reached,
    pub reduction: ReductionCounts,
    /// Whether the frontier ran empty.
    pub exhausted: bool,
    /// Whether no state was taken for another.
    pub exact: bool,
}

impl Run {
    /// The result of a search that never began.
    fn nothing<M: Machine>(machine: &M, found: Resolved, exhausted: bool) -> Box<Run> {
        Box::new(Run {
            stats: Stats::default(),
            found,
            reached: Reached::new(machine.model()),
            reduction: ReductionCounts::default(),
            exhausted,
            exact: true,
        })
    }

    /// The result of a search that has no state to start from.
    fn no_initial_state<M: Machine>(machine: &M, error: RuntimeError) -> Box<Run> {
        let kind = ViolationKind::Runtime(error);
        let violation = Violation { kind, steps: Vec::new() };
        let violations = vec![(Site::of_state(kind), violation)];
        let found = Resolved { errors: 1, violations, endless: None };
        Run::nothing(machine, found, true)
    }

    /// The result of a search that had no memory to begin with.
    pub fn no_memory<M: Machine>(machine: &M, control: &Control) -> Box<Run> {
        control.stop(Some(Incomplete::Memory));
        Run::nothing(machine, Resolved::default(), false)
    }
}

/// What the threads of a search share. `W` is what shows a violation.
pub(super) struct Context<'c, S, W> {
    pub set: S,
    pub control: &'c Control,
    pub door: Door,
    counters: Vec<Counters>,
    findings: Mutex<Findings<W>>,
    depth_limit: u32,
}

/// A search that can begin.
pub(super) struct Prepared<'c, M, S, W> {
    pub machine: M,
    pub initial: Vec<u8>,
    pub context: Context<'c, S, W>,
}

impl<'c, S: StateSet, W> Context<'c, S, W> {
    /// Sets a search up: finds the initial state, learns from a look around how states are packed,
    /// and makes an empty set. The error is the result of a search that cannot begin.
    pub fn prepare<M: Machine>(
        mut machine: M,
        keep: Keep,
        threads: usize,
        options: &Options,
        control: &'c Control,
    ) -> Result<Prepared<'c, M, S, W>, Box<Run>> {
        let mut initial = Vec::new();
        if let Err(error) = machine.initial(&mut initial) {
            return Err(Run::no_initial_state(&machine, error));
        }
        let samples = scout::samples(&mut machine, &mut || !control.poll());
        let packing = Arc::new(Packing::trained(samples.iter().map(Vec::as_slice)));
        drop(samples);
        let Ok(set) = S::new(keep, packing, Arc::clone(&control.budget)) else {
            return Err(Run::no_memory(&machine, control));
        };
        let context = Context {
            set,
            control,
            door: Door::new(machine.model().layout.hidden as usize, options),
            counters: (0..threads).map(|_| Counters::default()).collect(),
            findings: Mutex::new(Findings::new(options)),
            depth_limit: options.depth.unwrap_or(u32::MAX),
        };
        Ok(Prepared { machine, initial, context })
    }

    /// Counts only violations of one site.
    pub fn only(mut self, site: Option<Site>) -> Self {
        let findings = self.findings.get_mut().unwrap_or_else(|e| e.into_inner());
        findings.only(site);
        self
    }

    /// The share of one of the threads. So many look-ups are made together at most.
    pub fn gatherer<P: Path<S, Witness = W>>(
        &self,
        thread: usize,
        path: P,
        batch: usize,
    ) -> Gatherer<'_, S, P> {
        Gatherer {
            arrivals: Arrivals::new(&self.set, self.door.clone()),
            frontier: Frontier::default(),
            path,
            control: self.control,
            counters: &self.counters[thread],
            findings: &self.findings,
            depth_limit: self.depth_limit,
            batch,
            depth: 0,
        }
    }

    /// How far the search is.
    pub fn progress(&self) -> Progress {
        let stats = Stats::of(&self.counters);
        let findings = self.findings.lock().unwrap_or_else(|e| e.into_inner());
        Progress {
            states: stats.states,
            transitions: stats.transitions,
            depth: u64::from(stats.depth),
            errors: findings.errors(),
            ..Progress::default()
        }
    }

    /// What came of the search. `show` makes a violation of what shows it.
    pub fn finish(
        self,
        reached: Reached,
        reduction: ReductionCounts,
        exhausted: bool,
        mut show: impl FnMut(&S, &mut Door, W) -> Violation,
    ) -> Run {
        let Context { set, mut door, counters, findings, .. } = self;
        let findings = findings.into_inner().unwrap_or_else(|e| e.into_inner());
        let found = findings.resolve(|witness| show(&set, &mut door, witness));
        let stats = Stats { store_bytes: set.bytes(), ..Stats::of(&counters) };
        Run { stats, found, reached, reduction, exhausted, exact: S::EXACT }
    }
}
