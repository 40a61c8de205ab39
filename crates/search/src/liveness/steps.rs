//! From a path of nodes to the steps of the model between them.

use isospin_machine::{Fault, Machine, Step, Successors};
use isospin_model::Pid;

use super::lasso::{Lasso, PathNode};
use super::product::Product;
use super::property::End;
use super::{Counterexample, Found};
use crate::expand::Movers;
use crate::trail::all_steps;

/// The execution that a search found.
pub(super) fn counterexample<M: Machine>(
    product: &mut Product<'_, M>,
    found: Found,
) -> Counterexample {
    let mut steps = Vec::new();
    match found {
        Found::ClaimEnd(nodes) => {
            for pair in nodes.windows(2) {
                append(product, &pair[0], &pair[1], &mut steps);
            }
            let end = nodes.last().and_then(|node| product.end(&node.bytes));
            let unreadable = end == Some(End::Unreadable);
            let diverged = product.diverged().filter(|_| end == Some(End::Divergence));
            let cycle = diverged.map(|found| {
                let start = steps.len() + found.cycle;
                steps.extend(found.steps);
                start
            });
            Counterexample { steps, cycle, unreadable, renaming: None }
        }
        Found::Cycle(Lasso { stem, cycle, round }) => {
            for pair in stem.windows(2) {
                append(product, &pair[0], &pair[1], &mut steps);
            }
            let start = steps.len();
            let mut here = stem.last();
            for node in &cycle {
                if let Some(from) = here {
                    append(product, from, node, &mut steps);
                }
                here = Some(node);
            }
            Counterexample { steps, cycle: Some(start), unreadable: false, renaming: round }
        }
    }
}

/// Appends the steps, one or an atomic sequence, that lead from one node's state to the next's
/// with the same processes moving.
fn append<M: Machine>(
    product: &mut Product<'_, M>,
    from: &PathNode,
    to: &PathNode,
    steps: &mut Vec<Step>,
) {
    if to.movers == Movers::default() {
        return; // The model stutters.
    }
    let (from, target) = (product.bare(&from.bytes), product.bare(&to.bytes));
    if let Some(found) = connect(product.machine(), from, target, to.movers) {
        steps.extend(found);
    }
}

/// A step on the way: where it leads, who goes on alone, who has moved, and what it came after.
struct Way {
    state: Vec<u8>,
    control: Option<Pid>,
    movers: Movers,
    step: Step,
    before: Option<usize>,
}

fn connect<M: Machine>(machine: &mut M, from: &[u8], to: &[u8], who: Movers) -> Option<Vec<Step>> {
    let mut out = all_steps(machine, from);
    let mut ways: Vec<Way> = Vec::new();
    extend(&out, Movers::default(), None, &mut ways);
    let mut at = 0;
    while at < ways.len() {
        let (control, movers) = (ways[at].control, ways[at].movers);
        let mut ends = control.is_none();
        if let Some(pid) = control {
            out.clear();
            let state = ways[at].state.clone();
            machine.steps(&state, pid, false, &mut out);
            ends = out.is_empty();
            extend(&out, movers, Some(at), &mut ways);
        }
        if ends && movers == who && ways[at].state == to {
            let mut steps = Vec::new();
            let mut last = Some(at);
            while let Some(k) = last {
                steps.push(ways[k].step);
                last = ways[k].before;
            }
            steps.reverse();
            return Some(steps);
        }
        at += 1;
    }
    None
}

fn extend(out: &Successors, movers: Movers, before: Option<usize>, ways: &mut Vec<Way>) {
    for successor in out.list() {
        if matches!(successor.fault, Some(Fault::Runtime(_))) {
            continue;
        }
        let mut movers = movers;
        movers.insert_step(&successor.step);
        let state = out.state(successor).to_vec();
        let (control, step) = (successor.control, successor.step);
        // An atomic sequence that goes round in circles is on the list once.
        let known = |w: &Way| w.state == state && w.control == control && w.movers == movers;
        if before.is_some() && ways.iter().any(known) {
            continue;
        }
        ways.push(Way { state, control, movers, step, before });
    }
}
