//! Executions that come from elsewhere, such as from a file: are they what they are said to be?
//!
//! The same judgement as for what a search has found, and nothing of what the file says about it is
//! believed: neither that the model has such a property nor that the execution violates it.

use std::fmt;
use std::sync::Arc;

use isospin_machine::{Fault, RuntimeError, Step};
use isospin_model::Model;
use isospin_replay::lasso::{walk, Broken};
use isospin_replay::{confirm, Claim, Counterexample, Fairness as Counted, Renaming, Unconfirmed};
use isospin_search::liveness::Fairness;

use crate::asked::{GivenAutomaton, ASSERTIONS, END_STATES, RUNTIME_ERRORS};
use crate::evidence::{claim, counted, of_unreadable, wrong_with_lasso};
use crate::plan::{question, Question};
use crate::report::{Finding, PropertyKind, Wrong};

/// An execution with what it is said to violate.
#[derive(Clone, Copy, Debug)]
pub struct Claimed<'c> {
    /// The property's name.
    pub name: &'c str,
    /// Its kind.
    pub kind: PropertyKind,
    /// The automaton that was given beside the model, if one was.
    pub automaton: Option<&'c GivenAutomaton>,
    /// Which executions count.
    pub fairness: Fairness,
    /// Every step from the initial state on.
    pub steps: &'c [Step],
    /// For an execution that goes on for ever, how many steps there are before its cycle.
    pub cycle: Option<usize>,
    /// Whether it is said that the property cannot be evaluated in the last state.
    pub unreadable: bool,
    /// Where its cycle repeats with other names, who takes whose place.
    pub renaming: Option<&'c Renaming>,
}

/// Why an execution is not what it is said to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The model has no property of that name and kind.
    NoSuchProperty(String, PropertyKind),
    /// It does not violate it.
    Unconfirmed(Unconfirmed),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::NoSuchProperty(name, kind) => {
                write!(f, "the model has no property `{name}` of the kind `{}`", kind.word())
            }
            Refused::Unconfirmed(why) => write!(f, "it does not show what it claims: {why}"),
        }
    }
}

impl std::error::Error for Refused {}

/// The finding that the execution is, if it is one.
pub fn reconfirm(model: &Arc<Model>, claimed: &Claimed) -> Result<Finding, Refused> {
    let Claimed { name, kind, steps, cycle, .. } = *claimed;
    let nothing = || Refused::NoSuchProperty(name.to_owned(), kind);
    let unviolated = Refused::Unconfirmed(Unconfirmed::NoViolation);
    let trace = model.trace.as_ref().map(|t| t.name());
    let safety = match kind {
        PropertyKind::Assertion => Some((ASSERTIONS, Wrong::Assertion, Claim::Assertion)),
        PropertyKind::EndState => Some((END_STATES, Wrong::EndState, Claim::EndState)),
        PropertyKind::Runtime | PropertyKind::Trace => {
            let stated = if kind == PropertyKind::Runtime { Some(RUNTIME_ERRORS) } else { trace };
            let stated = stated.ok_or_else(nothing)?;
            let error = error_at_end(model, steps).filter(|&e| PropertyKind::of_error(e) == kind);
            let error = error.ok_or_else(|| unviolated.clone())?;
            Some((stated, Wrong::Runtime(error), Claim::Runtime(error)))
        }
        _ => None,
    };
    let asked: Question;
    let (stated, wrong, claim, fairness) = match safety {
        Some((stated, wrong, claim)) => (stated, wrong, claim, Counted::None),
        None => {
            asked = question(model, name, kind, claimed.automaton).ok_or_else(nothing)?;
            if claimed.unreadable {
                let found = of_unreadable(model, &asked, steps.to_vec());
                let finding = Finding { cycle, ..found };
                return match finding.unconfirmed {
                    None if cycle.is_none() => Ok(finding),
                    None => Err(unviolated),
                    Some(why) => Err(Refused::Unconfirmed(why)),
                };
            }
            let claim = claim(model, &asked).ok_or_else(nothing)?;
            (asked.name.as_str(), wrong_with_lasso(cycle), claim, counted(claimed.fairness))
        }
    };
    if stated != name {
        return Err(nothing());
    }
    let renaming = claimed.renaming;
    confirm(model, &Counterexample { steps, cycle, renaming, fairness, claim })
        .map_err(Refused::Unconfirmed)?;
    let renaming = renaming.cloned();
    Ok(Finding { wrong, steps: steps.to_vec(), cycle, renaming, unconfirmed: None })
}

