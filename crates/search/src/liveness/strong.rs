//! Strong fairness on a component: every process that can move infinitely often moves infinitely
//! often.
//!
//! A component has a strongly fair cycle iff, once the nodes are taken away in which a process can
//! move that never moves within the component, some component of what remains has one (the usual
//! refinement for Streett acceptance).
//!
//! Up to symmetry the same is said of classes of processes that take each other's places
//! [Gyuris 1999, theorem 3]. They have to be found anew in every part: with fewer ways round there,
//! they are finer.

use std::collections::{HashMap, HashSet};

use isospin_machine::Machine;
use isospin_store::Marks;
use isospin_symmetry::group::inverse;

use super::arcs::{ArcLabel, Contribution};
use super::classes::Classes;
use super::lasso::{self, Lasso, PathNode};
use super::orbit::unrolled;
use super::product::Product;
use super::property::components;
use super::quotient::Quotient;
use super::tour::{turning, Settling, Tour};
use super::visited::{Stopped, Visited};
use super::Found;
use crate::expand::Movers;

/// A part of a component that has a fair cycle through all of it.
struct Part {
    nodes: Vec<usize>,
    /// For each node, up to symmetry, the number that each process of its frame has in the base.
    numbers: HashMap<usize, Vec<u8>>,
    /// The processes that must move, by the numbers that they have in the base.
    able: Movers,
}

/// A strongly fair cycle through `members`, with `stem`, which ends in one of them, led on to it.
pub(super) fn fair_lasso<M: Machine, S: Marks>(
    product: &mut Product<'_, M>,
    visited: &mut Visited<'_, S>,
    stem: Vec<PathNode>,
    members: &HashSet<S::Id>,
    property: u64,
) -> Result<Option<Found>, Stopped> {
    let Some(entry) = stem.last().cloned() else { return Ok(None) };
    let mut quotient = Quotient::new(product, visited, members, &entry.bytes)?;
    quotient.expand_all(product, visited)?;
    let Some(part) = refine(&quotient, property, product.processes()) else { return Ok(None) };
    if product.is_symmetric() {
        return orbiting_lasso(product, visited, stem, &mut quotient, &part, property).map(Some);
    }
    Ok(Some(lasso_through(product, visited, stem, &quotient, members, &part, property)))
}

/// The lasso, where there is no symmetry.
fn lasso_through<M: Machine, S: Marks>(
    product: &mut Product<'_, M>,
    visited: &mut Visited<'_, S>,
    mut stem: Vec<PathNode>,
    quotient: &Quotient<'_, S::Id>,
    members: &HashSet<S::Id>,
    part: &Part,
    property: u64,
) -> Found {
    let set: HashSet<S::Id> = part.nodes.iter().map(|&n| quotient.nodes[n].id).collect();
    let required = Contribution { property, processes: part.able };
    // Lead the stem to the fair part, unless it is there already.
    if !set.contains(&quotient.nodes[0].id) {
        let goal = &quotient.nodes[part.nodes[0]].frame;
        let identity = product.identity(goal).to_vec();
        let hidden = goal.len() - identity.len();
        let there = |_: &ArcLabel, node: &[u8]| node[hidden..] == identity[..];
        let moved = |arc: &ArcLabel| arc.contribution;
        let entry = &quotient.nodes[0].frame;
        if let Some(leg) = lasso::shortest(product, visited, entry, members, there, &moved) {
            stem.extend(leg.into_iter().map(|(node, _)| node));
        }
    }
    let moves = |arc: &ArcLabel| Contribution {
        property: arc.contribution.property,
        processes: arc.movers,
    };
    let cycle = lasso::cycle(product, visited, &stem, &set, &required, moves);
    Found::Cycle(Lasso::new(stem, cycle))
}

/// The lasso up to symmetry.
fn orbiting_lasso<M: Machine, S: Marks>(
    product: &mut Product<'_, M>,
    visited: &mut Visited<'_, S>,
    mut stem: Vec<PathNode>,
    quotient: &mut Quotient<'_, S::Id>,
    part: &Part,
    property: u64,
) -> Result<Found, Stopped> {
    let nodes: HashSet<usize> = part.nodes.iter().copied().collect();
    let mut tour = Tour::new(quotient, product);
    let Some(way) = tour.enter(product, visited, &nodes)? else { return unrolled(product, None) };
    stem.extend(way);
    let base = &part.numbers[&tour.node()];
    let frame = tour.numbers(product);
    let must = |&pid: &usize| part.able.has(usize::from(base[usize::from(frame[pid])]));
    let moving = Settling::Moving((0..frame.len()).filter(must).collect());
    let cycle = tour.cycle(product, visited, property, &moving, frame.len())?;
    unrolled(product, cycle.map(|(cycle, round)| turning(stem, cycle, round)))
}

