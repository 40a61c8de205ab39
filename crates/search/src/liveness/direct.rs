//! Non-progress cycles without an automaton: figure 5 of Holzmann, Peled and Yannakakis.
//!
//! The first search visits every state. When it leaves one, a second search starts there, which
//! never enters a state in which some process makes progress; a cycle that it closes on its own
//! stack is one without progress. No state is looked at twice by the second search: what it has
//! left is on no such cycle. It needs no automaton and half the states, but knows neither
//! reductions nor fairness; it is there for comparison with the automaton of figure 6.

use isospin_machine::Machine;

use super::lasso::{Lasso, Node};
use super::product::{Arcs, Product};
use super::visited::{Stopped, Visited};
use super::Found;
use crate::store::StateId;

/// Visited by the second search.
const SECOND: u8 = 2;
/// On the stack of the second search.
const ON_SECOND: u8 = 4;

/// A state on a stack, with the arcs that it still has to follow.
struct Frame {
    arc: usize,
    id: StateId,
    first: usize,
    next: usize,
}

#[derive(Default)]
struct Stack {
    arcs: Arcs,
    frames: Vec<Frame>,
}

impl Stack {
    fn enter<M: Machine>(&mut self, product: &mut Product<'_, M>, arc: usize, id: StateId) {
        let node = self.arcs.node(arc).to_vec();
        let first = self.arcs.list.len();
        product.expand(&node, &mut self.arcs);
        self.frames.push(Frame { arc, id, first, next: first });
    }

    /// The next arc of the state on top; its arcs are the last ones.
    fn next(&mut self) -> Option<usize> {
        let end = self.arcs.list.len();
        let frame = self.frames.last_mut()?;
        (frame.next < end).then(|| {
            frame.next += 1;
            frame.next - 1
        })
    }

    fn leave(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.arcs.truncate(frame.first);
        }
    }

    fn path(&self) -> Vec<Node> {
        self.frames.iter().map(|f| Node::at(&self.arcs, f.arc)).collect()
    }
}

/// Looks for a cycle without progress.
pub(super) fn search<M: Machine>(
    product: &mut Product<'_, M>,
    visited: &mut Visited<'_>,
    initial: &[u8],
) -> Result<Option<Found>, Stopped> {
    let mut first = Stack::default();
    first.arcs.push(initial);
    let (id, _) = visited.insert(product.identity(initial))?;
    first.enter(product, 0, id);
    while !first.frames.is_empty() {
        if let Some(arc) = first.next() {
            let (id, new) = visited.insert(product.identity(first.arcs.node(arc)))?;
            if new {
                first.enter(product, arc, id);
                visited.tick(first.frames.len(), first.arcs.size())?;
            }
            continue;
        }
        if let Some(lasso) = second_search(product, visited, &first)? {
            return Ok(Some(Found::Cycle(lasso)));
        }
        first.leave();
    }
    Ok(None)
}

/// Looks for a cycle that avoids progress, from the state on top of the first stack.
fn second_search<M: Machine>(
    product: &mut Product<'_, M>,
    visited: &mut Visited<'_>,
    first: &Stack,
) -> Result<Option<Lasso>, Stopped> {
    let Some(seed) = first.frames.last() else { return Ok(None) };
    let start = first.arcs.node(seed.arc);
    if visited.flags(seed.id) & SECOND != 0 || product.at_progress(start) {
        return Ok(None);
    }
    let mut second = Stack::default();
    second.arcs.push(start);
    visited.set_flags(seed.id, SECOND | ON_SECOND);
    second.enter(product, 0, seed.id);
    while let Some(top) = second.frames.last() {
        let id = top.id;
        let Some(arc) = second.next() else {
            visited.clear_flags(id, ON_SECOND);
            second.leave();
            continue;
        };
        let Some(to) = visited.find(product.identity(second.arcs.node(arc))) else { continue };
        let flags = visited.flags(to);
        if flags & ON_SECOND != 0 {
            let at = second.frames.iter().position(|f| f.id == to).unwrap_or(0);
            let mut stem = first.path();
            let mut way = second.path();
            let mut cycle = way.split_off(at + 1);
            cycle.push(Node::at(&second.arcs, arc));
            stem.extend(way.drain(1..));
            return Ok(Some(Lasso { stem, cycle }));
        }
        if flags & SECOND == 0 && !product.at_progress(second.arcs.node(arc)) {
            visited.set_flags(to, SECOND | ON_SECOND);
            second.enter(product, arc, to);
            visited.tick(first.frames.len(), first.arcs.size() + second.arcs.size())?;
        }
    }
    Ok(None)
}
