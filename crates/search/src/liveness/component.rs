//! Emptiness by strongly connected components, on the fly (Couvreur 1999).
//!
//! Every node on the search's stack belongs to a component that is still growing. An arc back into
//! a component merges everything above it, with what it contributes; as soon as a component
//! contributes every acceptance set, it contains an accepting cycle. Weak fairness is one more
//! acceptance set per process: *it moves, or cannot move*. Strong fairness is looked at when a
//! component is complete, see [`strong`](super::strong).
//!
//! With partial-order reduction fewer arcs are followed, see [`proviso`](super::proviso). Cycles
//! are put together from all arcs between the nodes of a component: those are executions as well.
//!
//! Beside a few bits per stored node, only nodes of components that are not complete need a number.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use isospin_machine::Machine;
use isospin_store::{IdHash, Marks};

use super::arcs::{Arcs, Contribution};
use super::lasso::{self, Lasso, Node};
use super::product::Product;
use super::proviso;
use super::strong;
use super::visited::{Stopped, Visited};
use super::{Fairness, Found};
use crate::marks::component::{COMPLETE, ENTERED, ON_STACK};

/// One node on the search's stack.
struct Frame {
    /// The arc that led here.
    arc: usize,
    /// Its own arcs: the first, the next to follow, and the end.
    first: usize,
    next: usize,
    end: usize,
    number: u32,
}

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
) -> Result<Option<Found>, Stopped> {
    let mut search = Search {
        all: required(product.automaton().all_marks(), fairness),
        fairness,
        arcs: Arcs::default(),
        stack: Vec::new(),
        roots: Vec::new(),
        active: Vec::new(),
        numbers: HashMap::default(),
        node: Vec::new(),
    };
    let id = visited.place(product.identity(initial))?;
    search.arcs.push(initial, id);
    let mut found = search.enter(product, visited, 0)?;
    while let (None, Some(frame)) = (&found, search.stack.last_mut()) {
        found = if frame.next == frame.end {
            search.leave(product, visited)?
        } else {
            let arc = frame.next;
            frame.next += 1;
            search.follow(product, visited, arc)?
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
    all: Contribution,
    fairness: Fairness,
    arcs: Arcs<I>,
    stack: Vec<Frame>,
    roots: Vec<Root>,
    /// The nodes of all components that are still growing; a node's number is its position.
    active: Vec<I>,
    numbers: HashMap<I, u32, IdHash>,
    /// Room for the node that is being entered.
    node: Vec<u8>,
}

impl<I: Copy + Eq + Hash> Search<I> {
    /// Enters the node that `arc` leads to.
    fn enter<M: Machine, S: Marks<Id = I>>(
        &mut self,
        product: &mut Product<'_, M>,
        visited: &mut Visited<'_, S>,
        arc: usize,
    ) -> Result<Option<Found>, Stopped> {
        let (id, arc_gives) = (self.arcs.id(arc), self.arcs.arc(arc).contribution);
        let number = self.active.len() as u32;
        self.numbers.insert(id, number);
        self.active.push(id);
        let inside = Contribution::default();
        self.roots.push(Root { number, inside, cyclic: false, arc: arc_gives });
        self.node.clear();
        self.node.extend_from_slice(self.arcs.node(arc));
        let first = self.arcs.len();
        visited.enter(id, ON_STACK);
        proviso::fan_out(product, visited, &self.node)?;
        self.stack.push(Frame { arc, first, next: first, end: first, number });
        let mut accepted = false;
        for k in 0..product.fan.len() {
            let to = visited.ids[k];
            let marks = visited.marks(to);
            if marks & ENTERED == 0 {
                product.fan.keep(k, visited.ids[k], &mut self.arcs);
            } else if marks & COMPLETE == 0 {
                accepted |= self.merge(to, product.fan.contribution(k));
            }
        }
        if let Some(frame) = self.stack.last_mut() {
            frame.end = self.arcs.len();
        }
        let numbers = 8 * self.active.capacity() + 20 * self.numbers.capacity();
        let bytes = self.arcs.size() + numbers as u64;
        visited.tick(self.stack.len(), bytes)?;
        Ok(accepted.then(|| self.accepting_cycle(product, visited)))
    }

    /// Follows an arc of the node on top of the stack.
    fn follow<M: Machine, S: Marks<Id = I>>(
        &mut self,
        product: &mut Product<'_, M>,
        visited: &mut Visited<'_, S>,
        arc: usize,
    ) -> Result<Option<Found>, Stopped> {
        let (to, arc_gives) = (self.arcs.id(arc), self.arcs.arc(arc).contribution);
        let marks = visited.marks(to);
        if marks & ENTERED == 0 {
            if product.at_end(self.arcs.node(arc)) {
                let mut nodes = self.path();
                nodes.push(Node::at(&self.arcs, arc));
                return Ok(Some(Found::ClaimEnd(nodes)));
            }
            return self.enter(product, visited, arc);
        }
        let accepted = marks & COMPLETE == 0 && self.merge(to, arc_gives);
        Ok(accepted.then(|| self.accepting_cycle(product, visited)))
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

    /// A cycle through the component on top, which contributes everything.
    fn accepting_cycle<M: Machine, S: Marks<Id = I>>(
        &mut self,
        product: &mut Product<'_, M>,
        visited: &mut Visited<'_, S>,
    ) -> Found {
        let from = self.roots.last().map_or(0, |root| root.number);
        let members: HashSet<I> = self.active[from as usize..].iter().copied().collect();
        let entry = self.stack.iter().position(|f| f.number == from).unwrap_or(0);
        self.stack.truncate(entry + 1);
        let stem = self.path();
        let cycle =
            lasso::cycle(product, visited, &stem, &members, &self.all, |arc| arc.contribution);
        Found::Cycle(Lasso { stem, cycle })
    }

    /// Leaves the node on top of the stack; if its component is complete, settles it.
    fn leave<M: Machine, S: Marks<Id = I>>(
        &mut self,
        product: &mut Product<'_, M>,
        visited: &mut Visited<'_, S>,
    ) -> Result<Option<Found>, Stopped> {
        let Some(frame) = self.stack.last() else { return Ok(None) };
        let (first, number) = (frame.first, frame.number);
        self.arcs.truncate(first);
        visited.clear_marks(self.active[number as usize], ON_STACK);
        if self.roots.last().is_some_and(|r| r.number == number) {
            let root = self.roots.pop();
            let members = self.active.split_off(number as usize);
            let candidate = root.is_some_and(|r| {
                r.cyclic && r.inside.property & self.all.property == self.all.property
            });
            if self.fairness == Fairness::Strong && candidate {
                let set: HashSet<I> = members.iter().copied().collect();
                let stem = self.path();
                if let Some(lasso) =
                    strong::fair_lasso(product, visited, stem, &set, self.all.property)?
                {
                    return Ok(Some(Found::Cycle(lasso)));
                }
            }
            for id in members {
                self.numbers.remove(&id);
                visited.set_marks(id, COMPLETE);
            }
        }
        self.stack.pop();
        Ok(None)
    }

    /// The nodes on the stack.
    fn path(&self) -> Vec<Node> {
        self.stack.iter().map(|f| Node::at(&self.arcs, f.arc)).collect()
    }
}
