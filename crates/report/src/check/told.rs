//! Executions that violate a property, told in the model's names.

use std::collections::VecDeque;
use std::sync::Arc;

use isospin_check::{Fairness, Finding, Property, Wrong};
use isospin_machine::{Fault, RuntimeError};
use isospin_model::{Action, Model, Pid};
use isospin_replay::{cycle, Execution, Renaming};

use crate::format::plural;
use crate::names::Names;
use crate::snapshot::Snapshot;
use crate::story::{retell, Story};
use crate::trail::TrailProperty;

/// Longer cycles are cut off at the front.
const MAX_CYCLE_SHOWN: usize = 40;

/// An execution that violates a property, told.
#[derive(Clone, Debug)]
pub struct Told {
    /// Whether it is that the property cannot be evaluated.
    pub unreadable: bool,
    /// What is wrong, without the kind of the property.
    pub message: String,
    /// Where, as `file:line:column`.
    pub location: String,
    /// The file that the execution was written to.
    pub trail: Option<String>,
    /// How many steps it has.
    pub steps: usize,
    /// For an execution that goes on for ever, the step (from 1) that its cycle starts with.
    pub cycle_start: Option<usize>,
    /// What each process does on the cycle, a sentence each.
    pub parts: Vec<String>,
    /// How the cycle goes on, where it repeats with other names: who takes whose place.
    pub renaming: Option<String>,
    /// The last steps.
    pub last: Vec<Story>,
    /// The state that it ends in; of a step that fails, the state before.
    pub state: Option<Vec<u8>>,
}

/// Tells a finding of a property, with its last `last` steps or all of a short cycle.
pub fn tell(
    names: &Names,
    property: &Property,
    finding: &Finding,
    fairness: Fairness,
    last: usize,
) -> Told {
    let steps = &finding.steps;
    let cycle_len = finding.cycle.map_or(0, |start| steps.len() - start);
    let mut keep = last.max(1);
    if finding.cycle.is_some() {
        keep = keep.max(cycle_len.min(MAX_CYCLE_SHOWN) + 1);
    }
    let mut stories = VecDeque::new();
    let told = retell(names, steps, &mut |story| {
        if stories.len() == keep {
            stories.pop_front();
        }
        stories.push_back(story);
    });
    let execution = told.ok().map(|retold| retold.execution);
    let model = &names.model;
    let (message, location) = match finding.wrong {
        Wrong::EndState => execution.as_ref().map(|e| stuck(names, e)).unwrap_or_default(),
        Wrong::Assertion => described(stories.back(), model, None),
        Wrong::Runtime(error) => described(stories.back(), model, Some(error)),
        Wrong::Endless => {
            (cycle_message(cycle_len, finding.renaming.as_ref()), place_of(model, &property.name))
        }
        Wrong::ClaimEnd => (claim_message(model, &property.name), place_of(model, &property.name)),
        Wrong::Unreadable(error) => {
            let message = format!("it cannot be evaluated: {error}");
            (message, place_of(model, &property.name))
        }
    };
    let cycle = finding.cycle.filter(|_| fairness != Fairness::None);
    let heads = execution.as_ref().map(|e| heads(names, e.state())).unwrap_or_default();
    Told {
        unreadable: finding.wrong.is_unreadable(),
        message,
        location,
        trail: None,
        steps: steps.len(),
        cycle_start: finding.cycle.map(|start| start + 1),
        parts: cycle.map_or(Vec::new(), |at| parts(model, &heads, finding, at, fairness)),
        renaming: finding.renaming.as_ref().map(|renaming| rounds(&heads, renaming)),
        last: if last == 0 { Vec::new() } else { stories.into() },
        state: execution.map(|e| e.state().to_vec()),
    }
}

/// What a trail says about the property that its execution violates.
pub fn property_of_trail(property: &Property, told: &Told) -> TrailProperty {
    TrailProperty {
        name: property.name.clone(),
        kind: property.kind.word().to_owned(),
        message: told.message.clone(),
        location: told.location.clone(),
        unreadable: told.unreadable,
    }
}

fn cycle_message(len: usize, renaming: Option<&Renaming>) -> String {
    if let Some(Renaming { order, .. }) = renaming {
        let steps = plural(len as u64, "step");
        return format!("a cycle of {steps}, {order} times with other names until it closes");
    }
    match len {
        0 => "the execution ends, and its last state stays".to_owned(),
        1 => "a cycle of 1 step".to_owned(),
        n => format!("a cycle of {n} steps"),
    }
}

