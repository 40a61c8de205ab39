//! Automata with several acceptance sets, of edges.

use crate::atoms::AtomTable;
use crate::error::Error;
use crate::label::Label;
use crate::translate::{self, Limits};

use super::{Buchi, Edge};

/// An edge of a [`GeneralizedBuchi`] automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkedEdge {
    /// When the edge can be taken.
    pub label: Label,
    /// Where it leads.
    pub to: usize,
    /// The acceptance sets that it belongs to, one bit each.
    pub marks: u64,
}

/// A generalised Büchi automaton with acceptance on edges: a word is accepted if a run over it
/// takes edges of every acceptance set infinitely often. A state is its index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneralizedBuchi {
    /// What the labels speak about.
    pub atoms: AtomTable,
    /// Where every run starts.
    pub initial: usize,
    /// The number of acceptance sets, at most 64; with none, every infinite run is accepting.
    pub sets: u32,
    /// For each state, the edges that leave it.
    pub edges: Vec<Vec<MarkedEdge>>,
}

impl GeneralizedBuchi {
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

    /// All acceptance sets, one bit each.
    pub fn all_marks(&self) -> u64 {
        match self.sets {
            0 => 0,
            sets => u64::MAX >> (64 - sets),
        }
    }

    /// The same automaton with accepting states, where no state has both edges that belong to the
    /// only acceptance set and edges that do not.
    pub fn as_buchi(&self) -> Option<Buchi> {
        if self.sets > 1 {
            return None;
        }
        let all = self.all_marks();
        let mut buchi = Buchi {
            atoms: self.atoms.clone(),
            initial: self.initial,
            accepting: Vec::new(),
            edges: Vec::new(),
        };
        for edges in &self.edges {
            let accepting = edges.first().is_some_and(|edge| edge.marks == all);
            if edges.iter().any(|edge| (edge.marks == all) != accepting) {
                return None;
            }
            buchi.accepting.push(accepting);
            let plain = |edge: &MarkedEdge| Edge { label: edge.label.clone(), to: edge.to };
            buchi.edges.push(edges.iter().map(plain).collect());
        }
        Some(buchi)
    }

    /// An automaton with accepting states for the same language, reduced.
    pub fn degeneralized(&self, limits: &Limits) -> Result<Buchi, Error> {
        translate::degeneralized(self, limits)
    }

    /// The number of the strongly connected component of each state; an edge never leads to a
    /// higher one [Tarjan 1972].
    pub fn components(&self) -> Vec<usize> {
        crate::construct::graph::Graph {
            initial: self.initial,
            sets: 0,
            state_based: false,
            edges: self
                .edges
                .iter()
                .map(|edges| {
                    let edge = |edge: &MarkedEdge| crate::construct::graph::Edge {
                        to: edge.to,
                        marks: 0,
                        letters: crate::construct::alphabet::Letters::none(0),
                    };
                    edges.iter().map(edge).collect()
                })
                .collect(),
        }
        .components()
        .of
    }
}
