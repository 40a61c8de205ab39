//! Both machines agree on random models, which use every action, expression and type.

mod common;
mod random;

use std::sync::Arc;

use common::{compare, compare_atoms, Asked, Bounds, Looked};
use isospin_model::text;
use proptest::prelude::*;

const BOUNDS: Bounds = Bounds { states: 60, processes: 6 };

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 300,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn both_machines_agree_on_random_models(seed in any::<u64>()) {
        let model = random::model(seed);
        if let Err(difference) = compare(Arc::new(model), BOUNDS) {
            return Err(TestCaseError::fail(format!("seed {seed}: {difference}")));
        }
    }

    #[test]
    fn both_machines_agree_on_random_atoms(seed in any::<u64>()) {
        let (model, atoms) = random::model_and_atoms(seed);
        if let Err(difference) = compare_atoms(Arc::new(model), &atoms, BOUNDS) {
            return Err(TestCaseError::fail(format!("seed {seed}: {difference}")));
        }
    }
}

#[test]
fn random_atoms_hold_and_fail_and_are_mostly_compiled() {
    let mut all = Asked::default();
    for seed in 0..1000 {
        let (model, atoms) = random::model_and_atoms(seed);
        let asked = compare_atoms(Arc::new(model), &atoms, BOUNDS).expect("both agree");
        all.atoms += asked.atoms;
        all.interpreted += asked.interpreted;
        all.held += asked.held;
        all.failed += asked.failed;
    }
    println!("{all:?}");
    assert!(all.held > 5_000);
    assert!(all.failed > 1_000);
    assert!(all.interpreted * 10 < all.atoms * 7);
}

#[test]
fn random_models_show_every_sort_of_step() {
    let mut all = Looked::default();
    for seed in 0..1000 {
        let looked = compare(Arc::new(random::model(seed)), BOUNDS).expect("both agree");
        all.successors += looked.successors;
        all.rendezvous += looked.rendezvous;
        all.locations += looked.locations;
        all.interpreted += looked.interpreted;
        all.faults.extend(looked.faults);
    }
    println!("{all:?}");
    assert!(all.successors > 40_000);
    assert!(all.rendezvous > 400);
    assert!(all.interpreted * 5 < all.locations);
    for fault in [
        "Assertion",
        "BlockedInDetStep",
        "DivisionByZero",
        "ExclusiveReceive",
        "ExclusiveSend",
        "FieldCount",
        "IndexOutOfRange",
        "NoSuchChannel",
        "PolledRendezvous",
        "RendezvousInDetStep",
        "UninitializedChannel",
    ] {
        assert!(all.faults.contains(fault), "{fault}");
    }
}

#[test]
fn random_models_are_sound_and_read_back_as_they_were_written() {
    for seed in 0..1000 {
        let model = random::model(seed);
        model.verify().unwrap_or_else(|flaw| panic!("seed {seed}: {flaw}"));
        let text = text::write(&model);
        let read = text::read(&text).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
        assert_eq!(read, model, "seed {seed}:\n{text}");
    }
}
