//! What there is on the way of a process that does not give up control.

use isospin_model::{Automaton, LocationId};

/// For every location, what there is at it and at all locations that a process gets to from there
/// without giving up control: `at` says what there is at one, `join` adds the second to the first
/// and says whether that changed it.
///
/// Most sequences lead from locations to ones with higher numbers, so one pass from the highest
/// down finds nearly everything; the passes go on for as long as something changes.
pub(super) fn along_sequences<T: Clone>(
    automaton: &Automaton,
    at: impl FnMut(LocationId) -> T,
    join: impl Fn(&mut T, &T) -> bool,
) -> Vec<T> {
    let mut found: Vec<T> = automaton.location_ids().map(at).collect();
    loop {
        let mut changed = false;
        for l in (0..found.len()).rev() {
            for edge in automaton.edges_of(LocationId(l as u32)) {
                isospin_limits::check();
                let target = edge.target.index();
                if edge.atomic && target != l {
                    let after = found[target].clone();
                    changed |= join(&mut found[l], &after);
                }
            }
        }
        if !changed {
            return found;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isospin_model::{Action, Edge, EdgeId, Location, SourceRef};

    /// An automaton with these edges: from, to, and whether control is kept. In order of `from`.
    fn automaton(locations: usize, edges: &[(u32, u32, bool)]) -> Automaton {
        let mut automaton = Automaton::default();
        for l in 0..locations {
            let first_edge = EdgeId(automaton.edges.len() as u32);
            for &(from, to, atomic) in edges.iter().filter(|e| e.0 as usize == l) {
                automaton.edges.push(Edge {
                    from: LocationId(from),
                    target: LocationId(to),
                    action: Action::Else,
                    atomic,
                    urgency: Default::default(),
                    escape: 0,
                    resets: Vec::new(),
                    statement: 0,
                    source: SourceRef::default(),
                    text: String::new(),
                });
            }
            let edge_count = automaton.edges.len() as u32 - first_edge.0;
            automaton.locations.push(Location { first_edge, edge_count, ..Location::default() });
        }
        automaton
    }

    #[test]
    fn sequences_are_followed_in_whatever_order_and_round_in_circles() {
        let edges =
            [(0, 3, true), (1, 2, false), (2, 4, true), (3, 2, true), (4, 3, true), (5, 1, true)];
        let automaton = automaton(6, &edges);
        let found = along_sequences(
            &automaton,
            |l| 1u32 << l.0,
            |here, after| {
                let before = *here;
                *here |= after;
                *here != before
            },
        );
        assert_eq!(found, [0b11101, 0b00010, 0b11100, 0b11100, 0b11100, 0b100010]);
    }
}
