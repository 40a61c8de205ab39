//! `isospin show` of an SMV model: the relation, what depends on what, the order of bits.

use std::fmt::Write;

use isospin_relation::{text, Relation, Support};
use isospin_symbolic::Order;

use super::load::load;
use crate::args::{ShowArgs, Subject};
use crate::failure::Failure;
use crate::output::Output;
use crate::Status;

/// Prints what was asked for.
pub fn run(args: &ShowArgs) -> Result<Status, Failure> {
    let (model, reading, whole) = match &args.subject {
        Subject::Model(of) => (&of.model, &of.reading, true),
        Subject::Dependencies(of) if !of.json && !of.dot => (&of.model, &of.reading, false),
        _ => {
            return Err(Failure::new(
                "of an SMV model there are `show model` (the relation) and `show dependencies`",
            ))
        }
    };
    let loaded = load(model, reading)?;
    let mut out = Output::new();
    if whole {
        out.text(&text::print(&loaded.relation));
    } else {
        out.text(&dependencies(&loaded.relation));
    }
    out.finish()?;
    Ok(Status::Fine)
}

/// What each part of the transition relation reads and writes, by names, and the order of bits as
/// declared.
fn dependencies(relation: &Relation) -> String {
    let mut out = String::new();
    for part in &relation.transitions {
        let support = Support::of(&relation.expressions, part.expr);
        let names = |ids: Vec<isospin_relation::VarId>| {
            let names: Vec<&str> =
                ids.iter().map(|id| relation.variable(*id).name.as_str()).collect();
            if names.is_empty() {
                "nothing".to_owned()
            } else {
                names.join(", ")
            }
        };
        let (writes, reads) = (names(support.writes().collect()), names(support.reads().collect()));
        let _ = writeln!(out, "{writes} from {reads}");
    }
    let _ = writeln!(out, "\norder of bits, as declared:");
    for line in Order::declared(relation).write(relation).lines() {
        let _ = writeln!(out, "  {line}");
    }
    out
}
