//! Every node of the product once, without a look for cycles: what the other searches are measured
//! against. It decides nothing.

use isospin_machine::Machine;
use isospin_store::Marks;

use super::product::Product;
use super::stack::Stack;
use super::visited::{Stopped, Visited};

/// Visits every node that can be reached.
pub(super) fn search<M: Machine, S: Marks>(
    product: &mut Product<'_, M>,
    visited: &mut Visited<'_, S>,
    initial: &[u8],
) -> Result<(), Stopped> {
    let id = visited.place(product.identity(initial))?;
    let mut stack: Stack<S::Id, ()> = Stack::new(initial, id);
    let mut next = Some(0);
    loop {
        match next {
            Some(arc) => {
                visited.states += 1;
                stack.enter(arc, (), |node, arcs| {
                    product.fan_out(node, true);
                    visited.transitions += product.fan.len() as u64;
                    visited.keep_new(product, arcs)
                })?;
                visited.tick(stack.nodes.len(), stack.arcs.size())?;
            }
            None if stack.nodes.is_empty() => return Ok(()),
            None => stack.leave(),
        }
        next = stack.next();
    }
}
