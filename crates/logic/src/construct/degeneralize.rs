//! From marks on edges to accepting states.
//!
//! A copy of a state for each mark that is still awaited [Gastin 2001], but only inside
//! the components that need it and only for the marks that matter there (Babiak, Badie, Duret-Lutz
//! et al. 2013).

use std::collections::HashMap;

use super::graph::{Edge, Graph, Marks};

/// When the marks that all edges out of a state share are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Count {
    /// On leaving the state, like any other.
    Leaving,
    /// On entering it.
    Entering,
    /// On both.
    Both,
}

/// One of the ways to degeneralise; which is best depends on the automaton.
#[derive(Clone, Debug)]
pub(crate) struct Way {
    /// The order in which marks are awaited.
    pub order: Vec<u32>,
    pub count: Count,
    /// Whether a component is entered at the accepting copy.
    pub enter_accepting: bool,
}

/// The ways worth trying for an automaton.
pub(crate) fn ways(sets: u32, few: bool) -> Vec<Way> {
    let forward: Vec<u32> = (0..sets).collect();
    let mut orders = vec![forward.clone()];
    if !few {
        match sets {
            2 => orders.push(vec![1, 0]),
            3 => orders.extend(
                [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]].map(|o| o.to_vec()),
            ),
            4.. => orders.push(forward.into_iter().rev().collect()),
            _ => {}
        }
    }
    let mut ways = Vec::new();
    for order in orders {
        for count in [Count::Both, Count::Entering, Count::Leaving] {
            for enter_accepting in [false, true] {
                ways.push(Way { order: order.clone(), count, enter_accepting });
            }
        }
    }
    if few {
        ways.truncate(3);
    }
    ways
}

/// The automaton with accepting states, where that stays below a number of states.
pub(crate) fn degeneralize(graph: &Graph, way: &Way, limit: usize) -> Option<Graph> {
    let components = graph.components();
    let accepting = graph.accepting_components(&components);
    // The marks to wait for in each component, and those common to the edges out of each state.
    let mut everywhere = vec![graph.all_marks(); accepting.len()];
    let mut common = vec![graph.all_marks(); graph.states()];
    for (state, edges) in graph.edges.iter().enumerate() {
        for edge in edges.iter().filter(|edge| components.inside(state, edge.to)) {
            everywhere[components.of[state]] &= edge.marks;
            common[state] &= edge.marks;
        }
    }
    let awaited: Vec<Vec<u32>> = everywhere
        .iter()
        .map(|marks| way.order.iter().copied().filter(|&set| marks >> set & 1 == 0).collect())
        .collect();
    let advance = |state: usize, mut level: usize, mut marks: Marks| {
        let component = components.of[state];
        if !accepting[component] {
            return 0;
        }
        if way.count != Count::Leaving {
            marks |= common[state];
        }
        while awaited[component].get(level).is_some_and(|&set| marks >> set & 1 == 1) {
            level += 1;
        }
        level
    };
    let enter = |state: usize| {
        let component = components.of[state];
        if accepting[component] && way.enter_accepting {
            awaited[component].len()
        } else {
            advance(state, 0, 0)
        }
    };
    let start = (graph.initial, enter(graph.initial));
    let mut numbers = HashMap::from([(start, 0)]);
    let mut entered = HashMap::from([start]);
    let mut order = vec![start];
    let mut edges: Vec<Vec<Edge>> = Vec::new();
    while edges.len() < order.len() {
        let (state, level) = order[edges.len()];
        let component = components.of[state];
        let full = awaited[component].len();
        let is_accepting = accepting[component] && level == full;
        let mut out = Vec::new();
        for edge in &graph.edges[state] {
            let to_level = if components.inside(state, edge.to) {
                let from = if level == full { 0 } else { level };
                let counted = if way.count == Count::Entering { common[state] } else { 0 };
                advance(edge.to, from, edge.marks & !counted)
            } else {
                *entered.entry(edge.to).or_insert_with(|| enter(edge.to))
            };
            let target = (edge.to, to_level);
            let to = *numbers.entry(target).or_insert_with(|| {
                order.push(target);
                order.len() - 1
            });
            entered.entry(edge.to).or_insert(to_level);
            let letters = edge.letters.clone();
            out.push(Edge { to, marks: is_accepting.into(), letters });
        }
        edges.push(out);
        if order.len() > limit {
            return None;
        }
    }
    let mut result = Graph { initial: 0, sets: 1, state_based: true, edges };
    result.trim();
    Some(result)
}
