//! What a person or a program reads afterwards: states, steps, trails and verdicts as text and as
//! JSON.
//!
//! | module | what lives there |
//! | --- | --- |
//! | [`names`] | the model's own names for what is in a state vector |
//! | [`snapshot`], [`changes`] | one state; what differs between two |
//! | [`story`], [`exchange`] | what happened in a step; what was sent and received |
//! | [`blocked`] | why a process cannot move |
//! | [`trail`] | executions as files |
//! | [`check`] | the outcome of a check, as text and as JSON |
//! | [`narrate`] | steps, states and waiting processes as text |
//! | [`msc`], [`slices`] | message sequence charts; time slices |
//! | [`automata`], [`layout`] | the model itself, as text, JSON and DOT |
//! | [`dependencies`], [`symmetry`] | what reductions stand on, in the same forms |
//! | [`style`], [`format`] | colours; numbers for people |
//!
//! What this crate does not know: command lines, files, and how a verdict was found.
#![forbid(unsafe_code)]

pub mod automata;
pub mod blocked;
pub mod changes;
pub mod check;
pub mod dependencies;
pub mod exchange;
pub mod format;
pub mod layout;
pub mod msc;
pub mod names;
pub mod narrate;
pub mod relation;
pub mod slices;
pub mod snapshot;
pub mod story;
pub mod style;
pub mod symmetry;
#[cfg(test)]
mod testing;
pub mod trail;

pub use names::Names;
pub use story::{retell, Story};
pub use style::Style;
