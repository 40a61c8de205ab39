//! Whether steps lead to what they are said to violate.

use std::fmt;
use std::sync::Arc;

use isospin_logic::GeneralizedBuchi;
use isospin_machine::{Fault, Interpreter, RuntimeError, Step};
use isospin_model::{Expr, Model, ProcType, Shape, Temporal};

use crate::automaton::{accepts, Automaton, Labels, NeverClaim};
use crate::formula::holds_on;
use crate::lasso::{observe, walk, Broken, Fairness, Walked};
use crate::renamed::{close, Renaming, Sight};

/// What an execution is said to violate.
#[derive(Clone, Copy, Debug)]
pub enum Claim<'c> {
    /// The last step fails an assertion.
    Assertion,
    /// The last step, or the start of the model, ends in this error.
    Runtime(RuntimeError),
    /// Nothing can happen in the last state, and some process may not end where it stands.
    EndState,
    /// One of these expressions, which the property asks for, cannot be evaluated in the last
    /// state.
    Unreadable(&'c [Expr]),
    /// The formula does not hold.
    Formula(&'c Temporal),
    /// The never claim accepts it, or comes to its end on it.
    Never(&'c ProcType),
    /// The automaton, whose propositions are the expressions, accepts it.
    Automaton(&'c GeneralizedBuchi, &'c [Expr]),
    /// `accept` labels of processes, or of a claim that runs along, are passed for ever.
    Acceptance(Option<&'c ProcType>),
    /// No process ever passes a `progress` label again, though the execution goes on.
    Progress,
    /// Processes go on for ever, and time does not.
    Time,
}

/// An execution that is said to violate something.
#[derive(Clone, Copy, Debug)]
pub struct Counterexample<'c> {
    /// Every step from the initial state on.
    pub steps: &'c [Step],
    /// For an execution that goes on for ever, how many steps there are before its cycle; as many
    /// as there are steps where the last state stays.
    pub cycle: Option<usize>,
    /// Where the cycle repeats with other names, who takes whose place.
    pub renaming: Option<&'c Renaming>,
    /// Which executions count.
    pub fairness: Fairness,
    /// What it violates.
    pub claim: Claim<'c>,
}

/// Why an execution does not show what it is said to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unconfirmed {
    /// It is no execution of the model, or none that counts.
    Broken(Broken),
    /// It is one, and violates nothing.
    NoViolation,
}

impl fmt::Display for Unconfirmed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unconfirmed::Broken(Broken::Start(error)) => {
                write!(f, "the model cannot start: {error}")
            }
            Unconfirmed::Broken(Broken::Misfit(misfit)) => misfit.fmt(f),
            Unconfirmed::Broken(Broken::Fault(step)) => {
                write!(f, "step {step} ends in a run-time error, and is not the last")
            }
            Unconfirmed::Broken(Broken::Inside) => {
                write!(f, "it ends, or its cycle starts, inside an atomic sequence")
            }
            Unconfirmed::Broken(Broken::Open) => write!(f, "its cycle does not close"),
            Unconfirmed::Broken(Broken::GoesOn) => {
                write!(f, "something can happen in the state that is said to stay")
            }
            Unconfirmed::Broken(Broken::Unfair(pid)) => {
                write!(f, "its cycle is unfair to process {pid}")
            }
            Unconfirmed::NoViolation => write!(f, "it does not violate what it is said to violate"),
        }
    }
}

impl std::error::Error for Unconfirmed {}

/// Walks the steps and confirms that they show what they are said to show. Yields the last state;
/// of a step that fails, the state before it.
pub fn confirm(model: &Arc<Model>, found: &Counterexample) -> Result<Vec<u8>, Unconfirmed> {
    let mut word = match walk(model, found.steps, found.cycle, found.renaming, found.fairness) {
        Ok(word) => word,
        Err(Broken::Start(error)) => {
            return match found.claim {
                Claim::Runtime(claimed) if claimed == error && found.steps.is_empty() => {
                    Ok(Vec::new())
                }
                _ => Err(Unconfirmed::Broken(Broken::Start(error))),
            };
        }
        Err(broken) => return Err(Unconfirmed::Broken(broken)),
    };
    if let (Some(renaming), Some(start)) = (found.renaming, found.cycle) {
        let sight = Sight::of(model, &found.claim);
        close(model, &found.steps[start..], renaming, &sight, &mut word)
            .map_err(Unconfirmed::Broken)?;
    }
    let shown = shows(model, found, &word);
    if shown {
        Ok(word.last().to_vec())
    } else {
        Err(Unconfirmed::NoViolation)
    }
}

/// What goes wrong where one of these expressions is evaluated in the state after all these steps,
/// if something does.
pub fn unreadable(model: &Arc<Model>, steps: &[Step], asked: &[Expr]) -> Option<RuntimeError> {
    let word = walk(model, steps, None, None, Fairness::None).ok()?;
    let mut machine = Interpreter::new(Arc::clone(model));
    asked.iter().find_map(|e| observe(&mut machine, word.last(), e).err())
}

fn shows(model: &Arc<Model>, found: &Counterexample, word: &Walked) -> bool {
    let mut machine = Interpreter::new(Arc::clone(model));
    let lasso = found.cycle.is_some();
    match found.claim {
        Claim::Assertion => !lasso && word.fault == Some(Fault::Assertion),
        Claim::Runtime(error) => !lasso && word.fault == Some(Fault::Runtime(error)),
        Claim::EndState => !lasso && word.stuck && !may_end(model, word.last()),
        Claim::Unreadable(asked) => {
            let last = word.last().to_vec();
            !lasso
                && word.fault.is_none()
                && asked.iter().any(|e| observe(&mut machine, &last, e).is_err())
        }
        Claim::Formula(formula) => lasso && !holds_on(&mut machine, formula, word),
        Claim::Never(claim) => accepts(&mut machine, &NeverClaim { claim, labels: None }, word),
        Claim::Automaton(automaton, atoms) => {
            lasso && accepts(&mut machine, &Automaton { automaton, atoms }, word)
        }
        Claim::Acceptance(None) => lasso && accepts(&mut machine, &Labels(model), word),
        Claim::Acceptance(Some(claim)) => {
            accepts(&mut machine, &NeverClaim { claim, labels: Some(model) }, word)
        }
        Claim::Progress => {
            let cycle = &word.states[word.back.unwrap_or(0)..];
            let mut none = |s: &Vec<u8>| {
                machine.eval(s, None, false, &Expr::NonProgress).is_ok_and(|v| v != 0)
            };
            lasso && word.endless && cycle.iter().all(&mut none)
        }
        Claim::Time => lasso && word.still,
    }
}

/// Whether every process stands where it may end.
fn may_end(model: &Model, state: &[u8]) -> bool {
    let mut shape = Shape::default();
    shape.read(model, state);
    shape.frames.iter().enumerate().all(|(pid, &(ty, at))| {
        let proctype = model.proctype(ty);
        let location = proctype.frame.location(state, at as usize);
        proctype.automaton.locations[location.index()].end || !model.is_present(state, pid)
    })
}
