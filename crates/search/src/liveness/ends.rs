//! Which ends of an automaton could be come to, in a search that takes note of them and goes on.

use super::property::PropertyAutomaton;

/// Ends of an automaton that could be come to.
#[derive(Debug, Default)]
pub(super) struct Ends {
    /// How many there are.
    count: usize,
    seen: Vec<u32>,
}

impl Ends {
    /// The ends of an automaton, none of which has been come to.
    pub fn of(automaton: &PropertyAutomaton) -> Ends {
        let count = automaton.states.iter().filter(|s| s.end.is_some()).count();
        Ends { count, seen: Vec::new() }
    }

    /// This one could be come to.
    pub fn note(&mut self, end: u32) {
        if !self.seen.contains(&end) {
            self.seen.push(end);
        }
    }

    /// Nothing is known any more: each of them may have been come to.
    pub fn note_all(&mut self, automaton: &PropertyAutomaton) {
        for (end, state) in (0..).zip(&automaton.states) {
            if state.end.is_some() {
                self.note(end);
            }
        }
    }

    /// Those that could be come to.
    pub fn seen(&self) -> &[u32] {
        &self.seen
    }

    /// Whether there are no more.
    pub fn are_all(&self) -> bool {
        self.seen.len() == self.count
    }
}
