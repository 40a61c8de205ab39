//! Whether reductions and optimisations keep what a model says.

use std::sync::Arc;

use isospin_analysis::optimize::{optimize, Optimizations};
use isospin_check::asked::END_STATES;
use isospin_check::{AmpleSets, Asked, Options, Order, Wanted};
use isospin_model::{Cluster, Expr, Member, Model, SourceRef};

use crate::checks::{everything, is_complete, run, safety, wrongs};

/// Every choice of optimisations that is looked at, with a name.
pub const OPTIMIZATIONS: [(&str, Optimizations); 6] = [
    ("plain", Optimizations::NONE),
    ("merged", Optimizations { merge: true, ..Optimizations::NONE }),
    ("dead", Optimizations { dead: true, ..Optimizations::NONE }),
    ("unread", Optimizations { unread: true, ..Optimizations::NONE }),
    ("jumps", Optimizations { jumps: true, ..Optimizations::NONE }),
    ("optimised", Optimizations::ALL),
];

/// The model with these optimisations, for a property that looks at `observers`.
pub fn optimized(model: &Arc<Model>, observers: &[Expr], which: Optimizations) -> Arc<Model> {
    let mut optimized = Model::clone(model);
    optimize(&mut optimized, observers, which);
    Arc::new(optimized)
}

/// What came out of the comparisons on a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// Whether the whole model is within the limit; the rest counts only then.
    pub complete: bool,
    /// States without any reduction.
    pub states: u64,
    /// States with partial-order reduction.
    pub reduced: u64,
    /// Whether something is wrong with the model.
    pub violated: bool,
}

/// Searches `model` with every optimisation, with and without partial-order reduction, in every
/// order; compares what is wrong with it, and the number of dead ends where they are the same
/// states. The error says what differs.
pub fn check_reductions(model: &Arc<Model>, limit: u64) -> Result<Compared, String> {
    let mut compared = Compared::default();
    let plain = run(model, &safety(), &every())?;
    if !is_complete(&plain) || plain.statistics.states > limit {
        return Ok(compared);
    }
    let expected = wrongs(&plain)?;
    compared.complete = true;
    compared.states = plain.statistics.states;
    compared.violated = plain.statistics.errors > 0;
    let runtime = expected.iter().any(|(kind, _)| *kind == "runtime");
    let starts =
        model.proctypes.iter().flat_map(|p| &p.automaton.edges).any(|e| e.action.starts_process());
    let clustered = Arc::new(declare_clusters(model));
    let usual = AmpleSets::default();
    let ways = [
        (model, Order::DepthFirst, 1, None),
        (model, Order::BreadthFirst, 1, None),
        (model, Order::DepthFirst, 1, Some(usual)),
        (model, Order::BreadthFirst, 1, Some(usual)),
        (model, Order::DepthFirst, 2, Some(usual)),
        (model, Order::DepthFirst, 1, Some(AmpleSets::Process)),
        (model, Order::DepthFirst, 1, Some(AmpleSets::Cluster)),
        (&clustered, Order::DepthFirst, 1, Some(AmpleSets::Cluster)),
    ];
    for (name, optimize) in OPTIMIZATIONS {
        for (searched, order, threads, por) in ways {
            let clusters = searched.clusters.len();
            let how = format!("{name}, {order:?}, {threads} threads, {por:?}, {clusters} clusters");
            let wanted = Wanted { optimize, por, ..Wanted::none() };
            let options = Options { order, threads: Some(threads), wanted, ..every() };
            let report =
                run(searched, &safety(), &options).map_err(|why| format!("{how}: {why}"))?;
            if !is_complete(&report) {
                return Ok(Compared::default());
            }
            let found = wrongs(&report).map_err(|why| format!("{how}: {why}"))?;
            if found != expected {
                return Err(format!("{how}: {found:?}, and without {expected:?}"));
            }
            let reduced = report.applied.por && name == "plain";
            if reduced && por == Some(usual) && threads == 1 && order == Order::DepthFirst {
                compared.reduced = report.statistics.states;
            }
            // Without new processes a dead end is the same vector however it was reached.
            if reduced && !runtime && !starts {
                let (before, after) = (dead_ends(model, every())?, dead_ends(searched, options)?);
                if before != after {
                    return Err(format!("{how}: {after} dead ends, and without {before}"));
                }
            }
        }
    }
    Ok(compared)
}

/// The model with clusters that somebody might have declared, rightly or not: the first two process
/// types, and these with the third.
fn declare_clusters(model: &Model) -> Model {
    let mut model = model.clone();
    let members: Vec<Member> =
        model.proctype_ids().map(|proctype| Member { proctype, pid: None }).collect();
    for (name, count) in [("two", 2), ("three", 3)] {
        let members = members.iter().copied().take(count).collect();
        model.clusters.push(Cluster { name: name.into(), members, source: SourceRef::default() });
    }
    model
}

/// Looks for everything; a model on which that takes too much says nothing.
fn every() -> Options {
    everything(1 << 28, 20)
}

/// How many states are dead ends where somebody may not end, in a model without run-time errors.
fn dead_ends(model: &Arc<Model>, options: Options) -> Result<u64, String> {
    let asked = Asked { properties: vec![END_STATES.to_owned()], ..safety() };
    let report = run(model, &asked, &Options { findings: 0, ..options })?;
    Ok(report.statistics.errors)
}
