//! Who reads what properties look at, and may go along with a permutation.
//!
//! A permutation that leaves every observer as it is leaves a property automaton as it is, too. One
//! that takes observers to each other is no loss where the automaton, so renamed, is the same again
//! up to its states: "everybody is served" looks at every process by itself, and says the same of
//! each. The permutation then acts on the automaton's states as well, and what is the same up to
//! symmetry are pairs of a state of the model and one of the automaton.
//!
//! Let p be an automorphism of the model that takes the observer k to the observer to(k): k holds
//! in s if and only if to(k) holds in p(s). Let f be a permutation of the automaton's states that
//! keeps the initial state, acceptance and acceptance sets, and under which an edge from q to r with
//! the guard G is one from f(q) to f(r) with the guard to(G). Then an arc of the product from (s, q)
//! to (t, r) is one from (p(s), f(q)) to (p(t), f(r)) with the same acceptance sets, by the images
//! of whoever moves: (p, f) is an automorphism of the product, and all that is known of quotients
//! under groups of those holds ([Emerson Sistla 1996] call such structures group preserving).

/// A property automaton, as far as permutations are concerned.
pub trait Reader {
    /// How many states it has.
    fn states(&self) -> usize;

    /// Where each state goes if each observer k is replaced by the observer `to[k]` and that gives
    /// the same automaton again.
    fn renamed(&self, to: &[usize]) -> Option<Vec<u32>>;
}

/// A permutation of a reader's states; empty where nothing moves.
pub type Shift = Vec<u32>;

/// Carries out `first`, then `second`.
pub(crate) fn shift_after(first: &Shift, second: &Shift) -> Shift {
    match (first.is_empty(), second.is_empty()) {
        (true, _) => second.clone(),
        (_, true) => first.clone(),
        _ => first.iter().map(|&q| second[q as usize]).collect(),
    }
}

/// Whether nothing moves.
pub(crate) fn is_still(shift: &Shift) -> bool {
    shift.iter().enumerate().all(|(q, &to)| q == to as usize)
}
