//! Rules for `f U g`, of which `<> f` is a case.

use super::Simplifier;
use crate::error::Error;
use crate::formula::{Node, Store, Term};

impl Simplifier<'_> {
    /// An equivalent of `hold U goal`; both are simplified already.
    pub(super) fn until(&mut self, hold: Term, goal: Term) -> Result<Term, Error> {
        if self.store.is_eventual(goal) || self.implies(hold, goal)? {
            return Ok(goal);
        }
        let not_goal = self.store.not(goal);
        if hold == Store::TRUE || self.implies(not_goal, hold)? {
            return self.finally(goal);
        }
        // A universal formula that holds once holds from there on.
        if self.store.is_universal(hold) {
            let later = self.store.finally(goal);
            let kept = self.store.and([hold, later]);
            return Ok(self.store.or([goal, kept]));
        }
        if let Some(term) = self.split_goal(hold, goal)? {
            return Ok(term);
        }
        match (self.store.node(hold).clone(), self.store.node(goal).clone()) {
            (Node::Next(a), Node::Next(b)) => {
                let until = self.store.until(a, b);
                return Ok(self.store.next(until));
            }
            (_, Node::Until(a, b)) => {
                if self.implies(hold, a)? {
                    return Ok(goal);
                }
                if self.implies(a, hold)? {
                    return Ok(self.store.until(hold, b));
                }
            }
            (Node::Until(a, b), _) if self.implies(a, goal)? => {
                return Ok(self.store.until(b, goal));
            }
            // While the goal has not come, what implies it does not hold.
            (Node::Or(parts), _) => {
                let mut kept = Vec::new();
                for &part in &parts {
                    if !self.implies(part, goal)? {
                        kept.push(part);
                    }
                }
                if kept.len() < parts.len() {
                    let hold = self.store.or(kept);
                    return Ok(self.store.until(hold, goal));
                }
            }
            // And what its absence implies does.
            (Node::And(parts), _) => {
                let mut kept = Vec::new();
                for &part in &parts {
                    if !self.implies(not_goal, part)? {
                        kept.push(part);
                    }
                }
                if kept.len() < parts.len() {
                    let hold = self.store.and(kept);
                    return Ok(self.store.until(hold, goal));
                }
            }
            _ => {}
        }
        Ok(self.store.until(hold, goal))
    }

    /// Takes out of an until what does not depend on when it is evaluated.
    fn split_goal(&mut self, hold: Term, goal: Term) -> Result<Option<Term>, Error> {
        match self.store.node(goal).clone() {
            Node::And(parts) => {
                let (out, kept): (Vec<_>, Vec<_>) =
                    parts.iter().partition(|&&part| self.is_suspendable(part));
                if out.is_empty() {
                    return Ok(None);
                }
                let kept = self.store.and(kept);
                let until = self.store.until(hold, kept);
                Ok(Some(self.store.and(out.into_iter().chain([until]))))
            }
            Node::Or(parts) => {
                let (out, kept): (Vec<_>, Vec<_>) =
                    parts.iter().partition(|&&part| self.store.is_eventual(part));
                if !out.is_empty() {
                    let kept = self.store.or(kept);
                    let until = self.store.until(hold, kept);
                    return Ok(Some(self.store.or(out.into_iter().chain([until]))));
                }
                let mut unfolded = Vec::new();
                for &part in &parts {
                    match self.store.node(part).clone() {
                        Node::Until(a, b) if self.implies(a, hold)? => unfolded.push(b),
                        _ => unfolded.push(part),
                    }
                }
                if unfolded[..] == parts[..] {
                    return Ok(None);
                }
                let goal = self.store.or(unfolded);
                Ok(Some(self.store.until(hold, goal)))
            }
            _ => Ok(None),
        }
    }

    /// An equivalent of `<> goal`.
    fn finally(&mut self, goal: Term) -> Result<Term, Error> {
        match self.store.node(goal).clone() {
            Node::Until(_, inner) => return Ok(self.store.finally(inner)),
            Node::Next(inner) => {
                let later = self.store.finally(inner);
                return Ok(self.store.next(later));
            }
            // <> (f R g) = <> (f && g) || <>[] g
            Node::Release(free, hold) if free != Store::FALSE => {
                let both = self.store.and([free, hold]);
                let forever = self.store.globally(hold);
                let (once, ever) = (self.store.finally(both), self.store.finally(forever));
                return Ok(self.store.or([once, ever]));
            }
            Node::Release(_, hold) => {
                if let Some(term) = self.almost_always(hold) {
                    return Ok(term);
                }
            }
            _ => {}
        }
        match self.split_goal(Store::TRUE, goal)? {
            Some(term) => Ok(term),
            None => Ok(self.store.finally(goal)),
        }
    }

    /// An equivalent of `<>[] f` with less in it, if there is one: far enough along a word, the
    /// next state is as good as this one, and what happens once need not happen.
    fn almost_always(&mut self, hold: Term) -> Option<Term> {
        let forever = |store: &mut Store, term| {
            let globally = store.globally(term);
            store.finally(globally)
        };
        match self.store.node(hold).clone() {
            Node::Next(inner) | Node::Release(_, inner) => Some(forever(self.store, inner)),
            // <>[] (f U g) = <>[] (f || g) && []<> g
            Node::Until(left, right) if left != Store::TRUE => {
                let either = self.store.or([left, right]);
                let again = self.store.finally(right);
                let often = self.store.globally(again);
                let always = forever(self.store, either);
                Some(self.store.and([always, often]))
            }
            Node::And(parts) if parts.iter().any(|&part| !self.store.is_boolean(part)) => {
                let (boolean, temporal): (Vec<_>, Vec<_>) =
                    parts.iter().partition(|&&part| self.store.is_boolean(part));
                let boolean = self.store.and(boolean);
                let mut all = vec![forever(self.store, boolean)];
                all.extend(temporal.into_iter().map(|part| forever(self.store, part)));
                Some(self.store.and(all))
            }
            // For a universal u, <>[] (f || u) = <>[] f || <> u; for an eventual e it is
            // <>[] f || []<> e.
            Node::Or(parts) => {
                let store = &mut *self.store;
                let free = |&&part: &&Term| store.is_universal(part) || store.is_eventual(part);
                let (out, kept): (Vec<_>, Vec<_>) = parts.iter().partition(free);
                if out.is_empty() {
                    return None;
                }
                let kept = store.or(kept);
                let mut all = vec![forever(store, kept)];
                for part in out {
                    all.push(if store.is_universal(part) {
                        store.finally(part)
                    } else {
                        store.globally(part)
                    });
                }
                Some(store.or(all))
            }
            _ => None,
        }
    }
}
