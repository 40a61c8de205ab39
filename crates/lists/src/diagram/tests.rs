//! Every operation against sets of vectors, at random.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use isospin_store::Budget;
use proptest::prelude::*;

use super::*;

type Vector = Vec<u32>;
type Vectors = BTreeSet<Vector>;

const LEVELS: usize = 4;

fn lists() -> Lists {
    Lists::new(Arc::new(Budget::new(None)), Arc::default()).expect("room")
}

fn of(lists: &mut Lists, vectors: &Vectors) -> List {
    let mut list = List::EMPTY;
    for vector in vectors {
        let single = lists.single(vector).expect("room");
        list = lists.union(list, single).expect("room");
    }
    list
}

fn all(lists: &Lists, list: List) -> Vectors {
    let (mut all, mut vectors) = (Vectors::new(), lists.vectors(list));
    while let Some(vector) = vectors.next_vector() {
        assert!(all.insert(vector.to_vec()), "each once");
    }
    all
}

fn some_vectors(len: usize) -> impl Strategy<Value = Vectors> {
    proptest::collection::btree_set(proptest::collection::vec(0u32..4, len), 0..40)
}

fn touches() -> impl Strategy<Value = Vec<Touch>> {
    let touch =
        prop_oneof![Just(Touch::No), Just(Touch::Read), Just(Touch::Write), Just(Touch::Both)];
    proptest::collection::vec(touch, LEVELS)
}

/// Pairs of short vectors: the values read, and those written, of which 3 stands for a copy where
/// nothing was read.
fn pairs() -> impl Strategy<Value = Vec<(Vector, Vector)>> {
    let vector = || proptest::collection::vec(0u32..4, LEVELS);
    proptest::collection::vec((vector(), vector()), 0..12)
}

/// A pair as a vector of the relation.
fn encode(touch: &[Touch], (read, written): &(Vector, Vector)) -> Vector {
    let mut vector = Vector::new();
    for (k, touch) in touch.iter().enumerate() {
        match touch {
            Touch::No => {}
            Touch::Read => vector.push(read[k]),
            Touch::Write => vector.push(if written[k] == 3 { COPY } else { written[k] }),
            Touch::Both => vector.extend([read[k], written[k]]),
        }
    }
    vector
}

/// Where a pair takes a vector, if it fits.
fn apply(touch: &[Touch], (read, written): &(Vector, Vector), vector: &Vector) -> Option<Vector> {
    let mut next = vector.clone();
    for (k, touch) in touch.iter().enumerate() {
        match touch {
            Touch::No => {}
            Touch::Read | Touch::Both if vector[k] != read[k] => return None,
            Touch::Read => {}
            Touch::Write if written[k] == 3 => {}
            Touch::Write | Touch::Both => next[k] = written[k],
        }
    }
    Some(next)
}

