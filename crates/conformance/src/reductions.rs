//! Whether reductions and optimisations keep what a model says.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use isospin_analysis::facts::Facts;
use isospin_analysis::optimize::{optimize, Optimizations};
use isospin_machine::{Interpreter, Step};
use isospin_model::{Cluster, EdgeId, Expr, Member, Model, SourceRef};
use isospin_search::reduce::AmpleSets;
use isospin_search::{check_safety, replay, Options, Order, SearchResult, ViolationKind};

/// What is wrong with a model: kinds of violations, with the edges of the steps that fail.
type Wrong = BTreeSet<(&'static str, Option<EdgeId>)>;

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
    let plain = search(model, &every());
    if plain.incomplete.is_some() || plain.states > limit {
        return Ok(compared);
    }
    let expected = wrong(model, &plain)?;
    compared.complete = true;
    compared.states = plain.states;
    compared.violated = plain.errors > 0;
    let runtime = expected.iter().any(|(kind, _)| *kind == "runtime");
    let starts =
        model.proctypes.iter().flat_map(|p| &p.automaton.edges).any(|e| e.action.starts_process());
    for (name, which) in OPTIMIZATIONS {
        let changed = optimized(model, &[], which);
        let facts = Facts::of(&changed, &[]);
        let facts = facts.obstacle.is_none().then(|| Arc::new(facts));
        let usual = AmpleSets::default();
        let mut ways =
            vec![(Order::DepthFirst, 1, None, usual), (Order::BreadthFirst, 1, None, usual)];
        if facts.is_some() {
            ways.push((Order::DepthFirst, 1, facts.clone(), usual));
            ways.push((Order::BreadthFirst, 1, facts.clone(), usual));
            ways.push((Order::DepthFirst, 2, facts.clone(), usual));
            for ample in [AmpleSets::Process, AmpleSets::Cluster] {
                ways.push((Order::DepthFirst, 1, facts.clone(), ample));
            }
        }
        let mut searches: Vec<_> =
            ways.into_iter().map(|way| (Arc::clone(&changed), way)).collect();
        if facts.is_some() {
            let way = (Order::DepthFirst, 1, facts.clone(), AmpleSets::Cluster);
            searches.push((Arc::new(declare_clusters(&changed)), way));
        }
        for (changed, (order, threads, reduction, ample)) in searches {
            let por = reduction.is_some();
            let clusters = changed.clusters.len();
            let how = format!(
                "{name}, {order:?}, {threads} threads, reduction {por} {ample:?}, {clusters} clusters"
            );
            let options = Options { order, threads, reduction, ample, ..every() };
            let result = search(&changed, &options);
            if result.incomplete.is_some() {
                return Ok(Compared::default());
            }
            let found = wrong(model, &result).map_err(|why| format!("{how}: {why}"))?;
            if found != expected {
                return Err(format!("{how}: {found:?}, and without {expected:?}"));
            }
            let first = ample == usual && threads == 1 && order == Order::DepthFirst;
            if por && name == "plain" && first {
                compared.reduced = result.states;
            }
            // Without new processes a dead end is the same vector however it was reached.
            if por && name == "plain" && !runtime && !starts {
                let (before, after) = (dead_ends(model, every()), dead_ends(&changed, options));
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
    let (memory, time) = (Some(1 << 28), Some(Duration::from_secs(20)));
    Options { errors: 0, trails: 10_000, memory, time, ..Options::default() }
}

fn search(model: &Arc<Model>, options: &Options) -> SearchResult {
    check_safety(|| Interpreter::new(Arc::clone(model)), options, &mut |_| {})
}

/// How many states are dead ends where somebody may not end, in a model without run-time errors.
fn dead_ends(model: &Arc<Model>, options: Options) -> u64 {
    search(model, &Options { assertions: false, trails: 0, ..options }).errors
}

/// The violations, after each has been replayed on the model as written.
fn wrong(model: &Arc<Model>, result: &SearchResult) -> Result<Wrong, String> {
    let mut wrong = Wrong::new();
    if (result.errors > 0) == result.violations.is_empty() {
        return Err(format!("{} errors without a violation", result.errors));
    }
    for violation in &result.violations {
        let last = violation.steps.last().and_then(Step::process).map(|by| by.edge);
        wrong.insert(match violation.kind {
            ViolationKind::Assertion => ("assertion", last),
            ViolationKind::EndState => ("end", None),
            ViolationKind::Runtime(_) => ("runtime", last),
        });
        replay(model, violation).map_err(|why| format!("{:?}: {why}", violation.kind))?;
    }
    Ok(wrong)
}
