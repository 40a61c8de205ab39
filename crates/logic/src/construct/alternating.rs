//! Formula to generalised automaton through the moves of its alternating automaton [Gastin
//! 2001], for formulas whose atoms are too many to look at one valuation after the other.

use std::collections::HashMap;
use std::rc::Rc;

use super::graph::{all_marks, Marks};
use super::tableau::{Bounds, Tableau};
use crate::bdd::{Bdd, Manager};
use crate::error::Error;
use crate::formula::{Node, Store, Term};

/// The most moves of one state.
const MAX_MOVES: usize = 2_500;

/// One way to satisfy a term now, and what it leaves for later.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Move {
    next: Vec<Term>,
    promised: Marks,
    label: Bdd,
}

/// The moves of terms.
pub(crate) struct Alternating<'a> {
    store: &'a Store,
    bdds: &'a mut Manager,
    promises: HashMap<Term, u32>,
    moves: HashMap<Term, Rc<[Move]>>,
}

impl<'a> Alternating<'a> {
    pub fn new(store: &'a Store, bdds: &'a mut Manager) -> Self {
        Self { store, bdds, promises: HashMap::new(), moves: HashMap::new() }
    }

    /// The automaton of a formula. Its states are sets of terms; those with the same moves are one.
    pub fn tableau(&mut self, root: Term, bounds: Bounds) -> Result<Tableau, Error> {
        self.bdds.refuel();
        let initial = self.moves(root)?.to_vec();
        let mut numbers = HashMap::from([(initial.clone(), 0)]);
        let mut order = vec![initial];
        let mut by_set: HashMap<Vec<Term>, usize> = HashMap::new();
        let mut edges: Vec<Vec<(Bdd, usize, Marks)>> = Vec::new();
        let mut edge_count = 0;
        while edges.len() < order.len() {
            let mut out = Vec::new();
            for step in order[edges.len()].clone() {
                let to = match by_set.get(&step.next) {
                    Some(&to) => to,
                    None => {
                        let moves = self.product(&step.next)?;
                        let to = *numbers.entry(moves).or_insert_with_key(|moves| {
                            order.push(moves.clone());
                            order.len() - 1
                        });
                        by_set.insert(step.next, to);
                        to
                    }
                };
                out.push((step.label, to, step.promised));
            }
            edge_count += out.len();
            edges.push(out);
            if order.len() > bounds.states {
                return Err(Error::TooLarge { what: "states", limit: bounds.states });
            }
            if edge_count > bounds.edges {
                return Err(Error::TooLarge { what: "edges", limit: bounds.edges });
            }
        }
        let sets = self.promises.len() as u32;
        for edge in edges.iter_mut().flatten() {
            edge.2 = all_marks(sets) & !edge.2;
        }
        Ok(Tableau::new(sets, edges))
    }

    fn moves(&mut self, term: Term) -> Result<Rc<[Move]>, Error> {
        if let Some(moves) = self.moves.get(&term) {
            return Ok(moves.clone());
        }
        let at_once = |label| Move { next: Vec::new(), promised: 0, label };
        let moves = match self.store.node(term).clone() {
            Node::True => vec![at_once(Bdd::TRUE)],
            Node::False => Vec::new(),
            Node::Literal(atom, positive) => {
                vec![at_once(self.bdds.literal(atom as u32, positive)?)]
            }
            Node::And(parts) => self.product(&parts)?,
            Node::Or(parts) => {
                let mut all = Vec::new();
                for &part in &parts {
                    all.extend(self.moves(part)?.iter().cloned());
                }
                self.minimal(all)?
            }
            Node::Next(inner) => vec![self.later(inner, 0)],
            Node::Until(hold, goal) => {
                let count = self.promises.len() as u32;
                let set = *self.promises.entry(goal).or_insert(count);
                if set >= Marks::BITS {
                    let limit = Marks::BITS as usize;
                    return Err(Error::TooLarge { what: "acceptance sets", limit });
                }
                let later = self.later(term, 1 << set);
                let hold = self.moves(hold)?;
                let mut all = self.both(&hold, &[later])?;
                all.extend(self.moves(goal)?.iter().cloned());
                self.minimal(all)?
            }
            Node::Release(free, hold) => {
                let mut free = self.moves(free)?.to_vec();
                free.push(self.later(term, 0));
                let hold = self.moves(hold)?;
                self.both(&hold, &free)?
            }
        };
        let moves: Rc<[Move]> = moves.into();
        self.moves.insert(term, moves.clone());
        Ok(moves)
    }

    /// The move that leaves a term for the next state.
    fn later(&self, term: Term, promised: Marks) -> Move {
        let next = match self.store.node(term) {
            Node::And(parts) => parts.to_vec(),
            Node::True => Vec::new(),
            _ => vec![term],
        };
        Move { next, promised, label: Bdd::TRUE }
    }

    /// The moves of all of some terms together.
    fn product(&mut self, terms: &[Term]) -> Result<Vec<Move>, Error> {
        let mut all = vec![Move { next: Vec::new(), promised: 0, label: Bdd::TRUE }];
        for &term in terms {
            let moves = self.moves(term)?;
            all = self.both(&all, &moves)?;
        }
        Ok(all)
    }

    fn both(&mut self, left: &[Move], right: &[Move]) -> Result<Vec<Move>, Error> {
        if left.len() * right.len() > 8 * MAX_MOVES {
            return Err(Error::TooLarge { what: "edges from one state", limit: MAX_MOVES });
        }
        let mut all = Vec::new();
        for first in left {
            for second in right {
                let label = self.bdds.and(first.label, second.label)?;
                if label == Bdd::FALSE {
                    continue;
                }
                let mut next = [&first.next[..], &second.next[..]].concat();
                next.sort_unstable();
                next.dedup();
                all.push(Move { next, promised: first.promised | second.promised, label });
            }
        }
        self.minimal(all)
    }

    /// Drops the moves that ask for more than another under no more letters.
    fn minimal(&mut self, mut moves: Vec<Move>) -> Result<Vec<Move>, Error> {
        moves.sort_unstable();
        let mut joined: Vec<Move> = Vec::new();
        for step in moves {
            match joined.last_mut() {
                Some(last) if last.next == step.next && last.promised == step.promised => {
                    last.label = self.bdds.or(last.label, step.label)?;
                }
                _ => joined.push(step),
            }
        }
        if joined.len() > MAX_MOVES {
            return Err(Error::TooLarge { what: "edges from one state", limit: MAX_MOVES });
        }
        let mut kept: Vec<Move> = Vec::new();
        // Shorter ones first: only they can make others superfluous.
        joined.sort_by_key(|step| step.next.len() + step.promised.count_ones() as usize);
        'moves: for step in joined {
            for better in &kept {
                let asks_less = better.promised & !step.promised == 0
                    && better.next.iter().all(|term| step.next.binary_search(term).is_ok());
                if asks_less && self.bdds.minus(step.label, better.label)? == Bdd::FALSE {
                    continue 'moves;
                }
            }
            kept.push(step);
        }
        kept.sort_unstable();
        Ok(kept)
    }
}
