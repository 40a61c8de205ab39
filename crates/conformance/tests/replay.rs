//! Every violation that a search finds is an execution of the model.

use std::sync::Arc;

use isospin_conformance::generate;
use isospin_conformance::isospin::{explore, model_of};
use isospin_conformance::searches::check_searches;

#[test]
fn violations_in_random_models_can_be_replayed() {
    let count = if cfg!(debug_assertions) { 150 } else { 1_500 };
    let mut violated = 0;
    for seed in 0..count {
        let text = generate(seed).to_string();
        // What Isospin refuses is compared with Spin elsewhere.
        let Ok(model) = model_of(&text) else { continue };
        let model = Arc::new(model);
        let Some(graph) = explore(&model, 1_000) else { continue };
        if let Err(why) = check_searches(&model, &graph) {
            panic!("seed {seed}: {why}\n{text}");
        }
        violated += u64::from(graph.errors > 0);
    }
    assert!(violated > count / 5, "too few models are violated to say anything: {violated}");
}
