//! SMV, the language of NuSMV 2.6: text to a relation, with everything that is wrong with it.
//!
//! The way of a model through this crate: its text becomes a tree ([`syntax`]); modules are
//! instantiated, which gives names their meaning (`flatten`); expressions are typed and written as
//! expressions of the relation (`elaborate`), and sections become its parts (`lower`).
#![forbid(unsafe_code)]

mod elaborate;
mod flatten;
pub mod lints;
mod lower;
mod preprocess;
mod syntax;
mod types;

use std::path::Path;

use isospin_relation::Relation;
use isospin_source::{sort, Diagnostic, SourceMap, Span};

/// How a model is read.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Whether 0 and 1 stand for FALSE and TRUE where a truth value is needed, as they did before
    /// NuSMV 2.5.
    pub old_booleans: bool,
    /// Macros that are defined, each with its text: `-D NAME=VALUE`.
    pub defines: Vec<String>,
}

/// What was read.
#[derive(Debug)]
pub struct Reading {
    /// The text.
    pub sources: SourceMap,
    /// What is to be said about it.
    pub diagnostics: Vec<Diagnostic>,
    /// The places that the relation's parts name.
    pub places: Vec<Span>,
    /// The system, if nothing is wrong.
    pub relation: Option<Relation>,
}

/// Stack for reading: expressions may be nested thousands of levels deep.
const STACK: usize = 512 << 20;

/// Reads a model.
pub fn read(path: &Path, bytes: Vec<u8>, options: &Options) -> Reading {
    let run = || read_here(path, bytes.clone(), options);
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().name("smv".into()).stack_size(STACK);
        match builder.spawn_scoped(scope, run) {
            Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            // Without room for a large stack the one that is there has to do.
            Err(_) => read_here(path, bytes.clone(), options),
        }
    })
}

fn read_here(path: &Path, bytes: Vec<u8>, options: &Options) -> Reading {
    let mut sources = SourceMap::new();
    let mut reading = Reading {
        sources: SourceMap::new(),
        diagnostics: Vec::new(),
        places: Vec::new(),
        relation: None,
    };
    let length = bytes.len();
    let Some(file) = sources.add_file(path, bytes) else {
        let message = format!("the model is too large ({length} bytes)");
        reading.diagnostics.push(Diagnostic::error(Span::NONE, message));
        return reading;
    };
    let (start, text) = (sources.files()[file].start(), sources.files()[file].text().to_string());
    let ready = preprocess::preprocess(text, start, &options.defines, &mut reading.diagnostics);
    let (mut tokens, mut errors) = syntax::lex(&ready.text, start);
    for (_, span) in &mut tokens {
        *span = ready.place(*span, start);
    }
    for error in &mut errors {
        error.span = ready.place(error.span, start);
    }
    reading.diagnostics.append(&mut errors);
    let (tree, mut errors) = syntax::parse(tokens);
    reading.diagnostics.append(&mut errors);
    if reading.diagnostics.is_empty() {
        let (relation, places, diagnostics) = lower::lower(&tree, &sources, options);
        reading.diagnostics.extend(diagnostics);
        reading.places = places;
        let wrong = reading.diagnostics.iter().any(Diagnostic::is_error);
        reading.relation = (!wrong).then_some(relation);
    }
    reading.sources = sources;
    sort(&reading.sources, &mut reading.diagnostics);
    reading
}

#[cfg(test)]
mod tests;
