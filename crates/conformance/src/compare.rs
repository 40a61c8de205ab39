//! Whether Isospin and Spin agree on a model.

use std::fmt;
use std::sync::Arc;

use isospin_machine::RuntimeError;

use crate::isospin::{explore, model_of, Graph};
use crate::searches::check_searches;
use crate::spin::{Failure, Job, Run, Spin};

/// What came out of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// Both say the same.
    Agree {
        /// How many states the model has.
        states: u64,
        /// Whether the model is in error at run time, so that only that was compared.
        runtime: bool,
        /// Whether something is wrong with the model.
        violated: bool,
    },
    /// They do not.
    Disagree(Difference),
    /// The model says nothing: one side cannot work with it.
    Skipped(Skipped),
}

/// Why a model was not compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Skipped {
    /// Spin does not accept it.
    Rejected(String),
    /// It has more states than are worth the time.
    Large,
    /// Spin's search was cut off, or its verifier gave no result.
    NoResult(String),
}

/// How the two differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// Isospin refuses what Spin accepts.
    Refused(String),
    /// Isospin does not agree with itself.
    Searches(String),
    /// Both explored it.
    Results(Box<(Graph, Run)>),
}

impl Difference {
    /// A word for what kind of difference it is. A model is shrunk within its kind, so that a small
    /// model shows the same thing as the large one did.
    pub fn kind(&self) -> &'static str {
        match self {
            Difference::Refused(_) => "refused",
            Difference::Searches(_) => "searches",
            Difference::Results(results) => {
                let (ours, spins) = &**results;
                if (ours.errors == 0) != (spins.errors == 0) {
                    "verdict"
                } else if ours.states != spins.states {
                    "states"
                } else if ours.transitions != spins.transitions {
                    "transitions"
                } else {
                    "errors"
                }
            }
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Difference::Refused(why) => write!(f, "Isospin refuses: {why}"),
            Difference::Searches(why) => write!(f, "Isospin's searches differ: {why}"),
            Difference::Results(results) => {
                let (ours, spins) = &**results;
                writeln!(f, "{} differ", self.kind())?;
                writeln!(
                    f,
                    "  isospin: {} states, {} transitions, {} errors {:?}",
                    ours.states, ours.transitions, ours.errors, ours.runtime
                )?;
                write!(
                    f,
                    "  spin:    {} states, {} transitions, {} errors {:?}",
                    spins.states, spins.transitions, spins.errors, spins.first_error
                )
            }
        }
    }
}

/// Compares models up to a size.
#[derive(Clone, Debug)]
pub struct Judge {
    /// Spin.
    pub spin: Spin,
    /// Models with more states are passed over.
    pub limit: u64,
}

impl Judge {
    /// Compares one model, given as text.
    pub fn compare(&self, text: &str) -> Comparison {
        let model = match model_of(text) {
            Ok(model) => Arc::new(model),
            Err(why) => {
                return match self.spin.run(text, &job(text)) {
                    Ok(_) => Comparison::Disagree(Difference::Refused(why)),
                    Err(failure) => skipped(failure),
                }
            }
        };
        let Some(ours) = explore(&model, self.limit) else {
            return Comparison::Skipped(Skipped::Large);
        };
        if let Err(why) = check_searches(&model, &ours) {
            return Comparison::Disagree(Difference::Searches(why));
        }
        if ours.runtime.is_some() {
            return self.compare_verdict(text, ours);
        }
        let spins = match self.spin.run(text, &job(text)) {
            Ok(run) => run,
            Err(failure) => return skipped(failure),
        };
        if spins.truncated {
            return Comparison::Skipped(Skipped::NoResult("truncated".to_owned()));
        }
        let agree = ours.states == spins.states
            && ours.transitions == spins.transitions
            && ours.errors == spins.errors;
        judged(agree, ours, spins)
    }

    /// After a run-time error Spin's verifier stops or goes on with garbage, so only the first
    /// error is asked for.
    fn compare_verdict(&self, text: &str, ours: Graph) -> Comparison {
        let job = Job { all_errors: false, ..Job::exact() };
        match self.spin.run(text, &job) {
            Ok(spins) => judged((spins.errors > 0) == (ours.errors > 0), ours, spins),
            Err(failure) => skipped(failure),
        }
    }
}

fn job(text: &str) -> Job {
    Job { unmasked: text.contains("priority"), ..Job::exact() }
}

/// Whether they differ, if they do, in what Spin takes for a choice of a `D_proctype`: a rendez-vous
/// send counts although nobody receives, and an option `skip` does not.
fn is_about_choices(ours: &Graph, spins: &Run) -> bool {
    let spins_choice = |e: &String| e.contains("non-determinism in D_proctype");
    ours.runtime == Some(RuntimeError::Nondeterminism)
        || spins.first_error.as_ref().is_some_and(spins_choice)
}

fn judged(agree: bool, ours: Graph, spins: Run) -> Comparison {
    if agree {
        Comparison::Agree {
            states: ours.states,
            runtime: ours.runtime.is_some(),
            violated: ours.errors > 0,
        }
    } else if is_about_choices(&ours, &spins) {
        Comparison::Skipped(Skipped::NoResult("what a choice is".to_owned()))
    } else {
        Comparison::Disagree(Difference::Results(Box::new((ours, spins))))
    }
}

fn skipped(failure: Failure) -> Comparison {
    Comparison::Skipped(match failure {
        Failure::Rejected(why) => Skipped::Rejected(why),
        Failure::NotCompiled(why) => Skipped::Rejected(format!("pan.c: {why}")),
        Failure::NoResult(why) | Failure::Environment(why) => Skipped::NoResult(why),
    })
}
