//! Automata while they are built: locations with their edges, in any order.

use isospin_model::{
    Action, Automaton, DetEdge, DetNode, DetStep, Edge, EdgeId, Expr, Location, LocationId,
    SourceRef, Urgency,
};

use crate::labels::Part;

/// A location that is being built.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Spot(pub u32);

/// Where a step leads, and whether the process goes on from there without giving up control.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Exit {
    pub to: Spot,
    pub atomic: bool,
}

/// An edge that is being built.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub action: Action,
    pub exit: Exit,
    pub urgency: Urgency,
    pub resets: Vec<(u32, u32)>,
    pub source: SourceRef,
    pub text: String,
    /// What the step is called.
    pub label: Vec<Part>,
    /// Which statement of the source it is.
    pub statement: u32,
}

#[derive(Debug, Default)]
struct Place {
    labels: Vec<String>,
    end: bool,
    source: SourceRef,
    edges: Vec<Draft>,
}

/// An automaton that is being built.
#[derive(Debug, Default)]
pub(super) struct Builder {
    places: Vec<Place>,
}

impl Builder {
    /// Another location.
    pub fn spot(&mut self, labels: Vec<String>, end: bool, source: SourceRef) -> Spot {
        self.places.push(Place { labels, end, source, edges: Vec::new() });
        Spot(self.places.len() as u32 - 1)
    }

    /// A location without a name.
    pub fn between(&mut self, source: SourceRef) -> Spot {
        self.spot(Vec::new(), false, source)
    }

    /// Another edge out of a location.
    pub fn edge(&mut self, from: Spot, draft: Draft) {
        self.places[from.0 as usize].edges.push(draft);
    }

    /// The automaton, and what the steps along its edges are called.
    pub fn build(self, initial: Spot) -> (Automaton, Vec<Vec<Part>>) {
        let mut automaton = Automaton { initial: LocationId(initial.0), ..Automaton::default() };
        let mut labels = Vec::new();
        for (k, place) in self.places.into_iter().enumerate() {
            isospin_limits::check();
            automaton.locations.push(Location {
                number: k as u32,
                first_edge: EdgeId::at(automaton.edges.len()),
                edge_count: place.edges.len() as u32,
                end: place.end,
                labels: place.labels,
                source: place.source,
                ..Location::default()
            });
            for draft in place.edges {
                automaton.edges.push(Edge {
                    from: LocationId::at(k),
                    target: LocationId(draft.exit.to.0),
                    action: draft.action,
                    atomic: draft.exit.atomic,
                    urgency: draft.urgency,
                    escape: 0,
                    resets: draft.resets,
                    statement: draft.statement,
                    source: draft.source,
                    text: draft.text,
                });
                labels.push(draft.label);
            }
        }
        (automaton, labels)
    }
}

/// A deterministic sequence that is being built.
#[derive(Debug)]
pub(super) struct Sequence {
    nodes: Vec<Vec<(Action, Option<u32>)>>,
    source: SourceRef,
    text: String,
}

impl Sequence {
    pub fn new(source: SourceRef, text: &str) -> Sequence {
        Sequence { nodes: Vec::new(), source, text: text.to_owned() }
    }

    /// The number that the next node gets.
    pub fn next(&self) -> u32 {
        self.nodes.len() as u32
    }

    /// Another node: what can be done there, and where that leads.
    pub fn node(&mut self, edges: Vec<(Action, Option<u32>)>) {
        self.nodes.push(edges);
    }

    /// A node in which one thing is done, before the next.
    pub fn then(&mut self, action: Action) {
        let next = self.next() + 1;
        self.node(vec![(action, Some(next))]);
    }

    /// Another sequence, after this one. Its last nodes lead behind its end, which is where this one
    /// goes on.
    pub fn append(&mut self, other: Sequence) {
        let first = self.next();
        for node in other.nodes {
            let moved = node.into_iter().map(|(action, to)| (action, to.map(|to| to + first)));
            self.nodes.push(moved.collect());
        }
    }

    /// A node that goes on if a condition holds, and fails otherwise.
    pub fn ensure(&mut self, condition: Expr, failure: isospin_model::Failure) {
        let next = self.next() + 1;
        self.node(vec![(Action::Condition(condition), Some(next)), (Action::Fail(failure), None)]);
    }

    /// The sequence as an action. What leads behind the last node leads to the end.
    pub fn action(self) -> Action {
        let len = self.nodes.len() as u32;
        let (source, text) = (self.source, self.text);
        // One thing that is done needs no sequence.
        if let [only] = &self.nodes[..] {
            if let [(action, _)] = &only[..] {
                return action.clone();
            }
        }
        let nodes = self.nodes.into_iter().map(|edges| DetNode {
            edges: edges
                .into_iter()
                .map(|(action, target)| DetEdge {
                    action,
                    target: target.filter(|t| *t < len),
                    source,
                    text: text.clone(),
                })
                .collect(),
        });
        Action::DetStep(Box::new(DetStep { nodes: nodes.collect() }))
    }
}
