//! `isospin show` of an SMV model: the relation, what depends on what, the order of bits.

use std::fmt::Write;

use isospin_relation::{text, Kind, Relation, Support};
use isospin_symbolic::Order;

use super::load::load;
use crate::args::{ShowArgs, Subject};
use crate::failure::Failure;
use crate::output::Output;
use crate::Status;

/// Prints what was asked for.
pub fn run(args: &ShowArgs) -> Result<Status, Failure> {
    let (text, model) =
        match &args.subject {
            Subject::Model(of) => (text::print as fn(&Relation) -> String, of),
            _ => return Err(Failure::new(
                "of an SMV model there is `show model`: variables, relations, dependencies, order",
            )),
        };
    let loaded = load(&model.model, &model.reading)?;
    let mut out = Output::new();
    out.text(&text(&loaded.relation));
    out.text(&dependencies(&loaded.relation));
    out.finish()?;
    Ok(Status::Fine)
}

/// What each part reads and writes, and the order of bits.
fn dependencies(relation: &Relation) -> String {
    let mut out = String::from("\n");
    for part in &relation.transitions {
        let support = Support::of(&relation.expressions, part.expr);
        let names = |ids: Vec<isospin_relation::VarId>| {
            let names: Vec<&str> = ids
                .iter()
                .filter(|id| relation.variable(**id).kind != Kind::Input)
                .map(|id| relation.variable(*id).name.as_str())
                .collect();
            names.join(", ")
        };
        let (writes, reads) = (names(support.writes().collect()), names(support.reads().collect()));
        let _ = writeln!(out, "-- e{}: {writes} from {reads}", part.expr.0);
    }
    let _ = writeln!(out, "-- order:");
    for line in Order::declared(relation).write(relation).lines() {
        let _ = writeln!(out, "--   {line}");
    }
    out
}
