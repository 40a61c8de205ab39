//! Executions of an optimised model as executions of the model as written.
//!
//! Executions of a model in which processes that have ended stay where they are, as executions of
//! the model as written, in which they are taken away.
//!
//! To be taken away is a step that nobody waits for, with one exception: `timeout` and the passing
//! of time are possible only when nothing else is, and so is the end of an execution.

use std::sync::Arc;

use isospin_machine::{Interpreter, Machine, Passing, Step, Successors};
use isospin_model::{Action, Model, Pid, Shape};

/// The steps with those put in between that take ended processes away where it has to be, and for
/// each of the given steps its number among them. `at_end` says whether everybody is taken away in
/// the end.
pub fn take_away_ended(
    model: &Arc<Model>,
    steps: &[Step],
    at_end: bool,
) -> (Vec<Step>, Vec<usize>) {
    let mut machine = Interpreter::new(Arc::clone(model));
    let mut state = Vec::new();
    let (mut all, mut numbers) = (Vec::new(), Vec::new());
    if machine.initial(&mut state).is_err() {
        return (steps.to_vec(), (0..steps.len()).collect());
    }
    let mut control = None;
    for &step in steps {
        let next = take(&mut machine, &state, step, false).or_else(|| {
            // Who is inside an atomic sequence is in control only as long as it can go on.
            if control.is_none_or(|pid: Pid| !machine.can_move(&state, pid, false)) {
                take_away(&mut machine, &mut state, &mut all);
            }
            take(&mut machine, &state, step, true)
        });
        numbers.push(all.len());
        all.push(step);
        match next {
            Some((next, in_control)) => (state, control) = (next, in_control),
            // A step that fails is the last one.
            None => return (all, numbers),
        }
    }
    if at_end {
        take_away(&mut machine, &mut state, &mut all);
    }
    (all, numbers)
}

/// The steps that take away whoever has ended and can be taken away after these steps. Fairness does
/// not let them stay for ever.
pub fn endings_after(model: &Arc<Model>, steps: &[Step]) -> Vec<Step> {
    let mut machine = Interpreter::new(Arc::clone(model));
    let mut state = Vec::new();
    let mut endings = Vec::new();
    if machine.initial(&mut state).is_err() {
        return endings;
    }
    for &step in steps {
        let next = take(&mut machine, &state, step, false)
            .or_else(|| take(&mut machine, &state, step, true));
        let Some((next, _)) = next else { return endings };
        state = next;
    }
    take_away(&mut machine, &mut state, &mut endings);
    endings
}

/// Has a cycle, which starts after `start` steps, come back to the very state that it starts from.
///
/// It came back in the optimised model, where variables that are not needed are reset. In the model
/// as written they may differ after the first round, which then becomes part of the stem; after it
/// they are what the cycle makes of them.
pub fn settle_cycle(model: &Arc<Model>, steps: &mut Vec<Step>, start: usize) -> usize {
    let cycle = steps[start.min(steps.len())..].to_vec();
    if cycle.is_empty() {
        return start;
    }
    let hidden = model.layout.hidden as usize;
    let mut machine = Interpreter::new(Arc::clone(model));
    let mut state = Vec::new();
    if machine.initial(&mut state).is_err() {
        return start;
    }
    let follow = |machine: &mut Interpreter, state: &mut Vec<u8>, steps: &[Step]| {
        steps.iter().all(|&step| {
            let next =
                take(machine, state, step, false).or_else(|| take(machine, state, step, true));
            next.map(|(next, _)| *state = next).is_some()
        })
    };
    if !follow(&mut machine, &mut state, &steps[..start]) {
        return start;
    }
    let mut start = start;
    for _ in 0..4 {
        let before = state.clone();
        if !follow(&mut machine, &mut state, &cycle) || before[hidden..] == state[hidden..] {
            break;
        }
        start += cycle.len();
        steps.extend_from_slice(&cycle);
    }
    start
}

/// The state after a step, if it can be taken.
fn take(
    machine: &mut Interpreter,
    state: &[u8],
    step: Step,
    timeout: bool,
) -> Option<(Vec<u8>, Option<Pid>)> {
    let mut out = Successors::default();
    let passing = match step {
        Step::Process(by) => {
            machine.steps(state, by.pid, timeout, &mut out);
            let found = out.list().iter().find(|s| s.step == step)?;
            return Some((out.state(found).to_vec(), found.control));
        }
        Step::Time(passing) => passing,
    };
    // Time passes where nothing else is possible, and several ticks may be taken together.
    if !timeout {
        return None;
    }
    let (times, one) = match passing {
        Passing::Expiring(_) => (1, step),
        Passing::Units(units) => (units, Step::units(1)),
    };
    let mut state = state.to_vec();
    for _ in 0..times {
        out.clear();
        machine.tick(&state, &mut out);
        let found = out.list().iter().find(|s| s.step == one)?;
        state = out.state(found).to_vec();
    }
    Some((state, None))
}

/// Takes away whoever has ended and can be taken away.
fn take_away(machine: &mut Interpreter, state: &mut Vec<u8>, steps: &mut Vec<Step>) {
    loop {
        let mut shape = Shape::default();
        shape.read(machine.model(), state);
        let Some(youngest) = shape.frames.len().checked_sub(1) else { return };
        let ty = shape.frames[youngest].0;
        let mut out = Successors::default();
        machine.steps(state, Pid::at(youngest), false, &mut out);
        let edges = &machine.model().proctypes[ty.index()].automaton.edges;
        let end = |s: &&isospin_machine::Successor| {
            let edge = s.step.process().and_then(|by| edges.get(by.edge.index()));
            edge.is_some_and(|e| e.action == Action::End)
        };
        let Some(found) = out.list().iter().find(end) else { return };
        steps.push(found.step);
        *state = out.state(found).to_vec();
    }
}
