//! Promela text to a checked syntax tree, and on to a model.
//!
//! - [`source`]: files, spans, expansions;
//! - [`diagnostics`]: what is said about a model, and how it is shown;
//! - [`preprocess`]: directives and macros, text to tokens;
//! - [`syntax`]: tokens, the syntax tree, the parser and the printer;
//! - [`check`]: names, types and the warnings;
//! - [`lower`]: the tree into the model.
//!
//! Reading files is left to the caller; nothing here panics on bad input.
#![forbid(unsafe_code)]

pub mod check;
pub mod diagnostics;
pub mod lower;
pub mod preprocess;
pub mod source;
pub mod syntax;

use diagnostics::Diagnostic;
use source::SourceMap;
use std::path::Path;

pub use preprocess::{formula_name, Options, ReadFile};

/// A model as it was read: always a tree, and what is wrong with the text.
#[derive(Debug)]
pub struct Parsed {
    /// The syntax tree; what could not be read is missing or an error node.
    pub tree: syntax::ast::Tree,
    /// What the preprocessor and the parser have to say.
    pub diagnostics: Vec<Diagnostic>,
}

impl Parsed {
    /// Whether the text is in error.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

/// Preprocesses and parses the model in the file `root`.
pub fn parse(
    sources: &mut SourceMap,
    root: &Path,
    options: &Options,
    reader: ReadFile<'_>,
) -> Parsed {
    let mut diagnostics = Vec::new();
    let tokens = preprocess::preprocess(sources, root, options, reader, &mut diagnostics);
    let tree = syntax::parse::parse_tokens(sources, tokens, &mut diagnostics);
    Parsed { tree, diagnostics }
}