/// The run-time error that the execution ends in.
fn error_at_end(model: &Arc<Model>, steps: &[Step]) -> Option<RuntimeError> {
    match walk(model, steps, None, None, Counted::None) {
        Ok(walked) => match walked.fault {
            Some(Fault::Runtime(error)) => Some(error),
            _ => None,
        },
        Err(Broken::Start(error)) => Some(error),
        Err(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::{check, Asked, Options};

    /// The model, and the first execution that violates something in it.
    fn found(text: &str) -> (Arc<Model>, String, PropertyKind, Finding) {
        let mut files = |_: &Path| Ok(text.as_bytes().to_vec());
        let reading = isospin_promela::read(Path::new("m.pml"), &Default::default(), &mut files);
        let model = Arc::new(reading.into_model().expect("a model"));
        let options = Options { threads: Some(1), ..Options::default() };
        let report = check(&model, &Asked::default(), &options, &mut ()).expect("a check");
        let property = report.properties.iter().find(|p| !p.findings.is_empty()).expect("found");
        (model, property.name.clone(), property.kind, property.findings[0].clone())
    }

    const ENDLESS: &str =
        "byte x; active proctype P() { do :: x = 1 - x od } ltl p { <> (x == 2) }";

    #[test]
    fn what_a_search_has_found_is_confirmed_again() {
        for text in [
            "active proctype P() { assert(false) }",
            "active proctype P() { false }",
            "byte a[2], i = 2; active proctype P() { a[i] = 1; assert(a[0] == 0) }",
            "byte a[2], i = 2; active proctype P() { skip } ltl p { [] (a[i] == 0) }",
            ENDLESS,
        ] {
            let (model, name, kind, finding) = found(text);
            let Finding { steps, cycle, .. } = &finding;
            let claimed = Claimed {
                name: &name,
                kind,
                automaton: None,
                fairness: Fairness::None,
                steps,
                cycle: *cycle,
                unreadable: finding.wrong.is_unreadable(),
                renaming: None,
            };
            assert_eq!(reconfirm(&model, &claimed), Ok(finding.clone()), "{text}");
            // The same steps as the execution of something else.
            for other in PropertyKind::ALL.into_iter().filter(|k| *k != kind) {
                let other = Claimed { kind: other, ..claimed };
                assert!(reconfirm(&model, &other).is_err(), "{text} {other:?}");
            }
            let unknown = Claimed { name: "nosuch", ..claimed };
            let refused = Refused::NoSuchProperty("nosuch".to_owned(), kind);
            assert_eq!(reconfirm(&model, &unknown), Err(refused), "{text}");
            if let Some((_, early)) = steps.split_last() {
                assert!(reconfirm(&model, &Claimed { steps: early, ..claimed }).is_err(), "{text}");
            }
        }
    }

    #[test]
    fn a_formula_needs_a_cycle_that_closes() {
        let (model, name, kind, finding) = found(ENDLESS);
        let start = finding.cycle.expect("a cycle");
        let end = finding.steps.len();
        for cycle in [None, Some(end), Some(end + 1), Some(start + 1)] {
            let claimed = Claimed {
                name: &name,
                kind,
                automaton: None,
                fairness: Fairness::None,
                steps: &finding.steps,
                cycle,
                unreadable: false,
                renaming: None,
            };
            assert!(reconfirm(&model, &claimed).is_err(), "{cycle:?}");
            let unreadable = Claimed { unreadable: true, ..claimed };
            assert!(reconfirm(&model, &unreadable).is_err(), "{cycle:?}");
        }
    }
}
