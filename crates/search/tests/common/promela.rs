//! Models from Promela text.

use std::path::Path;

use isospin_model::Model;
use isospin_promela::Options;

/// The model in a file, or what is wrong with it.
pub fn read(path: &Path) -> Result<Model, String> {
    read_with(path, &mut |path| std::fs::read(path))
}

/// The model in a text.
pub fn model_of(text: &str) -> Result<Model, String> {
    read_with(Path::new("m.pml"), &mut |_| Ok(text.as_bytes().to_vec()))
}

fn read_with(path: &Path, reader: isospin_promela::ReadFile<'_>) -> Result<Model, String> {
    isospin_promela::read(path, &Options::default(), reader).into_model()
}
