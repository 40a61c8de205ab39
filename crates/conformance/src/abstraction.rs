//! Whether what holds with abstract timers holds for all times.

use std::sync::Arc;

use isospin_analysis::time::abstract_timers;
use isospin_check::asked::TIME_PASSES;
use isospin_check::{to_logic, Asked, Open, Options, Verdict};
use isospin_logic::is_stutter_invariant;
use isospin_model::{Action, Expr, Kind, Model};

use crate::checks::{everything, is_complete, run, safety, wrongs, Wrongs as Wrong};
use crate::rng::Rng;

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

/// Everything that is wrong, every execution confirmed; `None` where it takes too much.
fn wrong(model: &Arc<Model>) -> Result<Option<Wrong>, String> {
    let options = everything(1 << 27, 5);
    let report = run(model, &safety(), &options)?;
    if !is_complete(&report) || report.statistics.states > 5_000 {
        return Ok(None);
    }
    let mut wrong = wrongs(&report)?;
    let formulas = model.formulas.iter().map(|f| f.name.as_str());
    for name in formulas.chain(model.time.iter().map(|_| TIME_PASSES)) {
        let asked = Asked { properties: vec![name.to_owned()], ..Asked::default() };
        let report = run(model, &asked, &Options { errors: 1, ..options.clone() })?;
        let Some(property) = report.properties.first() else { continue };
        match property.verdict {
            Verdict::Violated if name == TIME_PASSES => _ = wrong.insert(("zero cycle", None)),
            Verdict::Violated => _ = wrong.insert(("formula", None)),
            Verdict::Holds => {}
            Verdict::Incomplete if property.open == Some(Open::RuntimeErrors) => {}
            Verdict::Incomplete => return Ok(None),
        }
    }
    Ok(Some(wrong))
}