proptest! {
    #[test]
    fn sets_are_sets(a in some_vectors(LEVELS), b in some_vectors(LEVELS)) {
        let mut l = lists();
        let (x, y) = (of(&mut l, &a), of(&mut l, &b));
        prop_assert_eq!(all(&l, x), a.clone());
        prop_assert_eq!(l.count(x), Count::from(a.len() as u64));
        let union = l.union(x, y).expect("room");
        prop_assert_eq!(all(&l, union), &a | &b);
        let minus = l.minus(x, y).expect("room");
        prop_assert_eq!(all(&l, minus), &a - &b);
        let both = l.intersect(x, y).expect("room");
        prop_assert_eq!(all(&l, both), &a & &b);
        prop_assert_eq!(x == y, a == b, "equal sets are one node");
        prop_assert!(a.iter().all(|v| l.contains(x, v)));
        prop_assert!(b.iter().all(|v| l.contains(x, v) == a.contains(v)));
        prop_assert_eq!(l.first(x), a.first().cloned());
        let mut parts = Vec::new();
        l.parts(x, &mut parts);
        prop_assert_eq!(l.of_parts(&parts), Ok(x));
        let mut twice: Vec<Vector> = a.iter().rev().chain(&a).cloned().collect();
        prop_assert_eq!(l.of_vectors(&mut twice), Ok(x));
    }

    #[test]
    fn a_projection_leaves_levels_out(
        a in some_vectors(LEVELS),
        keep in proptest::collection::vec(
            prop_oneof![Just(Keep::Yes), Just(Keep::No), (0u32..4).prop_map(Keep::Equal)], LEVELS),
    ) {
        let mut l = lists();
        let x = of(&mut l, &a);
        let plan = l.projection(&keep);
        let short = l.project(x, plan, 0).expect("room");
        let fits = |v: &&Vector| keep.iter().zip(*v).all(|(k, value)| {
            !matches!(k, Keep::Equal(e) if e != value)
        });
        let cut = |v: &Vector| -> Vector {
            let kept = keep.iter().zip(v).filter(|(k, _)| **k == Keep::Yes);
            kept.map(|(_, v)| *v).collect()
        };
        prop_assert_eq!(all(&l, short), a.iter().filter(fits).map(cut).collect::<Vectors>());
    }

    #[test]
    fn a_move_drops_and_inserts_levels(
        a in some_vectors(LEVELS),
        drops in proptest::collection::vec(any::<bool>(), LEVELS),
        inserts in proptest::collection::vec(proptest::option::of(0u32..4), LEVELS + 1),
    ) {
        let mut l = lists();
        let x = of(&mut l, &a);
        let mut moves = Vec::new();
        for k in 0..=LEVELS {
            moves.extend(inserts[k].map(Move::Insert));
            if k < LEVELS {
                moves.push(if drops[k] { Move::Drop } else { Move::Keep });
            }
        }
        let plan = l.relocation(&moves);
        let moved = l.relocate(x, plan).expect("room");
        let expected: Vectors = a.iter().map(|v| {
            let mut next = Vector::new();
            for k in 0..=LEVELS {
                next.extend(inserts[k]);
                if k < LEVELS && !drops[k] {
                    next.push(v[k]);
                }
            }
            next
        }).collect();
        prop_assert_eq!(all(&l, moved), expected);
    }

    #[test]
    fn a_product_is_what_follows_and_its_reverse_what_comes_before(
        a in some_vectors(LEVELS), b in some_vectors(LEVELS), touch in touches(), pairs in pairs(),
    ) {
        let mut l = lists();
        let (x, y) = (of(&mut l, &a), of(&mut l, &b));
        let relation = pairs.iter().map(|p| encode(&touch, p)).collect();
        let r = of(&mut l, &relation);
        let plan = l.relation(&touch);
        let next = l.product(x, r, plan, 0).expect("room");
        let follow = |v: &Vector| -> Vectors {
            pairs.iter().filter_map(|p| apply(&touch, p, v)).collect()
        };
        prop_assert_eq!(all(&l, next), a.iter().flat_map(follow).collect::<Vectors>());
        let before = l.before(y, r, plan, x).expect("room");
        let leads = |v: &&Vector| !follow(v).is_disjoint(&b);
        prop_assert_eq!(all(&l, before), a.iter().filter(leads).cloned().collect::<Vectors>());
    }

    #[test]
    fn what_is_collected_was_not_needed(a in some_vectors(LEVELS), b in some_vectors(LEVELS)) {
        let mut l = lists();
        let (x, y) = (of(&mut l, &a), of(&mut l, &b));
        let (before, sum) = (l.nodes(), l.union(x, y).expect("room"));
        let at = l.keep(x);
        l.collect([sum]);
        prop_assert!(l.nodes() <= before + l.size(sum));
        prop_assert_eq!((all(&l, x), all(&l, sum)), (a.clone(), &a | &b));
        // What comes later takes the room of what has gone, and nothing is mixed up.
        let again = of(&mut l, &b);
        prop_assert_eq!(all(&l, again), b.clone());
        prop_assert_eq!(l.union(x, again), Ok(sum));
        let rest = l.minus(sum, x).expect("room");
        prop_assert_eq!(all(&l, rest), &b - &a);
        l.release(at);
        l.collect([]);
        prop_assert_eq!(l.nodes(), 0);
    }
}

#[test]
fn many_values_and_many_levels_need_no_stack() {
    let mut l = lists();
    let parts: Vec<(u32, List)> = (0..200_000).map(|v| (v, List::END)).collect();
    let even: Vec<(u32, List)> = parts.iter().copied().filter(|(v, _)| v % 2 == 0).collect();
    let (all, even) = (l.of_parts(&parts).expect("room"), l.of_parts(&even).expect("room"));
    let odd = l.minus(all, even).expect("room");
    assert_eq!(l.count(odd).as_u64(), Some(100_000));
    assert_eq!(l.union(odd, even), Ok(all));
    let deep = l.single(&vec![1; 100_000]).expect("room");
    assert_eq!((l.count(deep).as_u64(), l.size(deep)), (Some(1), 100_000));
}

#[test]
fn who_asks_for_the_end_gets_it_and_so_does_who_runs_out_of_memory() {
    let halt = Arc::new(AtomicBool::new(false));
    let mut l = Lists::new(Arc::new(Budget::new(None)), Arc::clone(&halt)).expect("room");
    let (a, b) = (l.single(&[1, 2]).expect("room"), l.single(&[1, 3]).expect("room"));
    halt.store(true, Ordering::Relaxed);
    assert_eq!(l.union(a, b), Err(Stop::Asked));
    let few = Arc::new(Budget::new(Some(1 << 20)));
    let mut l = Lists::new(few, Arc::default()).expect("room for few");
    let many = (0..1 << 20).map(|v| l.single(&[v])).find(Result::is_err);
    assert_eq!(many, Some(Err(Stop::Memory)));
}
