//! What an automaton reads of a state: which of its edges it can take there.

use isospin_machine::{Machine, Successors, Truth};
use isospin_model::Expr;

use super::property::{Cube, PropertyAutomaton, PropertyEdge};

/// What the edges of a state of the automaton ask cannot be evaluated in the state of the model.
pub(super) struct Unreadable;

/// Reads states of a model for an automaton, whose atoms the machine watches.
pub(super) struct Reading {
    /// For each state of the automaton, the atoms that its edges ask for and that may fail.
    fallible: Vec<Vec<u16>>,
    /// Whether some atom asks for `timeout`.
    asks_timeout: bool,
    /// Room for the steps that are looked for to know whether it is so.
    room: Successors,
}

impl Reading {
    pub fn of(automaton: &PropertyAutomaton) -> Reading {
        let may_fail: Vec<bool> = automaton.atoms.iter().map(Expr::may_fail).collect();
        let fallible = automaton.states.iter().map(|state| {
            let literals = state.edges.iter().flat_map(|e| e.guard.iter().flatten());
            let mut atoms: Vec<u16> =
                literals.map(|&(atom, _)| atom).filter(|&a| may_fail[usize::from(a)]).collect();
            atoms.sort_unstable();
            atoms.dedup();
            atoms
        });
        let asks = |atom: &Expr| atom.any(&|e| *e == Expr::Timeout);
        Reading {
            fallible: fallible.collect(),
            asks_timeout: automaton.atoms.iter().any(asks),
            room: Successors::default(),
        }
    }

    /// Calls `take` for every edge that the automaton can take from one of its states when it reads
    /// this state of the model.
    #[inline]
    pub fn edges<M: Machine>(
        &mut self,
        machine: &mut M,
        automaton: &PropertyAutomaton,
        from: usize,
        state: &[u8],
        mut take: impl FnMut(&PropertyEdge),
    ) -> Result<(), Unreadable> {
        let timeout = self.asks_timeout && machine.is_quiet(state, &mut self.room);
        let values = if automaton.atoms.is_empty() { &[] } else { machine.watched(state, timeout) };
        let wrong = |atom: &u16| values[*atom as usize] == Truth::Error;
        if self.fallible[from].iter().any(wrong) {
            return Err(Unreadable);
        }
        for edge in &automaton.states[from].edges {
            if edge.guard.iter().any(|cube| holds(cube, values)) {
                take(edge);
            }
        }
        Ok(())
    }
}

/// Whether everything that a conjunction asks is as it asks.
#[inline]
fn holds(cube: &Cube, values: &[Truth]) -> bool {
    cube.iter()
        .all(|&(atom, yes)| values[atom as usize] == if yes { Truth::True } else { Truth::False })
}
