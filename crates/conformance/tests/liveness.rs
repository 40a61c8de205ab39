//! Liveness: random models and formulas against brute force, and what Spin makes of the models of
//! this project.
//!
//! `ISOSPIN_RANDOM_SEED` and `ISOSPIN_RANDOM_COUNT` say which random models and how many.

use std::path::Path;
use std::sync::Arc;

use isospin_analysis::Optimizations;
use isospin_check::asked::TIME_PASSES;
use isospin_check::{
    AmpleSets, Asked, EmptinessChoice, Fairness, MachineKind, Options, Verdict, Wanted,
};
use isospin_conformance::brute::Space;
use isospin_conformance::checks::run;
use isospin_conformance::claims::{claim, labelled};
use isospin_conformance::cyclic::{cyclic, meeting, odd};
use isospin_conformance::formulas::{formula, odd_formula, promise};
use isospin_conformance::isospin::{model_of, read_model};
use isospin_conformance::liveness::{
    check_claim, check_formula, check_labels, optimizations, Verdicts,
};
use isospin_conformance::rng::Rng;
use isospin_conformance::symmetric::symmetric;
use isospin_conformance::tree::{Piece, Text};
use isospin_conformance::{generate, shrink};
use isospin_model::Model;
use isospin_search::liveness::PropertyAutomaton;
use isospin_symmetry::prepare;
use serde_json::Value;

