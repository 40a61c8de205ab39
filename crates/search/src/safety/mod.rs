//! Searches for what needs no cycle: failed assertions, invalid end states, run-time errors.
//!
//! All of them are set up in one way and do the same with what they find. They differ in which
//! state they take from the frontier next, and in how they know the way to it.
//!
//! | file | what it does |
//! | --- | --- |
//! | `context.rs` | how a search is set up, what its threads share, what it hands back |
//! | `gatherer.rs` | what becomes of what an expansion finds |
//! | `path.rs` | what the searches differ in |
//! | `dfs.rs` | depth-first, on one thread; the path is on a stack of real states |
//! | `parents.rs` | the path through parents in the set, for the others |
//! | `bfs.rs` | breadth-first, on one thread |
//! | `parallel.rs` | depth-first on several threads that share a set |
//! | `worker.rs`, `pool.rs` | one of those threads; how they hand each other work |
//! | `arrivals.rs` | states on their way into the set and onto a frontier |
//! | `frontier.rs` | states waiting to be expanded |
//! | `counters.rs`, `findings.rs` | counting states; counting violations and keeping the first of each |
//! | `tracing.rs` | the steps that lead to a violation |

mod arrivals;
mod bfs;
mod context;
mod counters;
mod dfs;
mod findings;
mod frontier;
mod gatherer;
mod parallel;
mod parents;
mod path;
mod pool;
mod tracing;
mod worker;

use std::sync::Arc;

use isospin_analysis::facts::Objects;
use isospin_machine::Machine;
use isospin_store::{Exact, Marks, Parents};

use crate::expand::{NoReduction, Reducer};
use crate::limits::{Control, Progress};
use crate::options::{Options, Order};
use crate::reduce::Ample;
use crate::result::{SearchResult, Verdict};
use context::Run;

/// So many states one thread expands before others join in. Most models are done by then, and
/// with one thread the result is always the same.
const EXPANSIONS_ALONE: u64 = 1 << 13;

/// Which sets keep the states that have been visited. Only a depth-first search on one thread has
/// its path on its stack; the others need parents for it.
pub trait Sets {
    /// In depth-first search on one thread.
    type DepthFirst: Marks;
    /// In breadth-first search, with which violations are looked for again on the shortest path, too.
    type BreadthFirst: Marks + Parents;
    /// Where several threads search.
    type Parallel: Marks + Parents + Sync;
}

/// Exact sets.
#[derive(Clone, Copy, Debug)]
pub struct ExactSets;

impl Sets for ExactSets {
    type DepthFirst = Exact<false>;
    type BreadthFirst = Exact<false>;
    type Parallel = Exact<true>;
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
    check_safety_in::<ExactSets, M, F>(machines, options, progress)
}

/// As [`check_safety`], with other sets.
pub fn check_safety_in<K, M, F>(
    machines: F,
    options: &Options,
    progress: &mut dyn FnMut(&Progress),
) -> SearchResult
where
    K: Sets,
    M: Machine,
    F: Fn() -> M + Sync,
{
    let (result, asymmetric) = check::<K, M, F>(&machines, options, progress);
    if !asymmetric {
        return result;
    }
    let options = Options { symmetry: None, ..options.clone() };
    check::<K, M, F>(&machines, &options, progress).0
}

