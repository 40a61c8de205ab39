//! Whole boolean expressions as atoms.

use std::collections::HashMap;

use super::{Formula, Node, Store, Term};
use crate::atoms::AtomTable;
use crate::error::Error;

/// The longest expression that becomes an atom.
const MAX_SIZE: u64 = 1_000;

impl Formula {
    /// The same formula with its largest boolean subformulas as atoms; none if that changes
    /// nothing.
    ///
    /// It has fewer atoms to tell letters apart by, but what these have to do with each other is
    /// lost.
    pub(crate) fn with_coarser_atoms(&self) -> Option<Self> {
        let mut coarsener = Coarsener {
            from: self.clone(),
            store: Store::new(),
            atoms: AtomTable::new(),
            results: HashMap::new(),
            changed: false,
        };
        let root = coarsener.coarsen(self.root).ok()?;
        coarsener.changed.then(|| Self::from_parts(coarsener.store, root, coarsener.atoms))
    }
}

struct Coarsener {
    from: Formula,
    store: Store,
    atoms: AtomTable,
    results: HashMap<Term, Term>,
    changed: bool,
}

impl Coarsener {
    fn coarsen(&mut self, term: Term) -> Result<Term, Error> {
        if let Some(&result) = self.results.get(&term) {
            return Ok(result);
        }
        let node = self.from.store.node(term).clone();
        let compound = matches!(node, Node::And(_) | Node::Or(_));
        let short = self.from.store.size(term) <= MAX_SIZE;
        let result = match node {
            Node::And(_) | Node::Or(_) if short && self.from.store.is_boolean(term) => {
                self.changed = true;
                self.atom(term)?
            }
            Node::And(parts) => {
                let parts = self.coarsen_with_rest(&parts, true)?;
                self.store.and(parts)
            }
            Node::Or(parts) => {
                let parts = self.coarsen_with_rest(&parts, false)?;
                self.store.or(parts)
            }
            Node::True => Store::TRUE,
            Node::False => Store::FALSE,
            Node::Literal(..) => self.atom(term)?,
            Node::Next(inner) => {
                let inner = self.coarsen(inner)?;
                self.store.next(inner)
            }
            Node::Until(a, b) => {
                let (a, b) = (self.coarsen(a)?, self.coarsen(b)?);
                self.store.until(a, b)
            }
            Node::Release(a, b) => {
                let (a, b) = (self.coarsen(a)?, self.coarsen(b)?);
                self.store.release(a, b)
            }
        };
        debug_assert!(compound || !self.results.contains_key(&term));
        self.results.insert(term, result);
        Ok(result)
    }

    /// Joins the boolean parts of a conjunction or disjunction to one.
    fn coarsen_with_rest(&mut self, parts: &[Term], all: bool) -> Result<Vec<Term>, Error> {
        let (boolean, temporal): (Vec<Term>, Vec<Term>) =
            parts.iter().partition(|&&part| self.from.store.is_boolean(part));
        let together = if all {
            self.from.store.and(boolean.iter().copied())
        } else {
            self.from.store.or(boolean.iter().copied())
        };
        // What is too long to join, or nothing but boolean, is taken part by part.
        let joins = !temporal.is_empty() && self.from.store.size(together) <= MAX_SIZE;
        let list = if joins { [vec![together], temporal].concat() } else { parts.to_vec() };
        list.into_iter().map(|part| self.coarsen(part)).collect()
    }

    /// A boolean term as an atom, or as the negation of one that is there.
    fn atom(&mut self, term: Term) -> Result<Term, Error> {
        let negation = self.from.store.not(term);
        let negated = match self.from.store.node(term) {
            Node::Literal(_, positive) => !positive,
            _ => negation < term,
        };
        let expression = if negated { negation } else { term };
        let mut literals = Vec::new();
        let mut open = vec![expression];
        while let Some(term) = open.pop() {
            match self.from.store.node(term) {
                Node::And(parts) | Node::Or(parts) => open.extend(parts.iter()),
                Node::Literal(atom, _) => literals.extend(self.from.atoms.get(*atom)),
                _ => {}
            }
        }
        let start = literals.iter().map(|atom| atom.span.start).min().unwrap_or(0);
        let end = literals.iter().map(|atom| atom.span.end).max().unwrap_or(0);
        let text = Formula { root: expression, ..self.from.clone() }.to_string();
        let atom = self.atoms.intern(&text, start..end)?;
        Ok(self.store.literal(atom, !negated))
    }
}