fn claim_message(model: &Model, name: &str) -> String {
    let claim = model.claims.iter().find(|c| c.name == name);
    let asserts = claim
        .is_some_and(|c| c.automaton.edges.iter().any(|e| matches!(e.action, Action::Assert(_))));
    let end = "the claim runs to its end";
    if asserts {
        format!("{end}, or an assertion in it fails")
    } else {
        end.to_owned()
    }
}

/// Where the formula or claim with this name stands.
fn place_of(model: &Model, name: &str) -> String {
    let formula = model.formulas.iter().find(|f| f.name == name).map(|f| f.source);
    let claim = model.claims.iter().find(|c| c.name == name).map(|c| c.source);
    formula.or(claim).map_or(String::new(), |s| model.place(s))
}

/// The processes of a state, by type and number.
fn heads(names: &Names, state: &[u8]) -> Vec<String> {
    let processes = Snapshot::read(names, state).processes;
    processes.into_iter().map(|p| p.name).collect()
}

/// For each process, where it moves on a fair cycle or where it cannot.
fn parts(
    model: &Arc<Model>,
    heads: &[String],
    finding: &Finding,
    start: usize,
    fairness: Fairness,
) -> Vec<String> {
    let Some(found) = cycle::examine(model, &finding.steps, start, finding.renaming.as_ref())
    else {
        return Vec::new();
    };
    let who = |pid: usize| heads.get(pid).cloned().unwrap_or_else(|| format!("process {pid}"));
    let told = found.parts.iter().map(|part| {
        let who = who(part.pid);
        match (part.moves, part.waits, part.able) {
            (Some(step), ..) => format!("{who} moves, for example in step {step}"),
            (None, _, None) => format!("{who} is never able to move from step {} on", start + 1),
            (None, Some(waits), Some(able)) if fairness == Fairness::Weak => format!(
                "{who} never moves: it can before step {able} and cannot before step {waits}, so \
                 only strong fairness would have it move"
            ),
            (None, ..) => format!("{who} never moves"),
        }
    });
    told.collect()
}

/// Who takes whose place from one round to the next.
fn rounds(heads: &[String], renaming: &Renaming) -> String {
    let who = |pid: Pid| {
        heads.get(pid.index()).cloned().unwrap_or_else(|| format!("process {}", pid.index()))
    };
    let mut told: Vec<String> = Vec::new();
    let mut seen = vec![false; renaming.pids.len()];
    for pid in 0..renaming.pids.len() {
        let orbit = renaming.orbit(Pid::at(pid));
        if !seen[pid] && orbit.len() > 1 {
            let mut ring: Vec<String> = orbit.iter().map(|&p| who(p)).collect();
            ring.push(who(orbit[0]));
            told.push(ring.join(" -> "));
        }
        orbit.iter().for_each(|p| seen[p.index()] = true);
    }
    format!("and so on, each round renamed: {}", told.join(", "))
}

/// Who cannot go on and may not end where it stands.
fn stuck(names: &Names, execution: &Execution) -> (String, String) {
    let snapshot = Snapshot::read(names, execution.state());
    let stuck: Vec<_> = snapshot.processes.iter().filter(|p| !p.may_end).collect();
    let mut who: Vec<String> = stuck.iter().take(3).map(|p| p.name.clone()).collect();
    if stuck.len() > 3 {
        who.push(format!("{} more", stuck.len() - 3));
    }
    let who = match who.split_last() {
        None => String::new(),
        Some((only, [])) => only.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    };
    let place = stuck.first().map(|p| p.location.clone());
    (format!("{who} cannot go on"), place.unwrap_or_default())
}

/// The failing statement and its place; `error` is what went wrong in it.
fn described(last: Option<&Story>, model: &Model, error: Option<RuntimeError>) -> (String, String) {
    let Some(story) = last else {
        let error = error.map(|e| e.to_string()).unwrap_or_default();
        return (format!("{error}, before the first step"), model.name.clone());
    };
    let part = match (&story.partner, story.fault) {
        // A rendez-vous that fails does so at its receiver.
        (Some(partner), Some(Fault::Runtime(_))) => partner,
        _ => &story.part,
    };
    let message = match error {
        Some(error) => format!("{error}, in `{}`", part.text),
        None => part.text.clone(),
    };
    (message, model.place(part.source))
}

