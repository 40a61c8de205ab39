//! Cycles up to symmetry, as cycles of the model as written.
//!
//! A search that stores representatives finds that it has come back when it has come back to the
//! same *orbit*: from a node `s` to its image `p(s)`. What led there leads on from `p(s)` to
//! `p(p(s))`, renamed, and so on; after as many rounds as `p` has order the way ends where it began
//! (MRNDFS of [Bosnacki 2002]: real states are on the stack, representatives in the store).

use isospin_machine::Machine;
use isospin_symmetry::group::{after, inverse};
use isospin_symmetry::Element;

use super::arcs::Arcs;
use super::lasso::{Lasso, PathNode};
use super::product::{automaton_state, Product};

/// More rounds than this are not gone.
const MAX_ROUNDS: usize = 1 << 12;

/// The lasso whose cycle comes back to the node that it starts from, given one that comes back to
/// its orbit. `None` if the model turns out not to be symmetric.
pub(super) fn unroll<M: Machine>(product: &mut Product<'_, M>, lasso: Lasso) -> Option<Lasso> {
    if !product.is_symmetric() {
        return Some(lasso);
    }
    let start = lasso.stem.last()?.bytes.clone();
    let back = &lasso.cycle.last()?.bytes;
    let round: Element = {
        let from = product.element_of(&start);
        let to = product.element_of(back);
        from.iter().zip(&to).map(|(a, b)| after(a, &inverse(b))).collect()
    };
    let once = lasso.cycle;
    let mut cycle = once.clone();
    let mut renamed = round.clone();
    for _ in 0..MAX_ROUNDS {
        if cycle.last()?.bytes == start {
            return Some(Lasso { stem: lasso.stem, cycle });
        }
        for node in &once {
            let next = follow(product, &cycle.last()?.bytes, node, &renamed)?;
            cycle.push(next);
        }
        renamed = renamed.iter().zip(&round).map(|(a, b)| after(a, b)).collect();
    }
    None
}

/// The successor of `from` that is the image of `node`.
fn follow<M: Machine>(
    product: &mut Product<'_, M>,
    from: &[u8],
    node: &PathNode,
    element: &Element,
) -> Option<PathNode> {
    let mut arcs = Arcs::default();
    product.expand(from, &mut arcs);
    (0..arcs.len())
        .find(|&k| {
            automaton_state(arcs.node(k)) == automaton_state(&node.bytes)
                && product.is_image(&node.bytes, element, arcs.node(k))
        })
        .map(|k| PathNode::at(&arcs, k))
}