fn setting(name: &str) -> Option<u64> {
    let value = std::env::var(name).ok()?;
    Some(value.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

fn check_text(text: &str, seed: u64) -> Result<Verdicts, String> {
    let Ok(model) = model_of(text) else { return Ok(None) };
    let model = Arc::new(model);
    check_formula(&model, 300, &mut Rng::new(seed))
}

#[test]
fn random_formulas_agree_with_brute_force() {
    let usual = if cfg!(debug_assertions) { 60 } else { 300 };
    let seed = setting("ISOSPIN_RANDOM_SEED").unwrap_or(1);
    let count = setting("ISOSPIN_RANDOM_COUNT").unwrap_or(usual);
    println!("seed {seed}, {count} models of each kind");
    let (mut compared, mut fairness) = (0, 0);
    for seed in seed..seed + count {
        let mut rng = Rng::new(seed);
        let [any, cycles, meets] = [generate(seed), cyclic(seed), meeting(seed)];
        let strange = odd(seed);
        let asked = odd_formula(&mut rng, &strange.to_string());
        let texts =
            [(any, None), (cycles, None), (meets, Some(promise(&mut rng))), (strange, asked)];
        for (mut text, given) in texts {
            let formula = given.or_else(|| formula(&mut rng, &text.to_string()));
            let Some(formula) = formula else { continue };
            text.pieces.push(Piece::line(format!("ltl f {{ {formula} }}")));
            match check_text(&text.to_string(), seed) {
                Ok(Some(violated)) => {
                    compared += 1;
                    fairness += u64::from(violated[0] != violated[2]);
                }
                Ok(None) => {}
                Err(why) => {
                    let small = shrink(&text, 400, |t| check_text(&t.to_string(), seed).is_err());
                    panic!("seed {seed}: {why}\nthe smallest model that shows it:\n{small}");
                }
            }
        }
    }
    println!("{compared} formulas compared; fairness makes a difference to {fairness}");
    assert!(compared > count && fairness > 0, "too little was compared");
}

/// The model, if it has few states.
fn small(text: &Text) -> Option<Arc<Model>> {
    smaller_than(300, text)
}

fn smaller_than(limit: u64, text: &Text) -> Option<Arc<Model>> {
    let model = Arc::new(model_of(&text.to_string()).ok()?);
    Space::explore(&model, limit as usize).is_some().then_some(model)
}

/// What came out, or the smallest model that shows what is wrong.
fn judged<T>(seed: u64, text: &Text, check: impl Fn(&Text) -> Result<T, String>) -> T {
    check(text).unwrap_or_else(|why| {
        let small = shrink(text, 400, |t| check(t).is_err());
        panic!("seed {seed}: {why}\nthe smallest model that shows it:\n{small}");
    })
}

#[test]
fn random_labels_and_claims_agree_with_brute_force() {
    let usual = if cfg!(debug_assertions) { 40 } else { 150 };
    let seed = setting("ISOSPIN_RANDOM_SEED").unwrap_or(1);
    let count = setting("ISOSPIN_RANDOM_COUNT").unwrap_or(usual);
    println!("seed {seed}, {count} models of each kind");
    let (mut labels, mut claims, mut closed) = (0, 0, 0);
    for seed in seed..seed + count {
        let mut rng = Rng::new(seed);
        for text in [generate(seed), cyclic(seed), meeting(seed), odd(seed)] {
            let with = labelled(&mut rng, &text);
            let checked = judged(seed, &with, |t| match small(t) {
                Some(model) => check_labels(&model, 300),
                None => Ok([None, None]),
            });
            labels += checked.iter().flatten().count();
            let Some(claim) = claim(&mut rng, &text.to_string()) else { continue };
            let mut with = text.clone();
            with.pieces.push(Piece::line(claim));
            let checked = judged(seed, &with, |t| match small(t) {
                Some(model) => check_claim(&model, 300),
                None => Ok(None),
            });
            claims += u64::from(checked.is_some());
            closed += u64::from(checked.is_some_and(|(closed, _)| closed));
        }
    }
    println!("{labels} kinds of labels, {claims} claims compared, of which {closed} are closed");
    assert!(claims > count && closed * 2 > claims && labels > 0, "too little was compared");
}

#[test]
fn random_symmetric_models_agree_with_brute_force() {
    const LIMIT: u64 = 1_000;
    let usual = if cfg!(debug_assertions) { 10 } else { 120 };
    let seed = setting("ISOSPIN_RANDOM_SEED").unwrap_or(1);
    let count = setting("ISOSPIN_RANDOM_COUNT").unwrap_or(usual);
    println!("seed {seed}, {count} models");
    let (mut formulas, mut labels, mut are_symmetric) = (0, 0, 0);
    for seed in seed..seed + count {
        let mut rng = Rng::new(seed);
        let text = symmetric(seed).text;
        let with = labelled(&mut rng, &text);
        let checked = judged(seed, &with, |t| match smaller_than(LIMIT, t) {
            Some(model) => check_labels(&model, LIMIT as usize),
            None => Ok([None, None]),
        });
        labels += checked.iter().flatten().count();
        let Some(formula) = formula(&mut rng, &text.to_string()) else { continue };
        let mut with = text.clone();
        with.pieces.push(Piece::line(format!("ltl f {{ {formula} }}")));
        let checked = judged(seed, &with, |t| match smaller_than(LIMIT, t) {
            Some(model) => check_formula(&model, LIMIT as usize, &mut Rng::new(seed)),
            None => Ok(None),
        });
        let Some(model) = smaller_than(LIMIT, &with).filter(|_| checked.is_some()) else {
            continue;
        };
        let Ok(automaton) = PropertyAutomaton::violating(&model.formulas[0].temporal, false) else {
            continue;
        };
        let which = Some(optimizations(Fairness::None));
        let prepared = prepare(&model, &automaton.atoms, which);
        formulas += 1;
        are_symmetric += u64::from(prepared.detection.symmetry.is_some());
    }
    println!("{formulas} formulas, {are_symmetric} with symmetry, and {labels} kinds of labels");
    assert!(2 * formulas > count && 3 * are_symmetric > formulas, "too little was compared");
    assert!(labels > 0, "too little was compared");
}

/// Whether the property is violated, in every way that must not make a difference.
fn violated(model: &Arc<Model>, asked: &Asked, fairness: Fairness) -> bool {
    let por = Some(AmpleSets::default());
    let (all, none) = (Optimizations::ALL, Optimizations::NONE);
    let ways = [
        (EmptinessChoice::Nested, none, None),
        (EmptinessChoice::Components, none, None),
        (EmptinessChoice::Auto, all, None),
        (EmptinessChoice::Auto, all, por),
        (EmptinessChoice::Components, all, por),
    ];
    let mut verdict = None;
    for (emptiness, optimize, por) in ways {
        let wanted = Wanted { optimize, por, ..Wanted::none() };
        let machine = Some(MachineKind::Interpreter);
        let options = Options { fairness, emptiness, wanted, machine, ..Options::default() };
        let how = format!("{} {asked:?} {options:?}", model.name);
        let report = run(model, asked, &options).unwrap_or_else(|why| panic!("{how}: {why}"));
        let property = report.properties.first().expect("what was asked");
        assert_ne!(property.verdict, Verdict::Incomplete, "{how}");
        let found = property.verdict == Verdict::Violated;
        assert_eq!(found, *verdict.get_or_insert(found), "{how}");
    }
    verdict == Some(true)
}

#[test]
fn verdicts_on_the_models_are_those_expected() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let text = std::fs::read_to_string(root.join("expected.json")).expect("models/expected.json");
    let expected: Value = serde_json::from_str(&text).expect("expected.json is JSON");
    let limit = if cfg!(debug_assertions) { 1_500 } else { 100_000 };
    let mut wrong = Vec::new();
    let mut compared = 0;
    for entry in expected["models"].as_array().expect("a list of models") {
        let name = entry["model"].as_str().expect("a name");
        if entry["full"]["states"].as_u64().is_none_or(|states| states > limit) {
            continue;
        }
        let model = read_model(&root.join(name)).unwrap_or_else(|why| panic!("{name}: {why}"));
        let model = Arc::new(model);
        let mut judge = |what: &str, asked: Asked, expected: &Value| {
            for (key, fairness) in [("unfair", Fairness::None), ("weak", Fairness::Weak)] {
                let Some(verdict) = expected[key].as_str() else { continue };
                compared += 1;
                if violated(&model, &asked, fairness) != (verdict == "violated") {
                    wrong.push(format!("{name}, {what}, {key}: should be {verdict}"));
                }
            }
        };
        let named = |name: &str| Asked { properties: vec![name.to_owned()], ..Asked::default() };
        for formula in &model.formulas {
            judge(&formula.name, named(&formula.name), &entry["ltl"][&formula.name]);
        }
        let acceptance = Asked { acceptance: true, ..Asked::default() };
        judge("acceptance", acceptance, &entry["acceptance"]);
        let progress = Asked { progress: true, ..Asked::default() };
        judge("progress", progress, &entry["progress"]);
        judge("time", named(TIME_PASSES), &entry["time"]);
    }
    println!("{compared} verdicts compared");
    assert!(wrong.is_empty(), "{} of {compared}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(compared > 20, "too little was compared: {compared}");
}
