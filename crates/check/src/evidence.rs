//! From a violation that a search found to an execution of the model as written, confirmed.

use std::sync::Arc;

use isospin_machine::Step;
use isospin_model::{Action, Expr, Model};
use isospin_replay::{confirm, Claim, Counterexample, Fairness as Counted, Renaming};
use isospin_search::liveness::property::to_logic;
use isospin_search::liveness::{Counterexample as Found, Fairness};
use isospin_search::{endings_after, settle_cycle, take_away_ended, Violation, ViolationKind};
use isospin_symmetry::group::order_of as order;

use crate::automaton::{has_accept, never_claim};
use crate::plan::Question;
use crate::prepare::Prepared;
use crate::report::{Finding, Open, Property, PropertyKind, Verdict, Wrong};

/// The finding that a violation is. `keeps_ended` says that processes that ended stayed in the
/// model that was searched.
pub fn of_violation(model: &Arc<Model>, violation: &Violation, keeps_ended: bool) -> Finding {
    let mut steps = violation.steps.clone();
    if keeps_ended {
        let at_end = violation.kind == ViolationKind::EndState;
        steps = take_away_ended(model, &steps, at_end).0;
    }
    let (wrong, claim) = match violation.kind {
        ViolationKind::Assertion => (Wrong::Assertion, Claim::Assertion),
        ViolationKind::EndState => (Wrong::EndState, Claim::EndState),
        ViolationKind::Runtime(error) => (Wrong::Runtime(error), Claim::Runtime(error)),
    };
    let fairness = Counted::None;
    let found = Counterexample { steps: &steps, cycle: None, renaming: None, fairness, claim };
    let unconfirmed = confirm(model, &found).err();
    Finding { wrong, steps, cycle: None, renaming: None, unconfirmed }
}

/// The finding that a counterexample to a question about infinite executions is.
pub fn of_lasso(
    model: &Arc<Model>,
    question: &Question,
    found: &Found,
    fairness: Fairness,
    prepared: &Prepared,
) -> Finding {
    let mut found = found.clone();
    let symmetry = prepared.symmetry.as_ref().map(|s| &s.0);
    let renaming = found.renaming.as_ref().zip(symmetry).map(|(element, symmetry)| Renaming {
        pids: symmetry.ranks(element),
        order: order(element),
    });
    if prepared.keeps_ended {
        without_ended(model, &mut found, renaming.as_ref());
        if let (Some(start), false) = (&mut found.cycle, fairness == Fairness::None) {
            let endings = endings_after(model, &found.steps[..*start]);
            let at = *start;
            *start += endings.len();
            found.steps.splice(at..at, endings);
        }
    }
    if found.unreadable {
        return of_unreadable(model, question, found.steps);
    }
    if renaming.is_none() {
        found.cycle = found.cycle.map(|start| settle_cycle(model, &mut found.steps, start));
    }
    let Found { steps, cycle, .. } = found;
    let fairness = counted(fairness);
    let unconfirmed = match claim(model, question) {
        Some(claim) => {
            let renaming = renaming.as_ref();
            confirm(model, &Counterexample { steps: &steps, cycle, renaming, fairness, claim })
                .err()
        }
        None => Some(isospin_replay::Unconfirmed::NoViolation),
    };
    Finding { wrong: wrong_with_lasso(cycle), steps, cycle, renaming, unconfirmed }
}

/// Fairness as the replayer has it, which shares nothing with the searches.
pub fn counted(fairness: Fairness) -> Counted {
    match fairness {
        Fairness::None => Counted::None,
        Fairness::Weak => Counted::Weak,
        Fairness::Strong => Counted::Strong,
    }
}

/// What is wrong with an execution that violates a question about infinite executions.
pub fn wrong_with_lasso(cycle: Option<usize>) -> Wrong {
    if cycle.is_some() {
        Wrong::Endless
    } else {
        Wrong::ClaimEnd
    }
}

/// The finding that a property cannot be evaluated in the last state.
pub fn of_unreadable(model: &Arc<Model>, question: &Question, steps: Vec<Step>) -> Finding {
    let asked = asked(model, question);
    let claim = Claim::Unreadable(&asked);
    let found = Counterexample {
        steps: &steps,
        cycle: None,
        renaming: None,
        fairness: Counted::None,
        claim,
    };
    let unconfirmed = confirm(model, &found).err();
    let error = isospin_replay::unreadable(model, &steps, &asked);
    // Without an error it is not confirmed, and no violation.
    let wrong = error.map_or(Wrong::ClaimEnd, Wrong::Unreadable);
    Finding { wrong, steps, cycle: None, renaming: None, unconfirmed }
}

