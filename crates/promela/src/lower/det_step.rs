//! Deterministic sequences: the elements of a `d_step` as a small graph of their own, in which the
//! first edge that can be taken is taken.

use std::collections::HashMap;

use isospin_model::{Action, DetEdge, DetNode, DetStep};

use super::graph::{ElementId, ElementKind, Graph, SequenceId};

/// A jump chain longer than this does not end.
const MAX_HOPS: usize = 10_000;

/// The action that runs the whole sequence.
pub(super) fn build(graph: &Graph, seq: SequenceId) -> Action {
    let mut builder = Builder { graph, nodes: Vec::new(), ids: HashMap::new(), todo: Vec::new() };
    let first = graph.sequences[seq].first.expect("sequences are not empty");
    // A sequence that is nothing but jumps to its own end does nothing.
    if builder.node_at(first).is_none() {
        return Action::Skip;
    }
    while let Some(el) = builder.todo.pop() {
        let mut edges = Vec::new();
        builder.alternatives(el, &mut edges);
        let id = builder.ids[&el];
        builder.nodes[id as usize].edges = edges;
    }
    Action::DetStep(Box::new(DetStep { nodes: builder.nodes }))
}

struct Builder<'g> {
    graph: &'g Graph,
    nodes: Vec<DetNode>,
    ids: HashMap<ElementId, u32>,
    todo: Vec<ElementId>,
}

impl Builder<'_> {
    /// The node where control rests when it comes to `el`; `None` once it is outside.
    fn node_at(&mut self, el: ElementId) -> Option<u32> {
        let mut at = el;
        for _ in 0..MAX_HOPS {
            let e = &self.graph.elements[at];
            if !e.in_det_step {
                return None;
            }
            at = match &e.kind {
                ElementKind::Goto(target) => self.graph.destination(target)?,
                ElementKind::Joint | ElementKind::LoopExit => e.next?,
                ElementKind::Block(seq) | ElementKind::Atomic(seq) | ElementKind::DetStep(seq) => {
                    self.graph.sequences[*seq].first?
                }
                ElementKind::Unless => self.graph.sequences[e.options[0]].first?,
                ElementKind::Basic(_) | ElementKind::If | ElementKind::Do => {
                    let next = self.nodes.len() as u32;
                    let id = *self.ids.entry(at).or_insert(next);
                    if id == next {
                        self.nodes.push(DetNode { edges: Vec::new() });
                        self.todo.push(at);
                    }
                    return Some(id);
                }
            };
        }
        // Jumps that go round in circles: a node without edges, which blocks.
        self.nodes.push(DetNode { edges: Vec::new() });
        Some(self.nodes.len() as u32 - 1)
    }

    /// What can be done at an element, in order.
    fn alternatives(&mut self, el: ElementId, edges: &mut Vec<DetEdge>) {
        let e = self.graph.elements[el].clone();
        let mut push = |me: &mut Self, action: Action, next: Option<ElementId>| {
            let target = next.and_then(|next| me.node_at(next));
            edges.push(DetEdge { action, target, source: e.source, text: e.text.clone() });
        };
        match &e.kind {
            ElementKind::Basic(action) => push(self, action.clone(), e.next),
            ElementKind::Goto(_) | ElementKind::LoopExit => push(self, Action::Skip, Some(el)),
            ElementKind::Joint => {
                if let Some(next) = e.next {
                    self.alternatives(next, edges);
                }
            }
            ElementKind::If | ElementKind::Do => {
                for &option in &e.options {
                    if let Some(first) = self.graph.sequences[option].first {
                        self.alternatives(first, edges);
                    }
                }
            }
            ElementKind::Block(seq) | ElementKind::Atomic(seq) | ElementKind::DetStep(seq) => {
                if let Some(first) = self.graph.sequences[*seq].first {
                    self.alternatives(first, edges);
                }
            }
            ElementKind::Unless => {
                if let Some(first) = self.graph.sequences[e.options[0]].first {
                    self.alternatives(first, edges);
                }
            }
        }
    }
}
