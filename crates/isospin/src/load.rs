//! From a file to a model, with everything that is to be said about it.

use std::path::Path;
use std::sync::Arc;

use isospin_model::Model;
use isospin_promela::lints::LINTS;
use isospin_promela::{read, Options, Reading};
use isospin_report::{trail, Style};
use isospin_source::{
    render, Diagnostic, Level, Lint, LintLevels, Note, SourceMap, Style as Rendering,
};
use isospin_symmetry::describe;

use crate::args::ModelArgs;
use crate::failure::Failure;
use crate::files::{self, Fence};
use crate::given::Given;
use crate::intermediate;
use crate::output::{error_style, say};

/// A model that was read.
pub struct Loaded {
    /// The model.
    pub model: Arc<Model>,
    /// The hash of its sources.
    pub hash: String,
}

/// Reads a model and says what is to be said about it on standard error.
pub fn load(path: &Path, args: &ModelArgs) -> Result<Loaded, Failure> {
    load_with(path, args, &[])
}

/// The same, with formulas that are given beside it.
pub fn load_with(path: &Path, args: &ModelArgs, formulas: &[Given]) -> Result<Loaded, Failure> {
    load_if(path, args, formulas, &mut |_| Ok(()))
}

/// The same. `accept` is asked, with the hash of the text, before anything of that is shown.
pub fn load_if(
    path: &Path,
    args: &ModelArgs,
    formulas: &[Given],
    accept: &mut dyn FnMut(&str) -> Result<(), Failure>,
) -> Result<Loaded, Failure> {
    if intermediate::is_if(path, args) {
        let read = intermediate::load(path, args, formulas, accept)?;
        return Ok(read.loaded);
    }
    let levels = levels(args, LINTS)?;
    let cannot = |error| Failure::new(format_args!("cannot read {}: {error}", path.display()));
    let root = files::read(path).map_err(cannot)?;
    let fence = args.untrusted.then(|| Fence::around(path)).transpose().map_err(cannot)?;
    let mut root = Some(root);
    let mut reader = |p: &Path| match root.take_if(|_| p == path) {
        Some(bytes) => Ok(bytes),
        None => fence.as_ref().map_or_else(|| files::read(p), |fence| fence.read(p)),
    };
    let options = Options {
        defines: args.defines.clone(),
        include_dirs: args.include_dirs.clone(),
        formulas: formulas.iter().map(|f| f.text.clone()).collect(),
    };
    let Reading { sources, formula_files, mut diagnostics, model, .. } =
        read(path, &options, &mut reader);
    // A trail fits the model, whatever formula it was found with.
    let files = sources.files().iter().enumerate().filter(|(k, _)| !formula_files.contains(k));
    let hash = trail::hash_sources(files.map(|(_, f)| &**f.text()));
    accept(&hash)?;
    levels.apply(&mut diagnostics);
    // A warning may have been made an error.
    let model = model.filter(|_| !diagnostics.iter().any(Diagnostic::is_error));
    let model = model.map(|model| described(model, args)).transpose()?;
    for diagnostic in &mut diagnostics {
        name_origin(&sources, &formula_files, formulas, diagnostic);
    }
    if !diagnostics.is_empty() && (model.is_none() || !args.quiet) {
        show(&sources, &diagnostics);
    }
    let Some(model) = model else {
        return Err(Failure::Silent);
    };
    Ok(Loaded { model: Arc::new(model), hash })
}

/// Shows what is to be said about a model.
pub fn show(sources: &SourceMap, diagnostics: &[Diagnostic]) {
    let style = match error_style() {
        Style::Plain => Rendering::Plain,
        Style::Coloured => Rendering::Coloured,
    };
    say(&render(sources, diagnostics, style));
}

/// Adds to a message about a formula where that was written; the place that it has anyway is one
/// in the formula's text.
pub fn name_origin(
    sources: &SourceMap,
    files: &[usize],
    formulas: &[Given],
    diagnostic: &mut Diagnostic,
) {
    let file = sources.file_index(sources.written(diagnostic.span));
    let position = files.iter().position(|f| Some(*f) == file);
    let given = position.and_then(|k| formulas.get(k));
    if let Some(origin) = given.and_then(|g| g.origin.as_ref()) {
        let message = format!("this is {origin}");
        diagnostic.notes.push(Note { message, span: None });
    }
}

/// What the command line says about warnings; what is said last counts within its kind.
pub fn levels(args: &ModelArgs, lints: &'static [Lint]) -> Result<LintLevels, Failure> {
    let mut levels = LintLevels::new(lints);
    let asked = [(&args.warn, Level::Warn), (&args.allow, Level::Allow), (&args.deny, Level::Deny)];
    for (names, level) in asked {
        for name in names {
            if !levels.set_by_name(name, level) {
                let all: Vec<&str> = lints.iter().map(|l| l.name()).collect();
                return Err(Failure::new(format_args!(
                    "there is no warning named `{name}`; there are {}, and warnings for all of them",
                    all.join(", ")
                )));
            }
        }
    }
    Ok(levels)
}

/// The model with the names that a system description declares.
fn described(mut model: Model, args: &ModelArgs) -> Result<Model, Failure> {
    let Some(path) = &args.sym else { return Ok(model) };
    let text = files::read_text(path)
        .map_err(|error| Failure::new(format_args!("cannot read {}: {error}", path.display())))?;
    describe(&mut model, &text).map_err(|error| {
        Failure::new(format_args!("{}:{}: {}", path.display(), error.line, error.message))
    })?;
    Ok(model)
}
