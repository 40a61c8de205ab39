//! Searches that have no stack: the set keeps with each state the one that it was reached from.
//!
//! C3: states are ordered by the rank that the set gives them. A state where steps were put off
//! must lead to one of a higher rank, or to one that was expanded fully. So from such a state one
//! gets to states of higher and higher rank, and in the end to one where nothing was put off; what
//! was put off before can still be taken there. Any order would do. In this one a state that is new
//! has a higher rank than the one that it was reached from, except where several threads fill the
//! set and one of them goes on with what another found.

use isospin_store::{Answer, Marks};

use super::arrivals::Arrivals;
use super::frontier::Frontier;
use super::path::Path;
use super::tracing::Failure;
use crate::marks::stackless::FULL;

/// What is known of the state that is being expanded.
pub(super) struct ParentPath<'s, S: Marks> {
    set: &'s S,
    current: Option<S::Id>,
    /// Whether steps may be put off in it.
    good: bool,
}

impl<'s, S: Marks> ParentPath<'s, S> {
    /// For states of a set that has parents, and marks if anything is ever put off.
    pub fn new(set: &'s S) -> Self {
        ParentPath { set, current: None, good: true }
    }

    /// A state is being expanded; `active` says whether steps may be put off.
    #[inline]
    pub fn begin(&mut self, current: S::Id, active: bool) {
        self.current = Some(current);
        self.good = !active;
    }
}

impl<S: Marks> Path<S> for ParentPath<'_, S> {
    type From = Option<S::Id>;
    type Tag = S::Id;
    /// The last state, and what goes wrong there.
    type Witness = (S::Id, Failure);

    #[inline]
    fn current(&self) -> Option<S::Id> {
        self.current
    }

    #[inline]
    fn parent(&self) -> Option<S::Id> {
        self.current
    }

    #[inline]
    fn arrive(&mut self, from: Option<S::Id>, answer: Answer<S::Id>) -> S::Id {
        if !self.good && from == self.current {
            let rank = |id| self.set.rank(id);
            let higher = self.current.is_none_or(|current| rank(answer.id) > rank(current));
            self.good = higher || self.set.marks(answer.id, 0) & FULL != 0;
        }
        answer.id
    }

    fn set_full(&mut self) {
        self.good = true;
        if let Some(id) = self.current {
            self.set.change_marks(id, 0, FULL, 0);
        }
    }

    #[inline]
    fn may_put_off(&mut self, _: &Frontier<S::Id>) -> bool {
        self.good
    }

    fn witness(
        &mut self,
        _: &mut Arrivals<'_, S, Self::From>,
        _: &Frontier<S::Id>,
        failure: Failure,
    ) -> Option<Self::Witness> {
        self.current.map(|id| (id, failure))
    }
}
