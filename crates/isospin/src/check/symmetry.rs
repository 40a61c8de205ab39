//! Which symmetry is used, and how representatives are found.

use std::sync::Arc;

use isospin_analysis::optimize::Optimizations;
use isospin_machine::Interpreter;
use isospin_model::{Expr, Model};
use isospin_search::scout;
use isospin_symmetry::{Detection, Strategy, Symmetry};

use super::reductions::Wanted;
use crate::args;
use crate::failure::Failure;

/// A model made ready for a search.
pub struct Prepared {
    /// The model.
    pub model: Arc<Model>,
    /// Its symmetry, if it has one and it is wanted.
    pub symmetry: Option<(Arc<Symmetry>, Strategy)>,
    /// Whether processes that have ended stay where they are.
    pub keeps_ended: bool,
    /// What is to be said about it.
    pub note: Option<String>,
}

/// Makes a model ready for a search for properties that look at `observers`. `stutters` says that
/// none of them counts steps.
pub fn prepare(
    wanted: &Wanted,
    asked: &args::CheckArgs,
    model: &Arc<Model>,
    observers: &[Expr],
    merge: bool,
    stutters: bool,
) -> Prepared {
    let choice = asked.symmetry;
    let without = |note: Option<String>| Prepared {
        model: match stutters {
            true => wanted.optimized(model, observers, merge),
            false => Arc::clone(model),
        },
        symmetry: None,
        keeps_ended: false,
        note,
    };
    let find = || {
        let which = stutters.then(|| wanted.optimizations(merge));
        isospin_symmetry::prepare(model, observers, which)
    };
    if !wanted.symmetry {
        let lost = wanted.fair && find().detection.symmetry.is_some();
        return without(
            lost.then(|| "symmetry is off: fairness tells the processes apart.".to_owned()),
        );
    }
    let isospin_symmetry::Prepared { model: searched, keeps_ended, detection } = find();
    let Some(symmetry) = &detection.symmetry else {
        let chosen = choice != args::Symmetry::Auto;
        return without(
            chosen.then(|| format!("{} (isospin show symmetry says more).", none(&detection))),
        );
    };
    let strategy = match choice {
        args::Symmetry::Full => Strategy::Full,
        args::Symmetry::Sorted => Strategy::Sorted,
        args::Symmetry::Segmented => Strategy::Segmented,
        args::Symmetry::PcSorted => Strategy::PcSorted,
        args::Symmetry::PcSegmented => Strategy::PcSegmented,
        args::Symmetry::Refined => Strategy::Refined,
        args::Symmetry::Auto | args::Symmetry::Off => {
            let mut machine = Interpreter::new(Arc::clone(&searched));
            Strategy::choose(symmetry, &scout::states(&mut machine))
        }
    };
    let mut symmetry = Arc::clone(symmetry);
    let mut note = None;
    if let Some(array) = &asked.main_array {
        if !Arc::make_mut(&mut symmetry).sort_by(array) {
            note = Some(format!("`{array}` is no array of numbers with one element a name."));
        }
    }
    Prepared {
        model: searched,
        symmetry: Some((symmetry, strategy)),
        keeps_ended: keeps_ended.is_ok(),
        note,
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
            let why = breach.why;
            Err(Failure::new(format_args!(
                "{place}the names of scalarset `{set}` cannot change places: {why}"
            )))
        }
    }
}

fn none(detection: &Detection) -> String {
    match &detection.obstacle {
        Some(obstacle) => format!("no symmetry: {obstacle}"),
        None => "no symmetry was found".to_owned(),
    }
}
