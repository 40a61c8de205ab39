//! Rules for conjunctions.

use std::collections::{BTreeMap, HashMap};

use super::Simplifier;
use crate::error::Error;
use crate::formula::{Node, Store, Term};

/// Conjunctions wider than this are only joined, not compared pair by pair.
const MAX_WIDTH: usize = 100;

impl Simplifier<'_> {
    /// An equivalent of the conjunction of some terms, which are simplified already.
    pub(super) fn conjunction(&mut self, parts: Vec<Term>) -> Result<Term, Error> {
        let whole = self.store.and(parts);
        let Node::And(parts) = self.store.node(whole).clone() else {
            return Ok(whole);
        };
        let mut parts = parts.into_vec();
        let boolean: Vec<_> = parts.iter().copied().filter(|&p| self.store.is_boolean(p)).collect();
        if boolean.len() > 1 {
            let together = self.store.and(boolean);
            let together = self.representative(together)?;
            parts.retain(|&part| !self.store.is_boolean(part));
            parts.push(together);
        }
        if parts.len() <= MAX_WIDTH {
            parts = self.without_implied(parts)?;
            parts = self.in_context(parts)?;
        }
        let parts = self.joined(parts);
        let parts = self.with_always(parts);
        Ok(self.store.and(parts))
    }

    /// Leaves out what another part implies; a contradiction makes the whole false.
    fn without_implied(&mut self, parts: Vec<Term>) -> Result<Vec<Term>, Error> {
        let mut kept: Vec<Term> = Vec::new();
        'parts: for part in parts {
            for &other in &kept {
                if self.contradicts(part, other)? {
                    return Ok(vec![Store::FALSE]);
                }
                if self.implies(other, part)? {
                    continue 'parts;
                }
            }
            let mut stronger = Vec::new();
            for &other in &kept {
                if !self.implies(part, other)? {
                    stronger.push(other);
                }
            }
            stronger.push(part);
            kept = stronger;
        }
        Ok(kept)
    }

    /// Rewrites each part with what the others say about the present state.
    fn in_context(&mut self, mut parts: Vec<Term>) -> Result<Vec<Term>, Error> {
        for index in 0..parts.len() {
            for other in 0..parts.len() {
                if other == index {
                    continue;
                }
                let known = parts[other];
                parts[index] = match self.store.node(parts[index]).clone() {
                    // f && (f R g) = f && g
                    Node::Release(free, hold) if self.implies(known, free)? => hold,
                    // <> f && (f R g) = g U (f && g)
                    Node::Release(free, hold)
                        if free != Store::FALSE
                            && *self.store.node(known) == Node::Until(Store::TRUE, free) =>
                    {
                        let both = self.store.and([free, hold]);
                        self.store.until(hold, both)
                    }
                    // !f && (f U g) = !f && g
                    Node::Until(hold, goal) if self.contradicts(known, hold)? => goal,
                    Node::Or(choices) => {
                        let mut kept = Vec::new();
                        for &choice in &choices {
                            if !self.contradicts(known, choice)? {
                                kept.push(choice);
                            }
                        }
                        self.store.or(kept)
                    }
                    _ => continue,
                };
            }
        }
        Ok(parts)
    }

    /// Joins parts of the same shape:
    /// `(f U g) && (h U g) = (f && h) U g`, `(f R g) && (f R h) = f R (g && h)`,
    /// `X f && X g = X (f && g)`, `<>[] f && <>[] g = <>[] (f && g)`.
    fn joined(&mut self, parts: Vec<Term>) -> Vec<Term> {
        #[derive(PartialEq, Eq, PartialOrd, Ord)]
        enum Shape {
            Next,
            Until(Term),
            Release(Term),
            AlmostAlways,
        }
        let mut groups: BTreeMap<Shape, Vec<Term>> = BTreeMap::new();
        let mut result = Vec::new();
        for part in parts {
            match *self.store.node(part) {
                Node::Next(inner) => groups.entry(Shape::Next).or_default().push(inner),
                Node::Until(Store::TRUE, goal) => match *self.store.node(goal) {
                    Node::Release(Store::FALSE, hold) if self.store.is_boolean(hold) => {
                        groups.entry(Shape::AlmostAlways).or_default().push(hold);
                    }
                    _ => result.push(part),
                },
                Node::Until(hold, goal) => groups.entry(Shape::Until(goal)).or_default().push(hold),
                // []<> f stays apart: other rules look for it.
                Node::Release(Store::FALSE, hold) if self.store.is_eventual(hold) => {
                    result.push(part);
                }
                Node::Release(free, hold) => {
                    groups.entry(Shape::Release(free)).or_default().push(hold);
                }
                _ => result.push(part),
            }
        }
        for (shape, inner) in groups {
            let together = self.store.and(inner);
            result.push(match shape {
                Shape::Next => self.store.next(together),
                Shape::Until(goal) => self.store.until(together, goal),
                Shape::Release(Store::FALSE) => self.globally_split(together),
                Shape::Release(free) => self.store.release(free, together),
                Shape::AlmostAlways => {
                    let forever = self.store.globally(together);
                    self.store.finally(forever)
                }
            });
        }
        result
    }

    /// `[] (f && <> g) = [] f && []<> g`.
    fn globally_split(&mut self, term: Term) -> Term {
        let Node::And(parts) = self.store.node(term).clone() else {
            return self.store.globally(term);
        };
        let (eventual, rest): (Vec<_>, Vec<_>) =
            parts.iter().partition(|&&part| self.store.is_eventual(part));
        let rest = self.store.and(rest);
        let mut all = vec![self.store.globally(rest)];
        for part in eventual {
            all.push(self.store.globally(part));
        }
        self.store.and(all)
    }

    /// Beside `[] p`, the literal `p` is true wherever it occurs.
    fn with_always(&mut self, parts: Vec<Term>) -> Vec<Term> {
        let mut known = HashMap::new();
        for &part in &parts {
            if let Node::Release(Store::FALSE, hold) = *self.store.node(part) {
                let literals = match self.store.node(hold) {
                    Node::And(inner) => inner.to_vec(),
                    _ => vec![hold],
                };
                for literal in literals {
                    if let Node::Literal(atom, positive) = *self.store.node(literal) {
                        known.insert(atom, (positive, part));
                    }
                }
            }
        }
        if known.is_empty() {
            return parts;
        }
        let sources: Vec<Term> = known.values().map(|&(_, part)| part).collect();
        let mut memo = HashMap::new();
        parts
            .into_iter()
            .map(|part| {
                if sources.contains(&part) {
                    part
                } else {
                    self.substitute(part, &known, &mut memo)
                }
            })
            .collect()
    }

    fn substitute(
        &mut self,
        term: Term,
        known: &HashMap<usize, (bool, Term)>,
        memo: &mut HashMap<Term, Term>,
    ) -> Term {
        if let Some(&result) = memo.get(&term) {
            return result;
        }
        let result = match self.store.node(term).clone() {
            Node::True | Node::False => term,
            Node::Literal(atom, positive) => match known.get(&atom) {
                Some(&(value, _)) if value == positive => Store::TRUE,
                Some(_) => Store::FALSE,
                None => term,
            },
            Node::And(parts) => {
                let parts: Vec<_> =
                    parts.iter().map(|&part| self.substitute(part, known, memo)).collect();
                self.store.and(parts)
            }
            Node::Or(parts) => {
                let parts: Vec<_> =
                    parts.iter().map(|&part| self.substitute(part, known, memo)).collect();
                self.store.or(parts)
            }
            Node::Next(inner) => {
                let inner = self.substitute(inner, known, memo);
                self.store.next(inner)
            }
            Node::Until(a, b) => {
                let (a, b) = (self.substitute(a, known, memo), self.substitute(b, known, memo));
                self.store.until(a, b)
            }
            Node::Release(a, b) => {
                let (a, b) = (self.substitute(a, known, memo), self.substitute(b, known, memo));
                self.store.release(a, b)
            }
        };
        memo.insert(term, result);
        result
    }
}
