//! A component of the product up to symmetry, written out: for each node one real state, its
//! *frame*, and for each arc how the numbers of processes go over from frame to frame
//! (the annotated quotient structure of [Gyuris 1999]).
//!
//! Nodes are expanded when they are asked for. With state symmetry only the first of several twins
//! is followed; what the others can do is that, after an exchange of names that leaves the frame as
//! it is.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use isospin_machine::Machine;
use isospin_store::Marks;
use isospin_symmetry::group::{after, inverse};
use isospin_symmetry::Element;

use super::product::Product;
use super::visited::{Stopped, Visited};
use crate::expand::Movers;

/// An arc from one frame to the next.
#[derive(Clone, Debug)]
pub(super) struct QuotientArc {
    /// The node that it leads to.
    pub to: usize,
    /// The property marks that it contributes.
    pub marks: u64,
    /// Who moves, by the numbers of the frame that it starts from.
    pub movers: Movers,
    /// The number that each process has in the frame that it leads to; empty without symmetry.
    pub turn: Vec<u8>,
    /// Where it stands among the arcs of the frame.
    pub position: usize,
}

/// A node: an orbit of nodes of the product.
#[derive(Clone, Debug)]
pub(super) struct QuotientNode<I> {
    /// Its id in the store.
    pub id: I,
    /// Its frame: a node of the product.
    pub frame: Vec<u8>,
    /// What takes the frame to its representative.
    pub element: Element,
    /// The number of each process of the representative in the frame.
    back: Vec<u8>,
    /// Who can move in the frame.
    pub movable: Movers,
    /// For each process the first one that can do the same in the frame.
    pub twins: Vec<u8>,
    /// Its arcs inside the component, once it has been expanded.
    arcs: Option<Vec<QuotientArc>>,
}

/// A component.
#[derive(Debug)]
pub(super) struct Quotient<'m, I> {
    /// The nodes that were come to, the entry first.
    pub nodes: Vec<QuotientNode<I>>,
    numbers: HashMap<I, usize>,
    members: &'m HashSet<I>,
    bytes: u64,
}

impl<'m, I: Copy + Eq + Hash> Quotient<'m, I> {
    /// The component with these members, from one of them on.
    pub fn new<M: Machine, S: Marks<Id = I>>(
        product: &mut Product<'_, M>,
        visited: &mut Visited<'_, S>,
        members: &'m HashSet<I>,
        entry: &[u8],
    ) -> Result<Quotient<'m, I>, Stopped> {
        let id = visited.find(product.identity(entry)).ok_or(Stopped)?;
        let mut quotient =
            Quotient { nodes: Vec::new(), numbers: HashMap::new(), members, bytes: 0 };
        let element = product.element();
        let mut ranks = Vec::new();
        product.add_ranks(&mut ranks);
        quotient.add(id, entry, element, &ranks);
        Ok(quotient)
    }

    fn add(&mut self, id: I, frame: &[u8], element: Element, ranks: &[u8]) -> usize {
        let number = self.nodes.len();
        self.numbers.insert(id, number);
        self.bytes += (frame.len() + 4 * ranks.len() + 128) as u64;
        self.nodes.push(QuotientNode {
            id,
            frame: frame.to_vec(),
            element,
            back: inverse(ranks),
            movable: Movers::default(),
            twins: Vec::new(),
            arcs: None,
        });
        number
    }

    /// The arcs of a node that has been expanded.
    pub fn arcs(&self, node: usize) -> &[QuotientArc] {
        self.nodes[node].arcs.as_deref().unwrap_or_default()
    }

    /// Expands a node, if that has not been done.
    pub fn expand<M: Machine, S: Marks<Id = I>>(
        &mut self,
        product: &mut Product<'_, M>,
        visited: &mut Visited<'_, S>,
        node: usize,
    ) -> Result<(), Stopped> {
        if self.nodes[node].arcs.is_some() {
            return Ok(());
        }
        let frame = self.nodes[node].frame.clone();
        product.fan_out(&frame, true);
        self.nodes[node].movable = product.movable();
        self.nodes[node].twins = product.twins().to_vec();
        let mut arcs = Vec::new();
        let mut ranks = Vec::new();
        for position in 0..product.fan.len() {
            let Some(id) = visited.find(product.fan_orbit(position)) else { continue };
            if !self.members.contains(&id) {
                continue;
            }
            ranks.clear();
            product.add_ranks(&mut ranks);
            let to = match self.numbers.get(&id) {
                Some(&to) => to,
                None => {
                    let element = product.element();
                    let target = product.fan.node(position).to_vec();
                    self.add(id, &target, element, &ranks)
                }
            };
            let back = &self.nodes[to].back;
            let turn: Vec<u8> = ranks.iter().map(|&r| back[usize::from(r)]).collect();
            self.bytes += (turn.len() + size_of::<QuotientArc>()) as u64;
            let marks = product.fan.contribution(position).property;
            let movers = product.fan.movers(position);
            arcs.push(QuotientArc { to, marks, movers, turn, position });
        }
        self.nodes[node].arcs = Some(arcs);
        visited.tick(1, self.bytes)
    }

    /// Expands all of it.
    pub fn expand_all<M: Machine, S: Marks<Id = I>>(
        &mut self,
        product: &mut Product<'_, M>,
        visited: &mut Visited<'_, S>,
    ) -> Result<(), Stopped> {
        let mut node = 0;
        while node < self.nodes.len() {
            self.expand(product, visited, node)?;
            node += 1;
        }
        Ok(())
    }

    /// The node of the product that an arc leads to from its frame, and the permutation that takes
    /// the next frame there.
    pub fn target<M: Machine>(
        &self,
        product: &mut Product<'_, M>,
        node: usize,
        arc: &QuotientArc,
    ) -> (Vec<u8>, Element) {
        product.fan_out(&self.nodes[node].frame, true);
        let target = product.fan.node(arc.position).to_vec();
        let there = product.element_of(&target);
        let turn = compose(&self.nodes[arc.to].element, &undone(&there));
        (target, turn)
    }
}

/// First `first`, then `second`.
pub(super) fn compose(first: &Element, second: &Element) -> Element {
    first.iter().zip(second).map(|(a, b)| after(a, b)).collect()
}

/// The element that undoes another.
pub(super) fn undone(element: &Element) -> Element {
    element.iter().map(|to| inverse(to)).collect()
}
