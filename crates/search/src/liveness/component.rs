//! Emptiness by strongly connected components, on the fly [Couvreur 1999].
//!
//! Every node on the search's stack belongs to a component that is still growing. An arc back into
//! a component merges everything above it, with what it contributes; as soon as a component
//! contributes every acceptance set, it contains an accepting cycle. Weak fairness is one more
//! acceptance set per process: *it moves, or cannot move*. Strong fairness is looked at when a
//! component is complete, see [`strong`].
//!
//! With partial-order reduction fewer arcs are followed, see [`proviso`]. Cycles
//! are put together from all arcs between the nodes of a component: those are executions as well.
//!
//! Beside a few bits per stored node, only nodes of components that are not complete need a number.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use isospin_machine::Machine;
use isospin_store::{IdHash, Marks};

use super::arcs::{ArcLabel, Contribution};
use super::lasso::{self, Lasso, PathNode};
use super::product::Product;
use super::proviso;
use super::stack::{Stack, StackNode};
use super::strong;
use super::visited::{Stopped, Visited};
use super::{Fairness, Found, Outcome};
use crate::marks::component::{COMPLETE, ENTERED, ON_STACK};

/// A component that is still growing.
struct Root {
    /// The number of its first node.
    number: u32,
    /// What the arcs inside it contribute.
    inside: Contribution,
    /// Whether there is an arc inside it.
    cyclic: bool,
    /// What the arc that led to its first node contributes.
    arc: Contribution,
}

/// Looks for an accepting cycle.
pub(super) fn search<M: Machine, S: Marks>(
    product: &mut Product<'_, M>,
    visited: &mut Visited<'_, S>,
    fairness: Fairness,
    initial: &[u8],
) -> Outcome {
    let id = visited.place(product.identity(initial))?;
    let mut search = Search {
        stack: Stack::new(initial, id),
        growing: Growing {
            all: required(product.automaton().all_marks(), fairness),
            fairness,
            roots: Vec::new(),
            active: Vec::new(),
            numbers: HashMap::default(),
        },
    };
    let mut found = search.enter(product, visited, 0)?;
    while found.is_none() && !search.stack.nodes.is_empty() {
        found = match search.stack.next() {
            Some(arc) => search.follow(product, visited, arc)?,
            None => search.leave(product, visited)?,
        };
    }
    Ok(found)
}

/// What a cycle must contribute to be a violation.
fn required(property: u64, fairness: Fairness) -> Contribution {
    let mut all = Contribution { property, ..Contribution::default() };
    if fairness == Fairness::Weak {
        all.processes.invert();
    }
    all
}

struct Search<I> {
    /// Each node with its number.
    stack: Stack<I, u32>,
    growing: Growing<I>,
}

/// The components that are still growing.
struct Growing<I> {
    all: Contribution,
    fairness: Fairness,
    roots: Vec<Root>,
    /// Their nodes; a node's number is its position.
    active: Vec<I>,
    numbers: HashMap<I, u32, IdHash>,
}

impl<I: Copy + Eq + Hash> Growing<I> {
    /// A new component with one node, to which an arc leads that contributes this. Says the node's
    /// number.
    fn begin(&mut self, id: I, arc: Contribution) -> u32 {
        let number = self.active.len() as u32;
        self.numbers.insert(id, number);
        self.active.push(id);
        self.roots.push(Root { number, inside: Contribution::default(), cyclic: false, arc });
        number
    }

    /// There is an arc from the node on top of the stack to a node of a component that is still
    /// growing: everything in between is one component. Says whether it contributes everything.
    fn merge(&mut self, to: I, arc: Contribution) -> bool {
        let number = self.numbers[&to];
        let mut merged = arc;
        while self.roots.last().is_some_and(|r| r.number > number) {
            if let Some(root) = self.roots.pop() {
                merged.add(&root.inside);
                merged.add(&root.arc);
            }
        }
        let Some(root) = self.roots.last_mut() else { return false };
        root.inside.add(&merged);
        root.cyclic = true;
        self.fairness != Fairness::Strong && root.inside.contain(&self.all)
    }

    /// How many bytes it takes.
    fn size(&self) -> u64 {
        (8 * self.active.capacity() + 20 * self.numbers.capacity()) as u64
    }
}

