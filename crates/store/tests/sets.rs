//! What every set of states has to do, asked of each of them.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use isospin_store::{
    Budget, Exact, Insert, Keep, Marks, OutOfMemory, Packing, Parents, Recall, Reference, StateSet,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

const EVERYTHING: Keep = Keep { parents: true, mark_bytes: 9 };

fn empty<S: StateSet>(keep: Keep, packing: Packing) -> S {
    S::new(keep, Arc::new(packing), Arc::new(Budget::new(None))).unwrap()
}

/// Vectors like those of models: a few lengths, small values, many repetitions.
fn vectors() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let byte = prop_oneof![8 => 0u8..2, 1 => any::<u8>()];
    vec(vec(byte, 0..12), 1..500)
}

/// A vector is new once, and keeps its id, its parent and its place in the order.
fn is_new_once<S: Recall + Parents>(
    vectors: &[Vec<u8>],
    trained: usize,
    batch: usize,
) -> Result<(), TestCaseError> {
    let samples = vectors.iter().take(trained).map(Vec::as_slice);
    let set: S = empty(EVERYTHING, Packing::trained(samples));
    let mut handle = set.handle();
    let mut ids: HashMap<Vec<u8>, S::Id> = HashMap::new();
    let mut parents: HashMap<S::Id, Option<S::Id>> = HashMap::new();
    let (mut last, mut ranks) = (None, Vec::new());
    for batch in vectors.chunks(batch) {
        let parent = last;
        batch.iter().for_each(|v| handle.push(v, parent));
        let mut packed = Vec::new();
        let mut answers = Vec::new();
        let committed = handle.commit(|answer, bytes| {
            answers.push(answer);
            packed.push(bytes.to_vec());
            Ok(())
        });
        prop_assert_eq!(committed, Ok(()));
        prop_assert_eq!(answers.len(), batch.len());
        let mut back = Vec::new();
        for ((vector, answer), packed) in batch.iter().zip(answers).zip(packed) {
            handle.packer().unpack(&packed, &mut back);
            prop_assert_eq!(&back, vector);
            prop_assert_eq!(answer.new, !ids.contains_key(vector));
            let id = *ids.entry(vector.clone()).or_insert(answer.id);
            prop_assert_eq!(id, answer.id);
            parents.entry(id).or_insert(parent);
            last = Some(id);
            if answer.new {
                ranks.push(set.rank(id));
            }
        }
    }
    let distinct: HashSet<_> = ids.values().collect();
    prop_assert_eq!(distinct.len(), ids.len());
    prop_assert!(ranks.windows(2).all(|r| r[0] < r[1]), "later states have higher ranks");
    let mut back = Vec::new();
    for (vector, &id) in &ids {
        prop_assert_eq!(handle.find(vector), Some(id));
        set.vector(id, &mut back);
        prop_assert_eq!(&back, vector);
        prop_assert_eq!(set.parent(id), parents[&id]);
    }
    prop_assert_eq!(handle.find(&[9; 20]), None);
    Ok(())
}

/// For each vector its id, and how often it was new.
type Found<I> = HashMap<Vec<u8>, (I, u32)>;

/// Of several threads exactly one is told that a vector is new, and all get the same id.
fn is_new_to_one_thread<S: StateSet + Sync>(
    vectors: &[Vec<u8>],
    threads: usize,
) -> Result<(), TestCaseError> {
    let set: S = empty(EVERYTHING, Packing::default());
    let found: Vec<Found<S::Id>> = std::thread::scope(|scope| {
        let start = |t: usize| {
            let set = &set;
            scope.spawn(move || {
                let mut handle = set.handle();
                let mut found: Found<S::Id> = HashMap::new();
                // Each in an order of its own.
                let n = vectors.len();
                let order: Vec<_> = (0..n).map(|k| &vectors[(k + t * n / 4) % n]).collect();
                for batch in order.chunks(7) {
                    batch.iter().for_each(|v| handle.push(v, None));
                    for (vector, answer) in batch.iter().zip(handle.answers().unwrap()) {
                        let entry = found.entry(vector.to_vec()).or_insert((answer.id, 0));
                        assert_eq!(entry.0, answer.id);
                        entry.1 += u32::from(answer.new);
                    }
                }
                found
            })
        };
        let joining: Vec<_> = (0..threads).map(start).collect();
        joining.into_iter().map(|t| t.join().unwrap()).collect()
    });
    for vector in vectors {
        let ids: HashSet<_> = found.iter().map(|f| f[vector].0).collect();
        prop_assert_eq!(ids.len(), 1);
        prop_assert_eq!(found.iter().map(|f| f[vector].1).sum::<u32>(), 1);
    }
    Ok(())
}

