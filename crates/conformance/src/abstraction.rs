//! Whether what holds with abstract timers holds for all times.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use isospin_analysis::time::abstract_timers;
use isospin_logic::is_stutter_invariant;
use isospin_machine::{Interpreter, Step};
use isospin_model::{Action, EdgeId, Expr, Kind, Model};
use isospin_search::liveness::property::to_logic;
use isospin_search::liveness::{check_liveness, Emptiness, Fairness, PropertyAutomaton};
use isospin_search::{check_safety, replay, Options, Verdict, ViolationKind};

use crate::rng::Rng;

/// What is wrong with a model: kinds of violations, with the edges of the steps that fail.
type Wrong = BTreeSet<(&'static str, Option<EdgeId>)>;

/// Compares the abstract model with the model as written and with others that differ from it only
/// in their times: whatever is wrong with one of those is wrong with the abstract one. Says how
/// many were compared; none where the model asks how much time is left, or is too large.
pub fn check_abstraction(model: &Arc<Model>, rng: &mut Rng) -> Result<u64, String> {
    let formulas = model.formulas.iter().map(|f| to_logic(&f.temporal));
    let Ok(formulas) = formulas.collect::<Result<Vec<_>, _>>() else { return Ok(0) };
    if !formulas.iter().all(|(formula, _)| is_stutter_invariant(formula)) {
        return Ok(0);
    }
    let observers: Vec<Expr> = formulas.into_iter().flat_map(|(_, atoms)| atoms).collect();
    let mut abstracted = Model::clone(model);
    if abstract_timers(&mut abstracted, &observers).is_err() {
        return Ok(0);
    }
    let Some(allowed) = wrong(&Arc::new(abstracted))? else { return Ok(0) };
    let mut compared = 0;
    for round in 0..4 {
        let mut retimed = Model::clone(model);
        if round > 0 {
            retime(&mut retimed, rng);
        }
        let Some(found) = wrong(&Arc::new(retimed))? else { continue };
        if let Some(missed) = found.difference(&allowed).next() {
            return Err(format!("with times of round {round}: {missed:?} is not there"));
        }
        compared += 1;
    }
    Ok(compared)
}

/// Gives every timer that is set for some time another time.
fn retime(model: &mut Model, rng: &mut Rng) {
    for proctype in &mut model.proctypes {
        for edge in &mut proctype.automaton.edges {
            change(&mut edge.action, rng);
        }
    }
}

fn change(action: &mut Action, rng: &mut Rng) {
    match action {
        Action::Assign(Some(place), Expr::Const(c)) if place.ty.kind == Kind::Timer && *c > 0 => {
            *c = rng.between(1, 6) as i32;
        }
        Action::DetStep(step) => {
            step.nodes
                .iter_mut()
                .flat_map(|n| &mut n.edges)
                .for_each(|e| change(&mut e.action, rng));
        }
        _ => {}
    }
}

/// Everything that is wrong, every execution replayed; `None` where it takes too much.
fn wrong(model: &Arc<Model>) -> Result<Option<Wrong>, String> {
    let machines = || Interpreter::new(Arc::clone(model));
    let (memory, time) = (Some(1 << 27), Some(Duration::from_secs(5)));
    let options = Options { errors: 0, trails: 10_000, memory, time, ..Options::default() };
    let result = check_safety(machines, &options, &mut |_| {});
    if result.incomplete.is_some() || result.states > 5_000 {
        return Ok(None);
    }
    let mut wrong = Wrong::new();
    for violation in &result.violations {
        replay(model, violation).map_err(|why| format!("{:?}: {why}", violation.kind))?;
        let last = violation.steps.last().and_then(Step::process).map(|by| by.edge);
        wrong.insert(match violation.kind {
            ViolationKind::Assertion => ("assertion", last),
            ViolationKind::EndState => ("end", None),
            ViolationKind::Runtime(_) => ("runtime", last),
        });
    }
    let mut automata = vec![("zero cycle", PropertyAutomaton::zero_cycles())];
    for formula in &model.formulas {
        let automaton = PropertyAutomaton::violating(&formula.temporal, false);
        automata.push(("formula", automaton.map_err(|e| e.to_string())?));
    }
    for (name, automaton) in automata {
        let none = Fairness::None;
        let machine = machines();
        let options = Options { memory, time, ..Options::default() };
        let way = Emptiness::Auto;
        let result = check_liveness(machine, automaton, none, way, &options, &mut |_| {});
        match result.verdict {
            Verdict::Violated => _ = wrong.insert((name, None)),
            Verdict::Holds => {}
            Verdict::Incomplete => return Ok(None),
        }
    }
    Ok(Some(wrong))
}
