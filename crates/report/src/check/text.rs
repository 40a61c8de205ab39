//! The outcome of a check for a person.

use std::fmt::Write;

use isospin_check::unreached::Unreached;
use isospin_check::{Open, Property, PropertyKind, Report, Verdict};
use isospin_model::Model;

use super::notes::{sentences, why_open};
use super::{method, Outcome, Told};
use crate::format::{bytes, count, duration, grouped, plural};
use crate::names::Names;
use crate::narrate::{cut, short_place, Narrator};
use crate::snapshot::Snapshot;
use crate::story::statement;
use crate::style::Style;
use isospin_replay::Execution;
use isospin_source::visible;

/// More unreached statements of one process type than this are counted only.
const MAX_UNREACHED: usize = 8;
/// Violations are told in full up to this many.
const MAX_TOLD: usize = 3;

/// The report as text.
pub fn text(outcome: &Outcome, names: &Names, style: Style) -> String {
    let report = outcome.report;
    let mut out = String::new();
    let _ = writeln!(out, "{}", headline(outcome, style));
    out.push('\n');
    let width = report.properties.iter().map(|p| p.name.len()).max();
    for (property, told) in report.properties.iter().zip(&outcome.told) {
        let _ = writeln!(out, "{}", row(property, told, width.unwrap_or(0).max(15), style));
    }
    out.push('\n');
    statistics(&mut out, outcome);
    for note in sentences(outcome) {
        let _ = writeln!(out, "  {:<15}  {note}", "note");
    }
    unreached(&mut out, report, &names.model, style);
    let narrator = Narrator::new(names, style);
    let told = report.properties.iter().zip(&outcome.told).flat_map(|(p, told)| {
        let confirmed = p.findings.iter().zip(told).filter(|(f, _)| f.unconfirmed.is_none());
        confirmed.map(move |(_, told)| (p, told))
    });
    let total = told.clone().count();
    for (property, told) in told.clone().take(MAX_TOLD) {
        out.push('\n');
        tell(&mut out, property, told, names, &narrator, style);
    }
    if total > MAX_TOLD {
        let more = plural((total - MAX_TOLD) as u64, "more violation");
        let _ = writeln!(out, "\nand {more}:");
        for (_, told) in told.skip(MAX_TOLD) {
            let trail = visible(told.trail.as_deref().unwrap_or("no trail"));
            let _ = writeln!(out, "  {}  {}  {trail}", told.location, told.message);
        }
    }
    out
}

fn headline(outcome: &Outcome, style: Style) -> String {
    let report = outcome.report;
    let verdict = match report.verdict() {
        Verdict::Holds => style.good("everything that was asked holds"),
        Verdict::Violated => {
            let violated = report.properties.iter().filter(|p| p.verdict == Verdict::Violated);
            let names: Vec<&str> = violated.map(|p| p.name.as_str()).collect();
            style.bad(&format!("violated: {}", names.join(", ")))
        }
        Verdict::Incomplete if went_wrong(report) => {
            style.warn("something goes wrong, but no execution that shows it was found")
        }
        Verdict::Incomplete => {
            style.warn("nothing wrong was found, but not everything was looked at")
        }
    };
    format!("{}: {verdict}", style.bold(&visible(outcome.model)))
}

/// Whether the search came across an error that it cannot show.
fn went_wrong(report: &Report) -> bool {
    let opens = report.properties.iter().filter_map(|p| p.open);
    opens.into_iter().any(|open| matches!(open, Open::Met(_) | Open::Unconfirmed))
}

fn row(property: &Property, told: &[Told], width: usize, style: Style) -> String {
    let verdict = match property.verdict {
        Verdict::Holds => style.good("holds     "),
        Verdict::Violated => style.bad("violated  "),
        Verdict::Incomplete => style.warn("undecided "),
    };
    let what = match told.first().filter(|_| property.open.is_none()) {
        Some(finding) if finding.location.is_empty() => cut(&finding.message, 60),
        Some(finding) => format!("{}  {}", finding.location, cut(&finding.message, 60)),
        None => property.open.map(why_open).unwrap_or_default(),
    };
    let line = format!("  {:<width$}  {verdict}  {what}", property.name);
    line.trim_end().to_owned()
}

