//! The searches do the same whatever set they keep their states in.

mod common;

use std::sync::Arc;

use common::everything;
use isospin_analysis::facts::Facts;
use isospin_machine::Interpreter;
use isospin_model::Model;
use isospin_search::safety::{check_safety_in, ExactSets, Sets};
use isospin_search::{replay, Options, Order, SearchResult};
use isospin_store::Reference;
use proptest::prelude::*;

/// Sets that are too simple to be wrong.
struct ReferenceSets;

impl Sets for ReferenceSets {
    type Alone = Reference;
    type Shared = Reference;
}

fn check<K: Sets>(model: &Arc<Model>, options: &Options) -> SearchResult {
    check_safety_in::<K, _, _>(|| Interpreter::new(Arc::clone(model)), options, &mut |_| {})
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn every_search_does_the_same_with_a_reference_set(model in common::random::models()) {
        let facts = Some(Facts::of(&model, &[])).filter(|f| f.obstacle.is_none()).map(Arc::new);
        for reduction in [None, facts] {
            for order in [Order::DepthFirst, Order::BreadthFirst] {
                let options = Options { order, reduction: reduction.clone(), ..everything() };
                let expected = check::<ExactSets>(&model, &options);
                let result = check::<ReferenceSets>(&model, &options);
                prop_assert_eq!(
                    (result.states, result.transitions, result.errors, result.depth),
                    (expected.states, expected.transitions, expected.errors, expected.depth)
                );
                prop_assert_eq!(&result.violations, &expected.violations);
                prop_assert_eq!(result.reduction, expected.reduction);
                prop_assert_eq!(&result.reached, &expected.reached);
                prop_assert!(result.exhausted && expected.exhausted);
                for violation in &result.violations {
                    prop_assert_eq!(replay(&model, violation).err(), None);
                }
            }
        }
    }
}

#[test]
fn reduction_applies_with_either_set() {
    let model = common::counters(3, 4);
    let facts = Arc::new(Facts::of(&model, &[]));
    assert!(facts.obstacle.is_none());
    let options = Options { reduction: Some(facts), ..everything() };
    let reduced = [check::<ExactSets>(&model, &options), check::<ReferenceSets>(&model, &options)];
    let full = check::<ReferenceSets>(&model, &everything());
    assert_eq!(reduced[0].states, reduced[1].states);
    assert!(reduced[0].states < full.states);
}

#[test]
fn a_reference_set_keeps_to_the_budget() {
    let model = common::counters(3, 20);
    let options = Options { memory: Some(1 << 20), ..everything() };
    let result = check::<ReferenceSets>(&model, &options);
    assert_eq!(result.incomplete, Some(isospin_search::Incomplete::Memory));
    assert!(result.peak_bytes <= 1 << 20 && result.states > 100);
}
