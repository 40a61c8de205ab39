//! What the tests of the front end share.
#![allow(dead_code)]

use isospin_promela::syntax::ast::Tree;
use isospin_promela::{check, parse, Options, Parsed};
use isospin_source::{render, Diagnostic, SourceMap, Style};
use std::collections::HashMap;
use std::io;
use std::path::Path;

/// Files that exist only for a test.
#[derive(Default)]
pub struct Files(HashMap<String, Vec<u8>>);

impl Files {
    /// The model alone.
    pub fn model(text: impl Into<Vec<u8>>) -> Self {
        Files::default().with("model.pml", text)
    }

    /// One file more.
    pub fn with(mut self, name: &str, text: impl Into<Vec<u8>>) -> Self {
        self.0.insert(name.into(), text.into());
        self
    }
}

/// What the front end makes of a model.
pub struct Outcome {
    pub sources: SourceMap,
    pub tree: Tree,
    pub diagnostics: Vec<Diagnostic>,
}

impl Outcome {
    pub fn is_rejected(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }

    pub fn text(&self) -> String {
        render(&self.sources, &self.diagnostics, Style::Plain)
    }
}

/// Reads and checks the file `model.pml` among the files.
pub fn check_files(files: &Files, options: &Options) -> Outcome {
    let mut reader = |path: &Path| {
        let name = path.display().to_string();
        let missing = || io::Error::from(io::ErrorKind::NotFound);
        files.0.get(&name).cloned().ok_or_else(missing)
    };
    front_end(Path::new("model.pml"), options, &mut reader)
}

/// Reads and checks a model's text.
pub fn check_text(text: impl Into<Vec<u8>>) -> Outcome {
    check_files(&Files::model(text), &Options::default())
}

/// Reads and checks a model from the disk.
pub fn check_path(path: &Path) -> Outcome {
    front_end(path, &Options::default(), &mut |p| std::fs::read(p))
}

fn front_end(
    root: &Path,
    options: &Options,
    reader: &mut dyn FnMut(&Path) -> io::Result<Vec<u8>>,
) -> Outcome {
    let Parsed { sources, tree, mut diagnostics, .. } = parse(root, options, reader);
    if !diagnostics.iter().any(Diagnostic::is_error) {
        diagnostics.extend(check::check(&sources, &tree).diagnostics);
    }
    Outcome { sources, tree, diagnostics }
}
