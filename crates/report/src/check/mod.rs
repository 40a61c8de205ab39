//! The outcome of a check for people and for programs.
//!
//! | file | what it does |
//! | --- | --- |
//! | `told.rs` | executions that violate a property, told in the model's names |
//! | `method.rs` | how the answers were found, in a line |
//! | `notes.rs` | what else there is to know, in sentences |
//! | `text.rs`, `json.rs` | the whole, for a person and for a program |

mod json;
mod method;
mod notes;
mod text;
mod told;

pub use json::{json, nothing};
pub use text::text;
pub use told::{property_of_trail, tell, Told};

use std::time::Duration;

use isospin_check::{Options, Report};

/// The outcome of a check, with everything that is needed to show it.
#[derive(Clone, Debug)]
pub struct Outcome<'o> {
    /// The version of Isospin.
    pub version: &'o str,
    /// The model's file, as named on the command line.
    pub model: &'o str,
    /// What was found.
    pub report: &'o Report,
    /// For each property, its findings told.
    pub told: Vec<Vec<Told>>,
    /// What the check was done with.
    pub options: &'o Options,
    /// Under abstraction from times, the command that checks with them.
    pub with_times: Option<String>,
    /// What whoever ran the check has to add, a sentence each.
    pub remarks: Vec<String>,
    /// How long everything took.
    pub total: Duration,
}
