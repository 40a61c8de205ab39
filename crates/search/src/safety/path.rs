//! What the searches differ in: how they know the way to a state.
//!
//! That decides when steps may be put off without being put off for ever (C3, see
//! [`reduce`](crate::reduce)), and what shows a violation.

use isospin_store::{Answer, StateSet};

use super::arrivals::Arrivals;
use super::frontier::Frontier;
use super::tracing::Failure;

/// What a search knows of the state that is being expanded and of the way to it.
pub(super) trait Path<S: StateSet> {
    /// What is noted with a state from when it is reached until it is looked up: where from.
    type From: Copy;
    /// What is kept with a state on the frontier.
    type Tag: Copy;
    /// What shows a violation.
    type Witness;

    /// The state that is being expanded, to be noted with those reached from it.
    fn current(&self) -> Self::From;

    /// The same, where the set keeps it with them.
    fn parent(&self) -> Option<S::Id>;

    /// A state that was reached from some state has been looked up.
    fn arrive(&mut self, from: Self::From, answer: Answer<S::Id>) -> Self::Tag;

    /// All steps of the state that is being expanded are followed.
    fn set_full(&mut self);

    /// Whether the steps of the state that have been followed lead to where nothing is put off for
    /// ever. What they led to has been looked up, and lies on the frontier if it is new.
    fn may_put_off(&mut self, frontier: &Frontier<Self::Tag>) -> bool;

    /// What shows that something goes wrong in or right after the state that is being expanded.
    fn witness(
        &mut self,
        arrivals: &mut Arrivals<'_, S, Self::From>,
        frontier: &Frontier<Self::Tag>,
        failure: Failure,
    ) -> Option<Self::Witness>;
}
