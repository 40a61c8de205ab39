//! Trace assertions.

use isospin_model::{Action, Automaton, LocationId, TraceEdge};

use super::Lowering;
use crate::syntax::ast::Trace;

impl Lowering<'_> {
    /// A trace assertion: its sends and receives are patterns, and nothing else stands in it.
    pub(super) fn trace(&mut self, t: &Trace) {
        self.start_body(1);
        self.in_claim = true;
        self.in_trace = true;
        let automaton = self.body(&t.body).automaton;
        self.in_trace = false;
        self.in_claim = false;
        let source = self.source(t.keyword);
        // What control passes through without an operation is skipped over.
        let locations = automaton.location_ids().map(|l| trace_edges(&automaton, l)).collect();
        let ends = automaton.location_ids().map(|l| passes_to_end(&automaton, l)).collect();
        self.model.trace =
            Some(isospin_model::Trace { negated: t.negated, locations, ends, source });
    }
}

/// The locations that control can pass on to from `location` without an operation, itself first.
fn passed(automaton: &Automaton, location: LocationId) -> Vec<LocationId> {
    let mut seen = vec![location];
    let mut at = 0;
    while at < seen.len() {
        for edge in automaton.edges_of(seen[at]) {
            let operation = matches!(edge.action, Action::Receive { .. } | Action::End);
            if !operation && !seen.contains(&edge.target) {
                seen.push(edge.target);
            }
        }
        at += 1;
    }
    seen
}

fn passes_to_end(automaton: &Automaton, location: LocationId) -> bool {
    let ends = |l: LocationId| automaton.edges_of(l).iter().any(|e| e.action == Action::End);
    passed(automaton, location).into_iter().any(ends)
}

/// What a trace assertion can follow from a location. Its sends were lowered as patterns, too,
/// and are told from receives by `random`.
fn trace_edges(automaton: &Automaton, location: LocationId) -> Vec<TraceEdge> {
    let reached = passed(automaton, location);
    let edges = reached.iter().flat_map(|&l| automaton.edges_of(l));
    edges
        .filter_map(|edge| match &edge.action {
            Action::Receive { channel, pattern, random, .. } => Some(TraceEdge {
                sending: *random,
                channel: channel.clone(),
                pattern: pattern.clone(),
                target: edge.target,
            }),
            _ => None,
        })
        .collect()
}
