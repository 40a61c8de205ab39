//! Emptiness by nested depth-first search: figure 4 of Holzmann, Peled and Yannakakis.
//!
//! The first search visits every node. When it leaves an accepting node, the second search looks
//! for a way back; it has found one as soon as it reaches *any* node on the stack of the first
//! search, because from there the stack leads on to the accepting node. Two bits per node tell the
//! searches apart, and one tells what is on the first stack.
//!
//! With partial-order reduction, a node of whose chosen arcs one leads back into the stack is
//! expanded fully (C3). What is on the stack differs between the two searches, so the choice that
//! the first one made is kept with the node, in one more bit, and the second makes the same.
//!
//! With symmetry, nodes are stored as representatives and walked as they are, so that what is found
//! is a cycle up to symmetry; see `orbit`.

use isospin_machine::Machine;

use super::lasso::{Lasso, Node};
use super::orbit;
use super::product::Product;
use super::proviso::{self, ON_STACK};
use super::stack::Stack;
use super::visited::{Stopped, Visited};
use super::Found;
use crate::store::StateId;

/// Visited by the second search.
const SECOND: u8 = 2;
/// All arcs were followed, though fewer would have been chosen.
const FULL: u8 = 8;

/// The stack of the first search: it notes which nodes are accepting.
type First = Stack<bool>;

/// Enters a node in the first search, which decides how it is expanded.
fn enter_first<M: Machine>(
    first: &mut First,
    product: &mut Product<'_, M>,
    visited: &mut Visited<'_>,
    arc: usize,
    id: StateId,
) {
    let accepting = product.accepting(first.arcs.node(arc));
    visited.set_flags(id, ON_STACK);
    first.enter(arc, id, accepting, |node, arcs| {
        if proviso::expand(product, visited, node, arcs) {
            visited.set_flags(id, FULL);
        }
    });
}

/// Enters a node in the second search, which follows the arcs that the first one did.
fn enter_second<M: Machine>(
    second: &mut Stack<()>,
    product: &mut Product<'_, M>,
    visited: &Visited<'_>,
    arc: usize,
    id: StateId,
) {
    let full = visited.flags(id) & FULL != 0;
    visited.set_flags(id, SECOND);
    second.enter(arc, id, (), |node, arcs| match full {
        true => product.expand(node, arcs),
        false => {
            product.expand_reduced(node, arcs);
        }
    });
}

/// Looks for an accepting cycle.
pub(super) fn search<M: Machine>(
    product: &mut Product<'_, M>,
    visited: &mut Visited<'_>,
    initial: &[u8],
) -> Result<Option<Found>, Stopped> {
    let mut first = Stack::new(initial);
    let (id, _) = visited.insert(product.identity(initial))?;
    enter_first(&mut first, product, visited, 0, id);
    while let Some(top) = first.frames.last() {
        let (id, accepting) = (top.id, top.note);
        let Some(arc) = first.next() else {
            if accepting {
                if let Some(found) = second_search(product, visited, &first)? {
                    return unrolled(product, found);
                }
            }
            visited.clear_flags(id, ON_STACK);
            first.leave();
            continue;
        };
        let (to, new) = visited.insert(product.identity(first.arcs.node(arc)))?;
        if new {
            if product.at_end(first.arcs.node(arc)) {
                let mut nodes = first.path();
                nodes.push(Node::at(&first.arcs, arc));
                return Ok(Some(Found::ClaimEnd(nodes)));
            }
            enter_first(&mut first, product, visited, arc, to);
            visited.tick(first.frames.len(), first.arcs.size())?;
        } else if accepting && visited.flags(to) & ON_STACK != 0 {
            // The stack itself is the way from there to here.
            let back = Node::at(&first.arcs, arc);
            return unrolled(product, close(&first, to, vec![back]));
        }
    }
    Ok(None)
}

/// Looks for a way from the node on top of the first stack back into that stack.
fn second_search<M: Machine>(
    product: &mut Product<'_, M>,
    visited: &mut Visited<'_>,
    first: &First,
) -> Result<Option<Lasso>, Stopped> {
    let Some(seed) = first.frames.last() else { return Ok(None) };
    if product.is_asymmetric() {
        return Err(Stopped);
    }
    let mut second = Stack::new(first.arcs.node(seed.arc));
    enter_second(&mut second, product, visited, 0, seed.id);
    while !second.frames.is_empty() {
        let Some(arc) = second.next() else {
            second.leave();
            continue;
        };
        // The first search has been everywhere that can be reached from here.
        let Some(id) = visited.find(product.identity(second.arcs.node(arc))) else { continue };
        let flags = visited.flags(id);
        if flags & ON_STACK != 0 {
            let mut way: Vec<Node> = second.path().split_off(1);
            way.push(Node::at(&second.arcs, arc));
            return Ok(Some(close(first, id, way)));
        }
        if flags & SECOND == 0 {
            enter_second(&mut second, product, visited, arc, id);
            visited.tick(first.frames.len(), first.arcs.size() + second.arcs.size())?;
        }
    }
    Ok(None)
}

/// A cycle up to symmetry as a cycle.
fn unrolled<M: Machine>(
    product: &mut Product<'_, M>,
    lasso: Lasso,
) -> Result<Option<Found>, Stopped> {
    match orbit::unroll(product, lasso) {
        Some(lasso) => Ok(Some(Found::Cycle(lasso))),
        None => {
            product.give_up();
            Err(Stopped)
        }
    }
}

/// The lasso whose cycle goes along the first stack from the node `to` to its top, and from there
/// along `way` back to `to`.
fn close(first: &First, to: StateId, way: Vec<Node>) -> Lasso {
    let at = first.frames.iter().position(|f| f.id == to).unwrap_or(0);
    let mut stem = first.path();
    let mut cycle = stem.split_off(at + 1);
    cycle.extend(way);
    Lasso { stem, cycle }
}
