//! Whether a formula, or an automaton, can tell a word from one that repeats some of its letters.

mod simulation;

pub use simulation::is_stutter_closed;

use std::collections::HashMap;

use crate::construct::alphabet::{Alphabet, Letters};
use crate::construct::emptiness::is_empty;
use crate::construct::graph::{Edge, Graph};
use crate::formula::Formula;
use crate::translate::{both_polarities, Limits};

/// The largest product that is searched before the answer is "not known, so no".
const MAX_PRODUCT: usize = 100_000;

/// Whether a formula is insensitive to stuttering, which partial-order reduction relies on.
///
/// A formula without `X` is. One with `X` may be: then its automaton and that of its negation,
/// each with words stuttered at will, have no word in common (Michaud and Duret-Lutz 2015). Where
/// that is too large to find out, the answer is no.
///
/// ```
/// use isospin_logic::{is_stutter_invariant, Formula};
/// let invariant = |text| is_stutter_invariant(&Formula::parse(text).unwrap());
/// assert!(invariant("[] (p -> <> q)"));
/// assert!(invariant("<> (p && X (!p))") && !invariant("X p"));
/// ```
pub fn is_stutter_invariant(formula: &Formula) -> bool {
    if !formula.has_next() {
        return true;
    }
    let Ok(simple) = formula.simplified() else { return false };
    if !simple.has_next() {
        return true;
    }
    let Ok((alphabet, holds, fails)) = both_polarities(&simple, &Limits::default()) else {
        return false;
    };
    stuttered_product(&alphabet, &holds, &fails).is_some_and(|product| is_empty(&product))
}

/// The product of two automata that may each, instead of moving, repeat the letter they last read.
///
/// A state holds that letter for both: they read the same word. Each must move infinitely often,
/// which takes a mark of its own.
fn stuttered_product(alphabet: &Alphabet, left: &Graph, right: &Graph) -> Option<Graph> {
    let sets = left.sets + right.sets + 2;
    if sets > 64 {
        return None;
    }
    let (moved_left, moved_right) = (1u64 << (sets - 2), 1u64 << (sets - 1));
    let start = (left.initial, right.initial, usize::MAX);
    let mut numbers = HashMap::from([(start, 0)]);
    let mut order = vec![start];
    let mut edges: Vec<Vec<Edge>> = Vec::new();
    while edges.len() < order.len() {
        let (p, q, last) = order[edges.len()];
        let mut out = Vec::new();
        for letter in 0..alphabet.len() {
            let moves = |graph: &Graph, state: usize, moved: u64, shift: u32| {
                let mut moves: Vec<(usize, u64)> = graph.edges[state]
                    .iter()
                    .filter(|edge| edge.letters.contains(letter))
                    .map(|edge| (edge.to, edge.marks << shift | moved))
                    .collect();
                if letter == last {
                    moves.push((state, 0));
                }
                moves
            };
            for &(to_left, marks) in &moves(left, p, moved_left, 0) {
                for &(to_right, more) in &moves(right, q, moved_right, left.sets) {
                    let target = (to_left, to_right, letter);
                    let to = *numbers.entry(target).or_insert_with(|| {
                        order.push(target);
                        order.len() - 1
                    });
                    out.push(Edge { to, marks: marks | more, letters: Letters::none(0) });
                }
            }
        }
        edges.push(out);
        if order.len() > MAX_PRODUCT {
            return None;
        }
    }
    Some(Graph { initial: 0, sets, state_based: false, edges })
}
