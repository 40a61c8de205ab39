//! Strong fairness on a component: every process that can move infinitely often moves infinitely
//! often.
//!
//! A component has a strongly fair cycle iff, once the nodes are taken away in which a process can
//! move that never moves within the component, some component of what remains has one (the usual
//! refinement for Streett acceptance).

use std::collections::{HashMap, HashSet};

use isospin_machine::Machine;
use isospin_store::Marks;

use super::arcs::{ArcLabel, Arcs, Contribution};
use super::lasso::{self, Lasso, PathNode};
use super::product::Product;
use super::property::components;
use super::visited::{Stopped, Visited};
use crate::expand::Movers;

/// A component with its arcs written out.
struct Component<I> {
    ids: Vec<I>,
    nodes: Vec<Vec<u8>>,
    movable: Vec<Movers>,
    /// For each node, where its arcs inside the component lead and what they contribute.
    arcs: Vec<Vec<(usize, u64, Movers)>>,
}

/// A strongly fair cycle through `members`, with `stem`, which ends in one of them, led on to it.
pub(super) fn fair_lasso<M: Machine, S: Marks>(
    product: &mut Product<'_, M>,
    visited: &mut Visited<'_, S>,
    mut stem: Vec<PathNode>,
    members: &HashSet<S::Id>,
    property: u64,
) -> Result<Option<Lasso>, Stopped> {
    let Some(entry) = stem.last().cloned() else { return Ok(None) };
    let component = write_out(product, visited, &entry, members)?;
    let all: Vec<usize> = (0..component.ids.len()).collect();
    let Some(fair) = refine(&component, all, property) else { return Ok(None) };
    let set: HashSet<S::Id> = fair.iter().map(|&n| component.ids[n]).collect();
    let mut required = Contribution { property, processes: Movers::default() };
    for &n in &fair {
        required.processes.add(&component.movable[n]);
    }
    // Lead the stem to the fair part, unless it is there already.
    let entry_id = visited.find(product.identity(&entry.bytes));
    if !entry_id.is_some_and(|id| set.contains(&id)) {
        let goal = &component.nodes[fair[0]];
        let identity = product.identity(goal).to_vec();
        let hidden = goal.len() - identity.len();
        let there = |_: &ArcLabel, node: &[u8]| node[hidden..] == identity[..];
        let moved = |arc: &ArcLabel| arc.contribution;
        if let Some(leg) = lasso::shortest(product, visited, &entry.bytes, members, there, &moved) {
            stem.extend(leg.into_iter().map(|(node, _)| node));
        }
    }
    let moves = |arc: &ArcLabel| Contribution {
        property: arc.contribution.property,
        processes: arc.movers,
    };
    let cycle = lasso::cycle(product, visited, &stem, &set, &required, moves);
    Ok(Some(Lasso { stem, cycle }))
}

/// Walks the component from one of its nodes.
fn write_out<M: Machine, S: Marks>(
    product: &mut Product<'_, M>,
    visited: &mut Visited<'_, S>,
    entry: &PathNode,
    members: &HashSet<S::Id>,
) -> Result<Component<S::Id>, Stopped> {
    let mut c =
        Component { ids: Vec::new(), nodes: Vec::new(), movable: Vec::new(), arcs: Vec::new() };
    let mut index: HashMap<S::Id, usize> = HashMap::new();
    let Some(first) = visited.find(product.identity(&entry.bytes)) else { return Ok(c) };
    index.insert(first, 0);
    c.ids.push(first);
    c.nodes.push(entry.bytes.clone());
    let mut arcs = Arcs::default();
    let mut at = 0;
    while at < c.nodes.len() {
        arcs.truncate(0);
        let node = c.nodes[at].clone();
        product.expand(&node, &mut arcs);
        c.movable.push(product.movable());
        let mut out = Vec::new();
        for k in 0..arcs.len() {
            let Some(id) = visited.find(product.identity(arcs.node(k))) else { continue };
            if !members.contains(&id) {
                continue;
            }
            let to = *index.entry(id).or_insert_with(|| {
                c.ids.push(id);
                c.nodes.push(arcs.node(k).to_vec());
                c.nodes.len() - 1
            });
            out.push((to, arcs.label(k).contribution.property, arcs.label(k).movers));
        }
        c.arcs.push(out);
        at += 1;
        visited.tick(at, (c.nodes.len() * (node.len() + 64)) as u64)?;
    }
    Ok(c)
}

/// A part of the component that has a strongly fair accepting cycle through all of it.
fn refine<I>(c: &Component<I>, nodes: Vec<usize>, property: u64) -> Option<Vec<usize>> {
    let mut work = vec![nodes];
    while let Some(nodes) = work.pop() {
        for part in components(&nodes, |n, k| Some(c.arcs[n].get(k)?.0)) {
            let inside: HashSet<usize> = part.iter().copied().collect();
            let mut movable = Movers::default();
            let mut moved = Movers::default();
            let mut marks = 0;
            let mut cyclic = false;
            for &n in &part {
                movable.add(&c.movable[n]);
                for (to, m, movers) in &c.arcs[n] {
                    if inside.contains(to) {
                        moved.add(movers);
                        marks |= m;
                        cyclic = true;
                    }
                }
            }
            if !cyclic || marks & property != property {
                continue;
            }
            if moved.contains(&movable) {
                return Some(part);
            }
            // A process that can move here and never does must not be able to move at all.
            let kept: Vec<usize> =
                part.iter().copied().filter(|&n| moved.contains(&c.movable[n])).collect();
            if !kept.is_empty() {
                work.push(kept);
            }
        }
    }
    None
}
