//! `isospin show`: what a model or a formula was turned into.

mod formula;
mod model;
mod time;

use isospin_model::Model;
use isospin_report::{automata, dependencies, layout, symmetry};
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
        Subject::Dependencies(args) => {
            of_model(args, dependencies::text, dependencies::json, dependencies::dot)?
        }
        Subject::Symmetry(args) => of_model(args, symmetry::text, symmetry::json, symmetry::dot)?,
        Subject::Time(args) => time::slices(args)?,
        Subject::Automaton(args) => formula::automaton(args)?,
    };
    let mut out = Output::new();
    out.text(&text);
    out.finish()?;
    Ok(Status::Fine)
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
