//! From a file in IF to a model.

use std::path::Path;
use std::sync::Arc;

use isospin_if::{read, Beside, Choices, Lowered, Reading};
use isospin_report::trail;

use crate::args::ModelArgs;
use crate::failure::Failure;
use crate::files;
use crate::given::Given;
use crate::load::{name_origin, show, Loaded};

/// A system that was read.
pub struct Read {
    /// The model.
    pub loaded: Loaded,
    /// What its parts are called.
    pub lowered: Lowered,
    /// What was understood.
    pub known: isospin_if::elaborate::Elaborated,
    /// What decides what happens, and what the formulas look at.
    pub live: isospin_if::live::Live,
}

/// Reads a system and says what is to be said about it. `accept` is asked, with the hash of the
/// text, before anything of that is shown.
pub fn load(
    path: &Path,
    args: &ModelArgs,
    formulas: &[Given],
    accept: &mut dyn FnMut(&str) -> Result<(), Failure>,
) -> Result<Read, Failure> {
    let bytes = |path: &Path| {
        files::read(path)
            .map_err(|error| Failure::new(format_args!("cannot read {}: {error}", path.display())))
    };
    let given = &args.intermediate;
    let choices = Choices {
        closed: given.closed,
        discard: given.discard,
        open_ranges: given.open_ranges,
        buffer: given.buffer,
        instances: given.instances,
        clock_bound: given.clock_bound,
        slim: given.slim,
        played: false,
    };
    let environment = match &given.environment {
        Some(path) => Some(Beside { path, bytes: bytes(path)? }),
        None => None,
    };
    isospin_limits::phase("the model was being read");
    let named: Vec<(String, String)> = formulas
        .iter()
        .enumerate()
        .map(|(k, formula)| (isospin_promela::formula_name(k), formula.text.clone()))
        .collect();
    let Reading { sources, formula_files, mut diagnostics, known, lowered, live } =
        read(path, bytes(path)?, environment, &named, &choices);
    // A trail fits the model, whatever formula it was found with.
    let files = sources.files().iter().enumerate().filter(|(k, _)| !formula_files.contains(k));
    let hash = trail::hash_sources(files.map(|(_, f)| &**f.text()));
    accept(&hash)?;
    for diagnostic in &mut diagnostics {
        name_origin(&sources, &formula_files, formulas, diagnostic);
    }
    if !diagnostics.is_empty() && (lowered.is_none() || !args.quiet) {
        show(&sources, &diagnostics);
    }
    let Some(lowered) = lowered else { return Err(Failure::Silent) };
    let loaded = Loaded { model: Arc::new(lowered.model.clone()), hash };
    Ok(Read { loaded, lowered, known, live })
}
