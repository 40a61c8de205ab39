//! SMV models: read, checked, simulated and shown.
//!
//! | file | what it does |
//! | --- | --- |
//! | `load.rs` | from a file to a relation |
//! | `check.rs` | `isospin check` |
//! | `trail.rs` | executions as files |
//! | `replay.rs` | `isospin replay` |
//! | `sim.rs`, `interactive.rs` | `isospin sim` |
//! | `show.rs` | `isospin show` |

mod check;
mod interactive;
mod load;
mod replay;
mod show;
mod sim;
mod trail;

use std::path::Path;

use crate::args::{Language, ModelArgs, ShowArgs, Subject};
use crate::failure::Failure;

pub use check::run as check;
pub use replay::{is_trail, run as replay};
pub use show::run as show;
pub use sim::run as sim;

/// Whether an SMV model is to be shown.
pub fn shows(args: &ShowArgs) -> bool {
    match &args.subject {
        Subject::Model(of) => is_smv(&of.model, &of.reading),
        Subject::Automata(of)
        | Subject::Layout(of)
        | Subject::Dependencies(of)
        | Subject::Symmetry(of) => is_smv(&of.model, &of.reading),
        Subject::Time(_) | Subject::Automaton(_) | Subject::Graph(_) | Subject::Slice(_) => false,
    }
}

/// Whether a file is read as SMV: as the command line says, otherwise by its end.
pub fn is_smv(path: &Path, args: &ModelArgs) -> bool {
    match args.language {
        Some(language) => language == Language::Smv,
        None => path.extension().is_some_and(|end| end.eq_ignore_ascii_case("smv")),
    }
}

/// Writes a file that the command line names.
fn write(path: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text)
        .map_err(|error| Failure::new(format_args!("cannot write {}: {error}", path.display())))
}
