//! The store's door: what of a state tells it apart from others.
//!
//! Searches walk real states and keep real states on their stacks. Only here, on the way into the
//! store, a state is replaced by its orbit's representative, and its hidden part is left out.

use std::sync::atomic::Ordering;
use std::sync::Arc;
use std::time::Instant;

use isospin_symmetry::{Element, Representer, Stop, Strategy, Symmetry};

use crate::limits::Control;
use crate::options::Options;

/// Tells what of a state is stored.
#[derive(Clone)]
pub(crate) struct Door {
    hidden: usize,
    representer: Option<Representer>,
    scratch: [Vec<u8>; 2],
}

impl Door {
    /// For states with this many hidden bytes, under the symmetry that the options ask for.
    pub fn new(hidden: usize, options: &Options) -> Door {
        let deadline = options.time.map(|time| Instant::now() + time);
        let interrupt = options.interrupt.clone();
        let stop: Stop = Arc::new(move || {
            deadline.is_some_and(|at| Instant::now() >= at)
                || interrupt.as_ref().is_some_and(|i| i.load(Ordering::Relaxed))
        });
        let of = |(symmetry, strategy): &(Arc<Symmetry>, Strategy)| {
            Representer::new(Arc::clone(symmetry), *strategy).stopping(Arc::clone(&stop))
        };
        let representer = options.symmetry.as_ref().map(of);
        Door { hidden, representer, scratch: Default::default() }
    }

    /// How many bytes at the start of a state are not stored.
    pub fn hidden(&self) -> usize {
        self.hidden
    }

    /// Whether states are replaced by others.
    #[inline]
    pub fn is_symmetric(&self) -> bool {
        self.representer.is_some()
    }

    /// What is stored of a state.
    #[inline]
    pub fn identity<'d>(&'d mut self, state: &'d [u8]) -> &'d [u8] {
        match &mut self.representer {
            None => &state[self.hidden..],
            Some(representer) => &representer.representative(state)[self.hidden..],
        }
    }

    /// For each process the first one that can do the same, renamed; nobody without symmetry.
    #[inline]
    pub fn twins(&mut self, state: &[u8], twins: &mut Vec<u8>) {
        match &self.representer {
            None => {}
            Some(r) => r.symmetry().twins(state, &mut self.scratch, twins),
        }
    }

    /// A state's representative as a whole.
    pub fn whole<'d>(&'d mut self, state: &'d [u8]) -> &'d [u8] {
        match &mut self.representer {
            None => state,
            Some(representer) => representer.representative(state),
        }
    }

    /// Whether a state has shown that the model is not symmetric after all.
    pub fn is_broken(&self) -> bool {
        self.representer.as_ref().is_some_and(Representer::is_broken)
    }

    /// The permutation behind the last identity.
    pub fn element(&self) -> Option<&Element> {
        self.representer.as_ref().map(Representer::element)
    }

    /// Appends what the permutation behind the last identity does to the numbers of processes;
    /// nothing without symmetry.
    pub fn add_ranks(&self, ranks: &mut Vec<u8>) {
        if let Some(r) = &self.representer {
            r.symmetry().add_ranks(r.element(), ranks);
        }
    }

    /// The symmetry.
    pub fn symmetry(&self) -> Option<&Arc<Symmetry>> {
        self.representer.as_ref().map(Representer::symmetry)
    }

    /// Ends the search if a state has shown that the model is not symmetric after all, or if the
    /// time was up while a representative was looked for.
    #[inline]
    pub fn watch(&self, control: &Control) {
        if self.representer.as_ref().is_some_and(Representer::is_stopped) {
            control.poll();
        }
        if self.is_broken() {
            control.stop_asymmetric();
        }
    }
}
