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
use super::product::{Arcs, Product};
use super::proviso::{self, ON_STACK};
use super::visited::{Stopped, Visited};
use super::Found;
use crate::store::StateId;

/// Visited by the second search.
const SECOND: u8 = 2;
/// All arcs were followed, though fewer would have been chosen.
const FULL: u8 = 8;

/// One node on the stack of a search.
struct Frame {
    arc: usize,
    id: StateId,
    first: usize,
    next: usize,
    end: usize,
    accepting: bool,
}

/// A depth-first stack: nodes with the arcs that they still have to follow.
#[derive(Default)]
struct Stack {
    arcs: Arcs,
    frames: Vec<Frame>,
}

impl Stack {
    /// Enters a node in the first search, which decides how it is expanded.
    fn enter_first<M: Machine>(
        &mut self,
        product: &mut Product<'_, M>,
        visited: &mut Visited<'_>,
        arc: usize,
        id: StateId,
        accepting: bool,
    ) {
        let node = self.arcs.node(arc).to_vec();
        let first = self.arcs.list.len();
        if proviso::expand(product, visited, &node, &mut self.arcs) {
            visited.set_flags(id, FULL);
        }
        let end = self.arcs.list.len();
        self.frames.push(Frame { arc, id, first, next: first, end, accepting });
    }

    /// Enters a node in the second search, which follows the arcs that the first one did.
    fn enter_second<M: Machine>(
        &mut self,
        product: &mut Product<'_, M>,
        arc: usize,
        id: StateId,
        full: bool,
    ) {
        let node = self.arcs.node(arc).to_vec();
        let first = self.arcs.list.len();
        match full {
            true => product.expand(&node, &mut self.arcs),
            false => {
                product.expand_reduced(&node, &mut self.arcs);
            }
        }
        let accepting = false;
        let end = self.arcs.list.len();
        self.frames.push(Frame { arc, id, first, next: first, end, accepting });
    }

    fn leave(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.arcs.truncate(frame.first);
        }
    }

    /// The next arc of the node on top.
    fn next(&mut self) -> Option<usize> {
        let frame = self.frames.last_mut()?;
        (frame.next < frame.end).then(|| {
            frame.next += 1;
            frame.next - 1
        })
    }

    fn path(&self) -> Vec<Node> {
        self.frames.iter().map(|f| Node::at(&self.arcs, f.arc)).collect()
    }
}

/// Looks for an accepting cycle.
pub(super) fn search<M: Machine>(
    product: &mut Product<'_, M>,
    visited: &mut Visited<'_>,
    initial: &[u8],
) -> Result<Option<Found>, Stopped> {
    let mut first = Stack::default();
    first.arcs.push(initial);
    let (id, _) = visited.insert(product.identity(initial))?;
    let accepting = product.accepting(initial);
    visited.set_flags(id, ON_STACK);
    first.enter_first(product, visited, 0, id, accepting);
    while let Some(top) = first.frames.last() {
        let (id, accepting) = (top.id, top.accepting);
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
        let node = first.arcs.node(arc).to_vec();
        if new {
            if product.at_end(&node) {
                let mut nodes = first.path();
                nodes.push(Node::at(&first.arcs, arc));
                return Ok(Some(Found::ClaimEnd(nodes)));
            }
            let accepting = product.accepting(&node);
            visited.set_flags(to, ON_STACK);
            first.enter_first(product, visited, arc, to, accepting);
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
    first: &Stack,
) -> Result<Option<Lasso>, Stopped> {
    let Some(seed) = first.frames.last() else { return Ok(None) };
    let mut second = Stack::default();
    if product.is_asymmetric() {
        return Err(Stopped);
    }
    second.arcs.push(first.arcs.node(seed.arc));
    visited.set_flags(seed.id, SECOND);
    second.enter_second(product, 0, seed.id, visited.flags(seed.id) & FULL != 0);
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
            visited.set_flags(id, SECOND);
            second.enter_second(product, arc, id, flags & FULL != 0);
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
fn close(first: &Stack, to: StateId, way: Vec<Node>) -> Lasso {
    let at = first.frames.iter().position(|f| f.id == to).unwrap_or(0);
    let mut stem = first.path();
    let mut cycle = stem.split_off(at + 1);
    cycle.extend(way);
    Lasso { stem, cycle }
}
