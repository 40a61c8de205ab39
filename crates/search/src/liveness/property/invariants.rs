//! Several invariants in one search.
//!
//! The automaton of what violates an invariant waits in its first state, which is not accepting,
//! until a state of the model lets it leave. If none does the invariant holds. So one search that
//! visits the model with a single state of an automaton, and takes note of which automata could
//! leave theirs, shows of all invariants together which of them hold. Of the others it shows
//! nothing: where an automaton can leave there need not be an infinite execution behind it, because
//! the model may run into an error on every way. Each of those needs a search of its own.

use super::{Cube, End, PropertyAutomaton, PropertyEdge, PropertyState};

impl PropertyAutomaton {
    /// Whether it accepts what is behind the states of the model in which it can leave its first
    /// state, and nothing else.
    pub fn violates_invariant(&self) -> bool {
        let plain = |s: &PropertyState| s.end.is_none() && !s.still && !s.endless;
        let stays = |q: u32| self.states[q as usize].edges.iter().all(|e| e.to == q);
        let first = &self.states[self.initial as usize];
        let last = |q: u32| self.states[q as usize].accepting && stays(q);
        self.state_based
            && !self.accept_labels
            && self.states.iter().all(plain)
            && !first.accepting
            && first.edges.iter().any(|e| e.to == self.initial)
            && first.edges.iter().all(|e| e.to == self.initial || last(e.to))
    }

    /// An automaton that waits as they all do, and that comes to its end with number `k + 1` where
    /// the automaton at position `k` could leave its first state, which must not be accepting.
    pub fn leaving(automata: &[PropertyAutomaton]) -> PropertyAutomaton {
        let mut atoms = Vec::new();
        let wait = PropertyEdge { guard: vec![Cube::new()], to: 0, marks: 0 };
        let mut edges = vec![wait];
        for (automaton, end) in automata.iter().zip(1..) {
            let first = atoms.len() as u16;
            atoms.extend(automaton.atoms.iter().cloned());
            let moved = |cube: &Cube| cube.iter().map(|&(a, yes)| (first + a, yes)).collect();
            let leave = automaton.states[automaton.initial as usize].edges.iter();
            edges.extend(leave.filter(|e| e.to != automaton.initial).map(|e| PropertyEdge {
                guard: e.guard.iter().map(moved).collect(),
                to: end,
                marks: 0,
            }));
        }
        let end = || PropertyState { end: Some(End::Claim), ..PropertyState::default() };
        let mut states = vec![PropertyState { edges, ..PropertyState::default() }];
        states.extend(automata.iter().map(|_| end()));
        PropertyAutomaton {
            atoms,
            initial: 0,
            states,
            sets: 1,
            accept_labels: false,
            state_based: true,
        }
    }
}
