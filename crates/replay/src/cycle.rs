//! Executions that go on for ever: does the cycle close, and what does each process do on it?

use std::sync::Arc;

use isospin_machine::{Interpreter, Machine, Step, Successors};
use isospin_model::{Model, Pid};

use crate::lasso::Walked;
use crate::renamed::{close, Renaming, Sight};

/// What a process does on a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The process.
    pub pid: usize,
    /// The first step of the execution, from 1, that it takes on the cycle.
    pub moves: Option<usize>,
    /// The first step of the cycle, from 1, before which it cannot move.
    pub waits: Option<usize>,
    /// The first step of the cycle, from 1, before which it can move.
    pub able: Option<usize>,
}

/// The cycle of an execution, looked at step by step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cycle {
    /// Whether the execution comes back to where the cycle starts; for a cycle without steps,
    /// whether nothing can happen there.
    pub closes: bool,
    /// What each process does on it.
    pub parts: Vec<Part>,
}

/// Executes `steps`, of which those from position `start` on are the cycle, or its first round where
/// it repeats with other names. `None` if a step cannot be taken.
pub fn examine(
    model: &Arc<Model>,
    steps: &[Step],
    start: usize,
    renaming: Option<&Renaming>,
) -> Option<Cycle> {
    let mut interpreter = Interpreter::new(Arc::clone(model));
    let hidden = model.layout.hidden as usize;
    let mut state = Vec::new();
    interpreter.initial(&mut state).ok()?;
    let mut home = None;
    let mut parts: Vec<Part> = Vec::new();
    for (k, step) in steps.iter().enumerate() {
        if k == start {
            home = Some(state.clone());
            parts = (0..interpreter.process_count(&state))
                .map(|pid| Part { pid, moves: None, waits: None, able: None })
                .collect();
        }
        if k >= start {
            for part in &mut parts {
                let there = part.pid < interpreter.process_count(&state);
                let movers = [step.pid(), step.partner().map(|p| p.pid)];
                let moves = movers.contains(&Some(Pid::at(part.pid)));
                if moves {
                    part.moves.get_or_insert(k + 1);
                } else if part.waits.is_none() || part.able.is_none() {
                    let able = there && can_move(&mut interpreter, &state, part.pid);
                    let first = if able { &mut part.able } else { &mut part.waits };
                    first.get_or_insert(k + 1);
                }
            }
        }
        let taken = interpreter.take(&mut state, *step, false);
        taken.or_else(|| interpreter.take(&mut state, *step, true))?;
    }
    let closes = match home {
        Some(home) if renaming.is_some() => {
            let mut word = Walked::of_states(vec![home], 0);
            let cycle = &steps[start..];
            renaming.is_none_or(|r| close(model, cycle, r, &Sight::default(), &mut word).is_ok())
        }
        Some(home) => home[hidden..] == state[hidden..],
        None => {
            let count = interpreter.process_count(&state);
            !time_passes(&mut interpreter, &state)
                && (0..count).all(|pid| !can_move(&mut interpreter, &state, pid))
        }
    };
    Some(Cycle { closes, parts })
}

fn can_move(interpreter: &mut Interpreter, state: &[u8], pid: usize) -> bool {
    let count = interpreter.process_count(state);
    let alone = interpreter.can_move(state, Pid::at(pid), false);
    // What waits for a timeout can move only when nobody else can and no timer runs.
    alone
        || (0..count).all(|other| !interpreter.can_move(state, Pid::at(other), false))
            && !time_passes(interpreter, state)
            && interpreter.can_move(state, Pid::at(pid), true)
}

/// Whether time passes where nobody can move.
fn time_passes(interpreter: &mut Interpreter, state: &[u8]) -> bool {
    let mut out = Successors::default();
    interpreter.tick(state, &mut out);
    !out.is_empty()
}
