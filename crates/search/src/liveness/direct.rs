//! Non-progress cycles without an automaton: [HPY 1996, figure 5].
//!
//! The first search visits every state. When it leaves one, a second search starts there, which
//! never enters a state in which some process makes progress; a cycle that it closes on its own
//! stack is one without progress. No state is looked at twice by the second search: what it has
//! left is on no such cycle. It needs no automaton and half the states, but knows neither
//! reductions nor fairness; it is there for comparison with the automaton of
//! [HPY 1996, figure 6].

use isospin_machine::Machine;
use isospin_store::Marks;

use super::lasso::{Lasso, PathNode};
use super::product::Product;
use super::stack::Stack;
use super::visited::{Stopped, Visited};
use super::{Found, Outcome};
use crate::marks::direct::{ON_SECOND_STACK, SECOND};

/// Enters a node in the first search.
fn enter_first<M: Machine, S: Marks>(
    first: &mut Stack<S::Id, ()>,
    product: &mut Product<'_, M>,
    visited: &mut Visited<'_, S>,
    arc: usize,
) -> Result<(), Stopped> {
    visited.enter(first.arcs.id(arc), 0);
    first.enter(arc, (), |node, arcs| {
        product.fan_out(node, true);
        visited.look_up(product)?;
        visited.transitions += product.fan.len() as u64;
        for k in 0..product.fan.len() {
            if !visited.is_entered(visited.ids[k]) {
                product.fan.keep(k, visited.ids[k], arcs);
            }
        }
        Ok(())
    })
}

/// Looks for a cycle without progress.
pub(super) fn search<M: Machine, S: Marks>(
    product: &mut Product<'_, M>,
    visited: &mut Visited<'_, S>,
    initial: &[u8],
) -> Outcome {
    let id = visited.place(product.identity(initial))?;
    let mut first = Stack::new(initial, id);
    enter_first(&mut first, product, visited, 0)?;
    while !first.nodes.is_empty() {
        if let Some(arc) = first.next() {
            if !visited.is_entered(first.arcs.id(arc)) {
                enter_first(&mut first, product, visited, arc)?;
                visited.tick(first.nodes.len(), first.arcs.size())?;
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

/// Enters a node in the second search.
fn enter_second<M: Machine, S: Marks>(
    second: &mut Stack<S::Id, ()>,
    product: &mut Product<'_, M>,
    visited: &mut Visited<'_, S>,
    arc: usize,
) -> Result<(), Stopped> {
    visited.set_marks(second.arcs.id(arc), SECOND | ON_SECOND_STACK);
    second.enter(arc, (), |node, arcs| {
        product.fan_out(node, true);
        visited.look_up(product)?;
        (0..product.fan.len()).for_each(|k| product.fan.keep(k, visited.ids[k], arcs));
        Ok(())
    })
}

/// Looks for a cycle that avoids progress, from the state on top of the first stack.
fn second_search<M: Machine, S: Marks>(
    product: &mut Product<'_, M>,
    visited: &mut Visited<'_, S>,
    first: &Stack<S::Id, ()>,
) -> Result<Option<Lasso>, Stopped> {
    let Some(seed) = first.nodes.last() else { return Ok(None) };
    let start = first.arcs.node(seed.arc);
    if visited.marks(seed.id) & SECOND != 0 || product.at_progress(start) {
        return Ok(None);
    }
    let mut second = Stack::new(start, seed.id);
    enter_second(&mut second, product, visited, 0)?;
    while let Some(top) = second.nodes.last() {
        let id = top.id;
        let Some(arc) = second.next() else {
            visited.clear_marks(id, ON_SECOND_STACK);
            second.leave();
            continue;
        };
        let to = second.arcs.id(arc);
        let marks = visited.marks(to);
        if marks & ON_SECOND_STACK != 0 {
            let at = second.nodes.iter().position(|n| n.id == to).unwrap_or(0);
            let mut stem = first.path();
            let mut way = second.path();
            let mut cycle = way.split_off(at + 1);
            cycle.push(PathNode::at(&second.arcs, arc));
            stem.extend(way.drain(1..));
            return Ok(Some(Lasso::new(stem, cycle)));
        }
        if marks & SECOND == 0 && !product.at_progress(second.arcs.node(arc)) {
            enter_second(&mut second, product, visited, arc)?;
            visited.tick(first.nodes.len(), first.arcs.size() + second.arcs.size())?;
        }
    }
    Ok(None)
}
