//! The fuzz targets on stable Rust: the seeds of their corpora, and mutants of those.
//!
//! `ISOSPIN_FUZZ_ROUNDS` says how many mutants each target gets.

use std::fs;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::{Path, PathBuf};

use isospin_conformance::fuzz::TARGETS;
use isospin_conformance::mutate::{mutant, mutant_with};
use isospin_conformance::rng::Rng;

fn rounds() -> u64 {
    match std::env::var("ISOSPIN_FUZZ_ROUNDS") {
        Ok(value) => value.parse().expect("ISOSPIN_FUZZ_ROUNDS is a number"),
        Err(_) => 300,
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The seeds of a target, in the same order every time.
fn seeds(target: &str) -> Vec<Vec<u8>> {
    let folder = root().join("fuzz/corpus").join(target);
    let entries = fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|e| e.expect("a file").path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "{target} has seeds");
    paths.into_iter().map(|p| fs::read(p).expect("a file")).collect()
}

const LTL: &[&str] = &["[]", "<>", "U", "W", "V", "X", "!", "(", ")", "->", "<->", "p", "q", "&&"];
const HOA: &[&str] = &[
    "HOA:",
    "States:",
    "Start:",
    "AP:",
    "acc-name:",
    "Acceptance:",
    "Inf",
    "Fin",
    "--BODY--",
    "--END--",
    "State:",
    "{",
    "}",
    "[",
    "]",
    "t",
    "f",
    "&",
    "|",
    "!",
    "\"",
    "Alias:",
    "@a",
];
const TRAIL: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "null",
    "true",
    "\"pid\"",
    "\"edge\"",
    "\"passing\"",
    "\"units\"",
];
const DESCRIPTION: &[&str] = &[
    "scalarset",
    "Pid",
    "byte",
    "chan",
    "of",
    "proctype",
    "{",
    "}",
    "[",
    "]",
    ";",
    ",",
    "/*",
    "//",
];

/// A mutant of a seed in the language of a target; now and then a few bytes of it.
fn mutated(rng: &mut Rng, target: &str, seed: &[u8], other: &[u8]) -> Vec<u8> {
    let (text, other) = (String::from_utf8_lossy(seed), String::from_utf8_lossy(other));
    let mut bytes = match target {
        "ltl" => mutant_with(rng, &text, &other, LTL),
        "hoa" => mutant_with(rng, &text, &other, HOA),
        "trail" => mutant_with(rng, &text, &other, TRAIL),
        "description" => mutant_with(rng, &text, &other, DESCRIPTION),
        _ => mutant(rng, &text, &other),
    }
    .into_bytes();
    if rng.chance(10) && !bytes.is_empty() {
        let at = rng.below(bytes.len());
        bytes[at] = rng.below(256) as u8;
    }
    bytes
}

/// Runs a target, and says which input it panicked on.
fn survives(name: &str, target: fn(&[u8]), bytes: &[u8], which: &str) {
    let run = catch_unwind(AssertUnwindSafe(|| target(bytes)));
    assert!(run.is_ok(), "{name}, {which}:\n{}", String::from_utf8_lossy(bytes));
}

#[test]
fn every_target_survives_its_seeds() {
    for (name, target) in TARGETS {
        for (k, seed) in seeds(name).iter().enumerate() {
            survives(name, target, seed, &format!("seed {k}"));
        }
    }
}

#[test]
fn every_target_survives_mutants_of_its_seeds() {
    for (name, target) in TARGETS {
        let seeds = seeds(name);
        for round in 0..rounds() {
            let mut rng = Rng::new(round);
            let (seed, other) = (rng.pick(&seeds).clone(), rng.pick(&seeds).clone());
            let bytes = mutated(&mut rng, name, &seed, &other);
            survives(name, target, &bytes, &format!("round {round}"));
        }
    }
}

#[test]
fn the_seeds_are_worth_something() {
    // Seeds that a target refuses at once would find nothing.
    let text = |target: &str, k: usize| String::from_utf8_lossy(&seeds(target)[k]).into_owned();
    for k in 0..seeds("machines").len() {
        assert!(isospin_conformance::isospin::model_of(&text("machines", k)).is_ok(), "{k}");
    }
    for k in 0..seeds("trail").len() {
        assert!(isospin_report::trail::read(&text("trail", k)).is_ok(), "{k}");
    }
    for k in 0..seeds("ltl").len() {
        assert!(isospin_logic::Formula::parse(&text("ltl", k)).is_ok(), "{k}");
    }
}
