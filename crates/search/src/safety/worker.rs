//! One thread of a parallel search.

use std::ops::ControlFlow;

use isospin_machine::Machine;
use isospin_store::{Insert, Marks};

use super::gatherer::{Gatherer, ENOUGH_LOOK_UPS, MAX_GROUP};
use super::parents::ParentPath;
use super::pool::{Pool, Work};
use crate::expand::{Expander, Reached, Reducer, ReductionCounts};

/// Who has fewer states than this gives none of them to others.
const MIN_TO_SHARE: usize = 8;

/// Searches until there is no work left anywhere.
pub(super) fn work<S: Marks, M: Machine, R: Reducer>(
    mut gatherer: Gatherer<'_, S, ParentPath<'_, S>>,
    pool: &Pool<S::Id>,
    machine: M,
    reducer: R,
) -> (Reached, ReductionCounts) {
    let control = gatherer.control;
    let mut expander = Expander::new(machine, reducer, control);
    loop {
        gatherer.arrivals.handle.leave();
        let Some(work) = pool.take(control) else {
            break;
        };
        gatherer.arrivals.handle.come_back();
        std::mem::replace(&mut gatherer.frontier, work).release(&control.budget);
        if empty(&mut gatherer, pool, &mut expander).is_break() {
            break;
        }
    }
    gatherer.frontier.release(&control.budget);
    (expander.reached().clone(), expander.reduction())
}

/// Expands until the frontier is empty.
fn empty<S: Marks, M: Machine, R: Reducer>(
    gatherer: &mut Gatherer<'_, S, ParentPath<'_, S>>,
    pool: &Pool<S::Id>,
    expander: &mut Expander<'_, M, R>,
) -> ControlFlow<()> {
    let control = gatherer.control;
    let mut group = Work::default();
    let mut state = Vec::new();
    while !gatherer.frontier.is_empty() {
        if control.stopped() {
            return ControlFlow::Break(());
        }
        // The group leaves the frontier: paths are kept as parents in the set.
        let first = gatherer.frontier.len().saturating_sub(MAX_GROUP);
        let moved = gatherer.frontier.split_off_into(first, &mut group, &control.budget);
        gatherer.afford(moved)?;
        for k in (0..group.len()).rev() {
            gatherer.path.begin(group.tag(k), R::ACTIVE);
            gatherer.arrivals.unpack(&group, k, &mut state);
            gatherer.expand(expander, &state, group.depth(k))?;
            if control.stopped() {
                return ControlFlow::Break(());
            }
            if gatherer.arrivals.are_enough(ENOUGH_LOOK_UPS) {
                gatherer.look_up()?;
            }
        }
        gatherer.look_up()?;
        if pool.is_hungry() && gatherer.frontier.len() >= MIN_TO_SHARE {
            match gatherer.frontier.give_half(&control.budget) {
                Ok(work) => pool.give(work),
                Err(error) => gatherer.afford(Err(error))?,
            }
        }
    }
    group.release(&control.budget);
    ControlFlow::Continue(())
}