proptest! {
    #[test]
    fn a_vector_is_new_once(vectors in vectors(), trained in 0usize..50, batch in 1usize..40) {
        is_new_once::<Exact<false>>(&vectors, trained, batch)?;
        is_new_once::<Exact<true>>(&vectors, trained, batch)?;
        is_new_once::<Reference>(&vectors, trained, batch)?;
    }

    #[test]
    fn threads_agree_on_what_is_new(vectors in vectors(), threads in 2usize..5) {
        is_new_to_one_thread::<Exact<true>>(&vectors, threads)?;
        is_new_to_one_thread::<Reference>(&vectors, threads)?;
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
    let set: Exact<true> = empty(Keep::default(), Packing::default());
    let n = if cfg!(debug_assertions) { 60_000 } else { 1_000_000 };
    let new: u64 = std::thread::scope(|scope| {
        let joining: Vec<_> = (0..4)
            .map(|t| {
                let set = &set;
                scope.spawn(move || {
                    let mut handle = set.handle();
                    let mut new = 0;
                    // Overlapping ranges, in steps that differ.
                    let order: Vec<u64> = (0..n).map(|k| (k * (2 * t + 1) * 7 + t) % n).collect();
                    for numbers in order.chunks(32) {
                        numbers.iter().for_each(|&n| handle.push(&vector(n), None));
                        new += handle.answers().unwrap().iter().filter(|a| a.new).count();
                    }
                    new as u64
                })
            })
            .collect();
        joining.into_iter().map(|t| t.join().unwrap()).sum()
    });
    let mut handle = set.handle();
    let found = (0..n).filter(|&k| handle.find(&vector(k)).is_some()).count();
    assert_eq!(new, found as u64);
    assert!(new > n / 2, "{new} of {n}");
}

fn marks_stay<S: Marks + Recall>() {
    let set: S = empty(EVERYTHING, Packing::default());
    let mut handle = set.handle();
    (0..1000).for_each(|n| handle.push(&vector(n), None));
    let ids: Vec<_> = handle.answers().unwrap().iter().map(|a| a.id).collect();
    for (k, &id) in ids.iter().enumerate() {
        assert_eq!(set.change_marks(id, 0, (k % 4) as u8, 0), 0);
        assert_eq!(set.change_marks(id, 8, (k % 5) as u8, 0), 0);
        assert_eq!(set.change_marks(id, 9, 1, 0), 0, "only nine bytes are kept");
    }
    (1000..5000).for_each(|n| handle.push(&vector(n), None));
    handle.answers().unwrap();
    for (k, &id) in ids.iter().enumerate() {
        assert_eq!(set.marks(id, 0), (k % 4) as u8);
        assert_eq!((set.marks(id, 8), set.marks(id, 9)), ((k % 5) as u8, 0));
        assert_eq!(set.change_marks(id, 0, 8, 1), (k % 4) as u8);
        assert_eq!(set.marks(id, 0), (k % 4) as u8 & !1 | 8);
    }
    let mut back = Vec::new();
    set.vector(ids[77], &mut back);
    assert_eq!(back, vector(77));
}

#[test]
fn marks_stay_with_their_state() {
    marks_stay::<Exact<false>>();
    marks_stay::<Exact<true>>();
    marks_stay::<Reference>();
}

fn what_is_not_asked_for_is_not_kept<S: Marks + Parents>() {
    let set: S = empty(Keep::default(), Packing::default());
    let mut handle = set.handle();
    handle.push(&vector(1), None);
    let first = handle.answers().unwrap()[0].id;
    handle.push(&vector(2), Some(first));
    let second = handle.answers().unwrap()[0].id;
    assert_eq!(set.parent(second), None);
    assert_eq!(set.change_marks(second, 0, 1, 0), 0);
    assert_eq!(set.marks(second, 0), 0);
}

#[test]
fn parents_and_marks_are_kept_on_request_only() {
    what_is_not_asked_for_is_not_kept::<Exact<false>>();
    what_is_not_asked_for_is_not_kept::<Reference>();
}

fn a_budget_is_kept<S: StateSet>() {
    let budget = Arc::new(Budget::new(Some(4 << 20)));
    let set = S::new(Keep::default(), Arc::default(), Arc::clone(&budget)).unwrap();
    let mut handle = set.handle();
    let mut stored = 0;
    let error = loop {
        handle.push(&vector(stored), None);
        match handle.answers() {
            Ok(_) => stored += 1,
            Err(error) => break error,
        }
    };
    assert_eq!(error, OutOfMemory);
    assert!(budget.peak() <= 4 << 20 && stored > 10_000, "{stored}");
    assert!((0..stored).all(|k| handle.find(&vector(k)).is_some()));
    assert!(set.bytes() <= budget.used());
}

#[test]
fn a_full_budget_is_an_error_and_what_was_stored_stays() {
    a_budget_is_kept::<Exact<false>>();
    a_budget_is_kept::<Reference>();
}

#[test]
fn a_vector_larger_than_a_chunk_is_stored() {
    let set: Exact<false> = empty(EVERYTHING, Packing::default());
    let mut handle = set.handle();
    let large: Vec<u8> = (0..3_000_000u32).map(|n| ((n * 7) >> 3) as u8).collect();
    for _ in 0..2 {
        handle.push(&vec![0; 3_000_000], None);
        handle.push(&large, None);
    }
    let answers = handle.answers().unwrap();
    assert_eq!(answers.iter().map(|a| a.new).collect::<Vec<_>>(), [true, true, false, false]);
    let mut back = Vec::new();
    set.vector(answers[1].id, &mut back);
    assert!(back == large);
}
