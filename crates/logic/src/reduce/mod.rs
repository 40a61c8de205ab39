//! Smaller automata for the same language.

mod acceptance;
mod merging;
mod simulation;
mod weak;

pub(crate) use merging::merge_states;
pub(crate) use weak::minimal_weak;

use crate::construct::graph::Graph;

/// Rounds of reductions; each but the last makes the automaton smaller.
const MAX_ROUNDS: usize = 20;

/// Reduces an automaton, with marks on edges or on states, until nothing more is gained.
pub(crate) fn reduce(graph: &mut Graph) {
    graph.trim();
    for _ in 0..MAX_ROUNDS {
        let before = (graph.states(), graph.edge_count(), graph.sets);
        if !graph.state_based {
            acceptance::simplify(graph);
        }
        simulation::reduce(graph);
        // Where no cycle passes, marks are free: none was tried, now all.
        acceptance::mark_transient(graph);
        simulation::reduce(graph);
        if (graph.states(), graph.edge_count(), graph.sets) == before {
            break;
        }
    }
    graph.trim();
}
