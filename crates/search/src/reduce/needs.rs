//! What a member of a set of processes needs to be left alone in a state.
//!
//! An edge that can be taken needs all that the step along it touches. An edge that cannot be taken
//! has to stay so: for a channel it waits, see [`Waiting`](isospin_model::facts::Waiting); and of
//! the conditions that must hold together, it is enough that one which does not hold is left alone
//! (a *necessary enabling set* of stubborn set theory: Valmari 1991, Godefroid 1996). Where an edge
//! takes precedence over others, everything is needed.

use isospin_machine::Evaluator;
use isospin_model::facts::Facts;
use isospin_model::{EdgeId, LocationId, ProcTypeId};

use super::closed::{Disturbance, InState, Need};

/// Where processes stand, who is in the set, and what is known.
pub(super) struct Around<'s> {
    pub facts: &'s Facts,
    pub here: &'s InState<'s>,
    pub places: &'s [(ProcTypeId, LocationId)],
    pub inside: &'s [bool],
}

/// Looks at a state at most once.
#[derive(Default)]
pub(super) struct Conditions {
    evaluator: Evaluator,
    observed: bool,
}

impl Conditions {
    /// There is a new state.
    pub fn forget(&mut self) {
        self.observed = false;
    }

    fn fails(&mut self, here: &InState<'_>, pid: usize, condition: &isospin_model::Expr) -> bool {
        if !self.observed {
            self.evaluator.observe(here.model, here.state);
            self.observed = true;
        }
        self.evaluator.value(here.model, pid, condition) == Ok(0)
    }
}

/// Writes what `member` needs into `needed`. `can` says which of its edges can be taken;
/// `conditions` are looked at where they are given.
pub(super) fn collect(
    around: &Around<'_>,
    disturbance: &mut Disturbance,
    mut conditions: Option<&mut Conditions>,
    member: usize,
    can: impl Fn(EdgeId) -> bool,
    needed: &mut Vec<Need>,
) {
    needed.clear();
    let (ty, location) = around.places[member];
    let facts = around.facts.at(ty, location);
    let guarded = disturbance.needs((ty, location)).guarded
        && conditions.is_some()
        && facts.edges.iter().any(|e| !e.conjuncts.is_empty() && !can(e.edge));
    let settled =
        |edge| guarded && facts.edges.iter().any(|e| e.edge == edge && !e.conjuncts.is_empty());
    let needs = disturbance.needs((ty, location));
    // An edge that cannot be taken waits; somebody outside must not let it through.
    for (waiting, need) in facts.waiting.iter().zip(&needs.waiting) {
        let fits_not =
            || waiting.first_message.is_some_and(|c| around.here.has_messages(member, c));
        if !can(waiting.edge) && !settled(waiting.edge) && !fits_not() {
            needed.push(*need);
        }
    }
    if !guarded {
        needed.push(needs.whole);
        return;
    }
    for (k, edge) in facts.edges.iter().enumerate() {
        let step = disturbance.needs((ty, location)).edges[k].0;
        let failing = match (can(edge.edge), conditions.as_mut()) {
            (false, Some(conditions)) => failing(around, disturbance, conditions, member, k),
            _ => None,
        };
        needed.push(failing.unwrap_or(step));
    }
}

/// Of the conditions of edge `k` that do not hold, the one that fewest others disturb.
fn failing(
    around: &Around<'_>,
    disturbance: &mut Disturbance,
    conditions: &mut Conditions,
    member: usize,
    k: usize,
) -> Option<Need> {
    let (ty, location) = around.places[member];
    let conjuncts = &around.facts.at(ty, location).edges[k].conjuncts;
    if let [_] = conjuncts.as_slice() {
        return Some(disturbance.needs((ty, location)).edges[k].1[0]);
    }
    let mut best: Option<(usize, Need)> = None;
    for (j, (condition, _)) in conjuncts.iter().enumerate() {
        if !conditions.fails(around.here, member, condition) {
            continue;
        }
        let need = disturbance.needs((ty, location)).edges[k].1[j];
        let others = (0..around.places.len()).filter(|&other| !around.inside[other]);
        let cost = others
            .filter(|&other| {
                let to = (other, around.places[other]);
                disturbance.disturbs(around.facts, around.here, (member, need), to)
            })
            .count();
        if best.is_none_or(|(least, _)| cost < least) {
            best = Some((cost, need));
        }
    }
    best.map(|(_, need)| need)
}
