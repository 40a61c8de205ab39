//! The threaded graph of a quotient [Gyuris 1999, section 2.4], by brute force: an orbit together
//! with where a process that somebody follows has got to. No search needs it; its size is in the
//! sources.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use isospin_analysis::optimize::Optimizations;
use isospin_symmetry::group::inverse;
use isospin_symmetry::{prepare, Representer, Strategy};

use crate::brute::Space;
use crate::isospin::model_of;

/// More states than this are not looked at.
const LIMIT: usize = 10_000;

/// How many nodes the threaded graph has in which all processes are there, if the processes
/// `followed` are followed from the start; and how many its product with an automaton that waits
/// until the one that is followed has `value` in the array `name`, and then stays where it is.
pub fn threaded(
    text: &str,
    followed: &[usize],
    (name, value): (&str, i32),
) -> Result<(usize, usize), String> {
    let which = Optimizations { merge: false, ..Optimizations::ALL };
    let prepared = prepare(&model_of(text)?, &[], Some(which));
    let symmetry = prepared.detection.symmetry.ok_or("no symmetry")?;
    let space = Space::explore(&prepared.model, LIMIT).ok_or("too large")?;
    let mut representer = Representer::new(Arc::clone(&symmetry), Strategy::Refined);
    // For each state its orbit, and what takes the orbit's first state there, undone.
    let mut firsts: HashMap<Vec<u8>, (usize, Vec<u8>)> = HashMap::new();
    let mut orbits = Vec::new();
    for (k, state) in space.states.iter().enumerate() {
        let representative = representer.representative(&state.bytes).to_vec();
        let ranks = symmetry.ranks(representer.element());
        let (first, back) =
            firsts.entry(representative).or_insert_with(|| (k, inverse(&ranks))).clone();
        let home: Vec<u8> = ranks.iter().map(|&r| back[usize::from(r)]).collect();
        orbits.push((first, home));
    }
    let slots = &prepared.model.layout.slots;
    let array = slots.iter().find(|s| s.path[0].name == name);
    let is_there = |state: &[u8], pid: usize| {
        let place = array.and_then(|slot| Some((slot, slot.values().get(pid)?.1)));
        place.is_some_and(|(slot, at)| slot.ty.load(state, at as usize) == value)
    };
    let mut todo: Vec<(usize, usize, bool)> = followed.iter().map(|&i| (0, i, false)).collect();
    let mut nodes: HashSet<(usize, usize, bool)> = todo.iter().copied().collect();
    while let Some((at, pid, over)) = todo.pop() {
        let state = &space.states[at];
        let reads = over || is_there(&state.bytes, pid);
        for arc in &state.arcs {
            let (to, home) = &orbits[arc.to];
            for over in [over, reads] {
                let next = (*to, usize::from(home[pid]), over);
                if nodes.insert(next) {
                    todo.push(next);
                }
            }
        }
    }
    nodes.retain(|&(at, ..)| symmetry.is_settled(&space.states[at].bytes));
    let graph: HashSet<(usize, usize)> = nodes.iter().map(|&(at, pid, _)| (at, pid)).collect();
    Ok((graph.len(), nodes.len()))
}
