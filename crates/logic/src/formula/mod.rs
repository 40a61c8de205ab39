//! Formulas of linear temporal logic, in negation normal form by construction.

mod coarsen;
mod display;
mod store;

pub use store::{Node, Store, Term};

use crate::atoms::AtomTable;
use crate::error::Error;
use crate::syntax::{self, Precedence};

/// The deepest nesting of operators that a formula may have.
pub const MAX_DEPTH: usize = 200;

/// The most different subformulas that a formula may have.
pub const MAX_TERMS: usize = 10_000;

/// A formula with its atoms.
///
/// ```
/// use isospin_logic::Formula;
/// let response = Formula::parse("[] (sent -> <> (received == 1))").unwrap();
/// assert_eq!(response.atoms().name(1), "received == 1");
/// assert_eq!(response.negated().to_string(), "<> (sent && [] !(received == 1))");
/// ```
#[derive(Clone, Debug)]
pub struct Formula {
    store: Store,
    root: Term,
    atoms: AtomTable,
}

impl Formula {
    /// Reads a formula with the precedences of Spin's `ltl` blocks.
    pub fn parse(text: &str) -> Result<Self, Error> {
        Self::parse_with(text, Precedence::Graded)
    }

    /// Reads a formula with the given precedences.
    pub fn parse_with(text: &str, precedence: Precedence) -> Result<Self, Error> {
        syntax::parse(text, precedence)
    }

    /// A formula made of a term of a store, over the given atoms.
    pub fn from_parts(store: Store, root: Term, atoms: AtomTable) -> Self {
        Self { store, root, atoms }
    }

    /// The formula that holds exactly where this one does not.
    pub fn negated(&self) -> Self {
        let mut negation = self.clone();
        negation.root = negation.store.not(self.root);
        negation
    }

    /// The store that holds the formula's terms.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// The term of the whole formula.
    pub fn root(&self) -> Term {
        self.root
    }

    /// The formula's atoms.
    pub fn atoms(&self) -> &AtomTable {
        &self.atoms
    }

    /// Whether the next-time operator occurs in it.
    pub fn has_next(&self) -> bool {
        self.store.has_next(self.root)
    }
}
