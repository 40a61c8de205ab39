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
//! # Up to symmetry
//!
//! Nodes are then stored as representatives, and a cycle of orbits need not be fair to anybody: it
//! may come back with processes in each other's places. What is known of a component is kept by the
//! *real* numbers of processes, of the states with which its nodes were entered, so that along the
//! search's tree nothing has to be renamed. Where an arc leads to the image under `g` of the state
//! with which a node was entered, process i takes the place of g(i) from there on: both are put into
//! one class. In a complete component two processes are in one class if and only if some way round
//! takes one to the other's place [Gyuris 1999, theorem 2], so there is a weakly fair cycle if and
//! only if in every class somebody moves or cannot move; and classes only get coarser, so a
//! component can be accepted before it is complete. Where only the first of several twins is
//! followed, twins are in one class from the start [Gyuris 1999, lemma 4].
//!
//! With partial-order reduction: see [`reduce`](crate::reduce#symmetry).
//!
//! Beside a few bits per stored node, only nodes of components that are not complete need a number.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use isospin_machine::Machine;
use isospin_store::{IdHash, Marks};

use super::arcs::{ArcLabel, Contribution};
use super::classes::Classes;
use super::lasso::{self, Lasso, PathNode};
use super::orbit;
use super::product::Product;
use super::proviso;
use super::quotient::Quotient;
use super::stack::{Stack, StackNode};
use super::strong;
use super::tour::{turning, Settling, Tour};
use super::visited::{Stopped, Visited};
use super::{Fairness, Found, Outcome};
use crate::marks::component::{COMPLETE, ENTERED, ON_STACK};
use crate::room::{make_room, run_out};

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
    /// Which processes take each other's places; of interest only up to symmetry, under weak
    /// fairness.
    classes: Classes,
}

