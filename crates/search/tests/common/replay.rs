//! Violations, confirmed by the replayer.

use std::sync::Arc;

use isospin_model::Model;
use isospin_replay::{confirm, Claim, Counterexample, Fairness, Unconfirmed};
use isospin_search::{Violation, ViolationKind};

/// Walks the steps of a violation on the interpreter and confirms that they end in it.
pub fn replay(model: &Arc<Model>, violation: &Violation) -> Result<(), Unconfirmed> {
    let claim = match violation.kind {
        ViolationKind::Assertion => Claim::Assertion,
        ViolationKind::EndState => Claim::EndState,
        ViolationKind::Runtime(error) => Claim::Runtime(error),
    };
    let (steps, cycle, fairness) = (violation.steps.as_slice(), None, Fairness::None);
    confirm(model, &Counterexample { steps, cycle, renaming: None, fairness, claim }).map(drop)
}