/// The expressions that a property asks for.
fn asked(model: &Model, question: &Question) -> Vec<Expr> {
    if let Some(given) = &question.automaton {
        return given.atoms.clone();
    }
    if let Some(formula) = model.formulas.iter().find(|f| f.name == question.name) {
        return to_logic(&formula.temporal).map_or_else(|_| Vec::new(), |(_, atoms)| atoms);
    }
    let stated = model.claims.iter().find(|c| c.name == question.name);
    let claim = stated.or_else(|| never_claim(model));
    let edges = claim.map_or(&[][..], |c| &c.automaton.edges);
    let asks = edges.iter().filter_map(|edge| match &edge.action {
        Action::Condition(e) | Action::Assert(e) => Some(e.clone()),
        _ => None,
    });
    asks.collect()
}

/// What the executions that violate a property are said to show.
pub fn claim<'c>(model: &'c Model, question: &'c Question) -> Option<Claim<'c>> {
    if let Some(given) = &question.automaton {
        return Some(Claim::Automaton(&given.automaton, &given.atoms));
    }
    match question.kind {
        PropertyKind::Ltl => {
            let formula = model.formulas.iter().find(|f| f.name == question.name);
            formula.map(|f| Claim::Formula(&f.temporal))
        }
        PropertyKind::Never => {
            model.claims.iter().find(|c| c.name == question.name).map(Claim::Never)
        }
        PropertyKind::Acceptance => Some(match never_claim(model) {
            Some(claim) if !has_accept(model) => Claim::Never(claim),
            claim => Claim::Acceptance(claim),
        }),
        PropertyKind::Progress => Some(Claim::Progress),
        PropertyKind::Time => Some(Claim::Time),
        _ => None,
    }
}

/// Takes ended processes away from an execution in which they stayed. Should that be necessary on
/// the cycle, it is so in the first round only.
fn without_ended(model: &Arc<Model>, found: &mut Found, renaming: Option<&Renaming>) {
    let ends = found.cycle.is_none_or(|start| start == found.steps.len());
    let (steps, numbers) = take_away_ended(model, &found.steps, ends);
    let Some(start) = found.cycle else {
        found.steps = steps;
        return;
    };
    let given = found.steps.len();
    let before = numbers.get(start).copied().unwrap_or(steps.len());
    let in_cycle = steps.len() - before > given - start;
    let cycle: Vec<Step> = found.steps.split_off(start);
    found.steps = steps;
    found.cycle = Some(match (in_cycle, cycle.is_empty()) {
        (_, true) => found.steps.len(),
        (false, _) => before,
        (true, _) => {
            let start = found.steps.len();
            found.steps.extend(cycle.into_iter().map(|s| renaming.map_or(s, |r| r.step(s))));
            start
        }
    });
}

/// A property with what was found. Only a confirmed execution is a violation; `open` says why
/// there is no verdict without one, if there is none.
pub fn property(
    name: &str,
    kind: PropertyKind,
    findings: Vec<Finding>,
    open: Option<Open>,
) -> Property {
    let confirmed = findings.iter().any(|f| f.unconfirmed.is_none());
    let (verdict, open) = match (confirmed, findings.is_empty(), open) {
        (true, ..) => (Verdict::Violated, None),
        (false, false, _) => (Verdict::Incomplete, Some(Open::Unconfirmed)),
        (false, true, None) => (Verdict::Holds, None),
        (false, true, open) => (Verdict::Incomplete, open),
    };
    Property { name: name.to_owned(), kind, verdict, open, findings }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_execution_that_was_not_confirmed_is_no_violation_and_is_not_dropped() {
        let unconfirmed = Some(isospin_replay::Unconfirmed::NoViolation);
        let finding = Finding {
            wrong: Wrong::Assertion,
            steps: Vec::new(),
            cycle: None,
            renaming: None,
            unconfirmed,
        };
        let told = property("p", PropertyKind::Assertion, vec![finding.clone()], None);
        assert_eq!((told.verdict, told.open), (Verdict::Incomplete, Some(Open::Unconfirmed)));
        assert_eq!(told.findings.len(), 1);
        let good = Finding { unconfirmed: None, ..finding.clone() };
        let both = property("p", PropertyKind::Assertion, vec![finding, good], None);
        assert_eq!(both.verdict, Verdict::Violated);
    }
}
