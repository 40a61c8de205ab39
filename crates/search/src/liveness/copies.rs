//! Weak fairness in a nested depth-first search: the extended state space of
//! [Bosnacki 2001, chapters 3 and 7], a variant of the flag construction of [Choueka 1974].
//!
//! A node exists in copies 0 to N, where N is the number of processes. In copy 0 an accepting node
//! is waited for; in copy i, that process i moves or cannot move. What is waited for leads to the
//! next copy, and from the last one back to copy 0; so a cycle through an accepting node in copy 0
//! is fair, and the nested search looks for one. The thesis has steps of their own for processes
//! that cannot move. Here the next arc of the model takes them along, so that every cycle has an
//! arc, and a process that is not there cannot move.
//!
//! A node is stored once. Three bits for each copy tell whether the two searches have been there
//! and what is on the first stack.

use isospin_machine::Machine;
use isospin_store::Marks;

use super::lasso::{Lasso, PathNode};
use super::product::{model_state, Product};
use super::stack::Stack;
use super::visited::{Stopped, Visited};
use super::{Found, Outcome};
use crate::marks::copies::{FIRST, MAX, ON_STACK, SECOND};

/// More processes than this are left to the component-based search.
const MAX_PROCESSES: u8 = MAX - 1;

/// The copy in which a node is on the stack.
#[derive(Clone, Copy)]
struct Copied {
    copy: u8,
    /// Whether it is accepting, and in copy 0.
    accepting: bool,
    processes: u8,
}

/// Enters a copy of a node; says whether there are few enough processes.
fn enter<M: Machine, S: Marks>(
    stack: &mut Stack<S::Id, Copied>,
    product: &mut Product<'_, M>,
    visited: &mut Visited<'_, S>,
    arc: usize,
    copy: u8,
) -> Result<bool, Stopped> {
    let node = stack.arcs.node(arc);
    let processes = product.machine().process_count(model_state(node));
    let accepting = copy == 0 && product.accepting(node);
    let few = processes <= usize::from(MAX_PROCESSES);
    let processes = processes.min(usize::from(MAX_PROCESSES)) as u8;
    let note = Copied { copy, accepting, processes };
    stack.enter(arc, note, |node, arcs| {
        product.fan_out(node, true);
        visited.look_up(product)?;
        visited.transitions += product.fan.len() as u64;
        (0..product.fan.len()).for_each(|k| product.fan.keep(k, visited.ids[k], arcs));
        Ok(())
    })?;
    Ok(few)
}

/// The next arc of the copy on top, and the copy that it leads to.
fn next<I: Copy>(stack: &mut Stack<I, Copied>) -> Option<(usize, u8)> {
    let Copied { copy, accepting, processes } = stack.nodes.last()?.note;
    let arc = stack.next()?;
    let mut copy = if accepting { 1 } else { copy };
    let settled = &stack.arcs.label(arc).contribution.processes;
    while copy != 0 && (copy > processes || settled.has(usize::from(copy - 1))) {
        copy = if copy >= processes { 0 } else { copy + 1 };
    }
    Some((arc, copy))
}

/// Looks for an accepting cycle that is weakly fair; `None` when there are too many processes.
pub(super) fn search<M: Machine, S: Marks>(
    product: &mut Product<'_, M>,
    visited: &mut Visited<'_, S>,
    initial: &[u8],
) -> Option<Outcome> {
    match search_copies(product, visited, initial) {
        Ok(outcome) => outcome.map(Ok),
        Err(stopped) => Some(Err(stopped)),
    }
}

fn search_copies<M: Machine, S: Marks>(
    product: &mut Product<'_, M>,
    visited: &mut Visited<'_, S>,
    initial: &[u8],
) -> Result<Option<Option<Found>>, Stopped> {
    let id = visited.place(product.identity(initial))?;
    let mut stack = Stack::new(initial, id);
    visited.enter(id, 0);
    visited.change_copy_marks(id, 0, FIRST | ON_STACK, 0);
    if !enter(&mut stack, product, visited, 0, 0)? {
        return Ok(None);
    }
    while let Some(top) = stack.nodes.last() {
        let (from, from_copy, accepting) = (top.id, top.note.copy, top.note.accepting);
        let Some((arc, copy)) = next(&mut stack) else {
            if accepting {
                if let Some(found) = second_search(product, visited, &stack)? {
                    return Ok(Some(Some(found)));
                }
            }
            visited.change_copy_marks(from, from_copy, 0, ON_STACK);
            stack.leave();
            continue;
        };
        let id = stack.arcs.id(arc);
        if !visited.is_entered(id) {
            if product.at_end(stack.arcs.node(arc)) {
                let mut nodes = stack.path();
                nodes.push(PathNode::at(&stack.arcs, arc));
                return Ok(Some(Some(Found::ClaimEnd(nodes))));
            }
            visited.enter(id, 0);
        }
        if visited.copy_marks(id, copy) & FIRST == 0 {
            visited.change_copy_marks(id, copy, FIRST | ON_STACK, 0);
            if !enter(&mut stack, product, visited, arc, copy)? {
                return Ok(None);
            }
            visited.tick(stack.nodes.len(), stack.arcs.size())?;
        }
    }
    Ok(Some(None))
}

/// Looks for a way from the copy on top of the first stack back into that stack.
fn second_search<M: Machine, S: Marks>(
    product: &mut Product<'_, M>,
    visited: &mut Visited<'_, S>,
    first: &Stack<S::Id, Copied>,
) -> Outcome {
    let Some(seed) = first.nodes.last() else { return Ok(None) };
    let mut second = Stack::new(first.arcs.node(seed.arc), seed.id);
    visited.change_copy_marks(seed.id, seed.note.copy, SECOND, 0);
    enter(&mut second, product, visited, 0, seed.note.copy)?;
    while !second.nodes.is_empty() {
        let Some((arc, copy)) = next(&mut second) else {
            second.leave();
            continue;
        };
        // The first search has been everywhere that can be reached from here.
        let id = second.arcs.id(arc);
        let marks = visited.copy_marks(id, copy);
        if marks & ON_STACK != 0 {
            let at =
                first.nodes.iter().position(|n| n.id == id && n.note.copy == copy).unwrap_or(0);
            let mut stem = first.path();
            let mut cycle = stem.split_off(at + 1);
            cycle.extend(second.path().split_off(1));
            cycle.push(PathNode::at(&second.arcs, arc));
            return Ok(Some(Found::Cycle(Lasso::new(stem, cycle))));
        }
        if marks & SECOND == 0 {
            visited.change_copy_marks(id, copy, SECOND, 0);
            enter(&mut second, product, visited, arc, copy)?;
            visited.tick(first.nodes.len(), first.arcs.size() + second.arcs.size())?;
        }
    }
    Ok(None)
}
