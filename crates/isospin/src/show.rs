//! `isospin show`: what a model was turned into.

use isospin_report::{automata, layout};

use crate::args::{ShowArgs, Subject};
use crate::failure::Failure;
use crate::load::load;
use crate::output::Output;
use crate::Status;

/// Prints the subject in the form that was asked for.
pub fn run(args: &ShowArgs) -> Result<Status, Failure> {
    let model = load(&args.model, &args.reading)?.model;
    let mut out = Output::new();
    let text = match (args.subject, args.json, args.dot) {
        (Subject::Automata, true, _) => format!("{:#}\n", automata::json(&model)),
        (Subject::Automata, _, true) => automata::dot(&model),
        (Subject::Automata, ..) => automata::text(&model),
        (Subject::Layout, true, _) => format!("{:#}\n", layout::json(&model)),
        (Subject::Layout, _, true) => layout::dot(&model),
        (Subject::Layout, ..) => layout::text(&model),
    };
    out.text(&text);
    out.finish()?;
    Ok(Status::Fine)
}
