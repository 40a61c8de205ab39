//! Emptiness by nested depth-first search: [HPY 1996, figure 4].
//!
//! The first search visits every node. When it leaves an accepting node, the second search looks
//! for a way back; it has found one as soon as it reaches *any* node on the stack of the first
//! search, because from there the stack leads on to the accepting node. Two bits per node tell the
//! searches apart, and one tells what is on the first stack.
//!
//! A second search is needed only where a cycle may avoid acceptance, and goes only where a cycle
//! may come back from; see `property::strength`. It is not needed either where it would
//! find nothing to do: a node all of whose arcs lead to nodes that the second search has been to
//! counts as one of them when it is left [Gaiser 2009].
//!
//! With partial-order reduction, a node of whose chosen arcs one leads back into the stack is
//! expanded fully (C3). What is on the stack differs between the two searches, so the choice that
//! the first one made is kept with the node, in one more bit, and the second makes the same.
//!
//! With symmetry, nodes are stored as representatives and walked as they are, so that what is found
//! is a cycle up to symmetry; see `orbit`.

use isospin_machine::Machine;
use isospin_store::Marks;

use super::ends::Ends;
use super::lasso::{Lasso, PathNode};
use super::orbit;
use super::product::{automaton_state, Product};
use super::property::Strength;
use super::proviso;
use super::stack::{Stack, StackNode};
use super::visited::{Stopped, Visited};
use super::{Found, Outcome};
use crate::marks::nested::{ENTERED, FULL, ON_STACK, SECOND};

/// What the first search notes with a node.
#[derive(Clone, Copy)]
struct Note {
    /// The component of the automaton's state.
    component: usize,
    /// Whether a second search may have to start here.
    seed: bool,
    /// Whether all arcs so far that stay in the component lead to where the second search has
    /// been. Of interest only where a second search starts anywhere.
    settled: bool,
}

/// The stack of the first search.
type First<I> = Stack<I, Note>;

/// Enters the node that `arc` leads to in the first search, which decides how it is expanded.
/// Gives the cycle that one of its arcs closes with the stack, if it is accepting.
fn enter_first<M: Machine, S: Marks>(
    first: &mut First<S::Id>,
    product: &mut Product<'_, M>,
    visited: &mut Visited<'_, S>,
    strength: &Strength,
    arc: usize,
) -> Result<Option<Lasso>, Stopped> {
    let (node, id) = (first.arcs.node(arc), first.arcs.id(arc));
    let accepting = product.accepting(node);
    let component = strength.component(automaton_state(node));
    let mixed = strength.is_mixed(component);
    let note = Note { component, seed: accepting && mixed, settled: mixed };
    let mut back = None;
    let mut settled = mixed;
    visited.enter(id, ON_STACK);
    first.enter(arc, note, |node, arcs| {
        if proviso::fan_out(product, visited, node)? {
            visited.set_marks(id, FULL);
        }
        for k in 0..product.fan.len() {
            let to = visited.ids[k];
            let marks = visited.marks(to);
            if marks & ENTERED == 0 {
                product.fan.keep(k, visited.ids[k], arcs);
                continue;
            }
            settled = settled
                && (marks & SECOND != 0 || strength.component(product.fan.to(k)) != component);
            let closes = marks & ON_STACK != 0 && back.is_none();
            if closes && (accepting || product.fan_accepts(k)) {
                back = Some((to, PathNode::ahead(&mut product.fan, k)));
            }
        }
        Ok(())
    })?;
    if let Some(top) = first.nodes.last_mut() {
        top.note.settled = settled;
    }
    visited.tick(first.nodes.len(), first.arcs.size())?;
    // The stack itself is the way from there to here.
    Ok(back.map(|(to, node)| close(first, to, vec![node])))
}

