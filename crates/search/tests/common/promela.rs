//! Models from Promela text.

use std::path::Path;

use isospin_model::Model;
use isospin_promela::source::SourceMap;
use isospin_promela::{lower, parse, Options};

/// The model in a file, or what is wrong with it.
pub fn read(path: &Path) -> Result<Model, String> {
    read_with(path, &mut |path| std::fs::read(path))
}

/// The model in a text.
pub fn model_of(text: &str) -> Result<Model, String> {
    read_with(Path::new("m.pml"), &mut |_| Ok(text.as_bytes().to_vec()))
}

fn read_with(path: &Path, reader: isospin_promela::ReadFile<'_>) -> Result<Model, String> {
    let mut sources = SourceMap::new();
    let parsed = parse(&mut sources, path, &Options::default(), reader);
    let first = |list: &[isospin_promela::diagnostics::Diagnostic]| {
        let error = list.iter().find(|d| d.is_error());
        error.map_or(String::new(), |d| d.message.clone())
    };
    if parsed.has_errors() {
        return Err(first(&parsed.diagnostics));
    }
    lower::lower(&sources, &parsed.tree).map_err(|list| first(&list))
}
