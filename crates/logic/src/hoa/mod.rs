//! Reading automata in the Hanoi omega-automata format, version 1 (Babiak et al. 2015).
//!
//! Büchi and generalised Büchi acceptance are read, on states or on edges; anything else,
//! alternation included, is refused with its place.

mod expression;
mod header;
mod lexer;
mod reader;

pub use reader::read_hoa;
