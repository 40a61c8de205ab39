//! Büchi automata over atoms.

mod buchi;
mod generalized;

pub use buchi::{Buchi, Edge, Strength};
pub use generalized::{GeneralizedBuchi, MarkedEdge};
