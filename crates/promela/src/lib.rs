//! Promela text to a checked syntax tree, and on to a model.
//!
//! - [`preprocess`]: directives and macros, text to tokens;
//! - [`syntax`]: tokens, the syntax tree, the parser and the printer;
//! - [`check`]: names, types and the warnings;
//! - [`lints`]: the kinds of warnings;
//! - [`symbols`]: what names mean;
//! - [`lower`]: the tree and its symbols into the model.
//!
//! [`read`] does all of it. Reading files is left to the caller; nothing here panics on bad input.
#![forbid(unsafe_code)]

pub mod check;
pub mod lints;
pub mod lower;
mod operators;
pub mod preprocess;
pub mod symbols;
pub mod syntax;

use std::path::Path;

use isospin_limits::phase;
use isospin_model::Model;
use isospin_source::{Diagnostic, SourceMap};
use preprocess::Preprocessed;
use symbols::Symbols;
use syntax::ast::Tree;

pub use preprocess::{formula_name, Options, ReadFile};

/// A text as it was parsed: always a tree, and what is wrong with the text.
#[derive(Debug)]
pub struct Parsed {
    /// The files.
    pub sources: SourceMap,
    /// Those of the formulas that were given beside the model, by position.
    pub formula_files: Vec<usize>,
    /// The syntax tree; what could not be read is missing or an error node.
    pub tree: Tree,
    /// What the preprocessor and the parser have to say.
    pub diagnostics: Vec<Diagnostic>,
}

impl Parsed {
    /// Whether the text is in error.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

/// Preprocesses and parses the model in the file `root`, and leaves it at that.
pub fn parse(root: &Path, options: &Options, reader: ReadFile<'_>) -> Parsed {
    phase("the model was being read");
    let mut sources = SourceMap::new();
    let mut diagnostics = Vec::new();
    let Preprocessed { tokens, formulas, formula_files } =
        preprocess::preprocess(&mut sources, root, options, reader, &mut diagnostics);
    let tree = syntax::parse::parse_tokens(&mut sources, tokens, formulas, &mut diagnostics);
    Parsed { sources, formula_files, tree, diagnostics }
}

/// A model as it was read: what was understood of it, and everything that is to be said about it.
#[derive(Debug)]
pub struct Reading {
    /// The files.
    pub sources: SourceMap,
    /// Those of the formulas that were given beside the model, by position.
    pub formula_files: Vec<usize>,
    /// The syntax tree; what could not be read is missing or an error node.
    pub tree: Tree,
    /// What its names mean, as far as that can be said.
    pub symbols: Symbols,
    /// What is wrong, and what looks wrong.
    pub diagnostics: Vec<Diagnostic>,
    /// The model, if nothing is wrong.
    pub model: Option<Model>,
}

impl Reading {
    /// The model, or one line for each error: where it is, and what is wrong.
    pub fn into_model(self) -> Result<Model, String> {
        let Reading { sources, diagnostics, model, .. } = self;
        model.ok_or_else(|| {
            let errors = diagnostics.iter().filter(|d| d.is_error());
            let mut lines: Vec<String> =
                errors.map(|d| format!("{}: {}", sources.location(d.span), d.message)).collect();
            lines.dedup();
            lines.join("\n")
        })
    }
}

/// Reads the model in the file `root`: preprocesses, parses, checks and lowers it.
pub fn read(root: &Path, options: &Options, reader: ReadFile<'_>) -> Reading {
    let Parsed { sources, formula_files, tree, mut diagnostics } = parse(root, options, reader);
    let wrong = |diagnostics: &[Diagnostic]| diagnostics.iter().any(Diagnostic::is_error);
    phase("the model was being checked for errors");
    // What is missing after an error need not be missing without it.
    let checked = check::check(&sources, &tree);
    if !wrong(&diagnostics) {
        diagnostics.extend(checked.diagnostics);
    }
    let symbols = checked.symbols;
    let mut model = None;
    if !wrong(&diagnostics) {
        phase("the model was being built");
        match lower::lower(&sources, &tree, &symbols) {
            Ok(lowered) => model = Some(lowered),
            Err(errors) => diagnostics.extend(errors),
        }
    }
    Reading { sources, formula_files, tree, symbols, diagnostics, model }
}
