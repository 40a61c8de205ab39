//! Models made ready for a search: optimised, and with their symmetry.

use std::sync::Arc;

use isospin_analysis::{optimize, Optimizations};
use isospin_machine::Interpreter;
use isospin_model::{Expr, Model};
use isospin_search::scout;
use isospin_symmetry::{Detection, Reader, Strategy, Symmetry};

use crate::applicable::{Applicable, Reduction};
use crate::failure::Failure;
use crate::options::{SymmetryChoice, Wanted};
use crate::report::Note;

/// A model made ready for a search.
pub struct Prepared {
    /// The model.
    pub model: Arc<Model>,
    /// Its symmetry, if it has one and it is used.
    pub symmetry: Option<(Arc<Symmetry>, Strategy)>,
    /// Whether processes that have ended stay where they are.
    pub keeps_ended: bool,
    /// Whether its symmetry sorts the array that was named, if one was.
    pub sorts_main_array: bool,
    /// What is to be said about it.
    pub note: Option<Note>,
}

impl Prepared {
    /// Whether both are searched alike.
    pub fn is_like(&self, other: &Prepared) -> bool {
        let order = |p: &Prepared| p.symmetry.as_ref().map(|s| (s.0.group.order(), s.1));
        self.model == other.model
            && self.keeps_ended == other.keeps_ended
            && order(self) == order(other)
    }

    /// How many permutations its symmetry has.
    pub fn permutations(&self) -> f64 {
        self.symmetry.as_ref().map_or(1.0, |s| s.0.group.order())
    }
}

/// Makes a model ready for a search for properties that look at `observers`.
pub fn prepare(
    wanted: &Wanted,
    applicable: &Applicable,
    model: &Arc<Model>,
    observers: &[Expr],
) -> Prepared {
    prepare_for(wanted, applicable, model, observers, None)
}

/// The same, where observers may change places if their reader goes along.
pub fn prepare_for(
    wanted: &Wanted,
    applicable: &Applicable,
    model: &Arc<Model>,
    observers: &[Expr],
    reader: Option<&dyn Reader>,
) -> Prepared {
    isospin_limits::check_many(u32::MAX);
    let which = optimizations(wanted, applicable);
    let without = |note: Option<Note>| Prepared {
        model: optimized(model, observers, which),
        symmetry: None,
        keeps_ended: false,
        sorts_main_array: true,
        note,
    };
    // What time passes under is not looked at by the proof.
    let conditions = model.time.as_ref().is_some_and(|t| !t.conditions.is_empty());
    if wanted.symmetry == SymmetryChoice::Off || conditions {
        return without(None);
    }
    let find = || isospin_symmetry::prepare_for(model, observers, reader, which);
    if !applicable.allows(Reduction::Symmetry) {
        return without(None);
    }
    let isospin_symmetry::Prepared { model: searched, keeps_ended, detection } = find();
    let Some(symmetry) = &detection.symmetry else {
        let chosen = wanted.symmetry != SymmetryChoice::Auto;
        return without(chosen.then(|| Note::NoSymmetry(why_none(&detection))));
    };
    let mut note = None;
    let strategy = match wanted.symmetry {
        SymmetryChoice::Strategy(strategy)
            if !strategy.is_canonical() && !applicable.allows(Reduction::Representatives) =>
        {
            note = Some(Note::Canonical { asked: strategy, used: strategy.canonical() });
            strategy.canonical()
        }
        SymmetryChoice::Strategy(strategy) => strategy,
        SymmetryChoice::Auto | SymmetryChoice::Off => {
            let mut machine = Interpreter::new(Arc::clone(&searched));
            let mut go_on = || {
                isospin_limits::check_many(u32::MAX);
                true
            };
            Strategy::choose(symmetry, &scout::states(&mut machine, &mut go_on))
        }
    };
    let mut symmetry = Arc::clone(symmetry);
    let array = wanted.main_array.as_ref();
    let sorts_main_array = array.is_none_or(|a| Arc::make_mut(&mut symmetry).sort_by(a));
    Prepared {
        model: searched,
        symmetry: Some((symmetry, strategy)),
        keeps_ended: keeps_ended.is_ok(),
        sorts_main_array,
        note,
    }
}

/// The optimisations that are wanted and apply; `None` where the model stays as written.
fn optimizations(wanted: &Wanted, applicable: &Applicable) -> Option<Optimizations> {
    applicable.allows(Reduction::Variables).then(|| Optimizations {
        merge: wanted.optimize.merge && applicable.allows(Reduction::Merge),
        jumps: wanted.optimize.jumps && applicable.allows(Reduction::Jumps),
        ..wanted.optimize
    })
}

fn optimized(model: &Arc<Model>, observers: &[Expr], which: Option<Optimizations>) -> Arc<Model> {
    let Some(which) = which else { return Arc::clone(model) };
    let mut optimized = Model::clone(model);
    optimize(&mut optimized, observers, which);
    Arc::new(optimized)
}

fn why_none(detection: &Detection) -> String {
    match &detection.obstacle {
        Some(obstacle) => format!("no symmetry: {obstacle}"),
        None => "no symmetry was found".to_owned(),
    }
}

/// Refuses a model whose declared names cannot change places.
pub fn check_declarations(model: &Arc<Model>) -> Result<(), Failure> {
    if model.scalarsets.is_empty() {
        return Ok(());
    }
    let prepared = isospin_symmetry::prepare(model, &[], Some(Optimizations::ALL));
    match prepared.detection.wrong_declaration(model) {
        None => Ok(()),
        Some((set, breach)) => {
            let place = match breach.source.line {
                0 => String::new(),
                _ => format!("{}: ", model.place(breach.source)),
            };
            Err(Failure::Declaration { place, set: set.to_string(), why: breach.why.to_string() })
        }
    }
}
