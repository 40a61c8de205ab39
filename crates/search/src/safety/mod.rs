//! Searches for what needs no cycle: failed assertions, invalid end states, run-time errors.
//!
//! | file | what it does |
//! | --- | --- |
//! | `dfs.rs` | depth-first, on one thread, the path on a stack of real states; with reduction or without |
//! | `bfs.rs` | breadth-first, on one thread, the path through parents in the store |
//! | `parallel.rs` | depth-first on several threads that share a store |
//! | `worker.rs`, `pool.rs` | one of those threads; how they hand each other work |
//! | `arrivals.rs` | states on their way into the store and onto a frontier |
//! | `frontier.rs` | states waiting to be expanded |
//! | `findings.rs` | counting violations and keeping the first of each |
//! | `tracing.rs` | the steps that lead to a violation |
//! | `proviso.rs` | when steps may be put off in a search that has no stack |

mod arrivals;
mod bfs;
mod dfs;
mod findings;
mod frontier;
mod parallel;
mod pool;
mod proviso;
mod tracing;
mod worker;

use std::sync::Arc;

use isospin_analysis::facts::Objects;
use isospin_machine::{Machine, RuntimeError};

use crate::expand::{NoReduction, Reducer};
use crate::limits::{Control, Progress};
use crate::options::{Options, Order};
use crate::reduce::{Ample, ReductionCounts};
use crate::result::{Incomplete, Reached, SearchResult, Verdict, Violation, ViolationKind};
use arrivals::Settled;
use findings::{Findings, Site};

/// So many states one thread expands before others join in. Most models are done by then, and
/// with one thread the result is always the same.
const PATIENCE: u64 = 1 << 13;

/// What a search has counted.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stats {
    pub states: u64,
    pub transitions: u64,
    pub depth: u32,
    /// Bytes of the store.
    pub store_bytes: u64,
}

impl Stats {
    fn add(&mut self, settled: Settled) {
        self.states += settled.new;
        self.transitions += settled.arrivals;
        self.depth = self.depth.max(settled.depth);
    }
}

/// What one of the searches hands back.
pub(crate) struct Run {
    stats: Stats,
    findings: Findings,
    reached: Reached,
    reduction: ReductionCounts,
    /// Whether the frontier ran empty.
    exhausted: bool,
}

/// Explores the states that `machines` can reach and looks for violations, as `options` say.
/// `machines` makes a machine for each thread that needs one; `progress` is called about every
/// 100 ms, on the calling thread.
pub fn check_safety<M, F>(
    machines: F,
    options: &Options,
    progress: &mut dyn FnMut(&Progress),
) -> SearchResult
where
    M: Machine,
    F: Fn() -> M + Sync,
{
    let result = check(&machines, options, progress);
    if result.incomplete != Some(Incomplete::Asymmetric) {
        return result;
    }
    check(&machines, &Options { symmetry: None, ..options.clone() }, progress)
}

fn check<M: Machine, F: Fn() -> M + Sync>(
    machines: &F,
    options: &Options,
    progress: &mut dyn FnMut(&Progress),
) -> SearchResult {
    let mut control = options.control().with_patience(PATIENCE);
    let mut run = None;
    if options.threads > 1 && options.order == Order::DepthFirst {
        let alone = Options { threads: 1, ..options.clone() };
        run = Some(reduce_and_explore(machines, &alone, &control, progress));
    }
    let mut threads = 1;
    let mut run = match run {
        Some(run) if !control.gave_up() => run,
        _ => {
            if options.order == Order::DepthFirst {
                threads = options.threads.max(1);
            }
            control = options.control();
            reduce_and_explore(machines, options, &control, progress)
        }
    };
    let mut peak = control.budget.peak();
    if options.shorten && options.order == Order::DepthFirst {
        peak = peak.max(shorten(machines, options, &mut run, progress));
    }
    let incomplete = control.reason();
    let exhausted = run.exhausted && incomplete.is_none();
    let errors = run.findings.errors();
    SearchResult {
        verdict: match (errors, incomplete) {
            (1.., _) => Verdict::Violated,
            (0, None) => Verdict::Holds,
            (0, Some(_)) => Verdict::Incomplete,
        },
        violations: run.findings.into_violations(),
        errors,
        states: run.stats.states,
        transitions: run.stats.transitions,
        depth: u64::from(run.stats.depth),
        incomplete,
        exhausted,
        store_bytes: run.stats.store_bytes,
        peak_bytes: peak,
        threads,
        symmetry: options.symmetry.is_some(),
        reduction: options.reduction.as_ref().map(|_| run.reduction),
        reached: run.reached,
        time: control.start.elapsed(),
    }
}