fn statistics(out: &mut String, outcome: &Outcome) {
    let s = &outcome.report.statistics;
    let mut line = |name: &str, value: String| {
        let _ = writeln!(out, "  {name:<15}  {value}");
    };
    if let Some(sets) = &s.sets {
        line("states", grouped(&sets.reachable));
        line("nodes", format!("{}, at most {}", count(sets.nodes), count(sets.peak_nodes)));
        line("slots", format!("{}, {}", count(sets.slots), plural(sets.groups, "group")));
    } else {
        line("states", count(s.states));
        line("transitions", count(s.transitions));
        line("depth", count(s.depth));
    }
    if s.errors > 1 {
        line("errors", count(s.errors));
    }
    let rate = match s.search.as_secs_f64() {
        t if t > 0.1 && s.sets.is_none() => {
            format!(", {} states per second", count((s.states as f64 / t) as u64))
        }
        _ => String::new(),
    };
    line("time", format!("{} (search {}{rate})", duration(outcome.total), duration(s.search)));
    // A few states do not pay for the table that they are in.
    let per_state = match s.states {
        _ if s.sets.is_some() => String::new(),
        0..10_000 => String::new(),
        n => format!(
            ": states {}, {:.1} bytes each",
            bytes(s.store_bytes),
            s.store_bytes as f64 / n as f64
        ),
    };
    line("memory", format!("{}{per_state}", bytes(s.peak_bytes)));
    line("method", method::line(outcome));
}

fn unreached(out: &mut String, report: &Report, model: &Model, style: Style) {
    let Some(unreached) = &report.unreached else { return };
    if unreached.is_empty() {
        let _ = writeln!(out, "  {:<15}  every statement", "reached");
        return;
    }
    let _ = writeln!(out, "\n{}", style.bold("Not reached"));
    let groups = unreached.chunk_by(|a, b| a.proctype == b.proctype);
    for group in groups {
        group_lines(out, group, model);
    }
}

fn group_lines(out: &mut String, group: &[Unreached], model: &Model) {
    let first = &group[0];
    if first.never_started {
        let _ = writeln!(out, "  {}: all of it; it is never run", first.proctype);
        return;
    }
    let _ = writeln!(out, "  {}:", first.proctype);
    let places: Vec<String> = group.iter().map(|u| short_place(model, u.source)).collect();
    let shown = match group.len() {
        n if n <= MAX_UNREACHED + 1 => n,
        _ => MAX_UNREACHED,
    };
    let width = places[..shown].iter().map(String::len).max().unwrap_or(0);
    for (u, place) in group.iter().zip(&places).take(shown) {
        let _ = writeln!(out, "    {place:<width$}  {}", cut(&statement(&u.text), 60));
    }
    if group.len() > shown {
        let _ = writeln!(out, "    and {} more", group.len() - shown);
    }
}

fn tell(
    out: &mut String,
    property: &Property,
    finding: &Told,
    names: &Names,
    narrator: &Narrator,
    style: Style,
) {
    let kind = if finding.unreadable {
        format!("Run-time error in `{}`", visible(&property.name))
    } else {
        violation(property.kind).to_owned()
    };
    let _ = writeln!(
        out,
        "{}",
        style.bad(&format!(
            "{kind} after {}: {}",
            plural(finding.steps as u64, "step"),
            finding.message
        ))
    );
    if !finding.location.is_empty() {
        let _ = writeln!(out, "  at {}", finding.location);
    }
    if !finding.last.is_empty() {
        let skipped = finding.steps.saturating_sub(finding.last.len());
        match skipped {
            0 => out.push_str("\n  All steps:\n"),
            _ => {
                let _ = writeln!(out, "\n  The last {} steps:", finding.last.len());
            }
        }
        for story in &finding.last {
            if finding.cycle_start == Some(story.number) {
                let _ = writeln!(out, "  {}", style.bold("from here on, again and again:"));
            }
            for line in narrator.step(story).lines() {
                let _ = writeln!(out, "  {line}");
            }
        }
    }
    if finding.cycle_start.is_some_and(|start| start > finding.steps) {
        out.push_str("\n  Nothing can happen any more: it stays like that for ever.\n");
    }
    if let Some(rounds) = &finding.renaming {
        let _ = writeln!(out, "  {rounds}");
    }
    for line in &finding.parts {
        let _ = writeln!(out, "  {line}");
    }
    if let Some(state) = &finding.state {
        let _ = writeln!(out, "\n  The state then:");
        let snapshot = Snapshot::read(names, state);
        match Execution::new(names.model.clone()) {
            Ok(mut execution) if property.kind == PropertyKind::EndState => {
                execution.restore(state.clone(), None, 0);
                indent(out, &narrator.values(&snapshot));
                indent(out, &narrator.standing(&mut execution, &[]));
            }
            _ => indent(out, &narrator.state(&snapshot)),
        }
    }
    match &finding.trail {
        Some(trail) => {
            let _ = writeln!(out, "\n  To see all of it: isospin replay {}", visible(trail));
        }
        None => out.push_str("\n  No trail was written.\n"),
    }
}

