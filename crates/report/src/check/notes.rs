//! What else there is to know about the outcome of a check, in sentences.

use isospin_check::applicable::Reason;
use isospin_check::{Incomplete, Note, Open, Order, PropertyKind, Verdict};

use super::Outcome;
use crate::dependencies::why_not;
use crate::format::{bytes, duration, plural};

/// All of them.
pub fn sentences(outcome: &Outcome) -> Vec<String> {
    let mut all: Vec<String> =
        outcome.report.notes.iter().map(|note| sentence(outcome, note)).collect();
    if let Some(command) = &outcome.with_times {
        all.push(match outcome.report.verdict() {
            Verdict::Violated => format!(
                "timers may expire at any tick, so a violation may be spurious: with the times of \
                 the model it may not be possible. To check with those: {command}"
            ),
            Verdict::Holds | Verdict::Incomplete => {
                "timers may expire at any tick: what holds is true whatever (positive) times they \
                 are set to."
                    .to_owned()
            }
        });
    }
    all
}

fn sentence(outcome: &Outcome, note: &Note) -> String {
    match note {
        Note::NoMachineCode(why) => {
            format!("no machine code could be made ({why}); the interpreter ran.")
        }
        Note::Obstacle(obstacle) => {
            format!("partial-order reduction is {}.", why_not(*obstacle))
        }
        Note::NotApplicable { property, kind, reason } => not_applicable(property, *kind, *reason),
        Note::FairnessWithoutSymmetry => {
            "symmetry is off: fairness tells the processes apart.".to_owned()
        }
        Note::NoSymmetry(why) => format!("{why} (isospin show symmetry says more)."),
        Note::Asymmetric => "symmetry is off: a loop over all names was blocked half way (isospin \
                             show symmetry says more)."
            .to_owned(),
        Note::SymmetryCost { property, left, whole } => {
            format!("`{property}` leaves {left:.0} of {whole:.0} permutations of names.")
        }
        Note::Limit(limit, time) => match limit {
            Incomplete::Memory => memory(outcome),
            Incomplete::Time => format!(
                "incomplete: the time limit of {} was reached. A larger --time or more --threads would help.",
                duration(outcome.options.time.unwrap_or(*time))
            ),
            Incomplete::Depth => format!(
                "incomplete: executions were cut off after {}. A larger --depth would help.",
                plural(u64::from(outcome.options.depth.unwrap_or(0)), "step")
            ),
            Incomplete::Interrupted => {
                "incomplete: interrupted; the numbers are those so far.".to_owned()
            }
        },
    }
}

fn not_applicable(property: &str, kind: PropertyKind, reason: Reason) -> String {
    match reason {
        Reason::CountsSteps => {
            let counts = match kind {
                PropertyKind::Ltl => "counts steps",
                _ => "may count steps",
            };
            format!("`{property}` {counts}, so nothing is merged or put off for it.")
        }
        Reason::LooksAhead => format!(
            "`{property}`: nothing is put off, because its automaton may have to know what comes."
        ),
        Reason::Copies => {
            format!("`{property}`: nothing is put off in a nested search under fairness.")
        }
        Reason::NoCycleCondition => {
            format!("`{property}`: nothing is put off in a direct search.")
        }
        Reason::FairnessLooksBetween => {
            format!("`{property}`: no steps are merged, because fairness looks between them.")
        }
        Reason::FairnessTellsApart => {
            format!("`{property}`: symmetry is off: fairness tells the processes apart.")
        }
        Reason::NoOrbits => format!("`{property}`: symmetry is off in this search."),
    }
}

fn memory(outcome: &Outcome) -> String {
    let limit = match outcome.options.memory {
        Some(limit) => format!("incomplete: the memory limit of {} was reached", bytes(limit)),
        None => "incomplete: there is no more memory".to_owned(),
    };
    let help = match outcome.options.order {
        Order::BreadthFirst => "; so would --search dfs.",
        Order::DepthFirst => ".",
    };
    format!("{limit}. A larger --memory, fewer processes or smaller constants would help{help}")
}

/// Why a property is left open, as a clause.
pub fn why_open(open: Open) -> String {
    match open {
        Open::Limit(Incomplete::Memory) => "the memory limit was reached".to_owned(),
        Open::Limit(Incomplete::Time) => "the time was up".to_owned(),
        Open::Limit(Incomplete::Depth) => "executions were cut off at the depth limit".to_owned(),
        Open::Limit(Incomplete::Interrupted) => "the search was interrupted".to_owned(),
        Open::Stopped(1) => "the search stopped at the first error".to_owned(),
        Open::Stopped(n) => format!("the search stopped at error {n}"),
        Open::NotChecked => {
            "not checked: this version cannot do it yet (--safety leaves it out)".to_owned()
        }
        Open::RuntimeErrors => {
            "executions end in a run-time error, of which nothing can be said".to_owned()
        }
        Open::Met(_) => {
            "an error was met, but the search was cut short before its execution was found"
                .to_owned()
        }
        Open::Unconfirmed => {
            "an execution was found that does not show a violation: a mistake of Isospin".to_owned()
        }
    }
}
