//! Explicit-state search: from a machine that answers "what can this process do here?" to a
//! verdict with an execution that shows it.
//!
//! [`check_safety`] is the entry point for everything that needs no cycle: assertions, end states,
//! run-time errors. A search takes real states from its frontier, has them expanded, and asks the
//! store which successors are new; nothing is recorded on the way. When something is wrong, the
//! path is turned into steps afterwards, by running the machine between its states once more.
//!
//! | module | what lives there |
//! | --- | --- |
//! | [`options`] | what to look for, how, and how far |
//! | [`result`] | what came out: verdict, violations, statistics |
//! | [`limits`] | memory, time, interrupts, progress |
//! | `marks` | every bit that a search keeps with a state |
//! | `door` | what of a state is stored: its orbit's representative |
//! | [`expand`] | from a stored state to the storable states that follow it |
//! | [`safety`] | depth-first, breadth-first and parallel search |
//! | [`liveness`] | acceptance cycles, formulas, fairness |
//! | [`reduce`] | partial-order reduction |
//! | [`scout`] | a look around before the search |
//! | [`trail`] | from a path of states to a list of steps, and an independent check of such lists |
//!
//! What this crate does not know: any source language, how a machine works, how a result is shown.

#![forbid(unsafe_code)]

// What the integration tests share is shared with unit tests, too.
#[cfg(test)]
extern crate self as isospin_search;

mod door;
pub mod expand;
pub mod limits;
pub mod liveness;
mod marks;
pub mod options;
pub mod reduce;
pub mod result;
mod room;
pub mod safety;
pub mod scout;
pub mod trail;

pub use limits::Progress;
pub use options::{Options, Order};
pub use result::{Incomplete, Reached, SearchResult, Verdict, Violation, ViolationKind};
pub use safety::check_safety;
pub use trail::{endings_after, settle_cycle, take_away_ended};
