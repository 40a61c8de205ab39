//! What cut a search short, and what would help.

use std::time::Duration;

use isospin_report::check::{CheckReport, Verdict};
use isospin_report::format::{bytes, duration, plural};
use isospin_search::{Incomplete, SearchResult};

use super::Context;

/// The limit that a search ran into, as a clause.
pub fn limit(incomplete: Option<Incomplete>) -> String {
    match incomplete {
        Some(Incomplete::Memory) => "the memory limit was reached",
        Some(Incomplete::Time) => "the time was up",
        Some(Incomplete::Depth) => "executions were cut off at the depth limit",
        Some(Incomplete::Interrupted) => "the search was interrupted",
        None => "",
    }
    .to_owned()
}

/// Why a property without a violation is left open, as a clause.
pub fn why_open(context: &Context, result: &SearchResult) -> String {
    match result.incomplete {
        Some(_) => limit(result.incomplete),
        None => match context.args.errors {
            1 => "the search stopped at the first error".to_owned(),
            n => format!("the search stopped at error {n}"),
        },
    }
}

/// Adds what a person should know about the result.
pub fn add(context: &Context, result: &SearchResult, report: &mut CheckReport) {
    add_limit(context, result.incomplete, result.time, report);
}

/// Adds what the verdicts mean where timers have no times.
pub fn add_abstraction(context: &Context, report: &mut CheckReport) {
    if !context.args.abstract_timers {
        return;
    }
    let note = match report.verdict() {
        Verdict::Violated => {
            let rest: Vec<String> = std::env::args_os()
                .skip(1)
                .map(|a| a.to_string_lossy().into_owned())
                .filter(|a| a != "--abstract-timers")
                .collect();
            format!(
                "timers may expire at any tick, so a violation may be spurious: with the times of \
                 the model it may not be possible. To check with those: isospin {}",
                rest.join(" ")
            )
        }
        _ => "timers may expire at any tick: what holds is true whatever (positive) times they \
              are set to."
            .to_owned(),
    };
    report.notes.push(note);
}

/// Adds what limit a search ran into, if it did, and what would help.
pub fn add_limit(
    context: &Context,
    incomplete: Option<Incomplete>,
    time: Duration,
    report: &mut CheckReport,
) {
    let note = match incomplete {
        None => None,
        Some(Incomplete::Memory) => {
            let limit = match context.memory {
                Some(limit) => {
                    format!("incomplete: the memory limit of {} was reached", bytes(limit))
                }
                None => "incomplete: there is no more memory".to_owned(),
            };
            Some(format!(
                "{limit}. A larger --memory, fewer processes or smaller constants would help{}",
                match context.args.search {
                    crate::args::SearchOrder::Bfs => "; so would --search dfs.",
                    crate::args::SearchOrder::Dfs => ".",
                }
            ))
        }
        Some(Incomplete::Time) => {
            let limit = context.args.time.unwrap_or(time);
            Some(format!(
                "incomplete: the time limit of {} was reached. A larger --time or more --threads would help.",
                duration(limit)
            ))
        }
        Some(Incomplete::Depth) => {
            let limit = u64::from(context.args.depth.unwrap_or(0));
            Some(format!(
                "incomplete: executions were cut off after {}. A larger --depth would help.",
                plural(limit, "step")
            ))
        }
        Some(Incomplete::Interrupted) => {
            Some("incomplete: interrupted; the numbers are those so far.".to_owned())
        }
    };
    report.notes.extend(note.filter(|n| !report.notes.contains(n)));
}
