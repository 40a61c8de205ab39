//! The façade: from a model and what is asked of it to a report.
//!
//! Whoever wants to know whether a model is right calls [`check`]; the command line does, and so do
//! tests, and so can any Rust program:
//!
//! ```
//! use std::{path::Path, sync::Arc};
//! use isospin_check::{check, Asked, Options, Verdict};
//!
//! let text = "byte x; active [2] proctype P() { x = 1; assert(x == 1) }";
//! let mut files = |_: &Path| Ok(text.as_bytes().to_vec());
//! let reading = isospin_promela::read(Path::new("x.pml"), &Default::default(), &mut files);
//! let model = Arc::new(reading.into_model()?);
//! let report = check(&model, &Asked::default(), &Options::default(), &mut ())?;
//! for property in &report.properties {
//!     println!("{}: {}", property.name, property.verdict.word());
//! }
//! assert_eq!(report.verdict(), Verdict::Holds);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | what lives there |
//! | --- | --- |
//! | [`asked`], [`options`] | what is asked; how it is to be done, and how far |
//! | [`applicable`](mod@applicable) | which reductions are sound together, for which search |
//! | [`report`] | what came out, as a value |
//! | `plan`, `automaton` | the questions that searches answer, and their automata |
//! | `prepare`, `machines` | models and machines made ready for a search |
//! | `check`, `run`, `safety`, `sets`, `temporal`, `together` | the searches, one after the other |
//! | `evidence` | from a violation to a confirmed execution of the model as written |
//! | [`reconfirm`](mod@reconfirm) | executions that come from elsewhere |
//! | [`unreached`](mod@unreached) | statements that no execution takes |
//!
//! What this crate does not know: files, terminals, and how a report is shown.
#![forbid(unsafe_code)]

pub mod applicable;
pub mod asked;
mod automaton;
mod check;
mod evidence;
mod failure;
mod machines;
pub mod options;
mod plan;
mod prepare;
pub mod reconfirm;
pub mod report;
mod run;
mod safety;
mod sets;
mod temporal;
mod together;
pub mod unreached;
mod watch;

pub use asked::{Asked, GivenAutomaton};
pub use automaton::permutations_of;
pub use check::check;
pub use failure::Failure;
pub use options::{
    EmptinessChoice, Engine, Interrupt, MachineKind, Options, SymmetryChoice, Wanted,
};
pub use reconfirm::{reconfirm, Claimed, Refused};
pub use report::{Finding, Note, Open, Property, PropertyKind, Report, Verdict, Wrong};
pub use watch::Watch;

pub use isospin_search::liveness::property::to_logic;
pub use isospin_search::liveness::Fairness;
pub use isospin_search::reduce::{AmpleSets, ReductionCounts};
pub use isospin_search::{Incomplete, Order, Progress};
pub use isospin_symmetry::Strategy;
