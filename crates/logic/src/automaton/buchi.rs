//! Automata with accepting states.

use crate::atoms::AtomTable;
use crate::automaton::{GeneralizedBuchi, MarkedEdge};
use crate::label::Label;

/// An edge of a [`Buchi`] automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// When the edge can be taken.
    pub label: Label,
    /// Where it leads.
    pub to: usize,
}

/// How much work it is to find an accepting run [Bloem 1999].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strength {
    /// An accepting state that is reached is enough: from there every word is accepted.
    Terminal,
    /// A cycle through an accepting state stays among accepting states.
    Weak,
    /// No such structure.
    Strong,
}

/// A Büchi automaton: a word is accepted if a run over it visits accepting states infinitely
/// often. A state is its index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buchi {
    /// What the labels speak about.
    pub atoms: AtomTable,
    /// Where every run starts.
    pub initial: usize,
    /// For each state, whether it is accepting.
    pub accepting: Vec<bool>,
    /// For each state, the edges that leave it.
    pub edges: Vec<Vec<Edge>>,
}

impl Buchi {
    /// An automaton with one state, which is initial, not accepting, and has no edges.
    pub fn new(atoms: AtomTable) -> Self {
        Self { atoms, initial: 0, accepting: vec![false], edges: vec![Vec::new()] }
    }

    /// Adds a state and returns its index.
    pub fn add_state(&mut self, accepting: bool) -> usize {
        self.accepting.push(accepting);
        self.edges.push(Vec::new());
        self.accepting.len() - 1
    }

    /// Adds an edge between two states.
    pub fn add_edge(&mut self, from: usize, label: Label, to: usize) {
        self.edges[from].push(Edge { label, to });
    }

    /// The number of states.
    pub fn len(&self) -> usize {
        self.edges.len()
    }

    /// Whether there is no state; then there is no valid initial one either.
    pub fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }

    /// The number of edges.
    pub fn edge_count(&self) -> usize {
        self.edges.iter().map(Vec::len).sum()
    }

    /// Whether a state is accepting and can only loop to itself, under every letter.
    pub fn accepts_all(&self, state: usize) -> bool {
        self.accepting[state]
            && matches!(&self.edges[state][..], [edge] if edge.to == state && edge.label.is_always())
    }

    /// Whether no valuation allows two edges of the same state.
    pub fn is_deterministic(&self) -> bool {
        self.edges.iter().all(|edges| {
            edges.iter().enumerate().all(|(index, edge)| {
                edges[..index].iter().all(|other| {
                    let mut pairs = edge
                        .label
                        .cubes
                        .iter()
                        .flat_map(|&a| other.label.cubes.iter().map(move |&b| a.and(b)));
                    pairs.all(|both| both.is_none())
                })
            })
        })
    }

    /// How much work it is to find an accepting run.
    pub fn strength(&self) -> Strength {
        let components = self.components();
        let mut terminal = true;
        for (state, &accepting) in self.accepting.iter().enumerate() {
            if accepting && !self.accepts_all(state) {
                terminal = false;
            }
            for edge in &self.edges[state] {
                let inside = components[edge.to] == components[state];
                if inside && self.accepting[edge.to] != accepting {
                    return Strength::Strong;
                }
            }
        }
        if terminal {
            Strength::Terminal
        } else {
            Strength::Weak
        }
    }

    /// The number of the strongly connected component of each state; an edge never leads to a
    /// higher one.
    pub fn components(&self) -> Vec<usize> {
        self.generalized().components()
    }

    /// The same automaton with marks on edges: those that leave an accepting state.
    pub fn generalized(&self) -> GeneralizedBuchi {
        let edges = self.edges.iter().enumerate().map(|(state, edges)| {
            let marks = self.accepting[state].into();
            edges
                .iter()
                .map(|edge| MarkedEdge { label: edge.label.clone(), to: edge.to, marks })
                .collect()
        });
        GeneralizedBuchi {
            atoms: self.atoms.clone(),
            initial: self.initial,
            sets: 1,
            edges: edges.collect(),
        }
    }
}
