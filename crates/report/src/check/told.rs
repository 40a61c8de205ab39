//! Executions that violate a property, told in the model's names.

use std::collections::VecDeque;
use std::sync::Arc;

use isospin_check::{Fairness, Finding, Property, Wrong};
use isospin_machine::{Fault, RuntimeError};
use isospin_model::{Action, Model};
use isospin_replay::{cycle, Execution};

use crate::names::Names;
use crate::snapshot::Snapshot;
use crate::story::{retell, Story};
use crate::trail::TrailProperty;

/// Longer cycles are cut off at the front.
const MAX_CYCLE_SHOWN: usize = 40;

/// An execution that violates a property, told.
#[derive(Clone, Debug)]
pub struct Told {
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
        Wrong::Endless => (cycle_message(cycle_len), place_of(model, &property.name)),
        Wrong::ClaimEnd => (claim_message(model, &property.name), place_of(model, &property.name)),
    };
    let fair = fairness != Fairness::None;
    Told {
        message,
        location,
        trail: None,
        steps: steps.len(),
        cycle_start: finding.cycle.map(|start| start + 1),
        parts: finding.cycle.filter(|_| fair).map_or(Vec::new(), |at| parts(model, finding, at)),
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
    }
}

fn cycle_message(len: usize) -> String {
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

/// For each process, where it moves on a fair cycle or where it cannot.
fn parts(model: &Arc<Model>, finding: &Finding, start: usize) -> Vec<String> {
    let Some(found) = cycle::examine(model, &finding.steps, start) else { return Vec::new() };
    let told = found.parts.iter().map(|part| match (part.moves, part.waits) {
        (Some(step), _) => format!("process {} moves, for example in step {step}", part.pid),
        (None, Some(step)) => format!("process {} cannot move before step {step}", part.pid),
        (None, None) => format!("process {} never moves", part.pid),
    });
    told.collect()
}

/// Who cannot go on and may not end where it stands.
fn stuck(names: &Names, execution: &Execution) -> (String, String) {
    let snapshot = Snapshot::read(names, execution.state());
    let stuck: Vec<_> = snapshot.processes.iter().filter(|p| !p.may_end).collect();
    let mut who: Vec<String> =
        stuck.iter().take(3).map(|p| format!("{}[{}]", p.proctype, p.pid)).collect();
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
