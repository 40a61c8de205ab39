//! What came out of a search.

use std::time::Duration;

use isospin_machine::{RuntimeError, Step};
use isospin_model::{LocationId, ProcTypeId};

pub use crate::expand::Reached;
use crate::expand::ReductionCounts;
pub use crate::limits::Incomplete;

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

impl Verdict {
    /// The word that scripts rely on.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::Violated => "violated",
            Verdict::Incomplete => "incomplete",
        }
    }

    /// The verdict on everything: one violation decides, one gap leaves it open.
    pub fn all(verdicts: impl IntoIterator<Item = Verdict>) -> Verdict {
        let mut all = Verdict::Holds;
        for verdict in verdicts {
            match verdict {
                Verdict::Violated => return Verdict::Violated,
                Verdict::Incomplete => all = Verdict::Incomplete,
                Verdict::Holds => {}
            }
        }
        all
    }
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
    /// Where a process can go round in an atomic sequence for ever, if that was met: its type, and
    /// the location that it comes back to.
    pub endless: Option<(ProcTypeId, LocationId)>,
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

#[cfg(test)]
mod tests {
    use super::Verdict::{self, *};

    #[test]
    fn one_violation_decides_and_one_gap_leaves_open() {
        assert_eq!(Verdict::all([]), Holds);
        assert_eq!(Verdict::all([Holds, Incomplete, Holds]), Incomplete);
        assert_eq!(Verdict::all([Incomplete, Violated]), Violated);
    }
}
