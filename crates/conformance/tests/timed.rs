//! Models with timers: against Spin, which counts time in a process of the model; and with every
//! reduction and optimisation against none.
//!
//! `ISOSPIN_RANDOM_SEED` and `ISOSPIN_RANDOM_COUNT` say which random models and how many.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use isospin_analysis::optimize::Optimizations;
use isospin_analysis::time::abstract_timers;
use isospin_check::asked::{ASSERTIONS, TIME_PASSES};
use isospin_check::{AmpleSets, Asked, EmptinessChoice, MachineKind, Options, Verdict, Wanted};
use isospin_conformance::abstraction::check_abstraction;
use isospin_conformance::brute::Space;
use isospin_conformance::checks::{run, safety};
use isospin_conformance::formulas::formula;
use isospin_conformance::isospin::{explore, model_of};
use isospin_conformance::liveness::check_formula;
use isospin_conformance::reductions::check_reductions;
use isospin_conformance::rng::Rng;
use isospin_conformance::searches::check_searches;
use isospin_conformance::shrink;
use isospin_conformance::spin::{Job, Spin};
use isospin_conformance::timed::{plain, timed};
use isospin_conformance::tree::{Piece, Text};

fn setting(name: &str) -> Option<u64> {
    let value = std::env::var(name).ok()?;
    Some(value.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

/// The seeds to look at: as many as asked for, or as usual.
fn seeds(debug: u64, release: u64) -> std::ops::Range<u64> {
    let usual = if cfg!(debug_assertions) { debug } else { release };
    let first = setting("ISOSPIN_RANDOM_SEED").unwrap_or(1);
    let count = setting("ISOSPIN_RANDOM_COUNT").unwrap_or(usual);
    println!("seed {first}, {count} models");
    first..first + count
}

fn smallest(seed: u64, text: &Text, why: &str, wrong: impl FnMut(&Text) -> bool) -> ! {
    let small = shrink(text, 300, wrong);
    panic!("seed {seed}: {why}\nthe smallest model that shows it:\n{small}");
}

/// States, transitions and errors with built-in timers and as Spin counts them with timers that
/// are variables. `None` where the model is too large for either.
fn compare(spin: &Spin, text: &Text) -> Result<bool, String> {
    let text = text.to_string();
    let Ok(model) = model_of(&text) else { return Ok(false) };
    let model = Arc::new(model);
    let Some(ours) = explore(&model, 5_000) else { return Ok(false) };
    check_searches(&model, &ours)?;
    let plain = plain(&text);
    let theirs = match spin.run(&plain, &Job::exact()) {
        Ok(run) => run,
        Err(_) => return Ok(false),
    };
    let (a, b) = ((ours.states, ours.transitions, ours.errors), counts(&theirs));
    if a == b {
        Ok(true)
    } else {
        Err(format!("(states, transitions, errors) are {a:?}, Spin says {b:?}"))
    }
}

fn counts(run: &isospin_conformance::spin::Run) -> (u64, u64, u64) {
    (run.states, run.transitions, run.errors)
}

#[test]
fn built_in_timers_count_as_a_process_that_lets_time_pass_does_in_spin() {
    let Some(spin) = Spin::find() else {
        println!("skipped: spin is not there");
        return;
    };
    let mut compared = 0;
    let seeds = seeds(6, 60);
    let count = seeds.end - seeds.start;
    for seed in seeds {
        let text = timed(seed);
        match compare(&spin, &text) {
            Ok(done) => compared += u64::from(done),
            Err(why) => smallest(seed, &text, &why, |t| compare(&spin, t).is_err()),
        }
    }
    println!("{compared} models compared with Spin");
    assert!(2 * compared >= count, "too little was compared: {compared} of {count}");
}

#[test]
fn random_timed_models_say_the_same_when_reduced() {
    let (mut complete, mut smaller) = (0, 0);
    let seeds = seeds(40, 600);
    let count = seeds.end - seeds.start;
    let check = |text: &Text| -> Result<(bool, bool), String> {
        let Ok(model) = model_of(&text.to_string()) else { return Ok((false, false)) };
        let model = Arc::new(model);
        if explore(&model, 2_000).is_none() {
            return Ok((false, false));
        }
        let compared = check_reductions(&model, 2_000)?;
        Ok((compared.complete, compared.reduced < compared.states))
    };
    for seed in seeds {
        let text = timed(seed);
        match check(&text) {
            Ok((done, reduced)) => {
                complete += u64::from(done);
                smaller += u64::from(reduced);
            }
            Err(why) => smallest(seed, &text, &why, |t| check(t).is_err()),
        }
    }
    println!("{complete} models compared, {smaller} are smaller with reduction");
    assert!(2 * complete > count && 8 * smaller > complete, "too little was compared");
}

/// A model of the project with the header for Spin put in, after these definitions.
fn project_model(name: &str, defines: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/timed");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect(name);
    let text = read(name).replace("#include \"dt.h\"", &read("dt/dt.h"));
    format!("{defines}\n{text}")
}

/// States, transitions and errors of the whole model.
fn whole(text: &str) -> (u64, u64, u64) {
    let model = model_of(text).unwrap_or_else(|why| panic!("{why}: {text}"));
    let graph = explore(&Arc::new(model), 200_000).expect("it is small enough");
    (graph.states, graph.transitions, graph.errors)
}

#[test]
fn the_timed_models_say_the_same_in_dt_promela_and_as_macros() {
    for (name, other, defines, violated) in [
        ("dt/par.pml", "par.pml", "", false),
        ("dt/par.pml", "par.pml", "#define TO 6", true),
        ("dt/par.pml", "par.pml", "#define TO 7", true),
        ("dt/par.pml", "par.pml", "#define TO 8", false),
        ("dt/fischer.pml", "fischer.pml", "", false),
        ("dt/fischer.pml", "fischer.pml", "#define WAIT 1", true),
        ("dt/brp.pml", "brp-timed.pml", "", false),
        ("dt/brp.pml", "brp-timed.pml", "#define T1 2", true),
        ("dt/brp.pml", "brp-timed.pml", "#define T2 6", true),
        ("dt/train-gate.pml", "train-gate.pml", "", false),
        ("dt/train-gate.pml", "train-gate.pml", "#define IN_MIN 2", true),
    ] {
        let (_, _, built_in) = whole(&project_model(name, defines));
        let (_, _, macros) = whole(&project_model(other, defines));
        assert_eq!([built_in > 0, macros > 0], [violated, violated], "{name} {defines}");
    }
}

#[test]
fn spin_reads_dt_promela_with_the_header() {
    let Some(spin) = Spin::find() else {
        println!("skipped: spin is not there");
        return;
    };
    let patient = Job { time: Duration::from_secs(300), ..Job::exact() };
    for defines in ["", "#define TO 6", "#define SCALE 3"] {
        let text = project_model("dt/par.pml", defines);
        let theirs = spin.run(&text, &patient).expect("Spin reads it");
        assert_eq!(whole(&text), counts(&theirs), "{defines}");
    }
    for name in ["par", "fischer", "brp", "train-gate"] {
        let text = project_model(&format!("dt/{name}.pml"), "#define ABSTRACT_TIMERS");
        let first = Job { all_errors: false, ..patient.clone() };
        let theirs = spin.run(&text, &first).expect("Spin reads it");
        let mut model = model_of(&text).expect("it is a model");
        abstract_timers(&mut model, &[]).expect("nobody asks how much time is left");
        let model = Arc::new(model);
        let ours = run(&model, &safety(), &Options::default()).expect("a check");
        // Timers that expire at any time do so when nobody can move, too.
        let asserts = theirs.first_error.is_some_and(|e| e.starts_with("assertion"));
        let assertions = ours.properties.iter().find(|p| p.name == ASSERTIONS).expect("assertions");
        let violated = assertions.verdict == Verdict::Violated;
        assert!(asserts || !violated, "{name}");
    }
}

/// Whether there is a zero cycle, in every way that must not make a difference.
fn zero_cycle(text: &Text) -> Result<Option<bool>, String> {
    let Ok(model) = model_of(&text.to_string()) else { return Ok(None) };
    let model = Arc::new(model);
    let Some(space) = Space::explore(&model, 1_000) else { return Ok(None) };
    let expected = space.has_zero_cycle();
    if model.time.is_none() {
        return Ok(None);
    }
    let asked = Asked { properties: vec![TIME_PASSES.to_owned()], ..Asked::default() };
    let jumps = Optimizations { jumps: true, ..Optimizations::NONE };
    for optimize in [Optimizations::NONE, jumps, Optimizations::ALL] {
        for (emptiness, por) in [
            (EmptinessChoice::Components, None),
            (EmptinessChoice::Nested, None),
            (EmptinessChoice::Nested, Some(AmpleSets::default())),
        ] {
            let how = format!("{optimize:?}, {emptiness:?}, {por:?}");
            let wanted = Wanted { optimize, por, ..Wanted::none() };
            let machine = Some(MachineKind::Interpreter);
            let options = Options { emptiness, wanted, machine, ..Options::default() };
            let report = run(&model, &asked, &options).map_err(|why| format!("{how}: {why}"))?;
            let property = report.properties.first().expect("what was asked");
            if (property.verdict == Verdict::Violated) != expected {
                return Err(format!("{how}: {:?}, should be {expected}", property.verdict));
            }
        }
    }
    Ok(Some(expected))
}

#[test]
fn zero_cycles_of_random_models_are_those_of_brute_force() {
    let (mut compared, mut cycles) = (0, 0);
    let seeds = seeds(40, 600);
    let count = seeds.end - seeds.start;
    for seed in seeds {
        let text = timed(seed);
        match zero_cycle(&text) {
            Ok(found) => {
                compared += u64::from(found.is_some());
                cycles += u64::from(found == Some(true));
            }
            Err(why) => smallest(seed, &text, &why, |t| zero_cycle(t).is_err()),
        }
    }
    println!("{compared} models compared, {cycles} have zero cycles");
    assert!(2 * compared > count && cycles > 0 && cycles < compared, "too little was compared");
}

#[test]
fn what_holds_with_abstract_timers_holds_for_all_times() {
    let (mut compared, mut models) = (0, 0);
    let seeds = seeds(40, 400);
    let count = seeds.end - seeds.start;
    let check = |text: &Text, seed: u64| match model_of(&text.to_string()) {
        Ok(model) => check_abstraction(&Arc::new(model), &mut Rng::new(seed)),
        Err(_) => Ok(0),
    };
    for seed in seeds {
        let mut text = timed(seed);
        let mut rng = Rng::new(seed);
        if let Some(formula) = formula(&mut rng, &text.to_string()) {
            text.pieces.push(Piece::line(format!("ltl f {{ {formula} }}")));
        }
        match check(&text, seed) {
            Ok(times) => {
                compared += times;
                models += u64::from(times > 0);
            }
            Err(why) => smallest(seed, &text, &why, |t| check(t, seed).is_err()),
        }
    }
    println!("{models} models compared, with {compared} choices of times");
    assert!(4 * models > count, "too little was compared: {models} of {count}");
}

#[test]
fn random_formulas_on_timed_models_agree_with_brute_force() {
    let mut compared = 0;
    let seeds = seeds(40, 600);
    let count = seeds.end - seeds.start;
    let check = |text: &Text, seed: u64| {
        let Ok(model) = model_of(&text.to_string()) else { return Ok(None) };
        check_formula(&Arc::new(model), 300, &mut Rng::new(seed))
    };
    for seed in seeds {
        let mut text = timed(seed);
        let mut rng = Rng::new(seed);
        let Some(formula) = formula(&mut rng, &text.to_string()) else { continue };
        text.pieces.push(Piece::line(format!("ltl f {{ {formula} }}")));
        match check(&text, seed) {
            Ok(verdicts) => compared += u64::from(verdicts.is_some()),
            Err(why) => smallest(seed, &text, &why, |t| check(t, seed).is_err()),
        }
    }
    println!("{compared} formulas compared");
    assert!(3 * compared > count, "too little was compared: {compared} of {count}");
}
