//! What came out of a search.

use std::time::Duration;

use crate::reduce::ReductionCounts;
use isospin_machine::{RuntimeError, Step};
use isospin_model::{EdgeId, Model, ProcTypeId};

/// The answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Every reachable state was visited and nothing is wrong.
    Holds,
    /// Something is wrong.
    Violated,
    /// Nothing wrong was found, and not everything was looked at.
    Incomplete,
}

/// Why a search ended before everything was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Incomplete {
    /// The next allocation would have exceeded the memory limit.
    Memory,
    /// The time was up.
    Time,
    /// Paths were cut off at the depth limit.
    Depth,
    /// It was interrupted.
    Interrupted,
    /// A loop over all names was blocked half way, which shows that the model is not symmetric.
    /// Searches begin again without symmetry then, and nobody outside gets to see this.
    Asymmetric,
}

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ViolationKind {
    /// An assertion does not hold: the last step's.
    Assertion,
    /// Nothing can happen in the last state, and some process does not stand where it may end.
    EndState,
    /// The last step cannot be completed.
    Runtime(RuntimeError),
}

/// A violation and the execution that leads to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// What is wrong.
    pub kind: ViolationKind,
    /// Every step from the initial state on; for a failed assertion or a run-time error the last
    /// one is the step that fails. Empty and `Runtime` when there is no initial state.
    pub steps: Vec<Step>,
}

/// Everything that a search has to say.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// The answer.
    pub verdict: Verdict,
    /// The first violation of each kind at each edge, in the order in which they were found, up to
    /// [`Options::trails`](crate::Options::trails).
    pub violations: Vec<Violation>,
    /// How many violations there are in all.
    pub errors: u64,
    /// How many states were stored.
    pub states: u64,
    /// How many arrivals at a storable state there were, the initial one included.
    pub transitions: u64,
    /// The length of the longest path, in steps.
    pub depth: u64,
    /// Why the search ended early; `None` also when it stopped at the last error asked for.
    pub incomplete: Option<Incomplete>,
    /// Whether every reachable state was expanded.
    pub exhausted: bool,
    /// How many threads searched.
    pub threads: usize,
    /// Whether states were counted up to symmetry.
    pub symmetry: bool,
    /// How often partial-order reduction applied; `None` where it was off.
    pub reduction: Option<ReductionCounts>,
    /// How many bytes the store holds: states and table.
    pub store_bytes: u64,
    /// The most that the search held at any time.
    pub peak_bytes: u64,
    /// Which edges were taken.
    pub reached: Reached,
    /// How long the search took.
    pub time: Duration,
}

/// Which edges of which process type were taken.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reached {
    taken: Vec<bool>,
    first: Vec<u32>,
}

impl Reached {
    /// No edge of `model` taken yet.
    pub fn new(model: &Model) -> Reached {
        let mut first = Vec::with_capacity(model.proctypes.len());
        let mut edges = 0;
        for proctype in &model.proctypes {
            first.push(edges as u32);
            edges += proctype.automaton.edges.len();
        }
        Reached { taken: vec![false; edges], first }
    }

    /// Whether the edge was taken.
    pub fn is_taken(&self, proctype: ProcTypeId, edge: EdgeId) -> bool {
        let at = self.first[proctype.index()] + edge.0;
        self.taken[at as usize]
    }

    /// Notes that the edge was taken.
    #[inline]
    pub(crate) fn take(&mut self, proctype: ProcTypeId, edge: EdgeId) {
        if let Some(&first) = self.first.get(proctype.index()) {
            // A step that failed before any edge was looked at says edge 0, which a process type
            // without edges does not have.
            if let Some(taken) = self.taken.get_mut((first + edge.0) as usize) {
                *taken = true;
            }
        }
    }

    /// Adds what another search reached.
    pub(crate) fn merge(&mut self, other: &Reached) {
        for (mine, theirs) in self.taken.iter_mut().zip(&other.taken) {
            *mine |= theirs;
        }
    }
}
