//! `isospin show model`: the whole model.

use std::sync::Arc;

use isospin_analysis::{optimize, Optimizations};
use isospin_model::text;

use crate::args::WholeModelArgs;
use crate::failure::Failure;
use crate::load::load;

/// The model as text.
pub fn whole(args: &WholeModelArgs) -> Result<String, Failure> {
    let mut model = load(&args.model, &args.reading)?.model;
    if args.optimized {
        optimize(Arc::make_mut(&mut model), &[], Optimizations::ALL);
    }
    Ok(text::write(&model))
}
