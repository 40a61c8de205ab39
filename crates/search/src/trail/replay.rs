//! An independent check that a list of steps is what it claims to be.
//!
//! The rules of atomic sequences, time, `timeout` and end states are written here once more, as
//! plainly as possible, on the interpreter, and without a line of what the searches use.

use std::fmt;
use std::sync::Arc;

use isospin_machine::{Fault, Interpreter, Machine, Move, Passing, Step};
use isospin_model::time::least_left;
use isospin_model::{Model, Pid, Scalar, Shape};

use crate::result::{Violation, ViolationKind};

/// Why a list of steps is not what it claims to be. Steps count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplayError {
    /// There is no initial state.
    NoInitialState,
    /// The step cannot be taken there.
    NotEnabled(usize),
    /// Another process is inside an atomic sequence and can go on.
    NotInControl(usize),
    /// The step goes wrong, and it is not the last.
    Fault(usize),
    /// All steps can be taken, and the violation is not there.
    NoViolation,
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayError::NoInitialState => write!(f, "the model has no initial state"),
            ReplayError::NotEnabled(k) => write!(f, "step {k} cannot be taken"),
            ReplayError::NotInControl(k) => {
                write!(f, "step {k} interrupts an atomic sequence that can go on")
            }
            ReplayError::Fault(k) => write!(f, "step {k} fails, and it is not the last"),
            ReplayError::NoViolation => write!(f, "the execution does not end in the violation"),
        }
    }
}

impl std::error::Error for ReplayError {}

/// Executes the steps of `violation` on the interpreter and confirms that they end in it. Yields
/// the last state.
pub fn replay(model: &Arc<Model>, violation: &Violation) -> Result<Vec<u8>, ReplayError> {
    let mut machine = Interpreter::new(Arc::clone(model));
    let mut state = Vec::new();
    if let Err(error) = machine.initial(&mut state) {
        return match violation.kind {
            ViolationKind::Runtime(claimed) if claimed == error && violation.steps.is_empty() => {
                Ok(state)
            }
            _ => Err(ReplayError::NoInitialState),
        };
    }
    // Who is inside an atomic sequence.
    let mut control: Option<Pid> = None;
    let mut last_fault = None;
    for (k, &step) in violation.steps.iter().enumerate() {
        if let Some(pid) = control {
            if Some(pid) != step.pid() && movable(&mut machine, &state, pid, false) {
                return Err(ReplayError::NotInControl(k));
            }
        }
        let mut timeout = !anybody_moves(&mut machine, &state, false);
        let by = match step {
            Step::Process(by) => by,
            Step::Time(passing) => {
                let passed = pass(&mut machine, &mut state, passing);
                last_fault = passed.ok_or(ReplayError::NotEnabled(k))?;
                if last_fault.is_some() && k + 1 != violation.steps.len() {
                    return Err(ReplayError::Fault(k));
                }
                control = None;
                continue;
            }
        };
        // What waits for `timeout` waits for time, too.
        timeout &= timers_off(model, &state);
        let Some((fault, _)) = machine.take(&mut state, step, timeout) else {
            return Err(ReplayError::NotEnabled(k));
        };
        let last = k + 1 == violation.steps.len();
        if matches!(fault, Some(Fault::Runtime(_))) && !last {
            return Err(ReplayError::Fault(k));
        }
        control = in_control(model, &state, by);
        last_fault = fault;
    }
    let confirmed = match violation.kind {
        ViolationKind::Assertion => last_fault == Some(Fault::Assertion),
        ViolationKind::Runtime(error) => last_fault == Some(Fault::Runtime(error)),
        ViolationKind::EndState => {
            !anybody_moves(&mut machine, &state, false)
                && timers_off(model, &state)
                && !anybody_moves(&mut machine, &state, true)
                && !may_end(model, &state)
        }
    };
    if confirmed {
        Ok(state)
    } else {
        Err(ReplayError::NoViolation)
    }
}

fn movable(machine: &mut Interpreter, state: &[u8], pid: Pid, timeout: bool) -> bool {
    pid.index() < machine.process_count(state) && machine.can_move(state, pid, timeout)
}

fn anybody_moves(machine: &mut Interpreter, state: &[u8], timeout: bool) -> bool {
    (0..machine.process_count(state)).any(|pid| machine.can_move(state, Pid::at(pid), timeout))
}

/// Longer waits than this are not looked at unit by unit.
const MAX_UNITS: u32 = 1_000;

/// Lets time pass, unit by unit, as long as nobody can move; says what is wrong with that. `None`
/// if it cannot pass.
fn pass(machine: &mut Interpreter, state: &mut Vec<u8>, passing: Passing) -> Option<Option<Fault>> {
    let mut left = match passing {
        Passing::Expiring(_) if anybody_moves(machine, state, false) => return None,
        Passing::Expiring(_) => {
            let taken = machine.take(state, Step::Time(passing), true);
            return taken.map(|(fault, _)| fault);
        }
        Passing::Units(0) => return None,
        Passing::Units(units) => units,
    };
    while left > 0 {
        if anybody_moves(machine, state, false) {
            return None;
        }
        // Of a very long wait, only the moments are looked at before and in which a timer expires.
        let next = match left {
            0..=MAX_UNITS => 1,
            _ => least_left(machine.model(), state).map_or(1, |l| l.saturating_sub(1).max(1)),
        };
        machine.take(state, Step::units(next.min(left)), true)?;
        left -= next.min(left);
    }
    Some(None)
}

/// Whether no timer runs or has expired.
fn timers_off(model: &Model, state: &[u8]) -> bool {
    let mut off = true;
    if let Some(time) = &model.time {
        time.for_each(model, state, |at| off &= Scalar::TIMER.load(state, at) < 0);
    }
    off
}

/// Who is inside an atomic sequence after `step`, which led to `state`: who made the last move of
/// it, if that stays inside.
fn in_control(model: &Model, state: &[u8], step: Move) -> Option<Pid> {
    let (pid, edge) = match step.partner {
        Some(partner) => (partner.pid, partner.edge),
        None => (step.pid, step.edge),
    };
    let mut shape = Shape::default();
    shape.read(model, state);
    let (ty, _) = *shape.frames.get(pid.index())?;
    let automaton = &model.proctypes[ty.index()].automaton;
    automaton.edges.get(edge.index()).is_some_and(|e| e.atomic).then_some(pid)
}

/// Whether every process stands where it may end.
fn may_end(model: &Model, state: &[u8]) -> bool {
    let mut shape = Shape::default();
    shape.read(model, state);
    shape.frames.iter().all(|&(ty, at)| {
        let proctype = &model.proctypes[ty.index()];
        let location = proctype.frame.location(state, at as usize);
        proctype.automaton.locations[location.index()].end
    })
}
