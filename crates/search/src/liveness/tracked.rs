//! Nodes of the product as vectors that permutations act on.
//!
//! Where a permutation takes states of the automaton to each other, see
//! [`Reader`](isospin_symmetry::Reader), nodes are the same up to symmetry if one permutation takes
//! both the model's state and the automaton's over: a node's representative is that of the two
//! together. The automaton's state is then written behind the model's, as bytes that go where the
//! names go, and what is stored beside the representative is the base of its orbit.

use std::sync::Arc;

use isospin_symmetry::Symmetry;

use super::product::{automaton_state, model_state};

/// Writes nodes as such vectors.
#[derive(Default)]
pub(super) struct Tracked {
    symmetry: Option<Arc<Symmetry>>,
    room: Vec<u8>,
    /// How many bytes tell the automaton's state.
    pub len: usize,
}

impl Tracked {
    /// Under this symmetry.
    pub fn new(symmetry: Option<&Arc<Symmetry>>) -> Tracked {
        let symmetry = symmetry.filter(|s| s.is_tracking()).cloned();
        let mut room = Vec::new();
        if let Some(symmetry) = &symmetry {
            symmetry.track(0, &mut room);
        }
        Tracked { symmetry, len: room.len(), room }
    }

    /// Whether permutations move the automaton's state.
    pub fn is_used(&self) -> bool {
        self.symmetry.is_some()
    }

    /// The node as a vector.
    #[inline]
    pub fn vector<'n>(&'n mut self, node: &'n [u8]) -> &'n [u8] {
        let Some(symmetry) = &self.symmetry else { return model_state(node) };
        self.room.clear();
        self.room.extend_from_slice(model_state(node));
        symmetry.track(automaton_state(node), &mut self.room);
        &self.room
    }

    /// The automaton's state that is stored with a node's representative.
    #[inline]
    pub fn base(&self, node: &[u8]) -> u32 {
        let state = automaton_state(node);
        self.symmetry.as_ref().map_or(state, |s| s.base(state))
    }
}
