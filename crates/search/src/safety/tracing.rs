//! The steps that lead to a violation.

use isospin_machine::{Fault, Machine, Step};

use super::findings::kind_of;
use crate::result::{Violation, ViolationKind};
use crate::store::{Handle, StateId};
use crate::trail::{self, Event};

/// What went wrong in or right after the last state of a path.
#[derive(Clone, Copy, Debug)]
pub(super) enum Failure {
    /// The state is an invalid end state.
    End,
    /// This step of an execution from there to a following state.
    Step(Step, Fault),
}

impl Failure {
    pub fn kind(self) -> ViolationKind {
        match self {
            Failure::End => ViolationKind::EndState,
            Failure::Step(_, fault) => kind_of(fault),
        }
    }

    /// Appends the steps from the last state of the path to what went wrong.
    fn finish<M: Machine>(self, machine: &mut M, last: &[u8], steps: &mut Vec<Step>) {
        if let Failure::Step(step, fault) = self {
            trail::find(
                machine,
                last,
                steps,
                |event| matches!(event, Event::Fault(s, f) if s == step && f == fault),
            );
        }
    }
}

/// The violation at the end of a path of real states, the initial one first.
pub(super) fn along_states<M: Machine>(
    machine: &mut M,
    path: impl Iterator<Item = Vec<u8>>,
    failure: Failure,
) -> Violation {
    let (mut steps, last) = trail::along_states(machine, path).unwrap_or_default();
    failure.finish(machine, &last, &mut steps);
    Violation { kind: failure.kind(), steps }
}

/// The violation at the end of a path that is given by the last state's id and the parents in the
/// store. The states on it are recomputed from the initial one, each as the first successor of
/// the one before that has the right id, which is the one that the search went on with.
pub(super) fn along_parents<M: Machine, const SHARED: bool>(
    machine: &mut M,
    handle: &mut Handle<'_, SHARED>,
    last: StateId,
    failure: Failure,
) -> Violation {
    let hidden = machine.model().layout.hidden as usize;
    let mut path = vec![last];
    while let Some(parent) = path.last().and_then(|&id| handle.store().parent(id)) {
        path.push(parent);
    }
    let mut state = Vec::new();
    let mut steps = Vec::new();
    if machine.initial(&mut state).is_ok() {
        for &id in path.iter().rev().skip(1) {
            let next = trail::find(machine, &state, &mut steps, |event| match event {
                Event::Arrival(state) => handle.find(&state[hidden..]) == Some(id),
                Event::Fault(..) => false,
            });
            match next {
                Some(next) => state = next,
                None => break,
            }
        }
        failure.finish(machine, &state, &mut steps);
    }
    Violation { kind: failure.kind(), steps }
}
