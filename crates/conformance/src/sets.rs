//! Whether models explored as sets of states have the states that they have by brute force.

use std::sync::Arc;
use std::time::Duration;

use isospin_analysis::optimize::Optimizations;
use isospin_check::{Engine, Options, Wanted};
use isospin_lists::{explore, Strategy};
use isospin_machine::Interpreter;
use isospin_model::Model;

use crate::brute::Space;
use crate::checks::{everything, run, safety, wrongs};
use crate::reductions::optimized;

/// The orders in which sets are explored.
pub const STRATEGIES: [Strategy; 3] =
    [Strategy::BreadthFirst, Strategy::Chaining, Strategy::Saturation];

/// Compares counts of states and of invalid end states, for the model as it is and optimised, in
/// every order; and what is wrong, state by state and in sets. Says how many states there are, or
/// nothing where there are more than `limit`.
pub fn check_sets(model: &Arc<Model>, limit: usize) -> Result<Option<usize>, String> {
    let Some(space) = Space::explore(model, limit) else { return Ok(None) };
    counts(model, &space)?;
    let reduced = optimized(model, &[], Optimizations { jumps: false, ..Optimizations::ALL });
    if let Some(space) = Space::explore(&reduced, limit) {
        counts(&reduced, &space).map_err(|why| format!("optimised: {why}"))?;
    }
    verdicts(model)?;
    Ok(Some(space.states.len()))
}

fn counts(model: &Arc<Model>, space: &Space) -> Result<(), String> {
    let dead = space.states.iter().filter(|s| s.invalid_end).count();
    for strategy in STRATEGIES {
        let time = Some(Duration::from_secs(60));
        let options =
            isospin_lists::Options { strategy, first_only: false, time, ..Default::default() };
        let found = explore(|| Interpreter::new(Arc::clone(model)), &options, &mut |_| {});
        if found.wide {
            return Err(format!("{strategy:?}: steps look at more than was known"));
        }
        if !found.exhausted {
            return Err(format!("{strategy:?}: not everything was explored"));
        }
        let expected = (space.states.len().to_string(), dead.to_string());
        let counted = (found.states.to_string(), found.dead.to_string());
        if counted != expected {
            return Err(format!("{strategy:?}: states and ends {counted:?}, not {expected:?}"));
        }
        let wrong = space.assertion || space.runtime || dead > 0;
        if found.met != wrong {
            return Err(format!("{strategy:?}: something wrong {}, not {wrong}", found.met));
        }
    }
    Ok(())
}

/// What is found wrong through the façade, with every execution confirmed.
fn verdicts(model: &Arc<Model>) -> Result<(), String> {
    let exact = everything(1 << 30, 60);
    let expected = wrongs(&run(model, &safety(), &exact)?)?;
    let sets = Options { engine: Engine::Symbolic, ..exact };
    let found = wrongs(&run(model, &safety(), &sets)?)?;
    if found != expected {
        return Err(format!("found wrong {found:?}, not {expected:?}"));
    }
    // As a user does it: machine code, an optimised model, the first violation.
    let usual = Options { wanted: Wanted::all(), machine: None, errors: 1, ..sets };
    let first = wrongs(&run(model, &safety(), &usual)?)?;
    if first.is_empty() != expected.is_empty() {
        return Err(format!("found first {first:?}, of {expected:?}"));
    }
    Ok(())
}