/// Looks for an accepting cycle.
pub(super) fn search<M: Machine, S: Marks>(
    product: &mut Product<'_, M>,
    visited: &mut Visited<'_, S>,
    initial: &[u8],
) -> Outcome {
    let strength = Strength::of(product.automaton());
    let id = visited.place(product.identity(initial))?;
    let mut first = First::new(initial, id);
    if let Some(found) = enter_first(&mut first, product, visited, &strength, 0)? {
        return unrolled(product, found);
    }
    while let Some(&StackNode { id, note, .. }) = first.nodes.last() {
        let Some(arc) = first.next() else {
            if note.settled {
                visited.set_marks(id, SECOND);
            } else if note.seed {
                if let Some(found) = second_search(product, visited, &strength, &first)? {
                    return unrolled(product, found);
                }
            }
            visited.clear_marks(id, ON_STACK);
            first.leave();
            learn(&mut first, visited, id, note.component);
            continue;
        };
        let to = first.arcs.id(arc);
        if visited.is_entered(to) {
            let component = strength.component(automaton_state(first.arcs.node(arc)));
            learn(&mut first, visited, to, component);
            continue;
        }
        if product.ends.as_ref().is_some_and(Ends::are_all) {
            return Err(Stopped);
        }
        if product.at_end(first.arcs.node(arc)) {
            let mut nodes = first.path();
            nodes.push(PathNode::at(&first.arcs, arc));
            return Ok(Some(Found::ClaimEnd(nodes)));
        }
        if let Some(found) = enter_first(&mut first, product, visited, &strength, arc)? {
            return unrolled(product, found);
        }
    }
    Ok(None)
}

/// The node on top has an arc to a node that the first search has left, in this component.
fn learn<S: Marks>(
    first: &mut First<S::Id>,
    visited: &Visited<'_, S>,
    to: S::Id,
    component: usize,
) {
    if let Some(top) = first.nodes.last_mut() {
        let note = &mut top.note;
        note.settled =
            note.settled && (component != note.component || visited.marks(to) & SECOND != 0);
    }
}

/// Enters the node that `arc` leads to in the second search, which follows the arcs that the first
/// one did, and gives the one that leads into the first stack, if there is one.
fn enter_second<M: Machine, S: Marks>(
    second: &mut Stack<S::Id, ()>,
    product: &mut Product<'_, M>,
    visited: &mut Visited<'_, S>,
    strength: &Strength,
    arc: usize,
) -> Result<Option<(S::Id, PathNode)>, Stopped> {
    let id = second.arcs.id(arc);
    let full = visited.marks(id) & FULL != 0;
    let mut back = None;
    visited.set_marks(id, SECOND);
    second.enter(arc, (), |node, arcs| {
        let component = strength.component(automaton_state(node));
        product.fan_out(node, full);
        product.fan.retain_edges(|to| strength.component(to) == component);
        visited.look_up(product)?;
        for k in 0..product.fan.len() {
            let to = visited.ids[k];
            let marks = visited.marks(to);
            if marks & ON_STACK != 0 {
                back = Some((to, PathNode::ahead(&mut product.fan, k)));
                break;
            }
            // The first search has been everywhere that can be reached from here.
            if marks & SECOND == 0 && marks & ENTERED != 0 {
                product.fan.keep(k, visited.ids[k], arcs);
            }
        }
        Ok(())
    })?;
    Ok(back)
}

/// Looks for a way from the node on top of the first stack back into that stack.
fn second_search<M: Machine, S: Marks>(
    product: &mut Product<'_, M>,
    visited: &mut Visited<'_, S>,
    strength: &Strength,
    first: &First<S::Id>,
) -> Result<Option<Lasso>, Stopped> {
    let Some(seed) = first.nodes.last() else { return Ok(None) };
    if product.is_asymmetric() {
        return Err(Stopped);
    }
    let mut second = Stack::new(first.arcs.node(seed.arc), seed.id);
    let mut found = enter_second(&mut second, product, visited, strength, 0)?;
    while found.is_none() && !second.nodes.is_empty() {
        let Some(arc) = second.next() else {
            second.leave();
            continue;
        };
        if visited.marks(second.arcs.id(arc)) & SECOND == 0 {
            found = enter_second(&mut second, product, visited, strength, arc)?;
            visited.tick(first.nodes.len(), first.arcs.size() + second.arcs.size())?;
        }
    }
    Ok(found.map(|(to, node)| {
        let mut way: Vec<PathNode> = second.path().split_off(1);
        way.push(node);
        close(first, to, way)
    }))
}

/// A cycle up to symmetry as a cycle.
fn unrolled<M: Machine>(product: &mut Product<'_, M>, lasso: Lasso) -> Outcome {
    orbit::unrolled(product, Some(lasso)).map(Some)
}

/// The lasso whose cycle goes along the first stack from the node `to` to its top, and from there
/// along `way` back to `to`.
fn close<I: Copy + Eq>(first: &First<I>, to: I, way: Vec<PathNode>) -> Lasso {
    let at = first.nodes.iter().position(|n| n.id == to).unwrap_or(0);
    let mut stem = first.path();
    let mut cycle = stem.split_off(at + 1);
    cycle.extend(way);
    Lasso::new(stem, cycle)
}
