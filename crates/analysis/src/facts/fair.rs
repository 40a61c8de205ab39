//! Who can let whom move: what reduction under fairness stands on.
//!
//! Fairness looks at whether processes can move. So a step must not be put in front of others when
//! it may let a process move that could not: the moment in which that process could not move may
//! be what makes an execution fair [Bosnacki 2001, chapter 3, figure 8]. It is enough to look at where
//! the processes stand in the state, see `search::reduce`.

use isospin_model::{Action, LocationId};

use super::access::{Access, OwnUse, Reader};
use super::offers::add_meetings;
use super::sequences::along_sequences;
use super::LocationFacts;

/// What a process does from a location on, before it gives up control.
#[derive(Clone, Default)]
pub(super) struct Meetings {
    /// The rendez-vous that it comes to on the way.
    met: Access,
    /// Whether it may end.
    ends: bool,
}

/// The same for every location.
pub(super) fn meetings(reader: &Reader<'_>) -> Vec<Meetings> {
    let automaton = &reader.proctype.automaton;
    let at = |location| {
        let mut here = Meetings::default();
        for edge in automaton.edges_of(location) {
            // Whoever comes to a place where it can send or receive in a rendez-vous lets a partner
            // move: both sides of a rendez-vous move.
            add_meetings(reader, edge, &mut here.met);
            here.ends |= edge.action == Action::End;
        }
        here
    };
    along_sequences(automaton, at, |here, after| {
        let ends = after.ends && !here.ends;
        here.ends |= ends;
        here.met.add(&after.met) || ends
    })
}

/// Adds what the next step of a process may let others do, and what may let the process itself
/// move.
pub(super) fn add(
    reader: &Reader<'_>,
    location: LocationId,
    meetings: &Meetings,
    facts: &mut LocationFacts,
) {
    let automaton = &reader.proctype.automaton;
    let mut wakes = Access { writes: facts.next.writes.clone(), ..Access::default() };
    wakes.own.extend(facts.next.own.iter().filter(|own| !own.read_only));
    wakes.add(&meetings.met);
    facts.ends_next |= meetings.ends;
    let mut sleeps = Access::default();
    let waiting = automaton.edges_of(location).iter().map(|e| reader.waiting(&e.action));
    for access in waiting.chain([facts.next.clone()]) {
        sleeps.reads.add(&access.reads);
        sleeps.reads.add(&access.writes);
        for own in access.own {
            sleeps.add_own(OwnUse { read_only: true, ..own });
        }
    }
    facts.wakes = wakes;
    facts.sleeps = sleeps;
}