/// A part of the component that has a strongly fair accepting cycle through all of it. Up to
/// symmetry there are `processes` that may take each other's places.
fn refine<I: Copy + Eq + std::hash::Hash>(
    c: &Quotient<'_, I>,
    property: u64,
    processes: usize,
) -> Option<Part> {
    let mut work: Vec<Vec<usize>> = vec![(0..c.nodes.len()).collect()];
    while let Some(nodes) = work.pop() {
        for part in components(&nodes, |n, k| Some(c.arcs(n).get(k)?.to)) {
            let inside: HashSet<usize> = part.iter().copied().collect();
            let arcs = || {
                let all = part.iter().flat_map(|&n| c.arcs(n).iter().map(move |a| (n, a)));
                all.filter(|(_, a)| inside.contains(&a.to))
            };
            let marks = arcs().fold(0, |marks, (_, a)| marks | a.marks);
            if arcs().next().is_none() || marks & property != property {
                continue;
            }
            let (numbers, classes) = number(c, &part, &inside, processes);
            let in_base = |n: usize, set: &Movers| -> Movers {
                let to = |pid: usize| numbers[&n].get(pid).map_or(pid, |&p| usize::from(p));
                set.iter().map(to).collect()
            };
            let (mut able, mut moved) = (Movers::default(), Movers::default());
            part.iter().for_each(|&n| able.add(&in_base(n, &c.nodes[n].movable)));
            arcs().for_each(|(n, arc)| moved.add(&in_base(n, &arc.movers)));
            let moved = classes.closure(&moved);
            if moved.contains(&able) {
                return Some(Part { nodes: part, numbers, able: classes.closure(&able) });
            }
            // A process that can move here and never does must not be able to move at all.
            let may_stay = |n: &usize| moved.contains(&in_base(*n, &c.nodes[*n].movable));
            let kept: Vec<usize> = part.iter().copied().filter(may_stay).collect();
            if !kept.is_empty() {
                work.push(kept);
            }
        }
    }
    None
}

/// For each node of a part the number that each process of its frame has in the frame of the first
/// one, the base, by way of a spanning tree; and which processes of the base take each other's
/// places on other ways.
fn number<I: Copy + Eq + std::hash::Hash>(
    c: &Quotient<'_, I>,
    part: &[usize],
    inside: &HashSet<usize>,
    processes: usize,
) -> (HashMap<usize, Vec<u8>>, Classes) {
    let mut classes = Classes::new(processes);
    let mut numbers: HashMap<usize, Vec<u8>> = HashMap::new();
    let Some(&base) = part.first() else { return (numbers, classes) };
    numbers.insert(base, (0..processes as u8).collect());
    let mut todo = vec![base];
    let mut order = Vec::new();
    while let Some(n) = todo.pop() {
        order.push(n);
        for arc in c.arcs(n).iter().filter(|a| inside.contains(&a.to)) {
            if !numbers.contains_key(&arc.to) {
                let here = &numbers[&n];
                let back = inverse(&arc.turn);
                let there = back.iter().map(|&pid| here[usize::from(pid)]).collect();
                numbers.insert(arc.to, there);
                todo.push(arc.to);
            }
        }
    }
    if processes == 0 {
        return (numbers, classes);
    }
    for n in order {
        let here = &numbers[&n];
        for (pid, &twin) in c.nodes[n].twins.iter().enumerate() {
            classes.union(usize::from(here[pid]), usize::from(here[usize::from(twin)]));
        }
        for arc in c.arcs(n).iter().filter(|a| inside.contains(&a.to)) {
            let there = &numbers[&arc.to];
            for (pid, &to) in arc.turn.iter().enumerate() {
                classes.union(usize::from(here[pid]), usize::from(there[usize::from(to)]));
            }
        }
    }
    (numbers, classes)
}
