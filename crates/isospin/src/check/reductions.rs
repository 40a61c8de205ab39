//! Which reductions and optimisations apply.

use std::sync::Arc;

use isospin_analysis::facts::{Facts, Obstacle};
use isospin_analysis::optimize::{optimize, Optimizations};
use isospin_model::{Expr, Model};
use isospin_report::check::ReducedStates;
use isospin_search::reduce::{AmpleSets, ReductionCounts};

use crate::args::{CheckArgs, Fairness, Por, Symmetry};

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
    /// Among which sets of steps it chooses.
    pub ample: AmpleSets,
}

impl Wanted {
    /// As the command line has it.
    pub fn new(args: &CheckArgs) -> Wanted {
        let ample = match args.por {
            Por::Process => AmpleSets::Process,
            Por::Cluster => AmpleSets::Cluster,
            Por::Stubborn => AmpleSets::Stubborn,
        };
        let optimize = !args.exact && !args.no_optimize;
        let fair = args.fair != Fairness::None;
        let off = args.no_symmetry || args.symmetry == Symmetry::Off;
        Wanted {
            optimize,
            jumps: optimize && !args.no_jumps,
            por: !args.exact && !args.no_por,
            ample,
            symmetry: !args.exact && !off && !fair,
            fair: !args.exact && !off && fair,
        }
    }

    /// The model to search for properties that look at `observers`, with steps merged or not.
    pub fn optimized(&self, model: &Arc<Model>, observers: &[Expr], merge: bool) -> Arc<Model> {
        let mut optimized = Model::clone(model);
        optimize(&mut optimized, observers, self.optimizations(merge));
        Arc::new(optimized)
    }

    /// Which optimisations apply, with steps merged or not.
    pub fn optimizations(&self, merge: bool) -> Optimizations {
        match self.optimize {
            true => Optimizations { merge, jumps: self.jumps, ..Optimizations::ALL },
            false => Optimizations::NONE,
        }
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

/// Adds how often a search reduced.
pub fn add(reduced: &mut ReducedStates, counts: &ReductionCounts) {
    reduced.reduced += counts.reduced;
    reduced.alone += counts.trivial;
    reduced.disturbed += counts.no_closed_set;
    reduced.visible += counts.visible;
    reduced.cycle += counts.revoked;
    reduced.unsought += counts.unsought;
}
