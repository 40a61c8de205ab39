//! From a path of states to a list of steps.
//!
//! | file | what it does |
//! | --- | --- |
//! | `mod.rs` | the steps between the states of a path |
//! | `ended.rs` | executions of an optimised model as executions of the model as written |
//!
//! Searches record no steps. Between two states of a path lies a chain of steps that can be found
//! by running the machine once more, and only for the paths that are asked for.

mod ended;

use std::collections::HashSet;

pub use ended::{endings_after, settle_cycle, take_away_ended};

use isospin_machine::{Fault, Machine, Step, Successors};
use isospin_model::Pid;

/// What a walk comes across.
#[derive(Clone, Copy, Debug)]
pub enum Event<'e> {
    /// A storable state.
    Arrival(&'e [u8]),
    /// A step that goes wrong.
    Fault(Step, Fault),
}

/// The steps from the first state to the last, by way of every one in between, and the last state;
/// each state is one that the search stored. `None` if there is no state, or if the machine does
/// not lead from one to the next.
pub fn along_states<M: Machine>(
    machine: &mut M,
    mut states: impl Iterator<Item = Vec<u8>>,
) -> Option<(Vec<Step>, Vec<u8>)> {
    let mut from = states.next()?;
    let mut steps = Vec::new();
    for to in states {
        find(
            machine,
            &from,
            &mut steps,
            |event| matches!(event, Event::Arrival(state) if state == to),
        )?;
        from = to;
    }
    Some((steps, from))
}

/// Walks from `from` to the storable states that follow it, in the order in which a search meets
/// them, until `goal` holds. Appends the steps to `steps`. Yields the state arrived at, or for a
/// fault the state `from` itself.
pub fn find<M: Machine>(
    machine: &mut M,
    from: &[u8],
    steps: &mut Vec<Step>,
    mut goal: impl FnMut(Event) -> bool,
) -> Option<Vec<u8>> {
    let before = steps.len();
    // Each level has the successors of one state; the step taken from each level but the last is
    // in `steps`.
    let mut levels = vec![(all_steps(machine, from), 0)];
    let mut seen: HashSet<(Vec<u8>, Pid)> = HashSet::new();
    while let Some((successors, next)) = levels.last_mut() {
        let Some(&successor) = successors.list().get(*next) else {
            levels.pop();
            if !levels.is_empty() {
                steps.pop();
            }
            continue;
        };
        *next += 1;
        steps.push(successor.step);
        if let Some(fault) = successor.fault {
            if goal(Event::Fault(successor.step, fault)) {
                return Some(from.to_vec());
            }
            if matches!(fault, Fault::Runtime(_)) {
                steps.pop();
                continue;
            }
        }
        let state = successors.state(&successor).to_vec();
        let mut storable = true;
        if let Some(pid) = successor.control {
            if !seen.insert((state.clone(), pid)) {
                steps.pop();
                continue;
            }
            let mut further = Successors::default();
            if pid.index() < machine.process_count(&state) {
                machine.steps(&state, pid, false, &mut further);
            }
            if !further.is_empty() {
                levels.push((further, 0));
                storable = false;
            }
        }
        if storable {
            if goal(Event::Arrival(&state)) {
                return Some(state);
            }
            steps.pop();
        }
    }
    steps.truncate(before);
    None
}

/// What every process can do, the youngest first; a tick only if nothing else; with `timeout` only
/// if not even that.
pub(crate) fn all_steps<M: Machine>(machine: &mut M, state: &[u8]) -> Successors {
    let mut out = Successors::default();
    for timeout in [false, true] {
        if timeout {
            machine.tick(state, &mut out);
            if !out.is_empty() {
                break;
            }
        }
        for pid in (0..machine.process_count(state)).rev() {
            machine.steps(state, Pid::at(pid), timeout, &mut out);
        }
        if !out.is_empty() {
            if machine.model().time.as_ref().is_some_and(|t| t.open) {
                machine.tick_beside(state, &mut out);
            }
            break;
        }
    }
    out
}
