//! Trace assertions.

use isospin_model::{Action, Automaton, Expr, LocationId, ReceiveArg, TraceEdge};

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
        let mut locations: Vec<Vec<TraceEdge>> =
            automaton.location_ids().map(|l| trace_edges(&automaton, l)).collect();
        let mut ends: Vec<bool> =
            automaton.location_ids().map(|l| passes_to_end(&automaton, l)).collect();
        // Which way it goes would decide what it says, and an assertion says one thing.
        if let Some(edge) = locations.iter().find_map(|edges| ambiguous(edges)) {
            let operation = if edge.sending { "send" } else { "receive" };
            self.error(
                t.keyword,
                format!("it can follow one {operation} in two ways: a trace must be deterministic"),
            );
        }
        // What stands where nothing leads is in scope all the same, as in Spin: a location of its
        // own holds it, to which nothing leads.
        let nowhere = LocationId::at(locations.len());
        let mentioned = |e: &TraceEdge| locations.iter().flatten().any(|m| watches_the_same(m, e));
        let events = std::mem::take(&mut self.events);
        let hidden: Vec<TraceEdge> = (events.iter())
            .filter_map(|action| trace_edge(action, nowhere))
            .filter(|e| !mentioned(e))
            .collect();
        if !hidden.is_empty() {
            locations.push(hidden);
            ends.push(false);
        }
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
    edges.filter_map(|edge| trace_edge(&edge.action, edge.target)).collect()
}

fn trace_edge(action: &Action, target: LocationId) -> Option<TraceEdge> {
    let Action::Receive { channel, pattern, random, .. } = action else { return None };
    let (channel, pattern) = (channel.clone(), pattern.clone());
    Some(TraceEdge { sending: *random, channel, pattern, target })
}

/// Whether both put the same end of the same channel into scope.
fn watches_the_same(a: &TraceEdge, b: &TraceEdge) -> bool {
    (a.sending, &a.channel) == (b.sending, &b.channel)
}

/// An operation of a location, where an event that it is can be another one as well, which leads
/// somewhere else.
fn ambiguous(edges: &[TraceEdge]) -> Option<&TraceEdge> {
    let overlap = |a: &TraceEdge, b: &TraceEdge| {
        let differ = |(x, y): (&ReceiveArg, &ReceiveArg)| match (x, y) {
            (ReceiveArg::Match(Expr::Const(x)), ReceiveArg::Match(Expr::Const(y))) => x != y,
            _ => false,
        };
        watches_the_same(a, b)
            && a.target != b.target
            && !a.pattern.iter().zip(&b.pattern).any(differ)
    };
    edges
        .iter()
        .enumerate()
        .find(|(k, a)| edges[k + 1..].iter().any(|b| overlap(a, b)))
        .map(|e| e.1)
}
