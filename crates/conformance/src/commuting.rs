//! What symmetry means, by brute force: whatever can follow a state can, renamed, follow the renamed
//! state, and nothing else can.
//!
//! Verdicts and numbers of orbits show a wrong symmetry only where a model happens to depend on it;
//! this shows it wherever one step does.

use std::sync::Arc;

use isospin_machine::Interpreter;
use isospin_model::{Model, Pid};
use isospin_symmetry::{Element, Symmetry};

use crate::brute::{expand, Pids, Space};

/// How many states are looked at.
const STATES: usize = 150;

/// Checks states of `space` against all generators of the group. Says how many pairs of a state and
/// a permutation were compared, or what differs.
pub fn check_commuting(
    model: &Arc<Model>,
    symmetry: &Symmetry,
    space: &Space,
) -> Result<usize, String> {
    let mut machine = Interpreter::new(Arc::clone(model));
    let generators = generators(symmetry);
    let mut compared = 0;
    // From all parts of the space.
    let every = space.states.len().div_ceil(STATES).max(1);
    let settled = |bytes: &[u8]| symmetry.is_settled(bytes);
    for state in space.states.iter().step_by(every).filter(|s| settled(&s.bytes)) {
        for element in &generators {
            let mut image = Vec::new();
            symmetry.apply_by_definition(element, &state.bytes, &mut image);
            let mut after = |bytes: &[u8]| expand(model, &mut machine, bytes, 1_000);
            let (Some(before), Some(renamed)) = (after(&state.bytes), after(&image)) else {
                continue;
            };
            // After a run-time error nothing follows, and which of two comes first may show in a
            // loop.
            if before.runtime && renamed.runtime {
                continue;
            }
            let ranks: Vec<u8> = symmetry.ranks(element);
            let movers = |pids: &Pids| -> Pids {
                pids.iter().map(|&p| ranks.get(p.index()).map_or(p, |&r| Pid(r))).collect()
            };
            let goes_over = |(t, who): &(Vec<u8>, Pids), (image, by): &(Vec<u8>, Pids)| {
                movers(who) == *by && is_image(symmetry, t, element, image)
            };
            let all: Vec<_> = before.arrivals.iter().filter(|a| settled(&a.0)).collect();
            let theirs: Vec<_> = renamed.arrivals.iter().filter(|a| settled(&a.0)).collect();
            let kept = all.iter().all(|a| theirs.iter().any(|b| goes_over(a, b)));
            let no_more = theirs.iter().all(|b| all.iter().any(|a| goes_over(a, b)));
            let flags = |e: &crate::brute::Expanded| (e.assertion, e.runtime);
            if !kept || !no_more || flags(&before) != flags(&renamed) {
                return Err(format!(
                    "{:?} under {element:?} is {image:?}: {all:?} follow, and {theirs:?}",
                    state.bytes
                ));
            }
            compared += 1;
        }
    }
    Ok(compared)
}

/// Permutations that generate the group.
fn generators(symmetry: &Symmetry) -> Vec<Element> {
    let identity: Element =
        symmetry.domains().iter().map(|d| (0..d.size() as u8).collect()).collect();
    let mut all = Vec::new();
    for block in &symmetry.group.blocks {
        for pair in block.members.windows(2) {
            let mut element = identity.clone();
            element[block.domain].swap(usize::from(pair[0]), usize::from(pair[1]));
            all.push(element);
        }
    }
    for listed in &symmetry.group.listed {
        for permutation in &listed.permutations {
            let mut element = identity.clone();
            element[listed.domain].clone_from(permutation);
            all.push(element);
        }
    }
    all
}

/// Whether an element takes one state to another, apart from values that do not count.
fn is_image(symmetry: &Symmetry, state: &[u8], element: &Element, image: &[u8]) -> bool {
    let mut moved = Vec::new();
    symmetry.apply(element, state, &mut moved);
    symmetry.agree(&moved, image)
}
