//! Steps that concern only their process follow the step before them at once.
//!
//! Such a step can always be taken, touches nothing that others see, and is seen by no property;
//! alone it is a persistent set. So nothing is lost when the process keeps control until it has
//! taken it, provided that it does not keep control for ever: every cycle has a location where it
//! is given up.
//!
//! Locations with labels are not passed over. That a process is carried on to an `accept` label
//! instead of staying before it loses nothing, as all that counts is to pass such labels again and
//! again; with `progress` labels it is the other way round.

use super::for_each_expr;
use crate::facts::{is_private, offers_matter, starts_with_receive};
use isospin_model::{Action, Automaton, Edge, Expr, LocationId, Model, Region, Urgency};

/// Lets processes keep control over locations where only steps of their own follow.
pub(super) fn merge_steps(model: &mut Model, observers: &[Expr]) {
    let features = &model.features;
    // Whether a process can move may depend on where others are.
    if features.priorities || features.provided || features.enabled || features.last {
        return;
    }
    let mut watched = vec![false; model.proctypes.len()];
    let (mut located, mut progress) = (false, false);
    for_each_expr(model, observers, &mut |expr| match expr {
        Expr::AtLocation { proctype, .. } => watched[proctype.index()] = true,
        Expr::Load(place) => {
            if let Region::Remote { proctype, .. } = &place.region {
                watched[proctype.index()] = true;
            }
        }
        Expr::PcValue(_) => located = true,
        Expr::NonProgress => progress = true,
        _ => {}
    });
    // Who stores in a variable that names a channel which it claims changes what others may do.
    for promise in model.exclusives.iter().filter(|p| p.changes(model)) {
        watched[promise.proctype.index()] = true;
    }
    let offers_matter = offers_matter(model, &|ty| located || watched[ty.index()]);
    for (proctype, watched) in model.proctypes.iter_mut().zip(watched) {
        if watched || located {
            continue;
        }
        let automaton = &mut proctype.automaton;
        let mut own: Vec<bool> = automaton.location_ids().map(|l| is_own(automaton, l)).collect();
        // A step that leads to a rendez-vous receive may not be a matter of the process alone.
        for l in (0..own.len()).filter(|_| offers_matter) {
            let leads_to_offer = |e: &Edge| {
                let next = automaton.edges_of(e.target);
                next.iter().any(|e| starts_with_receive(&e.action))
            };
            own[l] &= !automaton.edges_of(LocationId(l as u32)).iter().any(leads_to_offer);
        }
        // Who stays where it is for ever must not be carried on to where that counts as progress.
        for l in (0..own.len()).filter(|_| progress) {
            let labelled = |e: &Edge| automaton.locations[e.target.index()].progress;
            own[l] &= !automaton.edges_of(LocationId(l as u32)).iter().any(labelled);
        }
        break_cycles(automaton, &mut own);
        keep_before_sequences(automaton, &mut own);
        for edge in &mut automaton.edges {
            let ends = matches!(edge.action, Action::End);
            edge.atomic |= !ends && own[edge.target.index()];
        }
    }
}

/// Whether only steps of the process itself follow here, and one of them can always be taken.
fn is_own(automaton: &Automaton, location: LocationId) -> bool {
    let l = &automaton.locations[location.index()];
    let edges = automaton.edges_of(location);
    // Time must not pass where one waits; where time is not open, everything is eager.
    let always = edges.iter().filter(|e| e.urgency == Urgency::Eager).any(|e| {
        matches!(
            e.action,
            Action::Skip
                | Action::Else
                | Action::Assign(..)
                | Action::Assert(_)
                | Action::Print { .. }
                | Action::PrintSymbol(_)
        )
    });
    always
        && !(l.end || l.progress || l.accept)
        && edges.iter().all(|e| {
            e.escape == 0
                && match &e.action {
                    Action::Skip | Action::Else => true,
                    Action::Condition(e) | Action::Assert(e) | Action::PrintSymbol(e) => {
                        is_private(e)
                    }
                    Action::Assign(place, value) => {
                        place.as_ref().is_none_or(|p| {
                            p.region == Region::Local
                                && p.indices.iter().all(|i| is_private(&i.expr))
                        }) && is_private(value)
                    }
                    Action::Print { args, .. } => args.iter().all(is_private),
                    _ => false,
                }
        })
}

/// Gives up control somewhere on every cycle of locations that are passed over.
fn break_cycles(automaton: &Automaton, own: &mut [bool]) {
    const NEW: u8 = 0;
    const OPEN: u8 = 1;
    const DONE: u8 = 2;
    let mut mark = vec![NEW; own.len()];
    for root in 0..own.len() {
        let mut stack = vec![(LocationId(root as u32), 0usize)];
        while let Some((l, next)) = stack.pop() {
            if next == 0 {
                if mark[l.index()] != NEW || !own[l.index()] {
                    continue;
                }
                mark[l.index()] = OPEN;
            }
            match automaton.edges_of(l).get(next) {
                Some(edge) => {
                    stack.push((l, next + 1));
                    let to = edge.target.index();
                    if own[to] && mark[to] == OPEN {
                        own[to] = false;
                    } else {
                        stack.push((edge.target, 0));
                    }
                }
                None => mark[l.index()] = DONE,
            }
        }
    }
}

/// Passes over nothing that an atomic sequence goes on from: what follows inside the sequence
/// would follow the step before it at once, and others can come in between.
fn keep_before_sequences(automaton: &Automaton, own: &mut [bool]) {
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for l in 0..own.len() {
            let goes_on = |e: &Edge| e.atomic && !own[e.target.index()];
            if own[l] && automaton.edges_of(LocationId(l as u32)).iter().any(goes_on) {
                own[l] = false;
                changed = true;
            }
        }
    }
}
