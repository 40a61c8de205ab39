//! Decision diagrams over relations: reachable states, branching and linear temporal logic with
//! fairness, and executions that show what was found.
//!
//! - [`check`]: the façade; a relation, options and an observer in, a [`Report`] out;
//! - `diagram`: the diagrams of `oxidd`, and what they are asked here;
//! - `encode`, `vector`, `translate`: variables as bits, numbers as vectors of diagrams,
//!   expressions as diagrams;
//! - `order`: in which order the bits stand;
//! - `transition`: parts of the transition relation in clusters, quantified early;
//! - [`explicit`]: the same questions answered state by state, for small models and for tests;
//! - `reach`, `fair`, `ctl`, `ltl`, `compute`: the fixpoints; `witness`: executions.
//!
//! Nothing here knows a language.
#![forbid(unsafe_code)]

mod check;
mod compute;
mod count;
mod ctl;
mod diagram;
mod encode;
mod engine;
mod explicit;
mod fair;
mod ltl;
mod order;
mod reach;
mod report;
mod simulate;
mod transition;
mod translate;
mod vector;
mod witness;

pub use check::{check, Event, Options};
pub use count::Count;
pub use diagram::Moves;
pub use explicit::explicit;
pub use order::Order;
pub use reach::Strategy;
pub use report::{Found, Length, Problem, Report, Status, Trace, Verdict, Wrong};
pub use simulate::simulate;
pub use witness::{is_execution, judge};
