//! The steps that lead to a violation.

use isospin_machine::{Fault, Machine, Step};
use isospin_store::{Insert, Parents};

use super::findings::kind_of;
use crate::door::Door;
use crate::result::{Violation, ViolationKind};
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
    /// In another state of the same orbit it may be another process.
    fn finish<M: Machine>(
        self,
        machine: &mut M,
        last: &[u8],
        steps: &mut Vec<Step>,
        any_process: bool,
    ) {
        if let Failure::Step(step, fault) = self {
            let edge = |step: Step| step.process().map(|by| by.edge);
            let mut look = |any: bool| {
                trail::find(machine, last, steps, |event| match event {
                    Event::Fault(s, f) if any => {
                        edge(s) == edge(step) && kind_of(f) == kind_of(fault)
                    }
                    Event::Fault(s, f) => s == step && f == fault,
                    Event::Arrival(_) => false,
                })
            };
            if look(false).is_none() && any_process {
                look(true);
            }
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
    failure.finish(machine, &last, &mut steps, false);
    Violation { kind: failure.kind(), steps }
}

/// The violation at the end of a path that is given by the last state's id and the parents in the
/// set. The states on it are recomputed from the initial one, each as a successor of the one
/// before that has the right id. Under symmetry there may be several of them, and not each leads on
/// to the next id, if orbits have several representatives: then others are tried.
pub(super) fn along_parents<M: Machine, S: Parents>(
    machine: &mut M,
    set: &S,
    door: &mut Door,
    last: S::Id,
    failure: Failure,
) -> Violation {
    let mut handle = set.handle();
    let mut path = vec![last];
    while let Some(parent) = path.last().and_then(|&id| set.parent(id)) {
        path.push(parent);
    }
    path.reverse();
    let mut state = Vec::new();
    let mut steps = Vec::new();
    if machine.initial(&mut state).is_ok() {
        // For each state its number of steps, and how many of its successors have been tried.
        let mut levels = vec![(state, 0, 0)];
        while let Some(&id) = path.get(levels.len()) {
            let Some((state, len, tried)) = levels.last_mut() else { break };
            steps.truncate(*len);
            let mut skip: u32 = *tried;
            let next = trail::find(machine, state, &mut steps, |event| match event {
                Event::Arrival(state) if handle.find(door.identity(state)) == Some(id) => {
                    let wanted = skip == 0;
                    skip = skip.saturating_sub(1);
                    wanted
                }
                _ => false,
            });
            *tried += 1;
            match next {
                Some(next) => levels.push((next, steps.len(), 0)),
                None => {
                    levels.pop();
                }
            }
        }
        if let Some((state, ..)) = levels.last() {
            failure.finish(machine, state, &mut steps, door.is_symmetric());
        }
    }
    Violation { kind: failure.kind(), steps }
}
