//! Whether a search under symmetry says what one without it says.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use isospin_analysis::facts::Facts;
use isospin_analysis::optimize::Optimizations;
use isospin_machine::Interpreter;
use isospin_model::Model;
use isospin_search::{
    check_safety, replay, take_away_ended, Options, Order, SearchResult, ViolationKind,
};
use isospin_symmetry::{prepare, Strategy, Symmetry};

use crate::brute::Space;
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
    let plain = search(model, &every(limit));
    if plain.incomplete.is_some() || plain.states > limit {
        return Ok(compared);
    }
    let expected = wrong(model, &plain, false)?;
    compared.complete = true;
    compared.violated = plain.errors > 0;
    for (name, which) in [("optimised", Optimizations::ALL), ("plain", Optimizations::NONE)] {
        let prepared = prepare(model, &[], Some(which));
        let Some(symmetry) = &prepared.detection.symmetry else { continue };
        let mut count = None;
        if let (Some(names), true) = (names, name == "optimised") {
            count = brute(&prepared.model, symmetry, names, limit);
            compared.counted = count.is_some();
        }
        if name == "optimised" {
            compared.permutations = symmetry.group.order();
            compared.states = search(&prepared.model, &every(limit)).states;
        }
        let facts = Facts::of(&prepared.model, &[]);
        let facts = facts.obstacle.is_none().then(|| Arc::new(facts));
        let mut canonical = None;
        for strategy in STRATEGIES {
            for (order, threads, por) in [
                (Order::DepthFirst, 1, false),
                (Order::BreadthFirst, 1, false),
                (Order::DepthFirst, 1, true),
                (Order::BreadthFirst, 1, true),
                (Order::DepthFirst, 2, true),
            ] {
                let reduction = facts.clone().filter(|_| por);
                let symmetry = Some((Arc::clone(symmetry), strategy));
                let how = format!("{name}, {}, {order:?}, reduction {por}", strategy.name());
                let options = Options { order, threads, reduction, symmetry, ..every(limit) };
                let result = search(&prepared.model, &options);
                if result.incomplete.is_some() {
                    return Ok(Compared::default());
                }
                let found = wrong(model, &result, prepared.keeps_ended.is_ok())
                    .map_err(|why| format!("{how}: {why}"))?;
                if found != expected {
                    return Err(format!("{how}: {found:?}, and without {expected:?}"));
                }
                if !result.symmetry {
                    compared.given_up = true;
                    continue;
                }
                if por || !strategy.is_canonical() {
                    continue;
                }
                let states = *canonical.get_or_insert(result.states);
                if states != result.states {
                    return Err(format!("{how}: {} states, {states} before", result.states));
                }
                if let Some(orbits) = count.filter(|&o| o != states) {
                    return Err(format!("{how}: {states} states, and there are {orbits} orbits"));
                }
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
fn brute(model: &Arc<Model>, symmetry: &Symmetry, names: usize, limit: u64) -> Option<u64> {
    let permutations = claimed(model, symmetry, names)?;
    let space = Space::explore(model, limit as usize)?;
    // Time that passes in jumps leaves states out.
    if space.states.len() as u64 != search(model, &every(limit)).states {
        return None;
    }
    // After a run-time error nothing follows, and which of two comes first may show in a loop.
    let processes = symmetry.types().count();
    (!space.runtime).then(|| orbits(model, &space, &permutations, names, processes) as u64)
}

/// Looks for everything; a model on which that takes too much says nothing.
fn every(limit: u64) -> Options {
    let memory = Some((1 << 28).max(limit * 2000));
    let time = Some(Duration::from_secs(60));
    Options { errors: 0, trails: 10_000, memory, time, ..Options::default() }
}

fn search(model: &Arc<Model>, options: &Options) -> SearchResult {
    check_safety(|| Interpreter::new(Arc::clone(model)), options, &mut |_| {})
}

/// The kinds of violations, after each has been replayed on the model as written.
fn wrong(
    model: &Arc<Model>,
    result: &SearchResult,
    keeps_ended: bool,
) -> Result<BTreeSet<&'static str>, String> {
    let mut wrong = BTreeSet::new();
    if (result.errors > 0) == result.violations.is_empty() {
        return Err(format!("{} errors without a violation", result.errors));
    }
    for violation in &result.violations {
        wrong.insert(match violation.kind {
            ViolationKind::Assertion => "assertion",
            ViolationKind::EndState => "end",
            ViolationKind::Runtime(_) => "runtime",
        });
        let mut violation = violation.clone();
        if keeps_ended {
            let at_end = violation.kind == ViolationKind::EndState;
            violation.steps = take_away_ended(model, &violation.steps, at_end).0;
        }
        replay(model, &violation).map_err(|why| format!("{:?}: {why}", violation.kind))?;
    }
    Ok(wrong)
}