/// What a violation is called at the beginning of a sentence.
fn violation(kind: PropertyKind) -> &'static str {
    match kind {
        PropertyKind::Assertion => "Assertion violated",
        PropertyKind::EndState => "Invalid end state",
        PropertyKind::Runtime => "Run-time error",
        PropertyKind::Ltl => "Formula violated",
        PropertyKind::Never => "Never claim matched",
        PropertyKind::Acceptance => "Acceptance cycle",
        PropertyKind::Progress => "Non-progress cycle",
        PropertyKind::Time => "Zero cycle",
        PropertyKind::Trace => "Trace violated",
    }
}

fn indent(out: &mut String, text: &str) {
    for line in text.lines() {
        let _ = writeln!(out, "  {line}");
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use isospin_check::{check, Asked, Fairness, Options};

    use super::*;
    use crate::testing::names;

    /// The report on a model, told without trails; `spoil` may change what was found.
    fn report(model: &str, options: &Options, spoil: impl Fn(&mut Report)) -> String {
        let names = names(model);
        let options = Options { threads: Some(1), ..options.clone() };
        let mut report =
            check(&names.model, &Asked::default(), &options, &mut ()).expect("a check");
        spoil(&mut report);
        let tell = |p: &Property| {
            p.findings.iter().map(|f| crate::check::tell(&names, p, f, Fairness::None, 5)).collect()
        };
        let outcome = Outcome {
            version: "1.2.3",
            model: "m.pml",
            told: report.properties.iter().map(tell).collect(),
            report: &report,
            options: &options,
            with_times: None,
            remarks: Vec::new(),
            total: Duration::ZERO,
        };
        text(&outcome, &names, Style::Plain)
    }

    #[test]
    fn more_violations_than_are_told_are_listed() {
        let ways: String = (1..=5).map(|n| format!(":: assert(0 == {n}) ")).collect();
        let model = format!("init {{ if {ways} fi }}");
        let text = report(&model, &Options { errors: 0, ..Options::default() }, |_| {});
        assert_eq!(text.matches("Assertion violated after").count(), MAX_TOLD, "{text}");
        assert!(text.contains("\nand 2 more violations:\n"), "{text}");
        assert!(text.ends_with("assert(0 == 5)  no trail\n"), "{text}");
    }

    #[test]
    fn unreached_statements_are_listed_by_process_type_and_counted_beyond_a_few() {
        let dead: String = (0..MAX_UNREACHED + 2).map(|n| format!("; x = {n}")).collect();
        let model = format!(
            "byte x; active proctype P() {{ x = 2; x == 1{dead}; assert(x) }}
            proctype Unused() {{ x = 3 }}"
        );
        let text = report(&model, &Options { errors: 0, ..Options::default() }, |_| {});
        assert!(text.contains("\n  P:\n    line 1  x == 1\n"), "{text}");
        assert!(
            text.contains("\n    and 5 more\n  Unused: all of it; it is never run\n"),
            "{text}"
        );
    }

    #[test]
    fn an_execution_that_was_not_confirmed_is_no_violation() {
        let unconfirmed = |report: &mut Report| {
            for property in &mut report.properties {
                for finding in &mut property.findings {
                    finding.unconfirmed = Some(isospin_replay::Unconfirmed::NoViolation);
                    property.verdict = Verdict::Incomplete;
                    property.open = Some(isospin_check::Open::Unconfirmed);
                }
            }
        };
        let text = report("init { assert(false) }", &Options::default(), unconfirmed);
        assert!(!text.contains("violated"), "{text}");
        assert!(text.contains("assertions       undecided   an execution was found"), "{text}");
    }
}
