//! The searches do the same whatever set they keep their states in.

mod common;

use std::cell::RefCell;
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use common::everything;
use common::promela::read;
use common::replay::replay;
use isospin_analysis::facts::Facts;
use isospin_machine::Interpreter;
use isospin_model::Model;
use isospin_search::safety::{check_safety_in, ExactSets, Sets};
use isospin_search::{Options, Order, SearchResult, Verdict};
use isospin_store::{
    hash_bytes, Answer, Budget, Insert, Keep, Marks, OutOfMemory, Packer, Packing, Reference,
    StateSet,
};
use proptest::prelude::*;

/// Sets that are too simple to be wrong.
struct ReferenceSets;

impl Sets for ReferenceSets {
    type DepthFirst = Reference;
    type BreadthFirst = Reference;
    type Parallel = Reference;
}

/// A set that keeps nothing but hashes: it can give neither vectors nor parents back, and has no
/// room for marks.
struct Hashes {
    seen: RefCell<HashSet<u64>>,
    packing: Arc<Packing>,
}

struct HashesHandle<'s> {
    set: &'s Hashes,
    packer: Packer,
    waiting: Vec<Vec<u8>>,
}

impl StateSet for Hashes {
    type Id = u64;
    const EXACT: bool = false;
    type Handle<'s> = HashesHandle<'s>;

    fn new(_: Keep, packing: Arc<Packing>, _: Arc<Budget>) -> Result<Self, OutOfMemory> {
        Ok(Hashes { seen: RefCell::default(), packing })
    }

    fn handle(&self) -> HashesHandle<'_> {
        HashesHandle { set: self, packer: self.packing.packer(), waiting: Vec::new() }
    }

    fn rank(&self, id: u64) -> u64 {
        id
    }

    fn bytes(&self) -> u64 {
        8 * self.seen.borrow().len() as u64
    }
}

impl Marks for Hashes {
    fn marks(&self, _: u64, _: u8) -> u8 {
        0
    }

    fn change_marks(&self, _: u64, _: u8, _: u8, _: u8) -> u8 {
        0
    }
}

impl Insert for HashesHandle<'_> {
    type Id = u64;

    fn push(&mut self, vector: &[u8], _: Option<u64>) {
        let mut packed = Vec::new();
        self.packer.pack(vector, &mut packed);
        self.waiting.push(packed);
    }

    fn commit(
        &mut self,
        mut each: impl FnMut(Answer<u64>, &[u8]) -> Result<(), OutOfMemory>,
    ) -> Result<(), OutOfMemory> {
        for packed in self.waiting.drain(..) {
            let id = hash_bytes(&packed);
            let new = self.set.seen.borrow_mut().insert(id);
            each(Answer { id, new }, &packed)?;
        }
        Ok(())
    }

    fn find(&mut self, vector: &[u8]) -> Option<u64> {
        let mut packed = Vec::new();
        self.packer.pack(vector, &mut packed);
        Some(hash_bytes(&packed)).filter(|id| self.set.seen.borrow().contains(id))
    }

    fn packer(&mut self) -> &mut Packer {
        &mut self.packer
    }
}

/// Hashes where no parents are needed.
struct HashSets;

impl Sets for HashSets {
    type DepthFirst = Hashes;
    type BreadthFirst = Reference;
    type Parallel = Reference;
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn hashes_are_enough_for_a_depth_first_search(model in common::random::models()) {
        let expected = check::<ReferenceSets>(&model, &everything());
        let result = check::<HashSets>(&model, &everything());
        prop_assert_eq!(
            (result.states, result.transitions, &result.violations),
            (expected.states, expected.transitions, &expected.violations)
        );
        // Two states may have been taken for one.
        prop_assert!(!result.exhausted);
        let violated = expected.verdict == Verdict::Violated;
        let verdict = if violated { Verdict::Violated } else { Verdict::Incomplete };
        prop_assert_eq!(result.verdict, verdict);
    }
}

#[test]
fn reduction_misses_nothing_without_marks() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/classics");
    let names = ["abp", "dekker", "leader", "mutex-bug", "peterson", "philosophers-deadlock"];
    let mut reduced = 0;
    for name in names {
        let model = read(&folder.join(name).with_extension("pml")).expect(name);
        let model = Arc::new(model);
        let facts = Facts::of(&model, &[]);
        assert!(facts.obstacle.is_none(), "{name}");
        let options = Options { reduction: Some(Arc::new(facts)), ..everything() };
        let full = check::<ReferenceSets>(&model, &everything());
        let marked = check::<ReferenceSets>(&model, &options);
        let unmarked = check::<HashSets>(&model, &options);
        assert_eq!(marked.errors > 0, full.errors > 0, "{name}");
        assert_eq!(unmarked.errors > 0, full.errors > 0, "{name}");
        assert!(unmarked.states <= full.states, "{name}");
        reduced += u32::from(unmarked.states < full.states);
    }
    assert!(reduced > 2, "some steps are put off without marks, too");
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
