//! Which edges were taken.

use isospin_model::{EdgeId, Model, ProcTypeId};

/// Which edges of which process type were taken.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reached {
    taken: Vec<bool>,
    first: Vec<u32>,
}

impl Reached {
    /// No edge of `model` taken yet.
    pub fn new(model: &Model) -> Reached {
        let mut first = Vec::with_capacity(model.proctypes.len());
        let mut edges = 0;
        for proctype in &model.proctypes {
            first.push(edges as u32);
            edges += proctype.automaton.edges.len();
        }
        Reached { taken: vec![false; edges], first }
    }

    /// Whether the edge was taken.
    pub fn is_taken(&self, proctype: ProcTypeId, edge: EdgeId) -> bool {
        let at = self.first[proctype.index()] + edge.0;
        self.taken[at as usize]
    }

    /// Notes that the edge was taken.
    #[inline]
    pub(crate) fn take(&mut self, proctype: ProcTypeId, edge: EdgeId) {
        if let Some(&first) = self.first.get(proctype.index()) {
            // A step that failed before any edge was looked at says edge 0, which a process type
            // without edges does not have.
            if let Some(taken) = self.taken.get_mut((first + edge.0) as usize) {
                *taken = true;
            }
        }
    }

    /// Adds what another search reached.
    pub(crate) fn merge(&mut self, other: &Reached) {
        for (mine, theirs) in self.taken.iter_mut().zip(&other.taken) {
            *mine |= theirs;
        }
    }
}
