//! Whether a search under symmetry says what one without it says.

use std::collections::BTreeSet;
use std::sync::Arc;

use isospin_analysis::optimize::Optimizations;
use isospin_check::{AmpleSets, Options, Order, Report, SymmetryChoice, Wanted};
use isospin_model::Model;
use isospin_symmetry::{prepare, Strategy, Symmetry};

use crate::brute::Space;
use crate::checks::{everything, is_complete, run, safety, wrongs};
use crate::commuting::check_commuting;
use crate::orbits::{claimed, distinct, orbits};

/// All strategies.
pub const STRATEGIES: [Strategy; 6] = [
    Strategy::Full,
    Strategy::Sorted,
    Strategy::Segmented,
    Strategy::PcSorted,
    Strategy::PcSegmented,
    Strategy::Refined,
];

/// What came out of the comparisons on a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Compared {
    /// Whether the whole model is within the limit; the rest counts only then.
    pub complete: bool,
    /// How many permutations were found; 1 without symmetry.
    pub permutations: f64,
    /// States without symmetry.
    pub states: u64,
    /// States with a canonical strategy.
    pub canonical: u64,
    /// Whether a search had to give symmetry up.
    pub given_up: bool,
    /// Whether orbits were counted by brute force.
    pub counted: bool,
    /// How many states' successors were compared with those of their images.
    pub commuting: usize,
    /// Whether something is wrong with the model.
    pub violated: bool,
}

/// Searches `model` with every strategy, with and without partial-order reduction, in every order,
/// and compares what is wrong with it. In models of [`symmetric`](crate::symmetric), which have
/// `names` names, canonical strategies must give as many states as there are orbits. The error says
/// what differs.
pub fn check_symmetry(
    model: &Arc<Model>,
    limit: u64,
    names: Option<usize>,
) -> Result<Compared, String> {
    let mut compared = Compared { permutations: 1.0, ..Compared::default() };
    let plain = run(model, &safety(), &every(limit))?;
    if !is_complete(&plain) || plain.statistics.states > limit {
        return Ok(compared);
    }
    let expected = kinds(&plain)?;
    compared.complete = true;
    compared.violated = plain.statistics.errors > 0;
    for (name, optimize) in [("optimised", Optimizations::ALL), ("plain", Optimizations::NONE)] {
        let prepared = prepare(model, &[], Some(optimize));
        let Some(symmetry) = &prepared.detection.symmetry else { continue };
        let mut count = None;
        if let (Some(names), true) = (names, name == "optimised") {
            count = brute(&prepared.model, symmetry, names, limit)?;
            compared.counted = count.is_some();
        }
        if name == "optimised" {
            compared.permutations = symmetry.group.order();
            compared.states = states(&prepared.model, limit)?;
        }
        let mut canonical = None;
        for strategy in STRATEGIES {
            for (order, threads, reduced) in [
                (Order::DepthFirst, 1, false),
                (Order::BreadthFirst, 1, false),
                (Order::DepthFirst, 1, true),
                (Order::BreadthFirst, 1, true),
                (Order::DepthFirst, 2, true),
            ] {
                let por = reduced.then(AmpleSets::default);
                let symmetry = SymmetryChoice::Strategy(strategy);
                let how = format!("{name}, {}, {order:?}, reduction {reduced}", strategy.name());
                let wanted = Wanted { optimize, por, symmetry, main_array: None };
                let options = Options { order, threads: Some(threads), wanted, ..every(limit) };
                let report =
                    run(model, &safety(), &options).map_err(|why| format!("{how}: {why}"))?;
                if !is_complete(&report) {
                    return Ok(Compared::default());
                }
                let found = kinds(&report).map_err(|why| format!("{how}: {why}"))?;
                if found != expected {
                    return Err(format!("{how}: {found:?}, and without {expected:?}"));
                }
                if report.applied.symmetry.is_none() {
                    compared.given_up = true;
                    continue;
                }
                if reduced || !strategy.is_canonical() {
                    continue;
                }
                let stored = report.statistics.states;
                let states = *canonical.get_or_insert(stored);
                if states != stored {
                    return Err(format!("{how}: {stored} states, {states} before"));
                }
                if let Some(orbits) = count.filter(|&o| o != states) {
                    return Err(format!("{how}: {states} states, and there are {orbits} orbits"));
                }
            }
        }
        if let Some(space) = Space::explore(&prepared.model, limit as usize) {
            if !compared.given_up {
                compared.commuting += check_commuting(&prepared.model, symmetry, &space)
                    .map_err(|why| format!("{name}: {why}"))?;
            }
        }
        if name == "optimised" {
            compared.canonical = canonical.unwrap_or_default();
            // An orbit has at most as many states as there are permutations.
            let space = Space::explore(&prepared.model, limit as usize);
            let searched = compared.states;
            let space = space.filter(|s| !s.runtime && s.states.len() as u64 == searched);
            if let (Some(space), Some(states)) = (space, canonical) {
                let all = distinct(&prepared.model, &space);
                if (states as f64) * compared.permutations < all as f64 {
                    let few = format!("{states} states can not be all orbits of {all}");
                    return Err(format!("{few}, with {} permutations", compared.permutations));
                }
            }
        }
    }
    Ok(compared)
}

/// How many orbits there are.
fn brute(
    model: &Arc<Model>,
    symmetry: &Symmetry,
    names: usize,
    limit: u64,
) -> Result<Option<u64>, String> {
    let Some(permutations) = claimed(model, symmetry, names) else { return Ok(None) };
    let Some(space) = Space::explore(model, limit as usize) else { return Ok(None) };
    // Time that passes in jumps leaves states out.
    if space.states.len() as u64 != states(model, limit)? {
        return Ok(None);
    }
    // After a run-time error nothing follows, and which of two comes first may show in a loop.
    let processes = symmetry.types().count();
    let count = || orbits(model, &space, &permutations, names, processes) as u64;
    Ok((!space.runtime).then(count))
}

/// How many states a model has, without symmetry.
fn states(model: &Arc<Model>, limit: u64) -> Result<u64, String> {
    Ok(run(model, &safety(), &every(limit))?.statistics.states)
}

/// Looks for everything; a model on which that takes too much says nothing.
fn every(limit: u64) -> Options {
    everything((1 << 28).max(limit * 2000), 60)
}

/// The kinds of violations. Which edge fails depends on who is taken for whom.
fn kinds(report: &Report) -> Result<BTreeSet<&'static str>, String> {
    Ok(wrongs(report)?.into_iter().map(|(kind, _)| kind).collect())
}
