//! Fewer acceptance sets, component by component.

use crate::construct::graph::{Components, Graph, Marks};

/// Drops the sets that the others imply, and lets components share the numbers of the rest.
pub(super) fn simplify(graph: &mut Graph) {
    let components = graph.components();
    let accepting = graph.accepting_components(&components);
    let count = accepting.len();
    let mut needed: Vec<Vec<u32>> = vec![Vec::new(); count];
    for component in (0..count).filter(|&component| accepting[component]) {
        let mut kept: Vec<u32> = (0..graph.sets).collect();
        for set in 0..graph.sets {
            let others: Vec<u32> = kept.iter().copied().filter(|&other| other != set).collect();
            if is_implied(graph, &components, component, set, &others) {
                kept = others;
            }
        }
        needed[component] = kept;
    }
    let sets = needed.iter().map(Vec::len).max().unwrap_or(0) as u32;
    for state in 0..graph.states() {
        let component = components.of[state];
        for edge in &mut graph.edges[state] {
            let inside = accepting[component] && components.of[edge.to] == component;
            let mut marks = 0;
            if inside {
                for number in 0..sets as usize {
                    let marked = match needed[component].get(number) {
                        Some(&set) => edge.marks >> set & 1,
                        None => 1,
                    };
                    marks |= marked << number;
                }
            }
            edge.marks = marks;
        }
    }
    // With no set left, a component that was not accepting would become so.
    let rejecting =
        (0..count).any(|component| components.cyclic[component] && !accepting[component]);
    if sets == 0 && rejecting {
        graph.sets = 1;
        for state in 0..graph.states() {
            let component = components.of[state];
            for edge in &mut graph.edges[state] {
                let inside = accepting[component] && components.of[edge.to] == component;
                edge.marks = inside.into();
            }
        }
    } else {
        graph.sets = sets;
    }
}

/// Whether every cycle of a component that meets the other sets meets this one too.
fn is_implied(
    graph: &Graph,
    components: &Components,
    component: usize,
    set: u32,
    others: &[u32],
) -> bool {
    let without = graph.components_where(|state, edge| {
        components.of[state] == component
            && components.of[edge.to] == component
            && edge.marks >> set & 1 == 0
    });
    let wanted = others.iter().fold(0, |marks: Marks, &other| marks | 1 << other);
    !(0..without.cyclic.len())
        .any(|index| without.cyclic[index] && without.marks[index] & wanted == wanted)
}

/// Marks what no cycle passes: edges between components, or the states that are on no cycle.
pub(super) fn mark_transient(graph: &mut Graph) {
    let components = graph.components();
    let all = graph.all_marks();
    for state in 0..graph.states() {
        let component = components.of[state];
        if graph.state_based {
            if !components.cyclic[component] {
                graph.set_accepting(state, true);
            }
            continue;
        }
        for edge in &mut graph.edges[state] {
            if components.of[edge.to] != component {
                edge.marks = all;
            }
        }
    }
    graph.normalize();
}