/// Explores with the reduction that `options` ask for.
fn reduce_and_explore<M: Machine, F: Fn() -> M + Sync>(
    machines: &F,
    options: &Options,
    control: &Control,
    progress: &mut dyn FnMut(&Progress),
) -> Run {
    match &options.reduction {
        None => explore(machines, &|| NoReduction, options, control, progress),
        Some(facts) => {
            let reducers = || Ample::new(Arc::clone(facts), &Objects::default(), options.ample);
            explore(machines, &reducers, options, control, progress)
        }
    }
}

/// Runs the search that `options` ask for, with a reducer for each thread.
fn explore<M, F, R>(
    machines: &F,
    reducers: &(impl Fn() -> R + Sync),
    options: &Options,
    control: &Control,
    progress: &mut dyn FnMut(&Progress),
) -> Run
where
    M: Machine,
    F: Fn() -> M + Sync,
    R: Reducer,
{
    match (options.order, options.threads) {
        (Order::BreadthFirst, _) => {
            bfs::search(machines, reducers(), options, control, progress, None)
        }
        (Order::DepthFirst, 0 | 1) => dfs::search(machines, reducers(), options, control, progress),
        (Order::DepthFirst, _) => parallel::search(machines, reducers, options, control, progress),
    }
}

/// Looks for the first violation once more, breadth-first and no deeper than it was found, and
/// puts the shorter execution in its place. If a limit is hit on the way, the violation stays as
/// it is. Says how much memory that took.
fn shorten<M: Machine, F: Fn() -> M + Sync>(
    machines: &F,
    options: &Options,
    run: &mut Run,
    progress: &mut dyn FnMut(&Progress),
) -> u64 {
    let Some((site, violation)) = run.findings.first() else {
        return 0;
    };
    let again = Options {
        order: Order::BreadthFirst,
        errors: 1,
        trails: 1,
        depth: Some(violation.steps.len() as u32),
        shorten: false,
        ..options.clone()
    };
    let control = again.control();
    let target = Some(site);
    let found = bfs::search(machines, NoReduction, &again, &control, progress, target).findings;
    if let Some((_, shorter)) = found.first() {
        if shorter.steps.len() < violation.steps.len() {
            run.findings.replace(0, shorter);
        }
    }
    control.budget.peak()
}

/// The result of a search that has no state to start from.
fn no_initial_state<M: Machine>(machine: &M, error: RuntimeError, options: &Options) -> Run {
    let mut findings = Findings::new(options);
    let kind = ViolationKind::Runtime(error);
    findings.count(kind, Site::of_state(kind));
    findings.keep(Site::of_state(kind), Violation { kind, steps: Vec::new() });
    Run {
        stats: Stats::default(),
        findings,
        reached: Reached::new(machine.model()),
        reduction: ReductionCounts::default(),
        exhausted: true,
    }
}

/// The result of a search that had no memory to begin with.
fn no_memory<M: Machine>(machine: &M, control: &Control, options: &Options) -> Run {
    control.stop(Some(Incomplete::Memory));
    Run {
        stats: Stats::default(),
        findings: Findings::new(options),
        reached: Reached::new(machine.model()),
        reduction: ReductionCounts::default(),
        exhausted: false,
    }
}
