//! From a file to a relation, with everything that is to be said about it.

use std::path::Path;
use std::sync::Arc;

use isospin_relation::text::variable_value;
use isospin_relation::{Place, Relation, Trouble};
use isospin_report::trail::hash_sources;
use isospin_report::Style;
use isospin_smv::lints::LINTS;
use isospin_smv::{read, Options, Reading};
use isospin_source::{render, Diagnostic, SourceMap, Span, Style as Rendering};
use isospin_symbolic::{Problem, Wrong};

use crate::args::ModelArgs;
use crate::failure::Failure;
use crate::files;
use crate::load::levels;
use crate::output::{error_style, say};

/// A model that was read.
pub struct Loaded {
    /// The system.
    pub relation: Arc<Relation>,
    /// The hash of its text.
    pub hash: String,
    sources: SourceMap,
    places: Vec<Span>,
}

/// Reads a model and says what is to be said about it on standard error.
pub fn load(path: &Path, args: &ModelArgs) -> Result<Loaded, Failure> {
    load_if(path, args, &mut |_| Ok(()))
}

/// The same. `accept` is asked, with the hash of the text, before anything of that is shown.
pub fn load_if(
    path: &Path,
    args: &ModelArgs,
    accept: &mut dyn FnMut(&str) -> Result<(), Failure>,
) -> Result<Loaded, Failure> {
    match read_model(path, args, accept)? {
        Ok(loaded) => Ok(loaded),
        Err(_) => Err(Failure::Silent),
    }
}

/// What is wrong with a model: places and sentences.
pub type Complaints = Vec<(String, String)>;

/// The same; a model that is refused is one of two answers, and what was said about it.
pub fn read_model(
    path: &Path,
    args: &ModelArgs,
    accept: &mut dyn FnMut(&str) -> Result<(), Failure>,
) -> Result<Result<Loaded, Complaints>, Failure> {
    let bytes = files::read(path)
        .map_err(|error| Failure::new(format_args!("cannot read {}: {error}", path.display())))?;
    let options = Options { old_booleans: args.old_booleans, defines: args.defines.clone() };
    let Reading { sources, mut diagnostics, places, relation } = read(path, bytes, &options);
    let hash = hash_sources(sources.files().iter().map(|f| &**f.text()));
    accept(&hash)?;
    levels(args, LINTS)?.apply(&mut diagnostics);
    let relation = relation.filter(|_| !diagnostics.iter().any(Diagnostic::is_error));
    if !diagnostics.is_empty() && (relation.is_none() || !args.quiet) {
        show(&sources, &diagnostics);
    }
    Ok(match relation {
        Some(relation) => Ok(Loaded { relation: Arc::new(relation), hash, sources, places }),
        None => Err(complaints(&sources, &diagnostics)),
    })
}

fn complaints(sources: &SourceMap, diagnostics: &[Diagnostic]) -> Complaints {
    let errors = diagnostics.iter().filter(|d| d.is_error());
    errors.map(|d| (sources.location(d.span).to_string(), d.message.clone())).collect()
}

fn show(sources: &SourceMap, diagnostics: &[Diagnostic]) {
    let style = match error_style() {
        Style::Plain => Rendering::Plain,
        Style::Coloured => Rendering::Coloured,
    };
    say(&render(sources, diagnostics, style));
}

impl Loaded {
    /// Where something was written.
    pub fn location(&self, place: Option<Place>) -> String {
        self.span(place).map_or_else(String::new, |span| self.sources.location(span).to_string())
    }

    fn span(&self, place: Option<Place>) -> Option<Span> {
        place.and_then(|place| self.places.get(place.0 as usize)).copied()
    }

    /// Says what a model lacks to mean anything, and what was said.
    pub fn complain(&self, wrong: &[Wrong]) -> Complaints {
        let diagnostics: Vec<Diagnostic> = wrong.iter().map(|w| self.diagnostic(w)).collect();
        show(&self.sources, &diagnostics);
        complaints(&self.sources, &diagnostics)
    }

    fn diagnostic(&self, wrong: &Wrong) -> Diagnostic {
        let message = match wrong.what {
            Problem::Undefined(Trouble::NoCase) => "no condition of this case is true".to_owned(),
            Problem::Undefined(Trouble::OutsideBounds) => "this is outside the bounds".to_owned(),
            Problem::Undefined(Trouble::DivisionByZero) => "the divisor is zero".to_owned(),
            Problem::OutsideDomain(variable) => {
                let variable = self.relation.variable(variable);
                let domain = isospin_relation::text::domain(&self.relation, &variable.domain);
                format!("this can be outside the values {domain} of `{}`", variable.name)
            }
        };
        let values: Vec<String> = wrong
            .values
            .iter()
            .map(|(id, next, value)| {
                let name = &self.relation.variable(*id).name;
                let value = variable_value(&self.relation, *id, *value);
                if *next {
                    format!("next({name}) = {value}")
                } else {
                    format!("{name} = {value}")
                }
            })
            .collect();
        let span = self.span(wrong.place).unwrap_or(Span::NONE);
        let diagnostic = Diagnostic::error(span, message);
        if values.is_empty() {
            diagnostic
        } else {
            diagnostic.note(format!("where {}", values.join(", ")))
        }
    }
}
