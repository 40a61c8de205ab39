//! Control flow: a process type's locations and the edges between them.

use std::ops::Range;

use crate::action::Action;
use crate::ids::{EdgeId, LocationId};

/// A place in the source text. Lines and columns count from 1; 0 means unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct SourceRef {
    /// Which of the [`Model::files`](crate::Model::files).
    pub file: u32,
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

/// The control flow of a process type.
#[derive(Debug, PartialEq, Default)]
pub struct Automaton {
    /// Where a new process starts.
    pub initial: LocationId,
    /// The locations; a program counter is an index into this.
    pub locations: Vec<Location>,
    /// All edges. Those of one location are neighbours.
    pub edges: Vec<Edge>,
}

/// Copies of large automata count as work: a model may fit the memory once and not twice.
impl Clone for Automaton {
    fn clone(&self) -> Automaton {
        let edge = |edge: &Edge| {
            isospin_limits::check();
            edge.clone()
        };
        Automaton {
            initial: self.initial,
            locations: self.locations.clone(),
            edges: self.edges.iter().map(edge).collect(),
        }
    }
}

impl Automaton {
    /// The edges out of a location, in the order in which they are tried.
    pub fn edges_of(&self, location: LocationId) -> &[Edge] {
        &self.edges[self.locations[location.index()].edges()]
    }

    /// The numbers of its locations.
    pub fn location_ids(&self) -> impl DoubleEndedIterator<Item = LocationId> {
        (0..self.locations.len()).map(LocationId::at)
    }

    /// Its edges with their numbers.
    pub fn numbered_edges(&self) -> impl Iterator<Item = (EdgeId, &Edge)> {
        (0..).map(EdgeId).zip(&self.edges)
    }

    /// For each location, whether a process that stands there may still come to start another.
    pub fn starting_locations(&self) -> Vec<bool> {
        let mut starting = vec![false; self.locations.len()];
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for edge in self.edges.iter().rev() {
                let leads = edge.action != Action::End && starting[edge.target.index()];
                if !starting[edge.from.index()] && (leads || edge.action.starts_process()) {
                    starting[edge.from.index()] = true;
                    changed = true;
                }
            }
        }
        starting
    }
}

/// A place where a process can stand.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Location {
    /// The number that `pc_value` yields for it, and that Spin prints.
    pub number: u32,
    /// The first of its edges.
    pub first_edge: EdgeId,
    /// How many edges it has.
    pub edge_count: u32,
    /// Whether a process may stand here for ever without that being a deadlock.
    pub end: bool,
    /// Whether a visit here counts as progress.
    pub progress: bool,
    /// Whether a visit here counts as acceptance.
    pub accept: bool,
    /// The labels that stand here.
    pub labels: Vec<String>,
    /// Where it stands in the source.
    pub source: SourceRef,
}

impl Location {
    /// The positions of its edges in [`Automaton::edges`].
    pub fn edges(&self) -> Range<usize> {
        self.first_edge.index()..self.first_edge.index() + self.edge_count as usize
    }

    /// The numbers of its edges.
    pub fn edge_ids(&self) -> impl DoubleEndedIterator<Item = EdgeId> {
        self.edges().map(EdgeId::at)
    }
}

/// Whether a step that can be taken keeps time from passing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub enum Urgency {
    /// Always.
    #[default]
    Eager,
    /// Where it could not be taken any more afterwards.
    Delayable,
    /// Never.
    Lazy,
}

/// A step that a process can take.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// Where it starts.
    pub from: LocationId,
    /// Where the process stands afterwards. Meaningless for [`Action::End`].
    pub target: LocationId,
    /// What it does.
    pub action: Action,
    /// Whether the process keeps control afterwards: the step is inside an atomic sequence.
    pub atomic: bool,
    /// Whether it keeps time from passing. Matters only where [clocks](crate::Time) run.
    pub urgency: Urgency,
    /// For an edge out of the guard of an `unless` escape, which escape (1 and up); 0 for the
    /// rest. Once an edge of one escape has been taken, edges that do not belong to it are not
    /// looked at: escapes stand first.
    pub escape: u32,
    /// Bytes of the process's frame that are set to 0 once the action is done: where they start
    /// and how many. Variables whose value is not needed where the edge leads; never one that
    /// others look at, or that names a channel which the process claims.
    pub resets: Vec<(u32, u32)>,
    /// Which statement of the source this is; the same statement may stand on several edges.
    pub statement: u32,
    /// Where it stands in the source.
    pub source: SourceRef,
    /// The statement as written, in one line.
    pub text: String,
}
