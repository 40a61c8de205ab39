//! Rewriting of formulas to equivalent ones that have smaller automata.
//!
//! Every rule is stated for a conjunction or an until; a disjunction or a release is rewritten as
//! the dual of its negation.

mod conjunction;
mod implication;
mod until;

use std::collections::HashMap;

use crate::bdd::{Bdd, Manager};
use crate::error::Error;
use crate::formula::{Formula, Node, Store, Term};

/// Passes over one term; each pass ends with a smaller formula or is the last.
const MAX_PASSES: usize = 12;

/// Known implications; beyond this many, what is not known counts as not implied.
const MAX_IMPLICATIONS: usize = 200_000;

impl Formula {
    /// An equivalent formula, rewritten to a form that translates to a smaller automaton.
    pub fn simplified(&self) -> Result<Formula, Error> {
        let mut store = self.store().clone();
        let root = simplify(&mut store, self.root(), self.atoms().len())?;
        Ok(Formula::from_parts(store, root, self.atoms().clone()))
    }
}

/// An equivalent formula.
fn simplify(store: &mut Store, root: Term, atoms: usize) -> Result<Term, Error> {
    debug_assert!(atoms <= crate::MAX_ATOMS);
    let mut simplifier = Simplifier {
        store,
        bdds: Manager::new(),
        results: HashMap::new(),
        implications: HashMap::new(),
        booleans: HashMap::new(),
        representatives: HashMap::new(),
    };
    simplifier.simplify(root)
}

struct Simplifier<'a> {
    store: &'a mut Store,
    bdds: Manager,
    results: HashMap<Term, Term>,
    implications: HashMap<(Term, Term), bool>,
    booleans: HashMap<Term, Bdd>,
    representatives: HashMap<Bdd, Term>,
}

impl Simplifier<'_> {
    fn simplify(&mut self, term: Term) -> Result<Term, Error> {
        if let Some(&result) = self.results.get(&term) {
            return Ok(result);
        }
        let mut result = term;
        for _ in 0..MAX_PASSES {
            let next = self.pass(result)?;
            if next == result {
                break;
            }
            if let Some(&known) = self.results.get(&next) {
                result = known;
                break;
            }
            result = next;
        }
        self.results.insert(term, result);
        self.results.insert(result, result);
        Ok(result)
    }

    fn pass(&mut self, term: Term) -> Result<Term, Error> {
        if self.store.is_boolean(term) {
            return self.representative(term);
        }
        match self.store.node(term).clone() {
            Node::True | Node::False | Node::Literal(..) => Ok(term),
            Node::And(parts) => {
                let parts = self.simplify_all(&parts)?;
                self.conjunction(parts)
            }
            Node::Or(parts) => {
                let parts = self.simplify_all(&parts)?;
                let negated = parts.iter().map(|&part| self.store.not(part)).collect();
                let conjunction = self.conjunction(negated)?;
                Ok(self.store.not(conjunction))
            }
            Node::Next(inner) => {
                let inner = self.simplify(inner)?;
                Ok(self.next(inner))
            }
            Node::Until(hold, goal) => {
                let (hold, goal) = (self.simplify(hold)?, self.simplify(goal)?);
                self.until(hold, goal)
            }
            Node::Release(free, hold) => {
                let (free, hold) = (self.simplify(free)?, self.simplify(hold)?);
                let (free, hold) = (self.store.not(free), self.store.not(hold));
                let until = self.until(free, hold)?;
                Ok(self.store.not(until))
            }
        }
    }

    fn simplify_all(&mut self, parts: &[Term]) -> Result<Vec<Term>, Error> {
        parts.iter().map(|&part| self.simplify(part)).collect()
    }

    /// `X f` is `f` where every suffix agrees about `f`.
    fn next(&mut self, inner: Term) -> Term {
        if self.is_suspendable(inner) {
            inner
        } else {
            self.store.next(inner)
        }
    }

    /// Whether all suffixes of a word agree about it (an alternating formula of Babiak et al.
    /// 2012), as about `[]<> p`.
    fn is_suspendable(&self, term: Term) -> bool {
        self.store.is_eventual(term) && self.store.is_universal(term)
    }

    fn boolean(&mut self, term: Term) -> Result<Bdd, Error> {
        if let Some(&bdd) = self.booleans.get(&term) {
            return Ok(bdd);
        }
        let bdd = match self.store.node(term).clone() {
            Node::False => Bdd::FALSE,
            Node::Literal(atom, positive) => self.bdds.literal(atom as u32, positive)?,
            Node::And(parts) => {
                let mut all = Bdd::TRUE;
                for &part in &parts {
                    let part = self.boolean(part)?;
                    all = self.bdds.and(all, part)?;
                }
                all
            }
            Node::Or(parts) => {
                let mut any = Bdd::FALSE;
                for &part in &parts {
                    let part = self.boolean(part)?;
                    any = self.bdds.or(any, part)?;
                }
                any
            }
            // Only boolean terms are asked about, and no other shapes are boolean.
            _ => Bdd::TRUE,
        };
        self.booleans.insert(term, bdd);
        Ok(bdd)
    }

    /// The first boolean term that was seen with the same meaning.
    fn representative(&mut self, term: Term) -> Result<Term, Error> {
        let bdd = self.boolean(term)?;
        if bdd == Bdd::TRUE {
            return Ok(Store::TRUE);
        }
        if bdd == Bdd::FALSE {
            return Ok(Store::FALSE);
        }
        if let Some(&known) = self.representatives.get(&bdd) {
            return Ok(known);
        }
        let mut candidates = vec![term];
        if let Ok(products) = self.bdds.products(bdd) {
            candidates.push(self.sum(&products));
        }
        let complement = self.bdds.not(bdd)?;
        if let Ok(products) = self.bdds.products(complement) {
            let negation = self.sum(&products);
            candidates.push(self.store.not(negation));
        }
        let shortest = candidates.into_iter().min_by_key(|&t| self.store.size(t)).unwrap_or(term);
        self.representatives.insert(bdd, shortest);
        self.booleans.insert(shortest, bdd);
        Ok(shortest)
    }

    fn sum(&mut self, products: &[Vec<(u32, bool)>]) -> Term {
        let mut terms = Vec::new();
        for product in products {
            let literals: Vec<_> = product
                .iter()
                .map(|&(atom, sign)| self.store.literal(atom as usize, sign))
                .collect();
            terms.push(self.store.and(literals));
        }
        self.store.or(terms)
    }
}
