//! Cycles up to symmetry, as cycles of the model as written.
//!
//! A search that stores representatives finds that it has come back when it has come back to the
//! same *orbit*: from a node `s` to its image `p(s)`. What led there leads on from `p(s)` to
//! `p(p(s))`, renamed, and so on; after as many rounds as `p` has order the way ends where it began
//! (real states are on the stack, representatives in the store [Bosnacki 2002]).
//!
//! The order of a permutation has no bound that anybody would want to read: rings of 2, 3, 5, 7, 11
//! and 13 processes close together after 30,030 rounds. What is too long to be written out is told
//! as the first round and the permutation.

use isospin_machine::Machine;
use isospin_symmetry::group::order_of;
use isospin_symmetry::Element;

use super::arcs::{ArcLabel, Arcs};
use super::lasso::{Lasso, PathNode};
use super::product::Product;
use super::quotient::{compose, undone};
use super::visited::Stopped;
use super::Found;
use crate::expand::Movers;

/// Longer cycles than this are not written out.
const MAX_NODES: u64 = 10_000;

/// How often a cycle is gone round until values that do not count have settled.
const MAX_REVOLUTIONS: u32 = 3;

/// A cycle up to symmetry as a cycle. Without one the model is not symmetric after all.
pub(super) fn unrolled<M: Machine>(
    product: &mut Product<'_, M>,
    lasso: Option<Lasso>,
) -> Result<Found, Stopped> {
    match lasso.and_then(|lasso| unroll(product, lasso)) {
        Some(lasso) => Ok(Found::Cycle(lasso)),
        None => {
            product.give_up();
            Err(Stopped)
        }
    }
}

/// The lasso whose cycle comes back to the node that it starts from, given one that comes back to
/// its orbit; or the same one with its permutation, where that would be too long. `None` if the
/// model turns out not to be symmetric.
fn unroll<M: Machine>(product: &mut Product<'_, M>, lasso: Lasso) -> Option<Lasso> {
    if !product.is_symmetric() {
        return Some(lasso);
    }
    let Lasso { mut stem, cycle: once, round } = lasso;
    let round = match round {
        Some(round) => round,
        None => {
            let from = product.element_of(&stem.last()?.bytes);
            let to = product.element_of(&once.last()?.bytes);
            compose(&from, &undone(&to))
        }
    };
    let order = order_of(&round);
    let most = (MAX_NODES / once.len() as u64).max(1);
    let first = stem.len();
    let (mut start, mut cycle) = (stem.last()?.bytes.clone(), once.clone());
    let mut renamed = round.clone();
    let (mut rounds, mut revolutions) = (1, 0);
    loop {
        let last = cycle.last()?.bytes.clone();
        if last == start {
            return Some(Lasso { stem, cycle, round: None });
        }
        if rounds >= most {
            stem.truncate(first);
            return Some(Lasso { stem, cycle: once, round: Some(round) });
        }
        if rounds % order == 0 {
            // Only values that do not count differ; the cycle makes of them always the same.
            revolutions += 1;
            if revolutions > MAX_REVOLUTIONS {
                return None;
            }
            stem.append(&mut cycle);
            start.clone_from(&last);
        }
        let mut here = last;
        for node in &once {
            let (next, _) = follow(product, &here, node, &renamed)?;
            here.clone_from(&next.bytes);
            cycle.push(next);
        }
        renamed = compose(&renamed, &round);
        rounds += 1;
    }
}

/// The successor of `from` that is the image of `node`, by steps of the images of who moved there;
/// and the arc that leads to it.
pub(super) fn follow<M: Machine>(
    product: &mut Product<'_, M>,
    from: &[u8],
    node: &PathNode,
    element: &Element,
) -> Option<(PathNode, ArcLabel)> {
    let mut arcs = Arcs::default();
    product.expand(from, &mut arcs);
    let image = product.image(&node.bytes, element);
    let ranks = product.ranks(element);
    let renamed = |pid: usize| ranks.get(pid).map_or(pid, |&to| usize::from(to));
    let movers: Movers = node.movers.iter().map(renamed).collect();
    (0..arcs.len())
        .find(|&k| arcs.label(k).movers == movers && product.agree(&image, arcs.node(k)))
        .map(|k| (PathNode::at(&arcs, k), arcs.label(k)))
}
