//! Implications between formulas that their syntax shows [Somenzi 2000].

use super::{Simplifier, MAX_IMPLICATIONS};
use crate::bdd::Bdd;
use crate::error::Error;
use crate::formula::{Node, Store, Term};

impl Simplifier<'_> {
    /// Whether `f` is seen to imply `g`; false may also mean that it is not seen.
    pub(super) fn implies(&mut self, f: Term, g: Term) -> Result<bool, Error> {
        if f == g || f == Store::FALSE || g == Store::TRUE {
            return Ok(true);
        }
        if f == Store::TRUE || g == Store::FALSE {
            return Ok(false);
        }
        if self.store.is_boolean(f) && self.store.is_boolean(g) {
            let (f, g) = (self.boolean(f)?, self.boolean(g)?);
            return Ok(self.bdds.minus(f, g)? == Bdd::FALSE);
        }
        if let Some(&known) = self.implications.get(&(f, g)) {
            return Ok(known);
        }
        if self.implications.len() >= MAX_IMPLICATIONS {
            return Ok(false);
        }
        let answer = self.implies_by_goal(f, g)? || self.implies_by_premise(f, g)?;
        self.implications.insert((f, g), answer);
        Ok(answer)
    }

    /// Whether `f` implies that `g` does not hold.
    pub(super) fn contradicts(&mut self, f: Term, g: Term) -> Result<bool, Error> {
        let negation = self.store.not(g);
        self.implies(f, negation)
    }

    fn implies_all(&mut self, f: Term, parts: &[Term]) -> Result<bool, Error> {
        for &part in parts {
            if !self.implies(f, part)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn implies_by_goal(&mut self, f: Term, g: Term) -> Result<bool, Error> {
        let premise = self.store.node(f).clone();
        if let Node::Or(parts) = &premise {
            for &part in parts {
                if !self.implies(part, g)? {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        match (&premise, self.store.node(g).clone()) {
            (_, Node::And(parts)) => return self.implies_all(f, &parts),
            (_, Node::Or(parts)) => {
                for &part in &parts {
                    if self.implies(f, part)? {
                        return Ok(true);
                    }
                }
                if self.store.is_boolean(f) {
                    let boolean: Vec<_> =
                        parts.iter().copied().filter(|&p| self.store.is_boolean(p)).collect();
                    if boolean.len() > 1 {
                        let together = self.store.or(boolean);
                        return self.implies(f, together);
                    }
                }
            }
            (_, Node::Until(_, goal)) if self.implies(f, goal)? => return Ok(true),
            (&Node::Until(a, b), Node::Until(hold, _)) => {
                return Ok(self.implies(a, hold)? && self.implies(b, g)?);
            }
            (_, Node::Release(free, hold)) if self.implies(f, hold)? => {
                return Ok(self.store.is_universal(f) || self.implies(f, free)?);
            }
            (&Node::Until(a, b), Node::Release(_, hold)) => {
                return Ok(self.implies(a, hold)? && self.implies(b, g)?);
            }
            (&Node::Release(a, b), Node::Release(free, hold)) => {
                return Ok(
                    self.implies(b, hold)? && (self.implies(a, free)? || self.implies(a, g)?)
                );
            }
            (&Node::Next(a), Node::Next(b)) if self.implies(a, b)? => return Ok(true),
            (_, Node::Next(b)) if self.store.is_universal(f) => return self.implies(f, b),
            _ => {}
        }
        Ok(false)
    }

    fn implies_by_premise(&mut self, f: Term, g: Term) -> Result<bool, Error> {
        let eventual = self.store.is_eventual(g);
        match self.store.node(f).clone() {
            Node::And(parts) => {
                for &part in &parts {
                    if self.implies(part, g)? {
                        return Ok(true);
                    }
                }
                if self.store.is_boolean(g) {
                    let boolean: Vec<_> =
                        parts.iter().copied().filter(|&p| self.store.is_boolean(p)).collect();
                    if boolean.len() > 1 {
                        let together = self.store.and(boolean);
                        return self.implies(together, g);
                    }
                }
                Ok(false)
            }
            Node::Until(hold, goal) => {
                Ok(self.implies(goal, g)? && (eventual || self.implies(hold, g)?))
            }
            Node::Release(_, hold) => self.implies(hold, g),
            Node::Next(inner) if eventual => self.implies(inner, g),
            _ => Ok(false),
        }
    }
}
