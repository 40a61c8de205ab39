//! Executions that go on for ever: a stem, and a cycle that repeats.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use isospin_machine::{Fault, Interpreter, Machine, RuntimeError, Step, Successors};
use isospin_model::{Expr, Model, Pid};

use crate::execution::{Execution, Misfit};
use crate::renamed::Renaming;

/// Which executions count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Fairness {
    /// All of them.
    #[default]
    None,
    /// Those in which every process that can always move from some point on does move.
    Weak,
    /// Those in which every process that can move infinitely often does move.
    Strong,
}

/// Why steps are no execution that counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Broken {
    /// The model cannot start.
    Start(RuntimeError),
    /// A step cannot be taken.
    Misfit(Misfit),
    /// A step (from 1) before the last ends in a run-time error.
    Fault(usize),
    /// The cycle starts, or the execution ends, inside an atomic sequence that does not go round.
    Inside,
    /// The cycle does not come back to where it starts.
    Open,
    /// There is no cycle, and something can happen in the last state.
    GoesOn,
    /// The cycle is unfair to this process.
    Unfair(Pid),
}

/// An execution as it was walked: the states between steps and atomic sequences.
#[derive(Clone, Debug)]
pub struct Walked {
    /// The states, the initial one first.
    pub states: Vec<Vec<u8>>,
    /// For an execution that goes on for ever, the position that follows the last one.
    pub back: Option<usize>,
    /// Whether it goes on with steps of processes only: the cycle has steps, and no time passes.
    pub still: bool,
    /// Whether it goes on at all, and does not just stay in its last state.
    pub endless: bool,
    /// What is wrong with the last step.
    pub fault: Option<Fault>,
    /// Whether it ends where nothing can happen.
    pub stuck: bool,
}

impl Walked {
    /// States of which the ones from `back` on repeat for ever.
    pub fn of_states(states: Vec<Vec<u8>>, back: usize) -> Walked {
        let (still, endless, fault, stuck) = (false, true, None, false);
        Walked { states, back: Some(back), still, endless, fault, stuck }
    }

    /// The position that follows position `k`. An execution that ends where nothing can happen
    /// stays there; one that was only followed so far has nothing behind its last position.
    pub fn next(&self, k: usize) -> Option<usize> {
        if k + 1 < self.states.len() {
            Some(k + 1)
        } else {
            self.back.or(self.stuck.then_some(k))
        }
    }

    /// The last state.
    pub fn last(&self) -> &[u8] {
        self.states.last().map_or(&[], Vec::as_slice)
    }
}

