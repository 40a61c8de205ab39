//! Models in IF beside the transition systems that IF's reference tools made of them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use isospin_conformance::bisimulation::{compare, System};
use isospin_conformance::intermediate::machines::compare_machines;
use isospin_conformance::intermediate::{random, read_model, system};
use isospin_conformance::reductions::check_reductions;
use isospin_conformance::symmetry::check_symmetry;
use isospin_if::Choices;
use isospin_model::Model;

/// No graph is larger.
const MOST: usize = 50_000;

/// Where the models and the transition systems are, if they are there.
fn shared() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/if");
    if root.exists() {
        return Some(root);
    }
    println!("skipped: there are no transition systems of others beside the checkout");
    None
}

fn made(path: &Path, optimized: bool) -> System {
    let text = std::fs::read_to_string(path).expect("it can be read");
    // The reference tool's own reading of what comes from the environment.
    let choices = Choices { open_ranges: true, slim: optimized, ..Choices::default() };
    let name = path.display().to_string();
    let reading = read_model(&name, &text, &choices).unwrap_or_else(|why| panic!("{why}"));
    system(&reading, optimized, MOST).unwrap_or_else(|| panic!("{name} has too many states"))
}

fn agrees(folder: &str, name: &str) {
    let Some(root) = shared() else { return };
    let ours = made(&root.join(folder).join(format!("{name}.if")), false);
    let theirs = std::fs::read_to_string(root.join("lts").join(format!("{name}.aut")));
    let theirs = System::read(&theirs.expect("it can be read")).expect("it is well formed");
    if let Err(difference) = compare(&ours, &theirs) {
        panic!("{name}: ours has {} states, theirs {}: {difference}", ours.states, theirs.states);
    }
    println!("{name}: {} states, {} classes", ours.states, ours.classes());
}

#[test]
fn what_a_route_does_is_what_the_reference_tools_do() {
    for name in ["rdef", "rpeer", "runi", "rmc", "rmd", "rmulti", "rlossy", "rdelay", "rrate"] {
        agrees("semantics", name);
    }
}

#[test]
fn small_questions_have_the_same_answers() {
    for name in ["disc", "inact", "thesis-p87-p1p2"] {
        agrees("semantics", name);
    }
}

#[test]
fn models_of_others_are_bisimilar_to_what_the_reference_tools_made() {
    for name in ["bitalt", "server", "factorial", "reference"] {
        agrees("models", name);
    }
}

/// The analyser of the reference tools drops parameters of signals from its labels, so only the
/// numbers of states are compared.
#[test]
fn optimised_models_have_no_more_states_than_after_the_reference_analyser() {
    let Some(root) = shared() else { return };
    for (name, live) in [("bitalt", 28), ("server", 13), ("reference", 101), ("prodcons", 3488)] {
        let states = made(&root.join("models").join(format!("{name}.if")), true).states;
        println!("{name}: {states} states, {live} after the analyser");
        assert!(states <= live, "{name} has {states} states, {live} after the analyser");
    }
}

/// Which random systems are looked at, and how many.
fn seeds(usual: u64) -> std::ops::Range<u64> {
    let setting = |name: &str| std::env::var(name).ok().and_then(|v| v.parse::<u64>().ok());
    let first = setting("ISOSPIN_RANDOM_SEED").unwrap_or(1);
    let count = setting("ISOSPIN_RANDOM_COUNT").unwrap_or(usual);
    println!("seed {first}, {count} systems");
    first..first + count
}

fn random_model(seed: u64) -> Arc<Model> {
    let text = random::system(seed);
    let choices = Choices { buffer: 2, instances: 2, ..Choices::default() };
    let reading = read_model("random.if", &text, &choices);
    let reading = reading.unwrap_or_else(|why| panic!("seed {seed}: {why}\n{text}"));
    let model = reading.lowered.expect("nothing is wrong").model;
    if let Err(flaw) = model.verify() {
        panic!("seed {seed}: {flaw}\n{text}");
    }
    Arc::new(model)
}

#[test]
fn both_machines_take_the_same_steps_in_random_systems() {
    for seed in seeds(150) {
        let model = random_model(seed);
        if let Err(why) = compare_machines(&model, 500) {
            panic!("seed {seed}: {why}\n{}", random::system(seed));
        }
    }
}

#[test]
fn reductions_keep_what_random_systems_do() {
    let start = std::time::Instant::now();
    let (mut compared, mut reduced) = (0, 0);
    for seed in seeds(60) {
        if start.elapsed().as_secs() > 60 {
            break;
        }
        let model = random_model(seed);
        match check_reductions(&model, 2_000) {
            Ok(found) => {
                compared += u32::from(found.complete);
                reduced += u32::from(found.complete && found.reduced < found.states);
            }
            Err(why) => panic!("seed {seed}: {why}\n{}", random::system(seed)),
        }
        if let Err(why) = check_symmetry(&model, 2_000, None) {
            panic!("seed {seed}: {why}\n{}", random::system(seed));
        }
    }
    println!("{compared} compared, {reduced} with fewer states");
    assert!(compared > 0);
}
