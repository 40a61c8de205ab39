//! Which steps may change whether some process stands at a label.

use isospin_model::{Action, Automaton, Edge, Location, LocationId, Model};

use super::{atomic_reach, started_by};

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
    let changes = |automaton: &Automaton, l: LocationId| {
        let before = labelled(automaton, l);
        let crosses = |e: &Edge| {
            let after = e.action != Action::End && labelled(automaton, e.target);
            before != after || starts(e)
        };
        let sequence = |e: &Edge| {
            let mut reach = atomic_reach(automaton, e.target);
            reach.push(e.target);
            let edges = || reach.iter().flat_map(|&l| automaton.edges_of(l));
            // Who is started inside a sequence may take part in it.
            let meets = model.features.rendezvous
                && edges().chain([e]).any(|e| !started_by(&e.action).is_empty());
            meets || edges().any(crosses)
        };
        automaton.edges_of(l).iter().any(|e| crosses(e) || e.atomic && sequence(e))
    };
    automata()
        .map(|a| {
            let locations = a.location_ids();
            locations.map(|l| ends || changes(a, l)).collect()
        })
        .collect()
}
