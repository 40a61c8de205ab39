//! The corpus: models that others wrote, and what Spin makes of them.
//!
//! `ISOSPIN_CORPUS_STATES` says up to how many states a model is explored.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use isospin_conformance::isospin::{explore, read_model};
use isospin_conformance::searches::check_searches;
use serde_json::Value;

/// The corpus and its `expected.json`; `None`, with a notice, where it is not there.
fn corpus() -> Option<(PathBuf, Vec<Value>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let Ok(text) = std::fs::read_to_string(root.join("expected.json")) else {
        println!("skipped: there is no corpus at {}", root.display());
        return None;
    };
    let expected: Value = serde_json::from_str(&text).expect("expected.json is JSON");
    let models = expected["models"].as_array().expect("a list of models").clone();
    Some((root, models))
}

fn limit() -> u64 {
    match std::env::var("ISOSPIN_CORPUS_STATES") {
        Ok(value) => value.parse().expect("ISOSPIN_CORPUS_STATES is a number"),
        Err(_) if cfg!(debug_assertions) => 2_000,
        Err(_) => 20_000,
    }
}

/// Whether Isospin is meant to read the model: embedded C is left out.
fn without_c(model: &Value) -> bool {
    !model["c_code"].as_bool().unwrap_or(false)
}

#[test]
fn models_are_accepted_where_spin_accepts_them() {
    let Some((root, models)) = corpus() else { return };
    let mut wrong = Vec::new();
    for model in models.iter().filter(|m| without_c(m)) {
        let name = model["model"].as_str().expect("a name");
        let accepted = model["accepted"].as_bool().expect("accepted or not");
        match (read_model(&root.join(name)), accepted) {
            (Ok(_), true) | (Err(_), false) => {}
            (Ok(_), false) => {
                wrong.push(format!("{name}: accepted; Spin says {}", model["spin_says"]))
            }
            (Err(why), true) => wrong.push(format!("{name}: {why}")),
        }
    }
    assert!(wrong.is_empty(), "{} models:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn states_and_transitions_are_those_of_spin() {
    let Some((root, models)) = corpus() else { return };
    let limit = limit();
    let mut wrong = Vec::new();
    let mut compared = 0;
    for model in models.iter().filter(|m| without_c(m)) {
        let (name, full) = (model["model"].as_str().expect("a name"), &model["full"]);
        let (Some(true), Some(states)) = (full["complete"].as_bool(), full["states"].as_u64())
        else {
            continue;
        };
        if states > limit {
            continue;
        }
        // What is not accepted is the other test's business.
        let Ok(lowered) = read_model(&root.join(name)) else { continue };
        let lowered = Arc::new(lowered);
        let Some(graph) = explore(&lowered, 2 * limit) else {
            wrong.push(format!("{name}: more than twice the states"));
            continue;
        };
        compared += 1;
        let ours = [graph.states, graph.transitions, graph.errors];
        let spins = ["states", "transitions", "errors"].map(|key| full[key].as_u64().unwrap_or(0));
        let agree = match graph.runtime {
            None => ours == spins,
            // Spin's verifier stops there, or goes on with garbage.
            Some(_) => (ours[2] > 0) == (spins[2] > 0),
        };
        if !agree {
            wrong.push(format!("{name}: {ours:?}, Spin {spins:?} {:?}", graph.runtime));
        }
        if let Err(why) = check_searches(&lowered, &graph) {
            wrong.push(format!("{name}: {why}"));
        }
    }
    println!("{compared} models of at most {limit} states compared");
    assert!(wrong.is_empty(), "{} of {compared} models:\n{}", wrong.len(), wrong.join("\n"));
}
