//! Joining states under the eyes of the complement.
//!
//! Joining two states of an automaton never loses a word. So, given an automaton of the negation,
//! two states may be joined if what results accepts no word of the negation. This finds every
//! pair that a simulation (direct, delayed or backward) would justify, and more.

use super::reduce;
use crate::construct::emptiness::disjoint;
use crate::construct::graph::Graph;

/// The largest automaton whose pairs of states are tried.
const MAX_STATES: usize = 40;

/// The largest product with the negation.
const MAX_PRODUCT: usize = 2_000;

/// The most products, times the edges of their factors, before no more pairs are tried.
const MAX_WORK: usize = 4_000_000;

/// Joins states of an automaton as long as it stays disjoint from that of its negation.
pub(crate) fn merge_states(graph: &mut Graph, negation: &Graph) {
    if graph.states() > MAX_STATES {
        return;
    }
    let mut work = MAX_WORK;
    while let Some(smaller) = merge_once(graph, negation, &mut work) {
        *graph = smaller;
        reduce(graph);
    }
}

fn merge_once(graph: &Graph, negation: &Graph, work: &mut usize) -> Option<Graph> {
    let each = graph.edge_count() * negation.edge_count();
    for p in 0..graph.states() {
        for q in p + 1..graph.states() {
            *work = work.checked_sub(each)?;
            let candidate = merged(graph, p, q);
            if disjoint(&candidate, negation, MAX_PRODUCT) == Some(true) {
                return Some(candidate);
            }
        }
    }
    None
}

fn merged(graph: &Graph, p: usize, q: usize) -> Graph {
    let mut merged = graph.clone();
    if graph.state_based {
        let accepting = graph.accepting(p) || graph.accepting(q);
        merged.set_accepting(p, accepting);
        merged.set_accepting(q, accepting);
    }
    let class: Vec<usize> =
        (0..graph.states()).map(|state| if state == q { p } else { state }).collect();
    merged.quotient(&class);
    merged
}
