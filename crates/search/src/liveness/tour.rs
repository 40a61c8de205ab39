//! Cycles up to symmetry in which every process that must move moves.
//!
//! That some process of each class is settled somewhere in a component is enough to know that there
//! is a fair cycle, and not enough to make one: a cycle that is repeated carries a process only
//! round the orbit of its own permutation. So the walk here goes, for every process that it has not
//! settled, to where that one is. Where it comes back to the orbit that it started from, it has
//! come to the image of its start under some permutation, and goes on from there renamed: what it
//! did for everybody it does for everybody again.

use std::collections::{HashSet, VecDeque};

use isospin_machine::Machine;
use isospin_store::Marks;
use isospin_symmetry::Element;

use super::lasso::{Lasso, PathNode};
use super::orbit::follow;
use super::product::Product;
use super::quotient::{compose, undone, Quotient, QuotientArc};
use super::visited::{Stopped, Visited};
use crate::expand::Movers;

/// Which processes a walk has to settle, and what settles one.
pub(super) enum Settling {
    /// Nobody.
    Nobody,
    /// Everybody: by a move, or by a state in which it cannot move.
    Everybody,
    /// Those of a set, in the numbers of the state in which the cycle starts: by a move.
    Moving(Movers),
}

/// What happens next on the way through a component.
#[derive(Clone, Copy)]
enum Event {
    /// An arc of the node, by its place among those inside the component.
    Arc(usize),
    /// Two twins exchange their names.
    Exchange(usize, usize),
}

/// A walk along real states.
pub(super) struct Tour<'q, 'm, I> {
    quotient: &'q mut Quotient<'m, I>,
    /// Where it may go.
    within: Option<&'q HashSet<usize>>,
    /// The node where it is.
    node: usize,
    /// The real node where it is.
    here: Vec<u8>,
    /// What takes the frame of the node there.
    element: Element,
    path: Vec<PathNode>,
    marks: u64,
    settled: Movers,
    moved: Movers,
}

impl<'q, 'm, I: Copy + Eq + std::hash::Hash> Tour<'q, 'm, I> {
    /// A walk that starts in the frame of the component's entry.
    pub fn new<M: Machine>(
        quotient: &'q mut Quotient<'m, I>,
        product: &Product<'_, M>,
    ) -> Tour<'q, 'm, I> {
        let here = quotient.nodes[0].frame.clone();
        Tour {
            quotient,
            within: None,
            node: 0,
            here,
            element: product.no_renaming(),
            path: Vec::new(),
            marks: 0,
            settled: Movers::default(),
            moved: Movers::default(),
        }
    }

    /// Goes on to a part of the component and stays there. Gives the way; `None` if there is none.
    pub fn enter<M: Machine, S: Marks<Id = I>>(
        &mut self,
        product: &mut Product<'_, M>,
        visited: &mut Visited<'_, S>,
        part: &'q HashSet<usize>,
    ) -> Result<Option<Vec<PathNode>>, Stopped> {
        if !part.contains(&self.node) {
            let there = |_: usize, arc: &QuotientArc| part.contains(&arc.to);
            let Some(way) = self.nearest(product, visited, None, &there)? else { return Ok(None) };
            if !self.go(product, &way) {
                return Ok(None);
            }
        }
        self.within = Some(part);
        (self.marks, self.settled, self.moved) = Default::default();
        Ok(Some(std::mem::take(&mut self.path)))
    }

    /// The numbers that processes have in the frame of the node where it is.
    pub fn numbers<M: Machine>(&self, product: &Product<'_, M>) -> Vec<u8> {
        product.ranks(&undone(&self.element))
    }

    /// The node where it is.
    pub fn node(&self) -> usize {
        self.node
    }

    /// A cycle up to symmetry from where it is, with all the property's marks, that settles whom it
    /// must; and the permutation that takes its start to its end. `None` if there is none.
    pub fn cycle<M: Machine, S: Marks<Id = I>>(
        mut self,
        product: &mut Product<'_, M>,
        visited: &mut Visited<'_, S>,
        property: u64,
        settling: &Settling,
        processes: usize,
    ) -> Result<Option<(Vec<PathNode>, Element)>, Stopped> {
        let (home, start) = (self.node, self.element.clone());
        while self.marks & property != property {
            let missing = property & !self.marks;
            let gives = |_: usize, arc: &QuotientArc| arc.marks & missing != 0;
            let Some(way) = self.nearest(product, visited, None, &gives)? else { return Ok(None) };
            if !self.go(product, &way) {
                return Ok(None);
            }
        }
        for pid in 0..processes {
            let done = match settling {
                Settling::Nobody => true,
                Settling::Everybody => self.settled.has(pid),
                Settling::Moving(must) => !must.has(pid) || self.moved.has(pid),
            };
            if done {
                continue;
            }
            let frozen = matches!(settling, Settling::Everybody);
            let settles = |pid: usize, arc: &QuotientArc| arc.movers.has(pid);
            let way = self.nearest_for(product, visited, pid, frozen, &settles)?;
            let Some(way) = way else { return Ok(None) };
            if !self.go(product, &way) {
                return Ok(None);
            }
        }
        if self.path.is_empty() || self.node != home {
            let back = |_: usize, arc: &QuotientArc| arc.to == home;
            let Some(way) = self.nearest(product, visited, None, &back)? else { return Ok(None) };
            if !self.go(product, &way) {
                return Ok(None);
            }
        }
        let round = compose(&undone(&start), &self.element);
        Ok(Some((self.path, round)))
    }

