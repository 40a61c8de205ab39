//! The result of a check for people.

use std::fmt::Write;

use isospin_symbolic::{Status, Verdict};

use super::trace::trace_text;
use super::{kind, length, Outcome};
use crate::format::{count, duration, plural};
use crate::style::Style;

/// The whole result.
pub fn text(outcome: &Outcome<'_>, style: Style) -> String {
    let mut out = String::new();
    let report = outcome.report;
    let violated: Vec<usize> = outcome
        .asked
        .iter()
        .copied()
        .filter(|k| report.found[*k].verdict == Verdict::Violated)
        .collect();
    let headline = match outcome.verdict() {
        Verdict::Violated => {
            let names: Vec<String> = violated.iter().map(|k| outcome.name(*k)).collect();
            style.bad(&format!("violated: {}", names.join(", ")))
        }
        Verdict::Incomplete => style.warn(&format!("undecided: {}", outcome.cut_short())),
        _ if outcome.asked.is_empty() => style.good("nothing was asked"),
        _ => style.good("everything that was asked holds"),
    };
    let _ = writeln!(out, "{}: {headline}\n", outcome.model);
    let width = outcome.asked.iter().map(|k| outcome.name(*k).len()).max().unwrap_or(0).max(15);
    for &k in &outcome.asked {
        let verdict = match report.found[k].verdict {
            Verdict::Holds => style.good("holds    "),
            Verdict::Violated => style.bad("violated "),
            Verdict::Length(of) => format!("{:<9}", length(of)),
            Verdict::Incomplete => style.warn("undecided"),
        };
        let text = &outcome.relation.specifications[k].text;
        let text: String = text.chars().take(100).collect();
        let _ = writeln!(out, "  {:<width$}  {verdict}  {}", outcome.name(k), style.dim(&text));
    }
    if !outcome.asked.is_empty() {
        out.push('\n');
    }
    let mut row = |name: &str, value: String| {
        let _ = writeln!(out, "  {name:<width$}  {value}");
    };
    match (&report.reachable, report.diameter) {
        (Some(states), Some(diameter)) => {
            row("reachable", separated(&states.to_string()));
            row("diameter", count(diameter as u64));
        }
        (Some(states), None) => {
            row("reachable", separated(&states.to_string()));
            row("diameter", "unknown; --strategy breadth finds it out".into());
        }
        _ => row("reachable", format!("undecided, after {}", plural(report.rings as u64, "ring"))),
    }
    row("nodes", count(report.nodes.0 as u64));
    row("time", duration(outcome.times.1));
    row("method", method(outcome));
    notes(outcome, style, &mut out);
    for k in violated {
        let Some(trace) = &report.found[k].trace else { continue };
        let steps = trace.states.len() - 1;
        let kind = kind(&outcome.relation.specifications[k].property);
        let title = format!(
            "{} ({kind}) is violated after {}:",
            outcome.name(k),
            plural(steps as u64, "step")
        );
        let _ = writeln!(out, "\n{}", style.bold(&title));
        let _ = writeln!(out, "  {}", outcome.relation.specifications[k].text);
        if let Some(location) = outcome.locations.get(k) {
            let _ = writeln!(out, "  at {location}");
        }
        if let Some(trail) = outcome.trails.get(&k) {
            let _ = writeln!(out, "  trail: {trail}");
        }
        out.push('\n');
        out.push_str(&trace_text(outcome.relation, trace, outcome.last));
    }
    out
}

fn method(outcome: &Outcome<'_>) -> String {
    match outcome.engine {
        "symbolic" if outcome.report.reachable.is_some() && outcome.report.diameter.is_none() => {
            "decision diagrams, one part after the other".into()
        }
        "symbolic" => "decision diagrams, breadth first".into(),
        _ => "explicit states, breadth first".into(),
    }
}

/// What somebody should know who reads the verdicts.
fn notes(outcome: &Outcome<'_>, style: Style, out: &mut String) {
    let report = outcome.report;
    let mut note = |text: &str| {
        let _ = writeln!(out, "\n{}: {text}", style.warn("warning"));
    };
    if report.reachable.is_some() && !report.has_initial {
        note("there is no initial state, so everything holds of all of them");
    }
    if report.deadlock.is_some() && report.status == Status::Complete {
        note("there is a reachable state without successor; paths that end there count for no temporal property");
    }
    let vacuous: Vec<String> = outcome
        .asked
        .iter()
        .filter(|k| report.found[**k].vacuous)
        .map(|k| outcome.name(*k))
        .collect();
    if !vacuous.is_empty() {
        note(&format!(
            "every execution ends in a state without successor, so that nothing is asked of any: {}",
            vacuous.join(", ")
        ));
    }
    if let Some(trace) = &report.deadlock {
        let steps = trace.states.len() - 1;
        let _ = writeln!(out, "  It is reached after {}:\n", plural(steps as u64, "step"));
        out.push_str(&trace_text(outcome.relation, trace, outcome.last));
    }
}

/// Digits in groups of three.
fn separated(digits: &str) -> String {
    let mut out = String::new();
    for (k, digit) in digits.chars().enumerate() {
        if k > 0 && (digits.len() - k).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
