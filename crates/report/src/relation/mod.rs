//! What was found out about a relation, as text and as JSON.

mod json;
mod text;
mod trace;
mod vcd;

use std::collections::BTreeMap;
use std::time::Duration;

use isospin_relation::{Property, Relation};
use isospin_symbolic::{Length, Report, Status, Verdict};

pub use json::{json, read_trace, refused, trace as trace_json};
pub use text::text;
pub use trace::{shown_state, trace_text};
pub use vcd::vcd;

/// A check that is over.
#[derive(Debug)]
pub struct Outcome<'o> {
    /// The program's version.
    pub version: &'o str,
    /// The model's file.
    pub model: &'o str,
    /// The system.
    pub relation: &'o Relation,
    /// What was found.
    pub report: &'o Report,
    /// The specifications that were asked for.
    pub asked: Vec<usize>,
    /// Where each specification was written.
    pub locations: Vec<String>,
    /// Which engine found it.
    pub engine: &'o str,
    /// The trail files that were written, by specification.
    pub trails: BTreeMap<usize, String>,
    /// How many steps of an execution are shown.
    pub last: usize,
    /// How long reading took, and everything.
    pub times: (Duration, Duration),
}

impl Outcome<'_> {
    /// The name of a specification: the one that it was given, or its kind and number.
    pub fn name(&self, index: usize) -> String {
        name(self.relation, index)
    }

    /// What all of it comes to.
    pub fn verdict(&self) -> Verdict {
        let verdicts = || self.asked.iter().map(|k| self.report.found[*k].verdict);
        if verdicts().any(|v| v == Verdict::Violated) {
            Verdict::Violated
        } else if self.report.status != Status::Complete
            || verdicts().any(|v| v == Verdict::Incomplete)
        {
            Verdict::Incomplete
        } else {
            Verdict::Holds
        }
    }

    /// Why something is undecided.
    fn cut_short(&self) -> &'static str {
        match self.report.status {
            Status::Nodes => "there was no room for more nodes",
            Status::Stopped => "the search was stopped",
            Status::Complete | Status::Enough | Status::Refused => "it was not looked at",
        }
    }
}

/// The name of a specification: the one that it was given, or its kind and number.
pub fn name(relation: &Relation, index: usize) -> String {
    let specification = &relation.specifications[index];
    if let Some(name) = &specification.name {
        return name.clone();
    }
    let kind = kind(&specification.property);
    let before = relation.specifications[..=index].iter();
    let number = before.filter(|s| self::kind(&s.property) == kind).count();
    format!("{kind}-{number}")
}

/// The kind of a specification.
pub fn kind(property: &Property) -> &'static str {
    match property {
        Property::Ctl(_) => "ctl",
        Property::Ltl(_) => "ltl",
        Property::Invariant(_) => "invariant",
        Property::Compute { .. } => "compute",
    }
}

fn length(length: Length) -> String {
    match length {
        Length::Steps(steps) => steps.to_string(),
        Length::Infinite => "infinity".into(),
        Length::Undefined => "undefined".into(),
    }
}
