//! IF 2.0, the intermediate format between SDL and model checkers: text to a model, with everything
//! that is wrong with it.
//!
//! The way of a system through this crate: its text becomes a tree ([`syntax`]); names and types get
//! their meaning ([`mod@elaborate`]), which gives a [`system`]; that becomes a model (`lower`), with
//! what its steps are called ([`labels`]).
#![forbid(unsafe_code)]

pub mod elaborate;
pub mod labels;
pub mod live;
mod lower;
pub mod properties;
pub mod syntax;
pub mod system;

use std::path::Path;

use isospin_source::{sort, Diagnostic, SourceMap, Span};

use elaborate::{elaborate, Elaborated};
use live::Live;
pub use lower::{Choices, Lowered};

/// A file beside the model.
#[derive(Clone, Debug)]
pub struct Beside<'p> {
    /// Where it was found.
    pub path: &'p Path,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// What was read.
pub struct Reading {
    /// The text.
    pub sources: SourceMap,
    /// Those of the formulas that were given beside the model, by position.
    pub formula_files: Vec<usize>,
    /// What is to be said about it.
    pub diagnostics: Vec<Diagnostic>,
    /// What was understood.
    pub known: Elaborated,
    /// The model, if nothing is wrong.
    pub lowered: Option<Lowered>,
    /// What decides what happens, and what the formulas look at.
    pub live: Live,
}

/// Reads a system. A system whose processes play the environment may be given beside it, and
/// formulas, each with its name.
pub fn read(
    path: &Path,
    bytes: Vec<u8>,
    environment: Option<Beside<'_>>,
    formulas: &[(String, String)],
    choices: &Choices,
) -> Reading {
    let mut sources = SourceMap::new();
    let mut diagnostics = Vec::new();
    let mut tree = parse(&mut sources, path, bytes, &mut diagnostics);
    let mut choices = *choices;
    if let Some(beside) = environment {
        let played = parse(&mut sources, beside.path, beside.bytes, &mut diagnostics);
        tree.items.extend(played.items);
        choices.closed = true;
        choices.played = true;
    }
    let wrong = |all: &[Diagnostic]| all.iter().any(Diagnostic::is_error);
    let mut found = Vec::new();
    let known = elaborate(&tree, &mut found);
    // What is missing after an error need not be missing without it.
    if !wrong(&diagnostics) {
        diagnostics.append(&mut found);
    }
    let (mut lowered, mut formula_files, mut live) = (None, Vec::new(), Live::default());
    if !wrong(&diagnostics) {
        let mut read = Vec::new();
        for (name, text) in formulas {
            let Some(file) = sources.add_file(Path::new(name), text.clone().into_bytes()) else {
                diagnostics.push(Diagnostic::error(Span::NONE, "the formula is too large"));
                continue;
            };
            formula_files.push(file);
            let start = sources.files()[file].start();
            read.extend(properties::read(&sources, &known, name, text, start, &mut diagnostics));
        }
        let atoms: Vec<system::Expr> = read.iter().flat_map(|r| r.atoms().to_vec()).collect();
        live = Live::of(&known.system, &atoms);
        let all = Live::all();
        let kept = if choices.slim { &live } else { &all };
        match lower::lower(&sources, &known.system, &choices, kept) {
            Ok(mut made) => {
                let formulas = read.into_iter().map(|r| r.formula(&sources, &known, &made));
                let formulas = formulas.collect();
                made.model.formulas = formulas;
                lowered = Some(made);
            }
            Err(errors) => diagnostics.extend(errors),
        }
    }
    let lowered = lowered.filter(|_| !wrong(&diagnostics));
    sort(&sources, &mut diagnostics);
    Reading { sources, formula_files, diagnostics, known, lowered, live }
}

fn parse(
    sources: &mut SourceMap,
    path: &Path,
    bytes: Vec<u8>,
    diagnostics: &mut Vec<Diagnostic>,
) -> syntax::ast::System {
    let length = bytes.len();
    let Some(file) = sources.add_file(path, bytes) else {
        let message = format!("the model is too large ({length} bytes)");
        diagnostics.push(Diagnostic::error(Span::NONE, message));
        return syntax::ast::System::default();
    };
    let (start, text) = (sources.files()[file].start(), sources.files()[file].text().clone());
    syntax::parse(&text, start, diagnostics)
}

#[cfg(test)]
mod tests;
