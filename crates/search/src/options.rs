//! What to look for, how, and how far.

use std::sync::atomic::AtomicBool;
use std::sync::Arc;
use std::time::Duration;

use isospin_analysis::facts::Facts;
use isospin_symmetry::{Strategy, Symmetry};

use crate::limits::Control;
use crate::reduce::AmpleSets;

/// In which order states are visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Order {
    /// Newest first. The smallest frontier, and with more than one thread the only order.
    #[default]
    DepthFirst,
    /// Oldest first: the first violation found has the shortest path, counted in stored states.
    /// Runs on one thread.
    BreadthFirst,
}

/// The options of a search. `Options::default()` looks for everything, depth-first, on one thread,
/// without limits, and stops at the first violation.
#[derive(Clone, Debug)]
pub struct Options {
    /// In which order states are visited.
    pub order: Order,
    /// The search stops at the violation with this number; 0 explores everything and counts.
    pub errors: u64,
    /// How many violations get their steps worked out. Violations of the same kind at the same
    /// edge count once; the rest are only counted.
    pub trails: usize,
    /// Whether failed assertions are violations.
    pub assertions: bool,
    /// Whether states in which nothing can happen are violations, unless every process stands
    /// where it may end.
    pub end_states: bool,
    /// How many threads search. 0 and 1 mean one, which is deterministic.
    pub threads: usize,
    /// How many bytes the search may hold: store, stacks, buffers.
    pub memory: Option<u64>,
    /// How long the search may take.
    pub time: Option<Duration>,
    /// How many steps a path may have.
    pub depth: Option<u32>,
    /// Ends the search when it becomes true.
    pub interrupt: Option<Arc<AtomicBool>>,
    /// What partial-order reduction stands on; without it every step is taken. The facts have no
    /// obstacle.
    pub reduction: Option<Arc<Facts>>,
    /// The symmetry of the model that states are counted up to, and how representatives are found.
    pub symmetry: Option<(Arc<Symmetry>, Strategy)>,
    /// Whether, under symmetry, only the first of several processes is followed that can do the same
    /// up to their names: state symmetry. For what needs no cycle it always is.
    pub twins: bool,
    /// Among which sets of steps the reduction chooses.
    pub ample: AmpleSets,
    /// Whether the first violation is looked for again on the shortest path, once found.
    pub shorten: bool,
}

impl Options {
    /// What keeps a search within the limits. The time starts now.
    pub(crate) fn control(&self) -> Control {
        Control::new(self.memory, self.time, self.interrupt.clone())
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            order: Order::DepthFirst,
            errors: 1,
            trails: 16,
            assertions: true,
            end_states: true,
            threads: 1,
            memory: None,
            time: None,
            depth: None,
            interrupt: None,
            reduction: None,
            symmetry: None,
            twins: true,
            ample: AmpleSets::default(),
            shorten: false,
        }
    }
}
