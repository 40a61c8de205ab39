//! Weak fairness in a nested search, up to symmetry.
//!
//! The counter of [Bosnacki 2001, chapters 3 and 7], see `copies`, tells processes apart by number,
//! which permutations change. The *set* of processes that are still waited for goes where the
//! processes go. A node is a state of the model, such a set, and a state of the automaton. Where
//! nobody is waited for and the node is accepting, everybody is waited for from there on; whoever
//! moves along an arc, or cannot move where it starts, is not waited for behind it. A node is
//! accepting where nobody is waited for. So between two accepting nodes of a cycle everybody has
//! moved or could not, and on a fair cycle with an accepting state that comes to pass again and
//! again.
//!
//! What is stored is the representative of the state and the set together: two processes that hold
//! the same and of which one is waited for are no twins. Then [HPY 1996, figure 4] is searched as it
//! is. (The algorithm RWF of [Bosnacki 2001, chapter 7] keeps the counter, and loses cycles: a check
//! from a seed on a cycle that is not fair leaves marks in nodes that the first search has not come
//! to, and theorem 7 does not hold.)

use crate::expand::Movers;

/// One byte a process, behind the state of the model: whether it is waited for.
#[derive(Clone, Debug, Default)]
pub(super) struct Waiting {
    /// How many processes there are; 0 where nobody is ever waited for.
    pub processes: usize,
    set: Vec<u8>,
}

impl Waiting {
    /// For so many processes.
    pub fn new(processes: usize) -> Waiting {
        Waiting { processes, set: Vec::new() }
    }

    /// The state of the model alone.
    pub fn bare<'s>(&self, state: &'s [u8]) -> &'s [u8] {
        &state[..state.len() - self.processes]
    }

    /// Whether nobody is waited for.
    pub fn is_over(&self, state: &[u8]) -> bool {
        state[state.len() - self.processes..].iter().all(|&w| w == 0)
    }

    /// Reads who is waited for in a state; everybody where that is over and it is accepting.
    pub fn begin(&mut self, state: &[u8], accepting: bool) {
        let again = accepting && self.is_over(state);
        self.set.clear();
        self.set.extend_from_slice(&state[state.len() - self.processes..]);
        if again {
            self.set.fill(1);
        }
    }

    /// Writes who is waited for behind an arc along which `movers` move, from where `idle` cannot.
    pub fn write(&self, idle: &Movers, movers: &Movers, out: &mut [u8]) {
        for (pid, (out, &waits)) in out.iter_mut().zip(&self.set).enumerate() {
            *out = u8::from(waits != 0 && !idle.has(pid) && !movers.has(pid));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_is_waited_for_behind_an_accepting_state_and_nobody_behind_another() {
        let mut waiting = Waiting::new(3);
        let state = [7, 0, 0, 0];
        assert_eq!(waiting.bare(&state), [7]);
        assert!(waiting.is_over(&state));
        let (idle, movers): (Movers, Movers) =
            ([0].into_iter().collect(), [2].into_iter().collect());
        let mut out = [9; 3];
        waiting.begin(&state, false);
        waiting.write(&idle, &movers, &mut out);
        assert_eq!(out, [0, 0, 0]);
        waiting.begin(&state, true);
        waiting.write(&idle, &movers, &mut out);
        assert_eq!(out, [0, 1, 0]);
        waiting.begin(&[7, 0, 1, 0], true);
        waiting.write(&movers, &idle, &mut out);
        assert_eq!(out, [0, 1, 0]);
    }
}
