//! `isospin show`: what a model or a formula was turned into.

mod formula;
mod graph;
mod model;
mod slice;
mod time;

use isospin_analysis::dependencies::Dependencies;
use isospin_analysis::Optimizations;
use isospin_check::permutations_of;
use isospin_model::{Formula, Model};
use isospin_report::{automata, dependencies, layout, symmetry};
use isospin_source::visible;
use isospin_symmetry::Prepared;
use serde_json::Value as Json;

use crate::args::{ModelShowArgs, ShowArgs, Subject};
use crate::failure::Failure;
use crate::load::load;
use crate::output::Output;
use crate::Status;

/// Prints the subject in the form that was asked for.
pub fn run(args: &ShowArgs) -> Result<Status, Failure> {
    let text = match &args.subject {
        Subject::Model(args) => model::whole(args)?,
        Subject::Automata(args) => of_model(args, automata::text, automata::json, automata::dot)?,
        Subject::Layout(args) => of_model(args, layout::text, layout::json, layout::dot)?,
        Subject::Dependencies(args) => of_model(
            args,
            |m| dependencies::text(m, &Dependencies::of(m)),
            |m| dependencies::json(m, &Dependencies::of(m)),
            |m| dependencies::dot(m, &Dependencies::of(m)),
        )?,
        Subject::Symmetry(args) => of_model(
            args,
            |m| symmetry::text(&symmetry_of(m), &permutations_left(m)),
            |m| symmetry::json(&symmetry_of(m)),
            |m| symmetry::dot(&symmetry_of(m)),
        )?,
        Subject::Graph(args) => graph::graph(args)?,
        Subject::Slice(args) => slice::slice(args)?,
        Subject::Time(args) => time::slices(args)?,
        // It may be of a formula that no front end has read.
        Subject::Automaton(args) => visible(&formula::automaton(args)?).into_owned(),
    };
    let mut out = Output::new();
    out.text(&text);
    out.finish()?;
    Ok(Status::Fine)
}

/// The symmetry of a model.
fn symmetry_of(model: &Model) -> Prepared {
    isospin_symmetry::prepare(model, &[], Some(Optimizations::ALL))
}

/// How many permutations each formula of a model leaves.
fn permutations_left(model: &Model) -> Vec<(&str, f64)> {
    let order = |formula: &Formula| permutations_of(model, &formula.temporal);
    model.formulas.iter().map(|f| (f.name.as_str(), order(f))).collect()
}

/// Something of a model in one of its three forms.
fn of_model(
    args: &ModelShowArgs,
    text: fn(&Model) -> String,
    json: fn(&Model) -> Json,
    dot: fn(&Model) -> String,
) -> Result<String, Failure> {
    let model = load(&args.model, &args.reading)?.model;
    Ok(match (args.json, args.dot) {
        (true, _) => format!("{:#}\n", json(&model)),
        (_, true) => dot(&model),
        _ => text(&model),
    })
}