#[cfg(test)]
mod tests {
    use isospin_check::{check, Asked, Options};

    use super::*;
    use crate::testing::names;

    /// What is told of the first violation, with so many steps at most.
    fn told(text: &str, fairness: Fairness, last: usize) -> Told {
        let names = names(text);
        let options = Options { threads: Some(1), fairness, ..Options::default() };
        let report = check(&names.model, &Asked::default(), &options, &mut ()).expect("a check");
        let mut found =
            report.properties.iter().flat_map(|p| p.findings.iter().map(move |f| (p, f)));
        let (property, finding) = found.next().expect("a violation");
        tell(&names, property, finding, fairness, last)
    }

    fn says(text: &str) -> (String, String) {
        let told = told(text, Fairness::None, 10);
        (told.message, told.location)
    }

    fn pair(a: &str, b: &str) -> (String, String) {
        (a.to_owned(), b.to_owned())
    }

    #[test]
    fn what_fails_is_told_with_its_statement_and_place() {
        let assertion = "byte x; init { x = 1;\n assert(x == 0) }";
        assert_eq!(says(assertion), pair("assert(x == 0)", "m.pml:2:2"));
        let runtime = "byte a[2], i = 2; init { a[i] = 1; assert(a[0] == 0) }";
        let (message, location) = says(runtime);
        assert!(message.ends_with(", in `a[i] = 1`"), "{message}");
        assert_eq!(location, "m.pml:1:26");
    }

    #[test]
    fn who_cannot_go_on_is_named_up_to_three() {
        let stuck = |n: usize| format!("byte x; active [{n}] proctype P() {{ x == {n} + 1 }}");
        assert_eq!(says(&stuck(1)), pair("P[0] cannot go on", "m.pml:1:35"));
        assert_eq!(says(&stuck(2)).0, "P[0] and P[1] cannot go on");
        assert_eq!(says(&stuck(5)).0, "P[0], P[1], P[2] and 2 more cannot go on");
    }

    #[test]
    fn a_model_that_cannot_start_says_so() {
        let (message, location) = says("byte x = 1; byte y = 5 / (x - 1); init { assert(y) }");
        assert!(message.ends_with(", before the first step"), "{message}");
        assert_eq!(location, "m.pml");
    }

    #[test]
    fn only_the_last_steps_are_kept_and_all_are_counted() {
        let text = "byte x; init { do :: x < 20 -> x++ :: else -> break od; assert(false) }";
        let all = told(text, Fairness::None, 1000);
        assert_eq!(all.last.len(), all.steps);
        let few = told(text, Fairness::None, 3);
        assert_eq!((few.steps, few.last.len()), (all.steps, 3));
        assert_eq!(few.last[2].part.text, "assert(false)");
        assert!(told(text, Fairness::None, 0).last.is_empty());
    }

    const ENDLESS: &str = "byte x; active proctype P() { x = 5; do :: x = 6 :: x = 7 od }
        active proctype Q() { end: false } ltl p { <> (x == 9) }";

    #[test]
    fn a_cycle_is_told_from_its_start() {
        let told = told(ENDLESS, Fairness::None, 1);
        let start = told.cycle_start.expect("a cycle");
        assert_eq!(told.message, cycle_message(told.steps + 1 - start, None));
        assert!(told.location.starts_with("m.pml:2:"), "{told:?}");
        assert!(told.last.iter().any(|s| s.number == start), "{told:?}");
        assert!(told.parts.is_empty());
    }

    #[test]
    fn on_a_fair_cycle_everybody_has_a_part() {
        let told = told(ENDLESS, Fairness::Weak, 1);
        let [p, q] = &told.parts[..] else { panic!("{told:?}") };
        assert!(p.starts_with("P[0] moves, for example in step "), "{p}");
        assert!(q.starts_with("Q[1] is never able to move from step "), "{q}");
    }

    #[test]
    fn an_execution_that_ends_is_a_cycle_of_its_last_state() {
        assert_eq!(cycle_message(0, None), "the execution ends, and its last state stays");
        assert_eq!(cycle_message(1, None), "a cycle of 1 step");
        assert_eq!(cycle_message(2, None), "a cycle of 2 steps");
    }
}