/// Explores, and says whether the model has turned out not to be symmetric.
fn check<K: Sets, M: Machine, F: Fn() -> M + Sync>(
    machines: &F,
    options: &Options,
    progress: &mut dyn FnMut(&Progress),
) -> (SearchResult, bool) {
    let mut control = options.control().with_patience(EXPANSIONS_ALONE);
    let mut run = None;
    if options.threads > 1 && options.order == Order::DepthFirst {
        let alone = Options { threads: 1, ..options.clone() };
        run = Some(reduce_and_explore::<K, M, F>(machines, &alone, &control, progress));
    }
    let mut threads = 1;
    let mut run = match run {
        Some(run) if !control.gave_up() => run,
        _ => {
            if options.order == Order::DepthFirst {
                threads = options.threads.max(1);
            }
            control = options.control();
            reduce_and_explore::<K, M, F>(machines, options, &control, progress)
        }
    };
    let mut peak = control.budget.peak();
    if options.shorten && options.order == Order::DepthFirst {
        peak = peak.max(shorten::<K, M, F>(machines, options, &mut run, progress));
    }
    let incomplete = control.reason();
    let exhausted = run.exhausted && incomplete.is_none() && run.exact;
    let errors = run.found.errors;
    let result = SearchResult {
        verdict: match (errors, incomplete) {
            (1.., _) => Verdict::Violated,
            (0, None) if run.exact => Verdict::Holds,
            (0, _) => Verdict::Incomplete,
        },
        violations: run.found.violations.into_iter().map(|(_, violation)| violation).collect(),
        errors,
        states: run.stats.states,
        transitions: run.stats.transitions,
        depth: u64::from(run.stats.depth),
        incomplete,
        exhausted,
        endless: run.found.endless,
        store_bytes: run.stats.store_bytes,
        peak_bytes: peak,
        threads,
        symmetry: options.symmetry.is_some(),
        reduction: options.reduction.as_ref().map(|_| run.reduction),
        reached: run.reached,
        time: control.start.elapsed(),
    };
    (result, control.is_asymmetric())
}

/// Explores with the reduction that `options` ask for.
fn reduce_and_explore<K: Sets, M: Machine, F: Fn() -> M + Sync>(
    machines: &F,
    options: &Options,
    control: &Control,
    progress: &mut dyn FnMut(&Progress),
) -> Run {
    match &options.reduction {
        None => explore::<K, M, F, _>(machines, &|| NoReduction, options, control, progress),
        Some(facts) => {
            let reducers = || Ample::new(Arc::clone(facts), &Objects::default(), options.ample);
            explore::<K, M, F, _>(machines, &reducers, options, control, progress)
        }
    }
}

/// Runs the search that `options` ask for, with a reducer for each thread.
fn explore<K, M, F, R>(
    machines: &F,
    reducers: &(impl Fn() -> R + Sync),
    options: &Options,
    control: &Control,
    progress: &mut dyn FnMut(&Progress),
) -> Run
where
    K: Sets,
    M: Machine,
    F: Fn() -> M + Sync,
    R: Reducer,
{
    match (options.order, options.threads) {
        (Order::BreadthFirst, _) => bfs::search::<K::BreadthFirst, M, F, R>(
            machines,
            reducers(),
            options,
            control,
            progress,
            None,
        ),
        (Order::DepthFirst, 0 | 1) => {
            dfs::search::<K::DepthFirst, M, F, R>(machines, reducers(), options, control, progress)
        }
        (Order::DepthFirst, _) => {
            parallel::search::<K::Parallel, M, F, R>(machines, reducers, options, control, progress)
        }
    }
}

/// Looks for the first violation once more, breadth-first and no deeper than it was found, and
/// puts the shorter execution in its place. If a limit is hit on the way, the violation stays as
/// it is. Says how much memory that took.
fn shorten<K: Sets, M: Machine, F: Fn() -> M + Sync>(
    machines: &F,
    options: &Options,
    run: &mut Run,
    progress: &mut dyn FnMut(&Progress),
) -> u64 {
    let Some((site, violation)) = run.found.violations.first_mut() else {
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
    let only = Some(*site);
    let shorter = bfs::search::<K::BreadthFirst, M, F, _>(
        machines,
        NoReduction,
        &again,
        &control,
        progress,
        only,
    );
    if let Some((_, shorter)) = shorter.found.violations.into_iter().next() {
        if shorter.steps.len() < violation.steps.len() {
            *violation = shorter;
        }
    }
    control.budget.peak()
}
