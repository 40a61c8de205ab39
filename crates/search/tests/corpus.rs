//! The figures of Spin 6.5.2 on models that others wrote, where they are at hand.

mod common;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use common::{check, everything, promela};
use isospin_search::{Options, Order, ViolationKind};
use serde_json::Value;

/// How large a model may be to be tried, in transitions.
fn largest() -> u64 {
    let given = std::env::var("ISOSPIN_CORPUS_TRANSITIONS").ok();
    let default = if cfg!(debug_assertions) { 5_000 } else { 300_000 };
    given.and_then(|n| n.parse().ok()).unwrap_or(default)
}

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus")
}

struct Expected {
    model: String,
    states: u64,
    transitions: u64,
    errors: u64,
}

/// The complete runs without reduction that are small enough.
fn expectations() -> Vec<Expected> {
    let Ok(text) = std::fs::read_to_string(corpus().join("expected.json")) else {
        println!("the corpus is not at hand; nothing compared");
        return Vec::new();
    };
    let json: Value = serde_json::from_str(&text).expect("expected.json is JSON");
    let models = json["models"].as_array().expect("a list of models");
    let mut list = Vec::new();
    for entry in models {
        let full = &entry["full"];
        if full["complete"] != true || entry["c_code"] == true {
            continue;
        }
        let number = |name: &str| full[name].as_u64().unwrap_or_default();
        let expected = Expected {
            model: entry["model"].as_str().unwrap_or_default().to_owned(),
            states: number("states"),
            transitions: number("transitions"),
            errors: number("errors"),
        };
        if expected.transitions <= largest() {
            list.push(expected);
        }
    }
    list
}

#[test]
fn states_transitions_and_errors_equal_those_of_spin() {
    let expectations = expectations();
    if expectations.is_empty() {
        return;
    }
    let mut equal = 0;
    let mut differing = Vec::new();
    for expected in &expectations {
        let model = match promela::read(&corpus().join(&expected.model)) {
            Ok(model) => Arc::new(model),
            Err(message) => {
                differing.push(format!("{}: not read: {message}", expected.model));
                continue;
            }
        };
        let limited = Options { time: Some(Duration::from_secs(60)), ..everything() };
        let result = check(&model, &limited);
        // Spin's verifier stops at the first run-time error, or goes on with garbage.
        let runtime = result.violations.iter().any(|v| matches!(v.kind, ViolationKind::Runtime(_)));
        let figures = (result.states, result.transitions, result.errors);
        let spin = (expected.states, expected.transitions, expected.errors);
        if figures == spin || (runtime && expected.errors > 0) {
            equal += 1;
        } else {
            differing.push(format!("{}: {figures:?}, Spin {spin:?}", expected.model));
        }
        if result.exhausted && expected.transitions <= largest() / 10 {
            for options in [
                Options { order: Order::BreadthFirst, ..everything() },
                Options { threads: 2, ..everything() },
            ] {
                let other = check(&model, &options);
                let theirs = (other.states, other.transitions, other.errors);
                assert_eq!(figures, theirs, "{} with {options:?}", expected.model);
                assert_eq!(result.reached, other.reached, "{}", expected.model);
            }
        }
    }
    println!("{equal} of {} models equal", expectations.len());
    differing.iter().for_each(|d| println!("{d}"));
    assert!(equal * 100 >= expectations.len() * 95, "too many differ");
}
