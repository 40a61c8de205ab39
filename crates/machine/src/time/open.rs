//! Open time: how it passes beside steps that can be taken, and where it ends.

use isospin_model::time::Pace;
use isospin_model::{Model, Pid, ProcTypeId, Shape, Time, Urgency};

use crate::interpreter::Evaluator;
use crate::machine::Machine;
use crate::step::{Move, Step};
use crate::successors::Successors;

/// A wait looks so often whether somebody can move, at most: clocks have sixteen bits.
const MAX_LOOKS: u32 = 1 << 17;

/// Adds the step in which time passes in `state`, if it can.
pub(super) fn tick<M: Machine + ?Sized>(machine: &mut M, state: &[u8], out: &mut Successors) {
    let mut steps = Successors::default();
    machine.all_steps(state, false, &mut steps);
    if !steps.is_empty() {
        if let Some(next) = beside(machine, state, &steps) {
            out.push(Step::units(1), None, None, &next);
        }
        return;
    }
    // Nobody can move. Time passes if somebody ever could.
    let mut next = state.to_vec();
    let mut first = None;
    for passed in 1..=MAX_LOOKS {
        let model = machine.model();
        let Some(time) = &model.time else { return };
        let pace = time.pace;
        if !time.advance(model, &mut next) || !allowed(model, time, &next) {
            return;
        }
        first.get_or_insert_with(|| next.clone());
        machine.all_steps(&next, false, &mut steps);
        if !steps.is_empty() {
            let (units, state) = match (pace, first) {
                (Pace::Tick | Pace::Abstract, Some(first)) => (1, first),
                _ => (passed, next),
            };
            return out.push(Step::units(units), None, None, &state);
        }
    }
}

/// The state a unit of time later, if time can pass in `state` beside these steps, which are all
/// that there are.
pub(crate) fn beside<M: Machine + ?Sized>(
    machine: &mut M,
    state: &[u8],
    steps: &Successors,
) -> Option<Vec<u8>> {
    let model = machine.model();
    let time = model.time.as_ref().filter(|t| t.open)?;
    let mut shape = Shape::default();
    shape.read(model, state);
    let mut delayable: Vec<Move> = Vec::new();
    for step in steps.list().iter().filter_map(|s| s.step.process()) {
        let (ty, _) = shape.frames[step.pid.index()];
        match urgency(model, ty, step) {
            Urgency::Eager => return None,
            Urgency::Delayable => delayable.push(*step),
            Urgency::Lazy => {}
        }
    }
    let mut next = state.to_vec();
    time.advance(model, &mut next);
    if !allowed(model, time, &next) {
        return None;
    }
    let mut later = Successors::default();
    delayable.sort_by_key(|step| step.pid);
    for (k, step) in delayable.iter().enumerate() {
        if k == 0 || delayable[k - 1].pid != step.pid {
            later.clear();
            machine.steps(&next, step.pid, false, &mut later);
        }
        if !later.list().iter().any(|s| s.step == Step::Process(*step)) {
            return None;
        }
    }
    Some(next)
}

/// Whether a step keeps time from passing. One that failed before any edge was looked at does.
fn urgency(model: &Model, ty: ProcTypeId, step: &Move) -> Urgency {
    let edges = &model.proctype(ty).automaton.edges;
    edges.get(step.edge.index()).map_or(Urgency::Eager, |e| e.urgency)
}

/// Whether the conditions hold of the places where processes stand. One that has no value does not.
fn allowed(model: &Model, time: &Time, state: &[u8]) -> bool {
    if time.conditions.is_empty() {
        return true;
    }
    let mut shape = Shape::default();
    shape.read(model, state);
    let mut evaluator = Evaluator::default();
    evaluator.observe(model, state);
    shape.frames.iter().enumerate().all(|(pid, &(ty, frame))| {
        let location = model.proctype(ty).frame.location(state, frame as usize);
        let here = time.conditions.iter().filter(|c| c.proctype == ty && c.location == location);
        let pid = Pid::at(pid).index();
        here.into_iter().all(|c| evaluator.value(model, pid, &c.holds).is_ok_and(|v| v != 0))
    })
}
