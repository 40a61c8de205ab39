//! Symmetry against its absence: random models, models that need care, and every model there is.
//!
//! `ISOSPIN_RANDOM_SEED` and `ISOSPIN_RANDOM_COUNT` say which random models and how many;
//! `ISOSPIN_CORPUS_STATES` how large a model of the lists may be.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use isospin_analysis::optimize::Optimizations;
use isospin_conformance::isospin::{explore, model_of, read_model};
use isospin_conformance::permuting::{check_permuting, check_representatives};
use isospin_conformance::rng::Rng;
use isospin_conformance::shrink;
use isospin_conformance::symmetric::symmetric;
use isospin_conformance::symmetry::{check_symmetry, Compared};
use isospin_machine::Interpreter;
use isospin_model::Model;
use isospin_search::scout;
use isospin_symmetry::prepare;
use serde_json::Value;

fn setting(name: &str) -> Option<u64> {
    let value = std::env::var(name).ok()?;
    Some(value.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

fn check_text(text: &str, names: Option<usize>) -> Result<Option<Compared>, String> {
    let Ok(model) = model_of(text) else { return Ok(None) };
    let model = Arc::new(model);
    if explore(&model, 3_000).is_none() {
        return Ok(None);
    }
    let compared = check_symmetry(&model, 3_000, names)?;
    Ok(compared.complete.then_some(compared))
}

#[test]
fn random_symmetric_models_say_the_same_and_have_a_state_an_orbit() {
    let usual = if cfg!(debug_assertions) { 15 } else { 300 };
    let first = setting("ISOSPIN_RANDOM_SEED").unwrap_or(1);
    let count = setting("ISOSPIN_RANDOM_COUNT").unwrap_or(usual);
    println!("seed {first}, {count} models");
    let (mut complete, mut counted, mut full, mut commuting) = (0, 0, 0, 0);
    for seed in first..first + count {
        let model = symmetric(seed);
        let names = model.counts.then_some(model.names);
        match check_text(&model.text.to_string(), names) {
            Ok(None) => {}
            Ok(Some(c)) => {
                complete += 1;
                counted += u64::from(c.counted);
                commuting += c.commuting as u64;
                full += u64::from(c.permutations > 1.0 && model.planted.is_none());
            }
            Err(why) => {
                let still = |t: &str| check_text(t, names).is_err();
                let small = shrink(&model.text, 300, |t| still(&t.to_string()));
                panic!("seed {seed}: {why}\nthe smallest model that shows it:\n{small}");
            }
        }
    }
    println!(
        "{complete} models compared, {counted} counted, {full} of those meant to be are symmetric, \
         {commuting} states compared with their images"
    );
    assert!(2 * complete > count && 3 * counted > complete, "too little was compared");
    assert!(commuting > 20 * complete, "too few states were compared with their images");
}

/// What it is about, whether the model is symmetric, and the model.
const CAREFUL: &[(&str, bool, &str)] = &[
    (
        "a first field that is cut off arrives as another",
        false,
        "chan c = [1] of { byte, byte };
         proctype P(byte me) { c!256,me; end: do :: false od }
         proctype S() { byte n, k;
           do :: atomic { c?0,k; n++; assert(!(n == 2 && k == 0)); k = 0 } od }
         init { atomic { run S(); run P(0); run P(1) } }",
    ),
    (
        "a number that is cut off is a name",
        false,
        "byte turn = 255; byte n;
         proctype P(byte me) { atomic { turn == 255 -> turn = me }; turn = 257;
           atomic { turn == me -> n++; assert(me != turn || n != 1) }; end: do :: false od }
         init { atomic { run P(0); run P(1) } }",
    ),
    (
        "a number that is cut off is a name, on its way through a wide variable",
        false,
        "byte turn = 255; int wide = 257;
         proctype P(byte me) {
           do :: turn == 255 -> turn = me; wide = me; wide = 256 + 1; turn = wide
              :: turn == me -> assert(false) od }
         init { atomic { run P(0); run P(1) } }",
    ),
    (
        "what a process is started with depends on those who run already",
        false,
        "byte x, n;
         active proctype S() { x = 1; end: do :: false od }
         proctype P(byte me; byte off) { bool b;
           do :: n == 0 -> n = 1
              :: n == 1 -> if :: (me - off) == 1 -> b = 1 :: else fi; n = 2; assert(!b); b = 0
              :: n == 2 -> n = 0 od }
         init { run P(0, 0); run P(1, 1 - x); end: do :: false od }",
    ),
    (
        "an atomic loop that is blocked half way",
        true,
        "chan b[3] = [1] of { byte }; byte n;
         proctype P(byte me) { byte i;
           do :: atomic { n < 2 -> n++; for (i : 0 .. 2) { b[i]!me } i = 0 }
              :: b[me]?_ -> assert(len(b[0]) + len(b[1]) + len(b[2]) != 1) od }
         init { atomic { run P(0); run P(1); run P(2) } }",
    ),
    (
        "somebody is let out of a loop half way",
        false,
        "byte a[2]; byte n; bool stop;
         active [2] proctype P() { byte i;
           { atomic { for (i : 0 .. 1) { a[i] = 1; if :: i == _pid -> stop = 1 :: else fi } i = 0 } }
           unless { stop -> n = n + a[0] + 2 * a[1] };
           assert(n != 1); end: do :: false od }",
    ),
    (
        "a loop that stops at the first",
        false,
        "byte a[2]; byte first = 9;
         active [2] proctype P() { byte i; a[_pid] = 1;
           atomic { for (i : 0 .. 1) { if :: a[i] == 1 -> first = i; break :: else fi } i = 0 };
           assert(first != 1); end: do :: false od }",
    ),
    (
        "a process that has ended is not waited for",
        true,
        "byte n;
         active [3] proctype P() { n++ }
         active proctype Q() { timeout; assert(n != 3) }",
    ),
    (
        "a process that has ended is not waited for, though somebody is stuck in an atomic sequence",
        true,
        "chan c = [0] of { bit }; byte n;
         active [2] proctype P() { atomic { n < 2 -> n++; c!1 } }
         active proctype Q() { timeout; assert(n < 2) }
         active proctype R() { skip }",
    ),
    (
        "only the youngest can be taken away before time runs out",
        true,
        "byte n;
         active [2] proctype P() { if :: n++ :: skip fi }
         active proctype Q() { timeout; assert(n != 1) }",
    ),
    (
        "processes are counted",
        false,
        "byte n;
         active [2] proctype P() { n++; if :: _nr_pr == 1 -> assert(false) :: else fi }",
    ),
    (
        "the same field is a name or a number",
        true,
        "mtype = { name, number };
         chan c = [2] of { mtype, byte }; byte g; byte n;
         active [2] proctype P() { byte l;
           do :: n < 2 -> n++; c!name(_pid) :: n < 2 -> n++; c!number(g)
              :: c?name(eval(_pid)) -> g = 1 :: c?number(l) -> assert(l != 1); l = 0 od }",
    ),
    (
        "all names are written out",
        true,
        "byte turn; byte in;
         active [2] proctype P() {
           do :: if :: turn == 0 && _pid == 0 :: turn == 1 && _pid == 1 fi;
                 in++; assert(in < 2 && turn == _pid); in--; if :: turn = 0 :: turn = 1 fi od }",
    ),
    (
        "a loop inside a loop",
        true,
        "typedef Row { bit to[2] }\n Row m[2]; byte n;
         active [2] proctype P() { byte i, j;
           do :: m[_pid].to[_pid] == 0 -> m[_pid].to[_pid] = 1
              :: d_step { n == 0; for (i : 0 .. 1) { for (j : 0 .. 1) {
                   if :: i != j -> m[i].to[j] = 1 :: else -> m[i].to[j] = 0 fi } } i = 0; j = 0 }
              :: m[1 - 1].to[0] == 1 && m[1].to[1] == 1 -> n = 1; assert(false) od }",
    ),
    (
        "those who are looked at from outside may be gone",
        false,
        "byte n;
         active [2] proctype P() { byte x; x = _pid; here: n++; x = 7; end: do :: false od }
         active proctype Q() { P[0]:x == 7 && P[1]:x == 7; assert(n != 2);
           end: do :: false od }",
    ),
    (
        "one of them is looked at from outside",
        false,
        "byte n;
         active [2] proctype P() { n++; here: skip; n++; end: do :: false od }
         active proctype Q() { P[1]@here; assert(n != 3); end: do :: false od }",
    ),
    (
        "an array with room for more than names can be",
        true,
        "byte a[300];
         active [2] proctype P() { do :: a[_pid] < 2 -> a[_pid]++ :: a[299] == 1 -> assert(false)
           od }",
    ),
    (
        "a truth value is no name, whatever it is made of",
        false,
        "byte x, y; active proctype Q() { do :: false od }
         active [3] proctype P() {
           do :: atomic { x == 0 -> x = _pid }
              :: atomic { x != 0 -> y = (1 && x) }
              :: assert(!(x == _pid && y != 0 && y != _pid)) od }",
    ),
    (
        "a truth value that is a number",
        true,
        "byte x, y; active proctype Q() { do :: false od }
         active [3] proctype P() {
           do :: atomic { x == 0 -> x = _pid }
              :: atomic { x != 0 -> y = (1 && x) }
              :: atomic { y == 1 -> y = 2 * y }
              :: assert(!(x == _pid && y == 2)) od }",
    ),
    (
        "what is asked last may go wrong first",
        false,
        "byte a[2], n;
         active [2] proctype P() {
           do :: a[_pid] = 1 - a[_pid] :: n == 0 -> n = ((1 / (1 - a[0])) && 0) od }",
    ),
    (
        "names that nobody needs any more",
        true,
        "byte g = 9;
         active [2] proctype P() { byte l = 9;
           do :: g == 9 -> g = _pid; l = g :: l == _pid -> g = 9; l = 9
              :: g != 9 && g != _pid -> l = g; g != l; l = 9 od }",
    ),
];

#[test]
fn what_symmetry_has_to_be_careful_about() {
    for (what, is_symmetric, text) in CAREFUL {
        let compared = check_text(text, None).unwrap_or_else(|why| panic!("{what}: {why}"));
        let compared = compared.unwrap_or_else(|| panic!("{what}: not read, or too large"));
        assert_eq!(compared.permutations > 1.0, *is_symmetric, "{what}: {compared:?}");
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All models of a list, each with its states as Spin counts them.
fn models(root: &Path) -> Vec<(PathBuf, u64)> {
    let Ok(text) = std::fs::read_to_string(root.join("expected.json")) else {
        println!("skipped: there is nothing at {}", root.display());
        return Vec::new();
    };
    let expected: Value = serde_json::from_str(&text).expect("expected.json is JSON");
    let models = expected["models"].as_array().expect("a list of models").clone();
    let one = |m: Value| {
        let states = m["full"]["states"].as_u64().unwrap_or(u64::MAX);
        Some((root.join(m["model"].as_str()?), states))
    };
    models.into_iter().filter_map(one).collect()
}

/// Whether machine code and definition agree on random vectors; `None` without symmetry.
fn check_code(model: &Model, count: usize, rng: &mut Rng) -> Option<Result<usize, String>> {
    let prepared = prepare(model, &[], Some(Optimizations::ALL));
    let symmetry = prepared.detection.symmetry?;
    assert!(symmetry.is_native(), "no machine code");
    let mut machine = Interpreter::new(Arc::clone(&prepared.model));
    let samples = scout::states(&mut machine, &mut || true);
    let sample = samples.iter().find(|s| symmetry.is_settled(s))?;
    Some(check_permuting(&prepared.model, &symmetry, sample, count, rng).and_then(|compared| {
        // Some groups are so large that to try every permutation takes its time.
        let few = if symmetry.group.order() > 1000.0 { 0 } else { count / 10 };
        check_representatives(&prepared.model, &symmetry, sample, few, rng)?;
        Ok(compared)
    }))
}

/// Two rings, and what else there is of them.
fn two_rings(more: &str, does: &str) -> String {
    format!(
        "byte at3 = 0; byte at2 = 0; bit x[3]; bit y[2]; {more}
         proctype A(byte me) {{ do :: at3 == me -> {does} at3 = (me + 1) % 3; x[me] = 1 - x[me] od }}
         proctype B(byte me) {{ do :: at2 == me -> {does} at2 = (me + 1) % 2; y[me] = 1 - y[me] od }}
         init {{ atomic {{ run A(0); run A(1); run A(2); run B(0); run B(1) }} }}"
    )
}

#[test]
fn rings_beside_each_other_have_one_representative_an_orbit() {
    let mut rng = Rng::new(3);
    let apart = two_rings("", "");
    let sharing = two_rings("byte last = 255; chan c = [2] of { byte };", "last = _pid; c!_pid;");
    for (text, expected) in [(apart, 6.0), (sharing, 6.0)] {
        let model = model_of(&text).expect("a model");
        let found = prepare(&model, &[], Some(Optimizations::NONE));
        let order = found.detection.symmetry.map_or(1.0, |s| s.group.order());
        assert_eq!(order, expected, "{text}");
        let compared = check_code(&model, 400, &mut rng).expect("symmetry");
        assert!(compared.unwrap_or_else(|why| panic!("{why}")) > 100);
    }
}

#[test]
fn machine_code_permutes_states_as_the_definition_does() {
    let usual = if cfg!(debug_assertions) { 40 } else { 400 };
    let count = setting("ISOSPIN_RANDOM_COUNT").unwrap_or(usual);
    let mut rng = Rng::new(7);
    let (mut models_compared, mut vectors) = (0, 0);
    let mut check = |name: String, model: &Model| {
        if let Some(outcome) = check_code(model, 200, &mut rng) {
            models_compared += 1;
            vectors += outcome.unwrap_or_else(|why| panic!("{name}: {why}"));
        }
    };
    for seed in 1..=count {
        if let Ok(model) = model_of(&symmetric(seed).text.to_string()) {
            check(format!("seed {seed}"), &model);
        }
    }
    for list in [root().join("models"), root().join("../shared/corpus")] {
        for (path, _) in models(&list) {
            if let Ok(model) = read_model(&path) {
                check(path.display().to_string(), &model);
            }
        }
    }
    println!("{vectors} vectors of {models_compared} models compared");
    assert!(vectors as u64 > count, "too little was compared");
}

#[test]
fn models_and_corpus_say_the_same_under_symmetry() {
    let usual = if cfg!(debug_assertions) { 300 } else { 6_000 };
    let limit = setting("ISOSPIN_CORPUS_STATES").unwrap_or(usual);
    let (mut wrong, mut compared, mut looked) = (Vec::new(), 0, 0);
    for path in [root().join("models"), root().join("../shared/corpus")] {
        for (path, states) in models(&path) {
            let Ok(model) = read_model(&path) else { continue };
            looked += 1;
            let start = Instant::now();
            let symmetric =
                prepare(&model, &[], Some(Optimizations::ALL)).detection.symmetry.is_some();
            if start.elapsed() > Duration::from_secs(1) {
                println!("{}: found out in {:?}", path.display(), start.elapsed());
            }
            if !symmetric || states > limit {
                continue;
            }
            match check_symmetry(&Arc::new(model), 2 * limit, None) {
                Ok(c) => {
                    compared += u64::from(c.complete);
                    let given_up = if c.given_up { ", given up" } else { "" };
                    println!(
                        "{}: {} permutations, {} states, {} orbits{given_up}",
                        path.display(),
                        c.permutations,
                        c.states,
                        c.canonical
                    );
                }
                Err(why) => wrong.push(format!("{}: {why}", path.display())),
            }
        }
    }
    println!("{looked} models looked at, {compared} of at most {limit} states compared");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