    /// The shortest way to an arc that settles a process.
    fn nearest_for<M: Machine, S: Marks<Id = I>>(
        &mut self,
        product: &mut Product<'_, M>,
        visited: &mut Visited<'_, S>,
        pid: usize,
        frozen: bool,
        settles: &dyn Fn(usize, &QuotientArc) -> bool,
    ) -> Result<Option<Vec<Event>>, Stopped> {
        let number = self.numbers(product).get(pid).map_or(pid, |&n| usize::from(n));
        self.nearest(product, visited, Some((number, frozen)), settles)
    }

    /// The shortest way, breadth-first, to an arc that is wanted. Where a process is followed, its
    /// number in the frame is part of where one is, and with `frozen` any arc will do from a node in
    /// which it cannot move.
    fn nearest<M: Machine, S: Marks<Id = I>>(
        &mut self,
        product: &mut Product<'_, M>,
        visited: &mut Visited<'_, S>,
        followed: Option<(usize, bool)>,
        wanted: &dyn Fn(usize, &QuotientArc) -> bool,
    ) -> Result<Option<Vec<Event>>, Stopped> {
        let (number, frozen) = followed.unwrap_or((0, false));
        let mut seen: HashSet<(usize, usize)> = HashSet::from([(self.node, number)]);
        // Each place with the one before it and what led from there.
        let mut places: Vec<(usize, usize, usize, Event)> =
            vec![(self.node, number, 0, Event::Arc(0))];
        let mut queue = VecDeque::from([0usize]);
        while let Some(at) = queue.pop_front() {
            let (node, number, ..) = places[at];
            self.quotient.expand(product, visited, node)?;
            let stands = &self.quotient.nodes[node];
            let idle = frozen && !stands.movable.has(number);
            for (k, arc) in self.quotient.arcs(node).iter().enumerate() {
                if self.within.is_some_and(|part| !part.contains(&arc.to)) {
                    continue;
                }
                if idle || wanted(number, arc) {
                    let mut way = vec![Event::Arc(k)];
                    let mut last = at;
                    while last != 0 {
                        way.push(places[last].3);
                        last = places[last].2;
                    }
                    way.reverse();
                    return Ok(Some(way));
                }
                let after = match followed {
                    Some(_) => arc.turn.get(number).map_or(number, |&n| usize::from(n)),
                    None => 0,
                };
                if seen.insert((arc.to, after)) {
                    places.push((arc.to, after, at, Event::Arc(k)));
                    queue.push_back(places.len() - 1);
                }
            }
            let Some(&twin) = stands.twins.get(number).filter(|_| followed.is_some()) else {
                continue;
            };
            // Exchanges with the first of some twins make all exchanges.
            let others = stands.twins.iter().enumerate();
            let others = others.filter(|&(p, t)| *t == twin && p != number).map(|(p, _)| p);
            for other in others.filter(|&p| number == usize::from(twin) || p == usize::from(twin)) {
                if seen.insert((node, other)) {
                    places.push((node, other, at, Event::Exchange(number, other)));
                    queue.push_back(places.len() - 1);
                }
            }
        }
        Ok(None)
    }

    /// Goes along a way, in real states. Says whether it could.
    fn go<M: Machine>(&mut self, product: &mut Product<'_, M>, way: &[Event]) -> bool {
        for &event in way {
            match event {
                Event::Exchange(a, b) => {
                    self.element = compose(&product.exchanging(a, b), &self.element);
                }
                Event::Arc(k) => {
                    let arc = self.quotient.arcs(self.node)[k].clone();
                    let (target, turn) = self.quotient.target(product, self.node, &arc);
                    let target = PathNode { bytes: target, movers: arc.movers };
                    let next = follow(product, &self.here, &target, &self.element);
                    let Some((next, label)) = next else { return false };
                    self.marks |= label.contribution.property;
                    self.settled.add(&label.contribution.processes);
                    self.moved.add(&label.movers);
                    self.element = compose(&turn, &self.element);
                    self.node = arc.to;
                    self.here.clone_from(&next.bytes);
                    self.path.push(next);
                }
            }
        }
        true
    }
}

/// The lasso with this stem and a cycle that comes back to the image of its start under `round`.
pub(super) fn turning(stem: Vec<PathNode>, cycle: Vec<PathNode>, round: Element) -> Lasso {
    Lasso { stem, cycle, round: Some(round) }
}
