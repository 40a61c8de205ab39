//! Linear temporal logic for the model checker: formulas, their Büchi automata, and automata in
//! the formats of other tools.
//!
//! The way of a property through this crate: its text becomes a [`Formula`] ([`syntax`] splits it
//! into temporal structure and atoms), which is rewritten ([`simplify`]), turned into a
//! generalised automaton ([`construct`]), and that into small automata ([`reduce`]) by
//! [`translate`]. What an atom means is not known here: an automaton's labels speak about the
//! indices of an [`AtomTable`], whose texts the caller resolves.
#![forbid(unsafe_code)]
#![warn(missing_docs)]
#![allow(rustdoc::private_intra_doc_links)]

mod atoms;
mod automaton;
mod bdd;
mod construct;
mod error;
mod formula;
mod hoa;
mod label;
mod output;
mod reduce;
mod simplify;
mod stutter;
mod syntax;
mod translate;

pub use atoms::{Atom, AtomTable, MAX_ATOMS};
pub use automaton::{Buchi, Edge, GeneralizedBuchi, MarkedEdge, Strength};
pub use error::Error;
pub use formula::{Formula, Node, Store, Term, MAX_DEPTH, MAX_TERMS};
pub use hoa::read_hoa;
pub use label::{Cube, Label};
pub use stutter::{is_stutter_closed, is_stutter_invariant};
pub use syntax::Precedence;
pub use translate::{translate, Limits, Translation};
