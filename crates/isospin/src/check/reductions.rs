//! Which reductions and optimisations apply.

use std::sync::Arc;

use isospin_model::facts::{Facts, Obstacle};
use isospin_model::optimize::{optimize, Optimizations};
use isospin_model::{Expr, Model};

use crate::args::{CheckArgs, Fairness, Symmetry};

/// What the command line leaves on.
pub struct Wanted {
    /// Optimisations of the model.
    pub optimize: bool,
    /// Ticks in which nothing can happen are taken in one step.
    pub jumps: bool,
    /// Partial-order reduction.
    pub por: bool,
    /// Symmetry reduction.
    pub symmetry: bool,
    /// Symmetry reduction would be wanted, and fairness rules it out.
    pub fair: bool,
}

impl Wanted {
    /// As the command line has it.
    pub fn new(args: &CheckArgs) -> Wanted {
        let optimize = !args.exact && !args.no_optimize;
        let fair = args.fair != Fairness::None;
        let off = args.no_symmetry || args.symmetry == Symmetry::Off;
        Wanted {
            optimize,
            jumps: optimize && !args.no_jumps,
            por: !args.exact && !args.no_por,
            symmetry: !args.exact && !off && !fair,
            fair: !args.exact && !off && fair,
        }
    }

    /// The model to search for properties that look at `observers`, with steps merged or not.
    pub fn optimized(&self, model: &Arc<Model>, observers: &[Expr], merge: bool) -> Arc<Model> {
        if !self.optimize {
            return Arc::clone(model);
        }
        let mut optimized = Model::clone(model);
        let which = Optimizations { merge, jumps: self.jumps, ..Optimizations::ALL };
        optimize(&mut optimized, observers, which);
        Arc::new(optimized)
    }

    /// The facts that partial-order reduction stands on, or a note on why it does not apply.
    pub fn facts(&self, model: &Model) -> (Option<Arc<Facts>>, Option<String>) {
        if !self.por {
            return (None, None);
        }
        let facts = Facts::of(model, &[]);
        let what = match facts.obstacle {
            None => return (Some(Arc::new(facts)), None),
            Some(Obstacle::Priorities) => "priorities",
            Some(Obstacle::Provided) => "a provided clause",
            Some(Obstacle::Last) => "_last",
            Some(Obstacle::Enabled) => "enabled()",
            Some(Obstacle::Trace) => "a trace assertion",
        };
        (None, Some(format!("partial-order reduction is off: the model uses {what}.")))
    }
}