/// Looks for an accepting cycle.
pub(super) fn search<M: Machine, S: Marks>(
    product: &mut Product<'_, M>,
    visited: &mut Visited<'_, S>,
    fairness: Fairness,
    initial: &[u8],
) -> Outcome {
    let id = visited.place(product.identity(initial))?;
    let mut ranks = Vec::new();
    product.ranked = product.is_symmetric() && fairness == Fairness::Weak;
    if product.ranked {
        product.add_ranks(&mut ranks);
    }
    let mut search = Search {
        stack: Stack::ranked(initial, &ranks, id),
        growing: Growing {
            all: required(product.automaton().all_marks(), fairness),
            fairness,
            processes: ranks.len(),
            roots: Vec::new(),
            active: Vec::new(),
            ranks: Vec::new(),
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
    /// How many processes take each other's places.
    processes: usize,
    roots: Vec<Root>,
    /// Their nodes; a node's number is its position.
    active: Vec<I>,
    /// Up to symmetry, what takes the state with which each of them was entered to its
    /// representative, as numbers of processes.
    ranks: Vec<u8>,
    numbers: HashMap<I, u32, IdHash>,
}

impl<I: Copy + Eq + Hash> Growing<I> {
    /// A new component with one node, to which an arc leads that contributes this. Says the node's
    /// number.
    fn begin(&mut self, id: I, arc: Contribution, ranks: &[u8]) -> u32 {
        let number = self.active.len() as u32;
        if self.numbers.try_reserve(1).is_err() {
            run_out();
        }
        self.numbers.insert(id, number);
        make_room(&mut self.active, 1);
        make_room(&mut self.ranks, ranks.len());
        make_room(&mut self.roots, 1);
        self.active.push(id);
        self.ranks.extend_from_slice(ranks);
        let classes = Classes::new(self.processes);
        let inside = Contribution::default();
        self.roots.push(Root { number, inside, cyclic: false, arc, classes });
        number
    }

    /// In the node entered last these processes can do the same.
    fn add_twins(&mut self, twins: &[u8]) {
        if let Some(root) = self.roots.last_mut().filter(|_| self.processes > 0) {
            for (pid, &twin) in twins.iter().enumerate() {
                root.classes.union(pid, usize::from(twin));
            }
        }
    }

    /// There is an arc from the node on top of the stack to a node of a component that is still
    /// growing: everything in between is one component. Says whether it contributes everything.
    /// `ranks` are those of the state to which the arc leads.
    fn merge(&mut self, to: I, arc: Contribution, ranks: &[u8]) -> bool {
        let number = self.numbers[&to];
        let mut merged = arc;
        let mut classes = Classes::new(self.processes);
        while self.roots.last().is_some_and(|r| r.number > number) {
            if let Some(root) = self.roots.pop() {
                merged.add(&root.inside);
                merged.add(&root.arc);
                classes.join(&root.classes);
            }
        }
        let Some(root) = self.roots.last_mut() else { return false };
        root.inside.add(&merged);
        root.cyclic = true;
        if self.processes > 0 {
            root.classes.join(&classes);
            // Who has the same number in the representative as the state was entered and as it is.
            let mut now = [0; 256];
            ranks.iter().enumerate().for_each(|(pid, &rank)| now[usize::from(rank)] = pid);
            let entered = number as usize * self.processes;
            for (pid, &rank) in self.ranks[entered..entered + self.processes].iter().enumerate() {
                root.classes.union(pid, now[usize::from(rank)]);
            }
        }
        let property = root.inside.property & self.all.property == self.all.property;
        self.fairness != Fairness::Strong
            && property
            && root.classes.closure(&root.inside.processes).contains(&self.all.processes)
    }

    /// How many bytes it takes.
    fn size(&self) -> u64 {
        let each = self.roots.len() * self.processes;
        (8 * self.active.capacity() + 20 * self.numbers.capacity() + self.ranks.capacity() + each)
            as u64
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
        let number = growing.begin(id, stack.arcs.label(arc).contribution, stack.arcs.ranks(arc));
        let processes = growing.processes;
        visited.enter(id, ON_STACK);
        let mut accepted = false;
        stack.enter(arc, number, |node, arcs| {
            proviso::fan_out(product, visited, node)?;
            growing.add_twins(product.twins());
            for k in 0..product.fan.len() {
                let to = visited.ids[k];
                let marks = visited.marks(to);
                if marks & ENTERED == 0 {
                    product.fan.keep(k, to, arcs);
                } else if marks & COMPLETE == 0 {
                    let ranks = product.fan.ranks(k, processes);
                    accepted |= growing.merge(to, product.fan.contribution(k), ranks);
                }
            }
            Ok(())
        })?;
        visited.tick(stack.nodes.len(), stack.arcs.size() + growing.size())?;
        accepted.then(|| self.accepting_cycle(product, visited)).transpose()
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
        let ranks = self.stack.arcs.ranks(arc);
        let accepted = marks & COMPLETE == 0 && self.growing.merge(to, contribution, ranks);
        accepted.then(|| self.accepting_cycle(product, visited)).transpose()
    }

    /// A cycle through the component on top, which contributes everything.
    fn accepting_cycle<M: Machine, S: Marks<Id = I>>(
        &mut self,
        product: &mut Product<'_, M>,
        visited: &mut Visited<'_, S>,
    ) -> Result<Found, Stopped> {
        let Search { stack, growing } = self;
        let from = growing.roots.last().map_or(0, |root| root.number);
        let members: HashSet<I> = growing.active[from as usize..].iter().copied().collect();
        let entry = stack.nodes.iter().position(|n| n.note == from).unwrap_or(0);
        let mut stem = stack.path();
        stem.truncate(entry + 1);
        if product.is_symmetric() {
            return orbiting_cycle(product, visited, stem, &members, growing);
        }
        let contribution = |arc: &ArcLabel| arc.contribution;
        let cycle = lasso::cycle(product, visited, &stem, &members, &growing.all, contribution);
        Ok(Found::Cycle(Lasso::new(stem, cycle)))
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
            growing.ranks.truncate(number as usize * growing.processes);
            let property = growing.all.property;
            let candidate =
                root.is_some_and(|r| r.cyclic && r.inside.property & property == property);
            if growing.fairness == Fairness::Strong && candidate {
                let set: HashSet<I> = members.iter().copied().collect();
                let stem = stack.path();
                let found = strong::fair_lasso(product, visited, stem, &set, property)?;
                if found.is_some() {
                    return Ok(found);
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

/// The same up to symmetry.
fn orbiting_cycle<M: Machine, S: Marks>(
    product: &mut Product<'_, M>,
    visited: &mut Visited<'_, S>,
    stem: Vec<PathNode>,
    members: &HashSet<S::Id>,
    growing: &Growing<S::Id>,
) -> Result<Found, Stopped> {
    let entry = stem.last().map(|n| n.bytes.clone()).unwrap_or_default();
    let mut quotient = Quotient::new(product, visited, members, &entry)?;
    let tour = Tour::new(&mut quotient, product);
    let settling = match growing.fairness {
        Fairness::Weak => Settling::Everybody,
        Fairness::None | Fairness::Strong => Settling::Nobody,
    };
    let (property, processes) = (growing.all.property, product.processes());
    let cycle = tour.cycle(product, visited, property, &settling, processes)?;
    let lasso = cycle.map(|(cycle, round)| turning(stem, cycle, round));
    orbit::unrolled(product, lasso)
}
