//! Partial-order reduction in a search with a stack: which arcs of a node are followed.
//!
//! C3: on every cycle of the reduced graph there is a node that is expanded fully. A cycle has an
//! arc that leads back into the stack; so a node of whose chosen arcs one does is expanded fully.
//! The node itself is on the stack.
//!
//! What is chosen depends on the node, and so on the automaton's state. Hence it is not enough that
//! the executions followed look to the automaton like those left out: a run of it has to go along
//! with each choice as it is made [Siegel 2019]. Whether one can is found out beforehand, see
//! [`is_stutter_closed`](super::PropertyAutomaton::is_stutter_closed). A deterministic automaton of
//! a property that does not count steps needs no such test: it has only one run.

use isospin_machine::Machine;
use isospin_store::Marks;

use super::product::Product;
use super::visited::{Stopped, Visited};
use crate::marks::product::ON_STACK;

/// Finds the arcs of `node` that are to be followed, and looks them up. Says whether they are all
/// of them although fewer were chosen.
///
/// Whether an arc leads back into the stack is the same now as when it is followed: what is on the
/// stack stays there until then, and what the search enters in between it has left again.
pub(super) fn fan_out<M: Machine, S: Marks>(
    product: &mut Product<'_, M>,
    visited: &mut Visited<'_, S>,
    node: &[u8],
) -> Result<bool, Stopped> {
    let reduced = product.fan_out(node, false);
    visited.look_up(product)?;
    let closes = reduced && visited.ids.iter().any(|&to| visited.marks(to) & ON_STACK != 0);
    if closes {
        product.fan_out(node, true);
        visited.look_up(product)?;
    }
    visited.transitions += product.fan.len() as u64;
    Ok(closes)
}
