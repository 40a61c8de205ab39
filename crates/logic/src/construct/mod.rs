//! From formulas to automata.

pub(crate) mod alphabet;
pub(crate) mod alternating;
pub(crate) mod degeneralize;
pub(crate) mod emptiness;
pub(crate) mod graph;
pub(crate) mod tableau;
