//! What else there is to know about the outcome of a check, in sentences.

use isospin_check::applicable::Reason;
use isospin_check::{Engine, Incomplete, Note, Open, Order, PropertyKind, Verdict};

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
    all.extend(outcome.remarks.iter().cloned());
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
        Note::Canonical { asked, used } => format!(
            "a search for cycles comes to states again and needs one representative an orbit: \
             symmetry `{}` where `{}` was asked for.",
            used.name(),
            asked.name()
        ),
        Note::NoSymmetry(why) => format!("{why} (isospin show symmetry says more)."),
        Note::Asymmetric => "symmetry is off: a loop over all names was blocked half way (isospin \
                             show symmetry says more)."
            .to_owned(),
        Note::SymmetryCost { property, left, whole, atom } => {
            let count = |n: &f64| {
                if *n < 1e9 {
                    format!("{n:.0}")
                } else {
                    format!("{n:.1e}")
                }
            };
            let blame = atom.as_ref().map_or(String::new(), |atom| {
                format!(", because of `{atom}`, which tells names apart")
            });
            format!(
                "`{property}` leaves {} of {} permutations of names{blame}.",
                count(left),
                count(whole)
            )
        }
        Note::HoldsIfStrong { property } => format!(
            "`{property}` holds under strong fairness, as a second search has found (--fair strong)."
        ),
        Note::EndlessAtomic { process, at } => format!(
            "an atomic sequence of `{process}` can go round for ever at {at}: then nobody else \
             moves again."
        ),
        Note::Limit(limit, time) => match limit {
            Incomplete::Memory => memory(outcome),
            Incomplete::Time => format!(
                "incomplete: the time limit of {} was reached. A larger --time{} would help.",
                duration(outcome.options.time.unwrap_or(*time)),
                match outcome.options.engine {
                    Engine::Explicit => " or more --threads",
                    Engine::Symbolic => "",
                }
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
        Reason::ComesAgain => format!("`{property}`: one representative an orbit is used."),
        Reason::WholeSets => {
            format!("`{property}`: sets of states are followed whole, without reductions.")
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
        Open::NoCycles => {
            "not checked: the symbolic engine looks for no cycles (--safety leaves it \
                           out, --engine explicit decides it)"
                .to_owned()
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use isospin_check::{Options, Property, Report};

    use super::*;

    /// The sentences of a report with this note.
    fn said(note: Note, options: &Options) -> String {
        let report = Report { notes: vec![note], ..Report::default() };
        sentences(&outcome(&report, options)).join(" | ")
    }

    fn outcome<'o>(report: &'o Report, options: &'o Options) -> Outcome<'o> {
        Outcome {
            version: "1.2.3",
            model: "m.pml",
            report,
            told: Vec::new(),
            options,
            with_times: None,
            remarks: Vec::new(),
            total: Duration::ZERO,
        }
    }

    #[test]
    fn a_limit_says_what_would_help() {
        let limit = |limit| Note::Limit(limit, Duration::from_secs(7));
        let options = Options {
            memory: Some(64 << 20),
            time: Some(Duration::from_secs(5)),
            depth: Some(3),
            ..Options::default()
        };
        for (reason, start, help) in [
            (Incomplete::Memory, "incomplete: the memory limit of 64 MB was reached", "--memory"),
            (Incomplete::Time, "incomplete: the time limit of 5.00 s was reached", "--time"),
            (Incomplete::Depth, "incomplete: executions were cut off after 3 steps", "--depth"),
        ] {
            let text = said(limit(reason), &options);
            assert!(text.starts_with(start) && text.contains(help), "{text}");
        }
        let none = said(limit(Incomplete::Memory), &Options::default());
        assert!(none.starts_with("incomplete: there is no more memory"), "{none}");
    }

    #[test]
    fn breadth_first_search_takes_memory_that_depth_first_does_not() {
        let note = || Note::Limit(Incomplete::Memory, Duration::ZERO);
        let options = |order| Options { order, ..Options::default() };
        assert!(said(note(), &options(Order::BreadthFirst)).contains("--search dfs"));
        assert!(!said(note(), &options(Order::DepthFirst)).contains("--search dfs"));
    }

    #[test]
    fn only_a_formula_is_known_to_count_steps() {
        let note = |kind| Note::NotApplicable {
            property: "p".to_owned(),
            kind,
            reason: Reason::CountsSteps,
        };
        let says = |kind| said(note(kind), &Options::default());
        let rest = "steps, so nothing is merged or put off for it.";
        assert_eq!(says(PropertyKind::Ltl), format!("`p` counts {rest}"));
        assert_eq!(says(PropertyKind::Never), format!("`p` may count {rest}"));
    }

    #[test]
    fn abstract_timers_make_a_violation_doubtful_and_a_proof_stronger() {
        let options = Options::default();
        let property = |verdict| Property {
            name: "p".to_owned(),
            kind: PropertyKind::Assertion,
            verdict,
            open: None,
            findings: Vec::new(),
        };
        let said = |verdict| {
            let report = Report { properties: vec![property(verdict)], ..Report::default() };
            let with_times = Some("isospin check m.pml".to_owned());
            sentences(&Outcome { with_times, ..outcome(&report, &options) }).join(" | ")
        };
        let violated = said(Verdict::Violated);
        assert!(violated.contains("spurious") && violated.ends_with(": isospin check m.pml"));
        assert!(said(Verdict::Holds).contains("what holds is true whatever (positive) times"));
    }

    #[test]
    fn a_property_that_is_left_open_says_why() {
        assert_eq!(why_open(Open::Stopped(1)), "the search stopped at the first error");
        assert_eq!(why_open(Open::Stopped(3)), "the search stopped at error 3");
        assert_eq!(why_open(Open::Limit(Incomplete::Time)), "the time was up");
        assert!(why_open(Open::Unconfirmed).ends_with("a mistake of Isospin"));
    }
}
