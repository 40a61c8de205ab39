//! `isospin check`: arguments in, a report out. What is checked, and how, is up to
//! `isospin_check`.
//!
//! | file | what it does |
//! | --- | --- |
//! | `options.rs` | arguments as what is asked and as options |
//! | `hoa.rs` | automata that were given as files |
//! | `trails.rs` | executions as files |
//! | `place.rs` | files that take their place whole, and no other's |

pub mod hoa;
mod options;
pub mod place;
pub mod trails;

use std::sync::Arc;
use std::time::SystemTime;

use isospin_check::{check, Report, Verdict};
use isospin_limits::memory_ran_out;
use isospin_replay::Unconfirmed;
use isospin_report::check::{self as report, Outcome};
use isospin_report::Names;

use crate::args::CheckArgs;
use crate::beside::{Beside, Read};
use crate::failure::Failure;
use crate::output::{complain, Output};
use crate::progress::ProgressLine;
use crate::Status;
use trails::Trails;

/// Verifies the model.
pub fn run(args: &CheckArgs) -> Result<Status, Failure> {
    match checked(args) {
        Err(failure @ Failure::Stopped(_)) if args.json => stopped_early(args, &failure),
        ended => ended,
    }
}

/// A limit was reached, or a signal came, before there was anything to report: a program gets an
/// object all the same.
fn stopped_early(args: &CheckArgs, failure: &Failure) -> Result<Status, Failure> {
    failure.complain();
    let mut out = Output::new();
    let model = args.model.display().to_string();
    out.line(&format!(
        "{:#}",
        report::nothing(env!("CARGO_PKG_VERSION"), &model, failure.sentence())
    ));
    out.finish_with(failure.status())
}

fn checked(args: &CheckArgs) -> Result<Status, Failure> {
    let limits = options::limits(args);
    let (start, started) = (limits.start(), SystemTime::now());
    trails::refuse_other_files(args)?;
    let read = || {
        let beside = Beside::of(args)?;
        let read = beside.read(&args.model, &args.reading, &mut |_| Ok(()))?;
        Ok((beside, read))
    };
    let (beside, Read { loaded, formulas, automaton }) =
        limits.run(read).map_err(Failure::stopped)??;
    let asked = options::asked(args, formulas, automaton);
    let mut options = options::options(args, &limits);
    let mut line = ProgressLine::new(args.reading.quiet);
    let mut result = check(&loaded.model, &asked, &options, &mut line)
        .map_err(|failure| refused(args, failure))?;
    if memory_ran_out::is_so() {
        // What was reached is not the limit that was set.
        options.memory = None;
    }
    result.statistics.compile = start.elapsed().saturating_sub(result.statistics.search);
    let names = Names::new(Arc::clone(&loaded.model));
    let mut trails = Trails::new(args, &loaded, &names, &beside, started, limits.time_left());
    let told = (result.properties.iter())
        .map(|property| {
            let told = property.findings.iter().map(|finding| {
                let mut told = report::tell(&names, property, finding, options.fairness, args.last);
                told.trail = trails.write(property, finding, &told);
                told
            });
            told.collect()
        })
        .collect();
    let outcome = Outcome {
        version: env!("CARGO_PKG_VERSION"),
        model: &args.model.display().to_string(),
        told,
        report: &result,
        options: &options,
        with_times: args.abstract_timers.then(with_times),
        remarks: trails.remarks(&result),
        total: start.elapsed(),
    };
    let mut out = Output::new();
    if args.json {
        out.line(&format!("{:#}", report::json(&outcome, &loaded.model)));
    } else {
        out.text(&report::text(&outcome, &names, out.style()));
    }
    complain_of_unconfirmed(&outcome, &result);
    out.finish_with(match result.verdict() {
        Verdict::Holds => Status::Fine,
        Verdict::Violated => Status::Violated,
        Verdict::Incomplete => Status::Incomplete,
    })
}

/// What is said where nothing was checked. A broken model is never the fault of its author.
fn refused(args: &CheckArgs, failure: isospin_check::Failure) -> Failure {
    match failure {
        isospin_check::Failure::Broken(_) => Failure::Internal(format!(
            "internal error: {failure}; please report this with the model {}",
            args.model.display()
        )),
        isospin_check::Failure::Stopped(stopped) => Failure::stopped(stopped),
        other => Failure::new(other),
    }
}

/// Says on standard error which executions do not show what they should.
fn complain_of_unconfirmed(outcome: &Outcome, result: &Report) {
    let findings = result.properties.iter().zip(&outcome.told).flat_map(|(property, told)| {
        property.findings.iter().zip(told).map(move |(finding, told)| (property, finding, told))
    });
    for (property, finding, told) in findings {
        if let Some(why) = finding.unconfirmed {
            let trail = told.trail.as_deref();
            complain(&does_not_replay(&property.name, why, outcome.model, trail));
        }
    }
}

/// What is said of an execution that does not show what it should. That is never the model's fault.
fn does_not_replay(property: &str, why: Unconfirmed, model: &str, trail: Option<&str>) -> String {
    let trail = match trail {
        Some(trail) => format!("the trail {trail}"),
        None => "the trail, which was not written".to_owned(),
    };
    format!(
        "internal error: the execution found for `{property}` does not replay ({why}), so nothing \
         is said about that property; please report this with the model {model} and {trail}"
    )
}

/// The command line without `--abstract-timers`.
fn with_times() -> String {
    let rest = std::env::args_os().skip(1).map(|a| a.to_string_lossy().into_owned());
    let rest: Vec<String> = rest.filter(|a| a != "--abstract-timers").collect();
    format!("isospin {}", rest.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_execution_that_does_not_replay_is_owned_up_to_and_asked_for() {
        let why = Unconfirmed::NoViolation;
        let sentence = does_not_replay("p", why, "m.pml", Some("m.pml.trail.json"));
        assert_eq!(
            sentence,
            "internal error: the execution found for `p` does not replay (it does not violate what \
             it is said to violate), so nothing is said about that property; please report this \
             with the model m.pml and the trail m.pml.trail.json"
        );
        let sentence = does_not_replay("p", why, "m.pml", None);
        assert!(sentence.ends_with("the model m.pml and the trail, which was not written"));
    }
}