impl<I: Copy + Eq + Hash> Search<I> {
    /// Enters the node that `arc` leads to.
    fn enter<M: Machine, S: Marks<Id = I>>(
        &mut self,
        product: &mut Product<'_, M>,
        visited: &mut Visited<'_, S>,
        arc: usize,
    ) -> Result<Option<Found>, Stopped> {
        let Search { stack, growing } = self;
        let id = stack.arcs.id(arc);
        let number = growing.begin(id, stack.arcs.label(arc).contribution);
        visited.enter(id, ON_STACK);
        let mut accepted = false;
        stack.enter(arc, number, |node, arcs| {
            proviso::fan_out(product, visited, node)?;
            for k in 0..product.fan.len() {
                let to = visited.ids[k];
                let marks = visited.marks(to);
                if marks & ENTERED == 0 {
                    product.fan.keep(k, to, arcs);
                } else if marks & COMPLETE == 0 {
                    accepted |= growing.merge(to, product.fan.contribution(k));
                }
            }
            Ok(())
        })?;
        visited.tick(stack.nodes.len(), stack.arcs.size() + growing.size())?;
        Ok(accepted.then(|| self.accepting_cycle(product, visited)))
    }

    /// Follows an arc of the node on top of the stack.
    fn follow<M: Machine, S: Marks<Id = I>>(
        &mut self,
        product: &mut Product<'_, M>,
        visited: &mut Visited<'_, S>,
        arc: usize,
    ) -> Result<Option<Found>, Stopped> {
        let arcs = &self.stack.arcs;
        let (to, contribution) = (arcs.id(arc), arcs.label(arc).contribution);
        let marks = visited.marks(to);
        if marks & ENTERED == 0 {
            if product.at_end(arcs.node(arc)) {
                let mut nodes = self.stack.path();
                nodes.push(PathNode::at(arcs, arc));
                return Ok(Some(Found::ClaimEnd(nodes)));
            }
            return self.enter(product, visited, arc);
        }
        let accepted = marks & COMPLETE == 0 && self.growing.merge(to, contribution);
        Ok(accepted.then(|| self.accepting_cycle(product, visited)))
    }

    /// A cycle through the component on top, which contributes everything.
    fn accepting_cycle<M: Machine, S: Marks<Id = I>>(
        &mut self,
        product: &mut Product<'_, M>,
        visited: &mut Visited<'_, S>,
    ) -> Found {
        let Search { stack, growing } = self;
        let from = growing.roots.last().map_or(0, |root| root.number);
        let members: HashSet<I> = growing.active[from as usize..].iter().copied().collect();
        let entry = stack.nodes.iter().position(|n| n.note == from).unwrap_or(0);
        let mut stem = stack.path();
        stem.truncate(entry + 1);
        let contribution = |arc: &ArcLabel| arc.contribution;
        let cycle = lasso::cycle(product, visited, &stem, &members, &growing.all, contribution);
        Found::Cycle(Lasso { stem, cycle })
    }

    /// Leaves the node on top of the stack; if its component is complete, settles it.
    fn leave<M: Machine, S: Marks<Id = I>>(
        &mut self,
        product: &mut Product<'_, M>,
        visited: &mut Visited<'_, S>,
    ) -> Result<Option<Found>, Stopped> {
        let Search { stack, growing } = self;
        let Some(&StackNode { id, note: number, .. }) = stack.nodes.last() else {
            return Ok(None);
        };
        visited.clear_marks(id, ON_STACK);
        if growing.roots.last().is_some_and(|r| r.number == number) {
            let root = growing.roots.pop();
            let members = growing.active.split_off(number as usize);
            let property = growing.all.property;
            let candidate =
                root.is_some_and(|r| r.cyclic && r.inside.property & property == property);
            if growing.fairness == Fairness::Strong && candidate {
                let set: HashSet<I> = members.iter().copied().collect();
                let stem = stack.path();
                if let Some(lasso) = strong::fair_lasso(product, visited, stem, &set, property)? {
                    return Ok(Some(Found::Cycle(lasso)));
                }
            }
            for id in members {
                growing.numbers.remove(&id);
                visited.set_marks(id, COMPLETE);
            }
        }
        stack.leave();
        Ok(None)
    }
}
