//! Models in IF: how they are read, and what their steps are called.

mod load;
mod naming;

use std::path::{Path, PathBuf};

use isospin_report::trail::TrailIf;

use crate::args::{IfArgs, Language, ModelArgs};

pub use load::{load, Read};
pub use naming::Words;

/// Whether a file is read as IF: as the command line says, otherwise by its end.
pub fn is_if(path: &Path, args: &ModelArgs) -> bool {
    match args.language {
        Some(language) => language == Language::If,
        None => path.extension().is_some_and(|end| end.eq_ignore_ascii_case("if")),
    }
}

/// What a trail has to say of how the model was read.
pub fn of_trail(path: &Path, args: &ModelArgs) -> Option<TrailIf> {
    let given = &args.intermediate;
    is_if(path, args).then(|| TrailIf {
        closed: given.closed,
        environment: given.environment.as_ref().map(|p| p.display().to_string()),
        discard: given.discard,
        open_ranges: given.open_ranges,
        buffer: given.buffer,
        instances: given.instances,
        clock_bound: given.clock_bound,
    })
}

/// The arguments that a trail stands for.
pub fn args(trail: &TrailIf) -> IfArgs {
    IfArgs {
        closed: trail.closed,
        environment: trail.environment.as_ref().map(PathBuf::from),
        discard: trail.discard,
        open_ranges: trail.open_ranges,
        buffer: trail.buffer.max(1),
        instances: trail.instances.max(1),
        clock_bound: trail.clock_bound,
        // Whoever reads the model for a trail knows whether the check left parameters out.
        slim: false,
    }
}
