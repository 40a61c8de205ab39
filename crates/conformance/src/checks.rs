//! Checks as users run them, through the façade, with everything that was found looked at.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use isospin_check::{check, Asked, MachineKind, Open, Options, Report, Verdict, Wanted, Wrong};
use isospin_machine::Step;
use isospin_model::{EdgeId, Model};

/// What is wrong with a model: kinds of violations, with the edges of the steps that fail.
pub type Wrongs = BTreeSet<(&'static str, Option<EdgeId>)>;

/// Looks for everything on the interpreter, with one thread and no reduction, and hands all of it
/// out; a model on which that takes too much says nothing.
pub fn everything(memory: u64, seconds: u64) -> Options {
    Options {
        errors: 0,
        findings: 10_000,
        memory: Some(memory),
        time: Some(Duration::from_secs(seconds)),
        threads: Some(1),
        machine: Some(MachineKind::Interpreter),
        wanted: Wanted::none(),
        ..Options::default()
    }
}

/// What is asked of all states.
pub fn safety() -> Asked {
    Asked { safety_only: true, ..Asked::default() }
}

/// Runs a check in which every execution that is handed out has to be confirmed.
pub fn run(model: &Arc<Model>, asked: &Asked, options: &Options) -> Result<Report, String> {
    let report = check(model, asked, options, &mut ()).map_err(|failure| failure.to_string())?;
    let unconfirmed = report.unconfirmed().next();
    if let Some((name, finding, why)) = unconfirmed {
        return Err(format!("{name}: {:?} is not confirmed: {why}", finding.wrong));
    }
    Ok(report)
}

/// Whether the first property is as `expected`, violated or not: says what differs.
pub fn expect_verdict(report: &Report, expected: bool) -> Result<(), String> {
    let Some(property) = report.properties.first() else { return Err("no property".to_owned()) };
    let violated = match property.verdict {
        Verdict::Violated => true,
        Verdict::Holds => false,
        // Executions that end in a run-time error are none for whoever expects something.
        Verdict::Incomplete if property.open == Some(Open::RuntimeErrors) => false,
        Verdict::Incomplete => return Err("incomplete".to_owned()),
    };
    if violated == expected {
        Ok(())
    } else {
        Err(format!("violated: {violated}; by brute force: {expected}"))
    }
}

/// Whether everything was looked at.
pub fn is_complete(report: &Report) -> bool {
    report.notes.iter().all(|note| !matches!(note, isospin_check::Note::Limit(..)))
}

/// What is wrong in the executions that were handed out.
pub fn wrongs(report: &Report) -> Result<Wrongs, String> {
    let findings: Vec<_> = report.properties.iter().flat_map(|p| &p.findings).collect();
    if (report.statistics.errors > 0) == findings.is_empty() {
        return Err(format!("{} errors without a violation", report.statistics.errors));
    }
    let wrong = findings.iter().map(|finding| {
        let last = finding.steps.last().and_then(Step::process).map(|by| by.edge);
        match finding.wrong {
            Wrong::Assertion => ("assertion", last),
            Wrong::EndState => ("end", None),
            Wrong::Runtime(_) => ("runtime", last),
            Wrong::Unreadable(_) => ("unreadable", None),
            Wrong::Endless | Wrong::ClaimEnd => ("endless", None),
        }
    });
    Ok(wrong.collect())
}
