//! Partial-order reduction in a search with a stack: which arcs of a node are followed.
//!
//! C3: on every cycle of the reduced graph there is a node that is expanded fully. A cycle has an
//! arc that leads back into the stack; so a node of whose chosen arcs one does is expanded fully.
//! The node itself is on the stack.

use isospin_machine::Machine;

use super::product::{Arcs, Product};
use super::visited::Visited;

/// On the stack of the search that decides how nodes are expanded.
pub(super) const ON_STACK: u8 = 4;

/// Pushes the arcs of `node` that are to be followed. Says whether they are all of them although
/// fewer were chosen.
pub(super) fn expand<M: Machine>(
    product: &mut Product<'_, M>,
    visited: &mut Visited<'_>,
    node: &[u8],
    arcs: &mut Arcs,
) -> bool {
    let first = arcs.list.len();
    if !product.expand_reduced(node, arcs) {
        return false;
    }
    let closes = (first..arcs.list.len()).any(|k| {
        let to = visited.find(product.identity(arcs.node(k)));
        to.is_some_and(|to| visited.flags(to) & ON_STACK != 0)
    });
    if closes {
        arcs.truncate(first);
        product.expand(node, arcs);
    }
    closes
}
