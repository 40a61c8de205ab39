//! The store against a set from the standard library.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use isospin_search::limits::{Budget, OutOfMemory};
use isospin_search::store::{Extras, StateId, Store};
use proptest::collection::vec;
use proptest::prelude::*;

const ALL: Extras = Extras { parents: true, flags: true, copies: 8 };

fn store<const SHARED: bool>(extras: Extras) -> Store<SHARED> {
    Store::new(extras, Arc::new(Budget::new(None))).unwrap()
}

/// Vectors like those of models: a few lengths, small values, many repetitions.
fn vectors() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let byte = prop_oneof![8 => 0u8..2, 1 => any::<u8>()];
    vec(vec(byte, 0..12), 1..500)
}

proptest! {
    #[test]
    fn a_vector_is_new_once(vectors in vectors(), trained in 0usize..50, batch in 1usize..40) {
        let mut store = store::<false>(ALL);
        store.train(vectors.iter().take(trained).map(|v| v.as_slice()));
        let mut handle = store.handle();
        let mut ids: HashMap<Vec<u8>, StateId> = HashMap::new();
        let mut parents: HashMap<StateId, Option<StateId>> = HashMap::new();
        for batch in vectors.chunks(batch) {
            let parent = ids.values().min().copied();
            batch.iter().for_each(|v| handle.push(v, parent));
            let outcomes = handle.commit().unwrap();
            prop_assert_eq!(outcomes.len(), batch.len());
            for (vector, outcome) in batch.iter().zip(outcomes) {
                prop_assert_eq!(outcome.new, !ids.contains_key(vector));
                let id = *ids.entry(vector.clone()).or_insert(outcome.id);
                prop_assert_eq!(id, outcome.id);
                parents.entry(id).or_insert(parent);
            }
        }
        let distinct: HashSet<_> = ids.values().collect();
        prop_assert_eq!(distinct.len(), ids.len());
        let mut back = Vec::new();
        for (vector, &id) in &ids {
            prop_assert_eq!(handle.find(vector), Some(id));
            store.vector(id, &mut back);
            prop_assert_eq!(&back, vector);
            prop_assert_eq!(store.parent(id), parents[&id]);
        }
        prop_assert_eq!(handle.find(&[9; 20]), None);
    }

    #[test]
    fn threads_agree_on_what_is_new(vectors in vectors(), threads in 2usize..5) {
        let store = store::<true>(ALL);
        let found: Vec<HashMap<Vec<u8>, (StateId, u32)>> = std::thread::scope(|scope| {
            let start = |t: usize| {
                let (store, vectors) = (&store, &vectors);
                scope.spawn(move || {
                    let mut handle = store.handle();
                    let mut found: HashMap<Vec<u8>, (StateId, u32)> = HashMap::new();
                    // Each in an order of its own.
                    let n = vectors.len();
                    let order: Vec<_> = (0..n).map(|k| &vectors[(k + t * n / 4) % n]).collect();
                    for batch in order.chunks(7) {
                        batch.iter().for_each(|v| handle.push(v, None));
                        for (vector, outcome) in batch.iter().zip(handle.commit().unwrap()) {
                            let entry = found.entry(vector.to_vec()).or_insert((outcome.id, 0));
                            assert_eq!(entry.0, outcome.id);
                            entry.1 += outcome.new as u32;
                        }
                    }
                    found
                })
            };
            let joining: Vec<_> = (0..threads).map(start).collect();
            joining.into_iter().map(|t| t.join().unwrap()).collect()
        });
        for vector in &vectors {
            let ids: HashSet<_> = found.iter().map(|f| f[vector].0).collect();
            prop_assert_eq!(ids.len(), 1);
            prop_assert_eq!(found.iter().map(|f| f[vector].1).sum::<u32>(), 1);
        }
    }
}

/// Number `n` as a vector of a model might look.
fn vector(n: u64) -> Vec<u8> {
    let mut vector = vec![3; 24];
    for (k, byte) in n.to_le_bytes()[..4].iter().enumerate() {
        vector[5 * k] = byte & 15;
        vector[5 * k + 1] = byte >> 4;
    }
    vector
}

#[test]
fn many_threads_fill_a_growing_table() {
    let store = store::<true>(Extras::default());
    let n = if cfg!(debug_assertions) { 60_000 } else { 1_000_000 };
    let new: u64 = std::thread::scope(|scope| {
        let joining: Vec<_> = (0..4)
            .map(|t| {
                let store = &store;
                scope.spawn(move || {
                    let mut handle = store.handle();
                    let mut new = 0;
                    // Overlapping ranges, in steps that differ.
                    let order = (0..n).map(|k| (k * (2 * t + 1) * 7 + t) % n);
                    for (k, number) in order.enumerate() {
                        handle.push(&vector(number), None);
                        if handle.len() == 32 || k as u64 + 1 == n {
                            new += handle.commit().unwrap().iter().filter(|o| o.new).count();
                        }
                    }
                    new as u64
                })
            })
            .collect();
        joining.into_iter().map(|t| t.join().unwrap()).sum()
    });
    let mut handle = store.handle();
    let found = (0..n).filter(|&k| handle.find(&vector(k)).is_some()).count();
    assert_eq!(new, found as u64);
    assert!(new > n / 2, "{new} of {n}");
}

#[test]
fn flags_stay_with_their_state() {
    let store = store::<false>(ALL);
    let mut handle = store.handle();
    (0..1000).for_each(|n| handle.push(&vector(n), None));
    let ids: Vec<_> = handle.commit().unwrap().iter().map(|o| o.id).collect();
    for (k, &id) in ids.iter().enumerate() {
        assert_eq!(store.set_flags(id, (k % 4) as u8), 0);
    }
    (1000..5000).for_each(|n| handle.push(&vector(n), None));
    handle.commit().unwrap();
    for (k, &id) in ids.iter().enumerate() {
        assert_eq!(store.flags(id), (k % 4) as u8);
        assert_eq!(store.set_flags(id, 8), (k % 4) as u8);
    }
    let mut back = Vec::new();
    store.vector(ids[77], &mut back);
    assert_eq!(back, vector(77));
}

#[test]
fn a_full_budget_is_an_error_and_what_was_stored_stays() {
    let budget = Arc::new(Budget::new(Some(4 << 20)));
    let store = Store::<false>::new(Extras::default(), Arc::clone(&budget)).unwrap();
    let mut handle = store.handle();
    let mut stored = 0;
    let error = loop {
        handle.push(&vector(stored), None);
        match handle.commit() {
            Ok(_) => stored += 1,
            Err(error) => break error,
        }
    };
    assert_eq!(error, OutOfMemory);
    assert!(budget.peak() <= 4 << 20 && stored > 10_000, "{stored}");
    assert!((0..stored).all(|k| handle.find(&vector(k)).is_some()));
    assert!(store.bytes() <= budget.used());
}

#[test]
fn a_vector_larger_than_a_chunk_is_stored() {
    let store = store::<false>(ALL);
    let mut handle = store.handle();
    let large: Vec<u8> = (0..3_000_000u32).map(|n| ((n * 7) >> 3) as u8).collect();
    for _ in 0..2 {
        handle.push(&vec![0; 3_000_000], None);
        handle.push(&large, None);
    }
    let outcomes = handle.commit().unwrap().to_vec();
    assert_eq!(outcomes.iter().map(|o| o.new).collect::<Vec<_>>(), [true, true, false, false]);
    let mut back = Vec::new();
    store.vector(outcomes[1].id, &mut back);
    assert!(back == large);
}
