//! Counterexamples to liveness: a stem and a cycle, first as nodes of the product, then as steps
//! of the model.

use std::collections::{HashMap, HashSet, VecDeque};

use isospin_machine::Machine;
use isospin_store::Marks;
use isospin_symmetry::Element;

use super::arcs::{ArcLabel, Arcs, Contribution, Fan};
use super::product::Product;
use super::visited::Visited;
use crate::expand::Movers;

/// A node of the product on a path, and who moved to get there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathNode {
    /// The node.
    pub bytes: Vec<u8>,
    /// Who moved; nobody at the start and where the model stutters.
    pub movers: Movers,
}

impl PathNode {
    /// The node that arc `k` leads to.
    pub fn at<I: Copy>(arcs: &Arcs<I>, k: usize) -> PathNode {
        PathNode { bytes: arcs.node(k).to_vec(), movers: arcs.label(k).movers }
    }

    /// The node that arc `k` of a fan leads to.
    pub(super) fn ahead(fan: &mut Fan, k: usize) -> PathNode {
        PathNode { movers: fan.movers(k), bytes: fan.node(k).to_vec() }
    }
}

/// An infinite path: the stem leads from the first node to the one where the cycle starts; the
/// cycle leads from there back to it, which is its last node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    /// From the first node to the start of the cycle.
    pub stem: Vec<PathNode>,
    /// From the node after the start of the cycle to the start itself.
    pub cycle: Vec<PathNode>,
    /// Where it does not come back to the start itself but to its image under this permutation: the
    /// cycle goes on from there, renamed.
    pub round: Option<Element>,
}

impl Lasso {
    /// A lasso that comes back to where its cycle starts, or to the orbit of that.
    pub fn new(stem: Vec<PathNode>, cycle: Vec<PathNode>) -> Lasso {
        Lasso { stem, cycle, round: None }
    }
}

/// A cycle from the end of `stem` through `members`, the nodes of a component, that contributes
/// everything `required`. `contribution` says what an arc contributes.
pub(super) fn cycle<M: Machine, S: Marks>(
    product: &mut Product<'_, M>,
    visited: &mut Visited<'_, S>,
    stem: &[PathNode],
    members: &HashSet<S::Id>,
    required: &Contribution,
    contribution: impl Fn(&ArcLabel) -> Contribution,
) -> Vec<PathNode> {
    let Some(start) = stem.last() else { return Vec::new() };
    let home = product.identity(&start.bytes).to_vec();
    let mut path: Vec<PathNode> = Vec::new();
    let mut got = Contribution::default();
    let mut here = start.bytes.clone();
    // Wherever something is missing, go to the nearest arc that contributes some of it.
    while !got.contain(required) {
        let wanted = |arc: &ArcLabel, _: &[u8]| {
            let mut with = got;
            with.add(&contribution(arc));
            with.missing(required) < got.missing(required)
        };
        let Some(leg) = shortest(product, visited, &here, members, wanted, &contribution) else {
            break;
        };
        for (node, gives) in leg {
            got.add(&gives);
            here.clone_from(&node.bytes);
            path.push(node);
        }
    }
    if path.is_empty() || product.identity(&here) != home {
        // Without symmetry, which this search does not know, an identity is a node's end.
        let at_home = |_: &ArcLabel, node: &[u8]| node.ends_with(&home);
        if let Some(leg) = shortest(product, visited, &here, members, at_home, &contribution) {
            path.extend(leg.into_iter().map(|(node, _)| node));
        }
    }
    path
}

/// The shortest path of at least one arc from `from` through `members` whose last arc is wanted.
pub(super) fn shortest<M: Machine, S: Marks>(
    product: &mut Product<'_, M>,
    visited: &mut Visited<'_, S>,
    from: &[u8],
    members: &HashSet<S::Id>,
    wanted: impl Fn(&ArcLabel, &[u8]) -> bool,
    contribution: &impl Fn(&ArcLabel) -> Contribution,
) -> Option<Vec<(PathNode, Contribution)>> {
    /// A node that was reached: how, and from which entry of the list.
    struct Reached {
        node: PathNode,
        gives: Contribution,
        parent: usize,
    }
    let root = PathNode { bytes: from.to_vec(), movers: Movers::default() };
    let mut reached = vec![Reached { node: root, gives: Contribution::default(), parent: 0 }];
    let mut seen: HashMap<S::Id, ()> = HashMap::new();
    let mut queue = VecDeque::from([0usize]);
    let mut arcs = Arcs::default();
    while let Some(at) = queue.pop_front() {
        arcs.truncate(0);
        let bytes = reached[at].node.bytes.clone();
        product.expand(&bytes, &mut arcs);
        for k in 0..arcs.len() {
            let Some(id) = visited.find(product.identity(arcs.node(k))) else { continue };
            if !members.contains(&id) {
                continue;
            }
            let arc = &arcs.label(k);
            let hit = wanted(arc, arcs.node(k));
            if !hit && seen.insert(id, ()).is_some() {
                continue;
            }
            let gives = contribution(arc);
            reached.push(Reached { node: PathNode::at(&arcs, k), gives, parent: at });
            if hit {
                let mut path = Vec::new();
                let mut last = reached.len() - 1;
                while last != 0 {
                    path.push((reached[last].node.clone(), reached[last].gives));
                    last = reached[last].parent;
                }
                path.reverse();
                return Some(path);
            }
            queue.push_back(reached.len() - 1);
        }
    }
    None
}

/// How many nodes are expanded between two looks at the clock.
const LOOK_INTERVAL: usize = 64;

/// More nodes than this are not looked at for a shorter stem.
const MAX_NODES: usize = 400_000;

/// The same cycle with a shortest way to it: the stem leads, breadth-first and with all steps, to
/// whichever node of the cycle comes first, and the cycle starts there. If that takes too long the
/// lasso stays as it is.
pub(super) fn shorten_stem<M: Machine>(product: &mut Product<'_, M>, lasso: Lasso) -> Lasso {
    if lasso.round.is_some() {
        return lasso;
    }
    let on_cycle: HashMap<&[u8], usize> =
        lasso.cycle.iter().enumerate().map(|(k, node)| (node.bytes.as_slice(), k)).collect();
    let Ok(initial) = product.initial() else { return lasso };
    let mut known: HashSet<Vec<u8>> = HashSet::from([initial.clone()]);
    let root = PathNode { bytes: initial, movers: Movers::default() };
    // Each node with the position of the one before it.
    let mut reached: Vec<(PathNode, usize)> = vec![(root, 0)];
    let mut arcs = Arcs::default();
    let mut at = 0;
    while at < reached.len() && reached.len() <= MAX_NODES {
        if at.is_multiple_of(LOOK_INTERVAL) && product.is_over() {
            return lasso;
        }
        if let Some(&start) = on_cycle.get(reached[at].0.bytes.as_slice()) {
            let mut stem = Vec::new();
            let mut last = at;
            while last != 0 {
                stem.push(reached[last].0.clone());
                last = reached[last].1;
            }
            stem.push(reached[0].0.clone());
            stem.reverse();
            if stem.len() >= lasso.stem.len() {
                return lasso;
            }
            let mut cycle = lasso.cycle;
            cycle.rotate_left(start + 1);
            return Lasso::new(stem, cycle);
        }
        arcs.truncate(0);
        let bytes = reached[at].0.bytes.clone();
        product.expand(&bytes, &mut arcs);
        for k in 0..arcs.len() {
            if known.insert(arcs.node(k).to_vec()) {
                reached.push((PathNode::at(&arcs, k), at));
            }
        }
        at += 1;
    }
    lasso
}
