//! Reductions and optimisations change no verdict.
//!
//! `ISOSPIN_RANDOM_SEED` and `ISOSPIN_RANDOM_COUNT` say which random models and how many,
//! `ISOSPIN_CORPUS_STATES` up to how many states the models of the corpus are explored.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use isospin_conformance::brute::Space;
use isospin_conformance::cyclic::{cyclic, odd};
use isospin_conformance::isospin::{model_of, read_model};
use isospin_conformance::reductions::{check_reductions, Compared};
use isospin_conformance::traced::traced;
use isospin_conformance::{generate, shrink};
use serde_json::Value;

fn setting(name: &str) -> Option<u64> {
    let value = std::env::var(name).ok()?;
    Some(value.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn check_text(text: &str) -> Result<Compared, String> {
    // What is refused, or too large, is compared elsewhere or not at all.
    let Ok(model) = model_of(text) else { return Ok(Compared::default()) };
    let model = Arc::new(model);
    match Space::explore(&model, 3_000) {
        Some(_) => check_reductions(&model, 3_000),
        None => Ok(Compared::default()),
    }
}

#[test]
fn random_models_say_the_same_when_reduced() {
    let usual = if cfg!(debug_assertions) { 60 } else { 300 };
    let (seed, count) = (
        setting("ISOSPIN_RANDOM_SEED").unwrap_or(1),
        setting("ISOSPIN_RANDOM_COUNT").unwrap_or(usual),
    );
    println!("seed {seed}, {count} models of each kind");
    let (mut complete, mut reduced) = (0, 0);
    for seed in seed..seed + count {
        for text in [generate(seed), cyclic(seed), odd(seed), traced(seed)] {
            match check_text(&text.to_string()) {
                Ok(compared) => {
                    complete += u64::from(compared.complete);
                    reduced += u64::from(compared.reduced < compared.states);
                }
                Err(why) => {
                    let small = shrink(&text, 400, |t| check_text(&t.to_string()).is_err());
                    panic!("seed {seed}: {why}\nthe smallest model that shows it:\n{small}");
                }
            }
        }
    }
    println!("{complete} models compared, {reduced} are smaller with reduction");
    assert!(2 * complete > count && 8 * reduced > complete, "too little was compared");
}

/// Models that show one thing each that reductions have to be careful about. All are violated.
const CAREFUL: &[(&str, &str)] = &[
    (
        "a step that leads to a receive lets an escape take precedence",
        "chan c = [0] of { byte }; byte x;
         active proctype P() { byte l; x = 1; l = 1; c?l }
         active proctype Q() { x == 1; { assert(false) } unless { c!1 } }",
    ),
    (
        "the same when nobody stands before an escape yet",
        "chan c = [0] of { byte };
         active proctype P() { byte l; l = 1; c?l }
         active proctype Q() { byte l; l = 1; { assert(false) } unless { c!1 } }",
    ),
    (
        "a step that leads to a receive takes an else away",
        "chan c = [0] of { byte };
         active proctype P() { byte l; l = 1; c?l }
         active proctype Q() { if :: c!1 :: else -> assert(false) fi }",
    ),
    (
        "the same when the step is merged with the one before it",
        "chan c = [0] of { byte }; byte x;
         active proctype P() { byte l; x = 1; l = 1; end: c?l }
         active proctype Q() { x == 1; if :: c!1 :: else -> assert(false) fi }",
    ),
    (
        "a step that leads to a receive keeps an atomic sequence together",
        "chan c = [0] of { byte }; byte x, r;
         active proctype P() { byte l; l = 1; c?r }
         active proctype Q() { atomic { x = 1; c!1 } }
         active proctype R() { assert(!(x == 1 && r == 0)) }",
    ),
    (
        "a process that starts with a receive lets an escape take precedence",
        "chan c = [0] of { byte };
         proctype P() { byte l; c?l }
         init { run P() }
         active proctype Q() { { assert(false) } unless { c!1 } }",
    ),
    (
        "the first values of a new process's variables are read when it starts: before",
        "byte g;
         proctype Q() { byte l = g; assert(l == 0) }
         active proctype P() { g = 1 }
         init { run Q() }",
    ),
    (
        "the first values of a new process's variables are read when it starts: after",
        "byte g;
         proctype Q() { byte l = g; assert(l == 1) }
         active proctype P() { g = 1 }
         init { run Q() }",
    ),
    (
        "a deterministic sequence begins with the first statement that can be executed",
        "chan c = [1] of { byte };
         active proctype Q() { c!1 }
         active proctype P() {
           byte l; d_step { if :: c?l -> l = 1 :: else -> l = 2 fi }; assert(l != 1) }",
    ),
    (
        "a deterministic sequence that comes back to its first statement",
        "chan c = [2] of { byte };
         active proctype Q() { c!1; c!1 }
         active proctype P() {
           byte n; d_step { do :: c?_ -> n++ :: else -> break od }; assert(n != 2) }",
    ),
    (
        "a loop whose body is an atomic sequence of the process alone",
        "byte x;
         active proctype P() { byte l; do :: atomic { true; l = 1 - l } od }
         active proctype Q() { x = 1; x = 0; assert(false) }",
    ),
    (
        "others come in between a step and the atomic sequence behind it",
        "byte x;
         active proctype P() { byte l; x = 1; atomic { l = 1; x = 0 } }
         active proctype R() { assert(x == 0) }",
    ),
    (
        "an atomic sequence that is tried again and again",
        "byte g;
         active proctype P() {
           byte n;
           wait: atomic { n = n + 1; if :: g == 1 -> assert(n == 1) :: else -> goto wait fi } }
         active proctype Q() { g = 1 }",
    ),
    (
        "where a process stands can be asked for",
        "active proctype P() { byte l; l = 1; l = 2; l = 3; l = 4 }
         active proctype Q() { byte k; k = pc_value(0); assert(k != 3) }",
    ),
    (
        "an atomic sequence that decides on what others change, and then waits for a partner",
        "chan c = [0] of { byte }; byte x = 1;
         active proctype P() { byte l; l = 1; end: c?l }
         active proctype Q() { end: atomic { x == 1; c!1 }; assert(x == 1) }
         active proctype R() { x = 0 }",
    ),
    (
        "where a process stands can be seen by name, and so can its variables",
        "active proctype P() { byte l; l = 1; here: l = 2; l = 3 }
         active proctype Q() { assert(!(P@here && P:l == 1)) }",
    ),
    (
        "the number of a new process depends on who starts one first",
        "proctype C(byte who) { assert(!(_pid == 2 && who == 1)) }
         active proctype A() { run C(0) }
         active proctype B() { run C(1) }",
    ),
    (
        "that a process ends can be seen",
        "active proctype P() { assert(_nr_pr == 2) }
         active proctype Q() { byte l; l = 1 }",
    ),
    (
        "a process that may move only while something holds",
        "byte x;
         active proctype P() { byte l; l = 1; x = 1 }
         active proctype Q() provided (x == 0) { byte l; l = 1; assert(false) }",
    ),
    (
        "a process with a higher priority",
        "byte x;
         active proctype P() priority 5 { byte l; l = 1; x = 1 }
         active proctype Q() priority 1 { byte l; l = 1; assert(x == 0) }",
    ),
    (
        "who moved last",
        "active proctype P() { byte l; l = 1 }
         active proctype Q() { byte l; l = 1; assert(_last != 0) }",
    ),
    (
        "whether another process can move",
        "byte x;
         active proctype P() { x == 1 }
         active proctype Q() { byte l; l = 1; assert(!enabled(0)) }
         active proctype R() { x = 1 }",
    ),
    (
        "the order of messages in different channels is seen by a trace assertion",
        "chan c = [1] of { byte }; chan d = [1] of { byte };
         trace { c!1; d!1 }
         active proctype P() { byte l; l = 1; c!1 }
         active proctype Q() { byte l; l = 1; d!1 }",
    ),
    (
        "an index that the process changes",
        "byte a[2];
         proctype P(byte i) { i = 0; a[i] = 1 }
         active proctype Q() { assert(a[0] == 0) }
         init { run P(1) }",
    ),
    (
        "an element that two processes mean in different ways",
        "byte a[2];
         active [2] proctype P() { a[1 - _pid] = 1; assert(a[_pid] == 0) }",
    ),
    (
        "an element of which a process means all, one after the other",
        "byte a[2];
         active proctype P() { byte i = _pid; a[i + 1] = 1 }
         active proctype Q() {
           byte k; do :: k < 2 -> assert(a[k] == 0); k++ :: else -> break od }",
    ),
    (
        "a process that is started later and means the same element",
        "byte a[2];
         proctype C(byte i) { a[i] = 1 }
         active proctype P() { byte l; l = 1; run C(1) }
         active proctype Q() { byte i = _pid; assert(a[i] == 0) }",
    ),
];

/// Models in which a look at the state finds more than process types say, each with how many
/// states are enough.
const LOOKED_UP: &[(&str, u64, &str)] = &[
    (
        "elements by number",
        13,
        "byte a[3]; active [3] proctype P() { a[_pid]++; a[_pid]++; a[_pid]++ }",
    ),
    (
        "elements by what was worked out when the process started",
        13,
        "byte a[3];
         active [3] proctype P() {
           byte i = (_pid + 1) % 3; a[i]++; a[i]++; assert(a[i] == 2) }",
    ),
    (
        "elements by parameters, of an array of channels",
        14,
        "chan c[2] = [1] of { byte };
         proctype P(byte i) { c[i]!1; c[i]?_; c[i]!1; c[i]?_ }
         init { atomic { run P(0); run P(1) } }",
    ),
    (
        "who comes to a receive when the process with the escape is past it",
        10,
        "chan c = [0] of { byte }; chan d = [0] of { byte };
         active proctype E() { { d?_ } unless { c!1 }; d!1 }
         active proctype R() { c?_ }
         active proctype P() { byte l; l = 1; l = 2; l = 3; l = 4; d?l }",
    ),
    (
        "who comes to a receive that no escape sends to",
        16,
        "chan c = [0] of { byte }; chan d = [0] of { byte };
         active proctype E() { byte l; { l = 1; l = 2 } unless { c!1 } }
         active proctype S() { d!1; d!2 }
         active proctype P() { byte l; l = 1; l = 2; d?l }
         active proctype Q() { byte l; l = 1; l = 2; d?l }",
    ),
];

#[test]
fn more_is_found_by_looking_at_the_state() {
    for (what, enough, text) in LOOKED_UP {
        let compared = check_text(text).unwrap_or_else(|why| panic!("{what}: {why}"));
        assert!(compared.complete && !compared.violated, "{what}: {compared:?}");
        assert!(compared.reduced <= *enough, "{what}: {compared:?}");
        assert!(compared.states > *enough, "{what}: {compared:?}");
    }
}

#[test]
fn what_reductions_have_to_be_careful_about() {
    for (what, text) in CAREFUL {
        let compared = check_text(text).unwrap_or_else(|why| panic!("{what}: {why}"));
        assert!(compared.complete && compared.violated, "{what}: {compared:?}");
    }
}

#[test]
fn models_of_the_thesis_say_the_same_when_reduced() {
    for (name, violated) in [
        ("unless-rendezvous", true),
        ("unless-exclusive-send", true),
        ("unless-exclusive-receive", true),
        ("unless-exclusive-random", true),
        ("fairness-rendezvous", false),
        ("nested-search", false),
        ("pairs", false),
    ] {
        let path = root().join(format!("models/reduction/{name}.pml"));
        let model = Arc::new(read_model(&path).unwrap_or_else(|why| panic!("{name}: {why}")));
        let compared =
            check_reductions(&model, 10_000).unwrap_or_else(|why| panic!("{name}: {why}"));
        assert!(compared.complete, "{name} is larger than it was");
        assert_eq!(compared.violated, violated, "{name}");
    }
}

/// The models of a list with at most `limit` states, each with its path.
fn small(root: &Path, limit: u64) -> Vec<PathBuf> {
    let Ok(text) = std::fs::read_to_string(root.join("expected.json")) else {
        println!("skipped: there is nothing at {}", root.display());
        return Vec::new();
    };
    let expected: Value = serde_json::from_str(&text).expect("expected.json is JSON");
    let models = expected["models"].as_array().expect("a list of models");
    let fits = |m: &&Value| m["full"]["states"].as_u64().is_some_and(|states| states <= limit);
    models.iter().filter(fits).filter_map(|m| Some(root.join(m["model"].as_str()?))).collect()
}

#[test]
fn models_and_corpus_say_the_same_when_reduced() {
    let usual = if cfg!(debug_assertions) { 200 } else { 2_000 };
    let limit = setting("ISOSPIN_CORPUS_STATES").unwrap_or(usual);
    let mut wrong = Vec::new();
    let mut compared = 0;
    let lists = [root().join("models"), root().join("../shared/corpus")];
    for path in lists.iter().flat_map(|list| small(list, limit)) {
        let Ok(model) = read_model(&path) else { continue };
        match check_reductions(&Arc::new(model), 2 * limit) {
            Ok(c) => compared += u64::from(c.complete),
            Err(why) => wrong.push(format!("{}: {why}", path.display())),
        }
    }
    println!("{compared} models of at most {limit} states compared");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