/// Walks `steps`, of which those from position `cycle` on repeat for ever. With `cycle` behind the
/// last step, the last state stays. Where the cycle repeats with other names, this is its first
/// round, and whether it comes back is left open.
pub fn walk(
    model: &Arc<Model>,
    steps: &[Step],
    cycle: Option<usize>,
    renaming: Option<&Renaming>,
    fairness: Fairness,
) -> Result<Walked, Broken> {
    let mut execution = Execution::new(Arc::clone(model)).map_err(Broken::Start)?;
    let mut states = vec![execution.state().to_vec()];
    let mut back = (cycle == Some(0)).then_some(0);
    let mut fair = Watch::default();
    let (mut still, mut fault) = (true, None);
    let mut inside = false;
    // The states of the atomic sequence that is going on, which nobody sees unless it goes round
    // for ever; and which of them the cycle starts with, and who is in control there.
    let mut hidden_states: Vec<Vec<u8>> = Vec::new();
    let mut starts_inside = false;
    let mut inside_back: Option<(usize, Option<Pid>)> = None;
    for (k, &step) in steps.iter().enumerate() {
        let on_cycle = cycle.is_some_and(|start| k >= start);
        if on_cycle && !inside && fairness != Fairness::None {
            fair.look(&mut execution);
        }
        let misfit = Broken::Misfit(Misfit { step: k + 1 });
        let choice = execution.choice(step).ok_or(misfit)?;
        fault = choice.fault;
        if matches!(fault, Some(Fault::Runtime(_))) {
            if k + 1 < steps.len() || cycle.is_some() {
                return Err(Broken::Fault(k + 1));
            }
            break;
        }
        if on_cycle {
            fair.moved.extend([step.pid(), step.partner().map(|p| p.pid)].into_iter().flatten());
            still &= !step.is_time();
        }
        execution.take(&choice);
        inside = execution.is_inside();
        if inside {
            hidden_states.push(execution.state().to_vec());
        } else {
            hidden_states.clear();
            inside_back = None;
            states.push(execution.state().to_vec());
        }
        if cycle == Some(k + 1) {
            if inside {
                starts_inside = true;
                inside_back = Some((hidden_states.len() - 1, execution.control()));
            } else {
                back = Some(states.len() - 1);
            }
        }
    }
    let failed = matches!(fault, Some(Fault::Runtime(_)));
    let stuck = !failed && !inside && execution.choices().is_empty();
    let endless = cycle.is_some_and(|start| start < steps.len());
    if let Some((start, control)) = inside_back.filter(|_| inside) {
        // The sequence goes round for ever: each of its states counts.
        if control != execution.control() {
            return Err(Broken::Open);
        }
        back = Some(states.len() + start);
        states.append(&mut hidden_states);
    }
    if cycle.is_some() {
        if inside && inside_back.is_none() {
            return Err(Broken::Inside);
        }
        let start = back.ok_or(if starts_inside { Broken::Inside } else { Broken::Open })?;
        if endless {
            // The cycle comes back to its first state, which is not listed twice.
            let hidden = model.layout.hidden as usize;
            let last = states.pop().unwrap_or_default();
            let closes = renaming.is_some()
                || states[start.min(states.len() - 1)][hidden..] == last[hidden..];
            if states.len() <= start || !closes {
                return Err(Broken::Open);
            }
            fair.judge(fairness, renaming)?;
        } else if !stuck {
            return Err(Broken::GoesOn);
        }
    }
    Ok(Walked { states, back, still: still && endless, endless, fault, stuck })
}

/// What an observer's expression says of a state. For an observer, `timeout` is where nobody can
/// move and no time passes.
pub(crate) fn observe(
    machine: &mut Interpreter,
    state: &[u8],
    expr: &Expr,
) -> Result<i32, RuntimeError> {
    let asks = expr.any(&|e| *e == Expr::Timeout);
    let timeout = asks && machine.is_quiet(state, &mut Successors::default());
    machine.eval(state, None, timeout, expr)
}

/// Who can move and who moves on a cycle.
#[derive(Default)]
struct Watch {
    looks: usize,
    /// In how many of the states that were looked at a process can move.
    enabled: BTreeMap<Pid, usize>,
    moved: BTreeSet<Pid>,
}

impl Watch {
    fn look(&mut self, execution: &mut Execution) {
        self.looks += 1;
        for pid in enabled(execution) {
            *self.enabled.entry(pid).or_default() += 1;
        }
    }

    /// Where the cycle repeats with other names, everybody plays in some round the part of everybody
    /// in its orbit: it moves if one of them does, and can always move if all of them can.
    fn judge(&self, fairness: Fairness, renaming: Option<&Renaming>) -> Result<(), Broken> {
        for &pid in self.enabled.keys() {
            let orbit = renaming.map_or(vec![pid], |renaming| renaming.orbit(pid));
            let always = |pid: &Pid| self.enabled.get(pid) == Some(&self.looks);
            let counts = match fairness {
                Fairness::None => false,
                Fairness::Weak => orbit.iter().all(always),
                Fairness::Strong => true,
            };
            if counts && !orbit.iter().any(|pid| self.moved.contains(pid)) {
                return Err(Broken::Unfair(pid));
            }
        }
        Ok(())
    }
}

/// The processes that can move in the state at hand, partners in a rendez-vous included. Who waits
/// for `timeout` can move where nobody else can and no time passes.
fn enabled(execution: &mut Execution) -> BTreeSet<Pid> {
    let state = execution.state().to_vec();
    let machine = execution.machine();
    let mut out = Successors::default();
    machine.all_steps(&state, false, &mut out);
    if out.is_empty() {
        machine.tick(&state, &mut out);
        if !out.is_empty() {
            return BTreeSet::new();
        }
        machine.all_steps(&state, true, &mut out);
    }
    let movers = out.list().iter().flat_map(|s| [s.step.pid(), s.step.partner().map(|p| p.pid)]);
    movers.flatten().collect()
}
