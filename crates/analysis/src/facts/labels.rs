//! Which steps may change whether some process stands at a label.

use isospin_model::{Action, Automaton, Edge, Location, LocationId, Model};

use super::sequences::along_sequences;
use super::started_by;

/// For each process type and location, whether the next step of a process there may change whether
/// some process stands at a location that is `labelled`. A step that no process crosses the border
/// in, from labelled locations to others or back, does not.
///
/// An atomic sequence counts as one step, which may end wherever the process cannot go on. In a
/// rendez-vous both sides have a step of their own.
pub fn label_changes(model: &Model, labelled: impl Fn(&Location) -> bool) -> Vec<Vec<bool>> {
    let labelled = |automaton: &Automaton, l: LocationId| labelled(&automaton.locations[l.index()]);
    let automata = || model.proctypes.iter().map(|p| &p.automaton);
    // Whether a process is gone or still waits there for younger ones is said to make no
    // difference; here it does.
    let ends = automata().any(|a| {
        let mut ends = a.edges.iter().filter(|e| e.action == Action::End);
        ends.any(|e| labelled(a, e.from))
    });
    let starts = |edge: &Edge| {
        started_by(&edge.action).into_iter().any(|ty| {
            let automaton = &model.proctypes[ty.index()].automaton;
            labelled(automaton, automaton.initial)
        })
    };
    let labels = |automaton: &Automaton, l: LocationId| {
        let mut here = Labels::default();
        for edge in automaton.edges_of(l) {
            let labelled = edge.action != Action::End && labelled(automaton, edge.target);
            here.labelled |= labelled;
            here.not_labelled |= !labelled;
            here.started_at_one |= starts(edge);
            here.started |= !started_by(&edge.action).is_empty();
        }
        here
    };
    let changes = |automaton: &Automaton, inside: &[Labels], l: LocationId| {
        let before = labelled(automaton, l);
        let crosses = |there: &Labels| {
            let other = if before { there.not_labelled } else { there.labelled };
            other || there.started_at_one
        };
        let here = labels(automaton, l);
        let sequence = |e: &Edge| {
            let inside = &inside[e.target.index()];
            // Who is started inside a sequence may take part in it.
            let starts = inside.started || !started_by(&e.action).is_empty();
            model.features.rendezvous && starts || crosses(inside)
        };
        crosses(&here) || automaton.edges_of(l).iter().any(|e| e.atomic && sequence(e))
    };
    automata()
        .map(|a| {
            let inside = along_sequences(a, |l| labels(a, l), Labels::add);
            let locations = a.location_ids();
            locations.map(|l| ends || changes(a, &inside, l)).collect()
        })
        .collect()
}

/// What steps lead to.
#[derive(Clone, Copy, Default, PartialEq)]
struct Labels {
    /// A location that is labelled.
    labelled: bool,
    /// One that is not, or none.
    not_labelled: bool,
    /// A process that starts at one that is.
    started_at_one: bool,
    /// Any process.
    started: bool,
}

impl Labels {
    /// Adds what others lead to; says whether that changed anything.
    fn add(&mut self, other: &Labels) -> bool {
        let before = *self;
        self.labelled |= other.labelled;
        self.not_labelled |= other.not_labelled;
        self.started_at_one |= other.started_at_one;
        self.started |= other.started;
        *self != before
    }
}
