//! When it matters that a process comes to a place where it can receive in a rendez-vous.
//!
//! To come to a receive is to read the *offer* of its channel, and to stand where a send takes
//! precedence over something is to write it ([`End::Offer`]). So a step that leads to a receive
//! depends on those who may still come to such a send on this channel, and on nobody else. This is
//! what the dynamic solution of [Bosnacki 2001, chapter 3] looks for, with one difference: it asks
//! whether somebody stands before such a send *now*. That is not enough, as somebody may come to it
//! before the step is taken:
//!
//! ```promela
//! active proctype P() { byte l; l = 1; c?l }
//! active proctype Q() { byte l; l = 1; { assert(false) } unless { c!1 } }
//! ```
//!
//! In the first state nobody stands before the escape. If only P's step is followed there, the
//! escape is possible wherever Q comes to it, and the assertion is never executed.

use isospin_model::{
    Action, Automaton, DetNode, Edge, Expr, LocationId, Model, ProcType, ProcTypeId, Region,
};

use super::access::{Access, Reader};
use super::set::End;
use super::started_by;

fn starts_with_send(action: &Action) -> bool {
    match action {
        Action::Send { .. } => true,
        Action::DetStep(step) => step.nodes[0].edges.iter().any(|e| starts_with_send(&e.action)),
        _ => false,
    }
}

/// Whether the action can be the second half of a rendez-vous, as far as its form tells.
pub(crate) fn starts_with_receive(action: &Action) -> bool {
    match action {
        Action::Receive { .. } => true,
        Action::DetStep(step) => step.nodes[0].edges.iter().any(|e| starts_with_receive(&e.action)),
        _ => false,
    }
}

/// Whether it can make a difference to what a process does that *another* comes to a place where
/// it can receive, beyond letting a rendez-vous send through. It does where the send takes
/// precedence over something: in an escape [Bosnacki 2001, chapter 3], beside an `else`, as one of
/// several ways to begin a deterministic sequence; and inside an atomic sequence, which others can break into where the send has to wait. A step that leads to a
/// rendez-vous receive is then not independent of others, though it touches nothing shared.
/// `is_seen` says of which process types others see where they stand.
pub(crate) fn offers_matter(model: &Model, is_seen: &dyn Fn(ProcTypeId) -> bool) -> bool {
    model.features.rendezvous
        && model
            .proctypes
            .iter()
            .zip((0..).map(ProcTypeId))
            .any(|(p, ty)| has_preferred_send(p, is_seen(ty)))
}

fn has_preferred_send(proctype: &ProcType, is_seen: bool) -> bool {
    let automaton = &proctype.automaton;
    let broken = breaks(automaton, is_seen);
    automaton.location_ids().any(|l| {
        let edges = automaton.edges_of(l);
        edges.iter().any(|e| starts_with_send(&e.action))
            && (has_precedence(edges) || broken[l.index()])
    })
}

/// The locations in which others can tell whether an atomic sequence was broken into. They cannot
/// where the process has done nothing but decide, on its own values, to go there: it might as well
/// have decided later.
pub(super) fn breaks(automaton: &Automaton, is_seen: bool) -> Vec<bool> {
    let mut broken = vec![false; automaton.locations.len()];
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for edge in automaton.edges.iter().filter(|e| e.atomic) {
            let alone = edge.escape == 0
                && match &edge.action {
                    Action::Skip => true,
                    Action::Condition(condition) => is_private(condition),
                    Action::Assign(Some(place), value) => {
                        place.region == Region::Local
                            && place.indices.iter().all(|i| is_private(&i.expr))
                            && is_private(value)
                    }
                    _ => false,
                };
            let told = is_seen || !alone || broken[edge.from.index()];
            if told && !broken[edge.target.index()] {
                broken[edge.target.index()] = true;
                changed = true;
            }
        }
    }
    broken
}

/// Whether some way out of a location is taken only where another one is not possible.
pub(super) fn has_precedence(edges: &[Edge]) -> bool {
    edges.iter().any(|e| match &e.action {
        _ if e.escape != 0 => true,
        Action::Else => true,
        // The first statement that can be executed is; and a loop may come back to the first ones.
        Action::DetStep(step) => {
            let back = |n: &DetNode| n.edges.iter().any(|e| e.target == Some(0));
            step.nodes[0].edges.len() > 1 || step.nodes.iter().any(back)
        }
        _ => false,
    })
}

/// Adds that a process may stand at a location where a rendez-vous send takes precedence; `broken`
/// says where others can tell whether an atomic sequence was broken into.
pub(super) fn add_preferred(
    reader: &Reader<'_>,
    location: LocationId,
    broken: &[bool],
    access: &mut Access,
) {
    let edges = reader.proctype.automaton.edges_of(location);
    if has_precedence(edges) || broken[location.index()] {
        for edge in edges {
            reader.for_each_meeting(&edge.action, &mut |channel, sends| {
                if sends {
                    reader.add_channel(channel, End::Offer, false, access);
                }
            });
        }
    }
}

/// Adds that somebody can receive where the edge leads: the process itself, or a process that the
/// edge starts.
pub(super) fn add_offers(reader: &Reader<'_>, edge: &Edge, access: &mut Access) {
    add_arrivals(reader, edge, access, &|reader, action, access| {
        reader.for_each_meeting(action, &mut |channel, sends| {
            if !sends {
                reader.add_channel(channel, End::Offer, true, access);
            }
        });
    });
}

/// Adds the rendez-vous channels that somebody can send to or receive from where the edge leads.
pub(super) fn add_meetings(reader: &Reader<'_>, edge: &Edge, access: &mut Access) {
    add_arrivals(reader, edge, access, &|reader, action, access| {
        reader.for_each_meeting(action, &mut |channel, _| {
            reader.add_channel(channel, End::Both, false, access);
        });
    });
}

type AddChannels = dyn Fn(&Reader<'_>, &Action, &mut Access);

fn add_arrivals(reader: &Reader<'_>, edge: &Edge, access: &mut Access, add: &AddChannels) {
    if edge.action != Action::End {
        for next in reader.proctype.automaton.edges_of(edge.target) {
            add(reader, &next.action, access);
        }
    }
    for ty in started_by(&edge.action) {
        let proctype = &reader.model.proctypes[ty.index()];
        let child = Reader { proctype, ty, settled: &[], elements: None, ..*reader };
        let mut offers = Access::default();
        for first in proctype.automaton.edges_of(proctype.automaton.initial) {
            add(&child, &first.action, &mut offers);
        }
        // The child's own channels mean something else here.
        for own in std::mem::take(&mut offers.own) {
            let objects = if own.read_only { &mut offers.reads } else { &mut offers.writes };
            objects.add_all_channels(own.end);
        }
        access.add(&offers);
    }
}

/// Whether the value depends on nothing but the process itself.
pub(crate) fn is_private(expr: &Expr) -> bool {
    !expr.any(&|e| match e {
        Expr::Const(_)
        | Expr::Pid
        | Expr::Unary(..)
        | Expr::Binary(..)
        | Expr::Conditional(..)
        | Expr::ChannelId { .. } => false,
        Expr::Load(place) => place.region != Region::Local,
        _ => true,
    })
}
