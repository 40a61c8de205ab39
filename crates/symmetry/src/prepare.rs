//! A model as it is searched under symmetry.

use std::sync::Arc;

use isospin_analysis::optimize::{keep_ended, optimize, Optimizations};
use isospin_model::{Expr, Model};

use crate::detect::{detect_for, Detection};
use crate::reader::Reader;

/// A model that has been made ready, and what was found out about it.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The model.
    pub model: Arc<Model>,
    /// Processes that have ended stay where they are; or what could tell that from their being
    /// gone.
    pub keeps_ended: Result<(), &'static str>,
    /// Its symmetry.
    pub detection: Detection,
}

/// Makes a model ready for a search for properties that look at `observers`, and finds its
/// symmetry. Where the properties count steps no optimisation is allowed, and `which` is `None`:
/// the model stays as it is.
pub fn prepare(model: &Model, observers: &[Expr], which: Option<Optimizations>) -> Prepared {
    prepare_for(model, observers, None, which)
}

/// The same, where observers may also change places if their reader goes along.
pub fn prepare_for(
    model: &Model,
    observers: &[Expr],
    reader: Option<&dyn Reader>,
    which: Option<Optimizations>,
) -> Prepared {
    let mut searched = model.clone();
    let keeps_ended = match which {
        Some(which) => {
            let kept = keep_ended(&mut searched, observers);
            optimize(&mut searched, observers, which);
            kept
        }
        None => Err("steps are counted"),
    };
    let model = Arc::new(searched);
    let detection = detect_for(&model, observers, reader);
    Prepared { model, keeps_ended, detection }
}
