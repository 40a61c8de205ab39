//! Whether two automata accept a word in common.

use std::collections::HashMap;

use super::alphabet::Letters;
use super::graph::{Edge, Graph, Marks};

/// The synchronous product, for at most `limit` states; none if it is larger, or if it has more
/// acceptance sets than there are marks.
pub(crate) fn product(left: &Graph, right: &Graph, limit: usize) -> Option<Graph> {
    let sets = left.sets + right.sets;
    if sets > Marks::BITS {
        return None;
    }
    let mut numbers = HashMap::from([((left.initial, right.initial), 0)]);
    let mut order = vec![(left.initial, right.initial)];
    let mut edges: Vec<Vec<Edge>> = Vec::new();
    while edges.len() < order.len() {
        let (p, q) = order[edges.len()];
        let mut out = Vec::new();
        for first in &left.edges[p] {
            for second in &right.edges[q] {
                if !first.letters.intersects(&second.letters) {
                    continue;
                }
                let target = (first.to, second.to);
                let to = *numbers.entry(target).or_insert_with(|| {
                    order.push(target);
                    order.len() - 1
                });
                let mut letters: Letters = first.letters.clone();
                letters.keep(&second.letters);
                let marks = first.marks | second.marks.checked_shl(left.sets).unwrap_or(0);
                out.push(Edge { to, marks, letters });
            }
        }
        edges.push(out);
        if order.len() > limit {
            return None;
        }
    }
    Some(Graph { initial: 0, sets, state_based: false, edges })
}

/// Whether no word is accepted by both; none if the product is too large to tell.
pub(crate) fn disjoint(left: &Graph, right: &Graph, limit: usize) -> Option<bool> {
    product(left, right, limit).map(|graph| is_empty(&graph))
}

/// Whether no word is accepted, where every state can be reached.
pub(crate) fn is_empty(graph: &Graph) -> bool {
    let components = graph.components();
    !graph.accepting_components(&components).contains(&true)
}
