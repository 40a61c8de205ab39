//! Automata as graphs in Graphviz's language.

use std::fmt::Write;

use super::expression;
use super::text::marks;
use crate::automaton::{Buchi, GeneralizedBuchi};

impl Buchi {
    /// The automaton as a graph; accepting states have a double border.
    pub fn dot(&self) -> String {
        let mut graph = Graph::new(self.initial);
        for (state, edges) in self.edges.iter().enumerate() {
            let shape = if self.accepting[state] { "doublecircle" } else { "circle" };
            graph.state(state, shape);
            for edge in edges {
                graph.edge(state, edge.to, &expression(&edge.label, &self.atoms));
            }
        }
        graph.finish()
    }
}

impl GeneralizedBuchi {
    /// The automaton as a graph; an edge's acceptance sets stand under its label.
    pub fn dot(&self) -> String {
        let mut graph = Graph::new(self.initial);
        for (state, edges) in self.edges.iter().enumerate() {
            graph.state(state, "circle");
            for edge in edges {
                let sets: Vec<String> = marks(edge.marks).map(|set| set.to_string()).collect();
                let mut label = expression(&edge.label, &self.atoms);
                if !sets.is_empty() {
                    let _ = write!(label, "\n{{{}}}", sets.join(" "));
                }
                graph.edge(state, edge.to, &label);
            }
        }
        graph.finish()
    }
}

struct Graph(String);

impl Graph {
    fn new(initial: usize) -> Self {
        let mut text = String::from("digraph automaton {\n  rankdir=LR;\n");
        text.push_str("  start [shape=point, label=\"\"];\n");
        let _ = writeln!(text, "  start -> {initial};");
        Self(text)
    }

    fn state(&mut self, state: usize, shape: &str) {
        let _ = writeln!(self.0, "  {state} [shape={shape}];");
    }

    fn edge(&mut self, from: usize, to: usize, label: &str) {
        let label = label.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
        let _ = writeln!(self.0, "  {from} -> {to} [label=\"{label}\"];");
    }

    fn finish(mut self) -> String {
        self.0.push_str("}\n");
        self.0
    }
}
