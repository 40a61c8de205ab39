//! C3 in searches that have no stack.
//!
//! States are ordered by the rank that the store gives them. A state where steps were put off must lead to
//! one that lies behind it, or to one that was expanded fully. So from such a state one gets to
//! states further and further back, and in the end to one where nothing was put off; what was put
//! off before can still be taken there. Any order would do. In this one a state that is new lies
//! behind the one that it was reached from, except where several threads fill the store and one of
//! them goes on with what another found.

use isospin_store::{Answer, Exact, Marks, StateId, StateSet};

use crate::marks::stackless::FULL;

/// What is known of the state that is being expanded.
pub(super) struct Proviso<'s, const SHARED: bool> {
    store: &'s Exact<SHARED>,
    current: Option<StateId>,
    good: bool,
}

impl<'s, const SHARED: bool> Proviso<'s, SHARED> {
    /// For states of a store that has flags, if anything is ever put off.
    pub fn new(store: &'s Exact<SHARED>) -> Self {
        Proviso { store, current: None, good: true }
    }

    /// A state is being expanded; `active` says whether steps may be put off.
    #[inline]
    pub fn begin(&mut self, current: StateId, active: bool) {
        self.current = Some(current);
        self.good = !active;
    }

    /// The state that is being expanded.
    pub fn current(&self) -> Option<StateId> {
        self.current
    }

    /// A step led from a state to another.
    #[inline]
    pub fn arrive(&mut self, from: Option<StateId>, answer: Answer<StateId>) {
        if !self.good && from == self.current {
            let rank = |id| self.store.rank(id);
            let behind = self.current.is_none_or(|current| rank(answer.id) > rank(current));
            self.good = behind || self.store.marks(answer.id, 0) & FULL != 0;
        }
    }

    /// All steps of the state are followed.
    pub fn set_full(&mut self) {
        self.good = true;
        if let Some(id) = self.current {
            self.store.change_marks(id, 0, FULL, 0);
        }
    }

    /// Whether steps may be put off in the state.
    #[inline]
    pub fn holds(&self) -> bool {
        self.good
    }
}
