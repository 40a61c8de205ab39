//! Formulas, claims and cycles. No engine answers these questions yet; each is reported as left
//! open, so that nobody takes silence for a proof.

use isospin_report::check::{CheckReport, Property, Verdict};

use super::plan::Question;
use super::Context;
use crate::failure::Failure;

/// Answers one question and adds the answer to the report.
pub fn check(
    context: &Context,
    question: &Question,
    report: &mut CheckReport,
) -> Result<(), Failure> {
    if context.args.property.contains(&question.name) {
        return Err(Failure::new(format_args!(
            "this version of Isospin cannot check `{}` yet: it is of kind {}",
            question.name,
            question.kind.word()
        )));
    }
    report.properties.push(Property {
        name: question.name.clone(),
        kind: question.kind,
        verdict: Verdict::Incomplete,
        message: "not checked: this version cannot do it yet (--safety leaves it out)".to_owned(),
        findings: Vec::new(),
    });
    Ok(())
}
