//! Assertions, end states and run-time errors: one search, three properties.

use std::sync::Arc;

use isospin_machine::Interpreter;
use isospin_report::check::{unreached, CheckReport, Finding, Property, PropertyKind, Verdict};
use isospin_search::{check_safety, Options, Order, SearchResult, ViolationKind};

use super::findings::Findings;
use super::plan::{Plan, ASSERTIONS, END_STATES, RUNTIME_ERRORS};
use super::progress::ProgressLine;
use super::{notes, Context};
use crate::args::SearchOrder;

/// So many different violations get a trail.
const MAX_TRAILS: usize = 64;

/// Searches, and adds what was found to the report.
pub fn check(context: &Context, plan: &Plan, report: &mut CheckReport) {
    let options = options(context, plan);
    let model = &context.loaded.model;
    let mut line = ProgressLine::new(context.args.reading.quiet);
    let result = check_safety(|| Interpreter::new(Arc::clone(model)), &options, &mut |progress| {
        line.show(progress)
    });
    line.clear();
    statistics(report, &result);
    report.method = method(context);
    notes::add(context, &result, report);
    report.exhausted &= result.exhausted;
    if result.exhausted {
        report.unreached = unreached(model, |ty, edge| result.reached.is_taken(ty, edge));
    }
    let findings = sort(context, &result);
    for (asked, kind, name, found) in [
        (plan.assertions, PropertyKind::Assertion, ASSERTIONS, 0),
        (plan.end_states, PropertyKind::EndState, END_STATES, 1),
        (plan.runtime, PropertyKind::Runtime, RUNTIME_ERRORS, 2),
    ] {
        if asked {
            let found = findings[found].clone();
            let property = property(kind, name, found, context, &result);
            report.properties.push(property);
        }
    }
}

fn options(context: &Context, plan: &Plan) -> Options {
    let args = context.args;
    Options {
        order: match args.search {
            SearchOrder::Dfs => Order::DepthFirst,
            SearchOrder::Bfs => Order::BreadthFirst,
        },
        errors: args.errors,
        trails: MAX_TRAILS,
        assertions: plan.assertions,
        end_states: plan.end_states,
        threads: args.threads,
        memory: context.memory,
        time: args.time,
        depth: args.depth,
        interrupt: Some(Arc::clone(&context.interrupt)),
        shorten: args.shorten,
    }
}

fn statistics(report: &mut CheckReport, result: &SearchResult) {
    let s = &mut report.statistics;
    s.states += result.states;
    s.transitions += result.transitions;
    s.depth = s.depth.max(result.depth);
    s.errors += result.errors;
    s.search += result.time;
    s.peak_bytes = s.peak_bytes.max(result.peak_bytes);
    s.store_bytes = s.store_bytes.max(result.store_bytes);
}

fn method(context: &Context) -> String {
    let order = match context.args.search {
        SearchOrder::Dfs => "depth-first",
        SearchOrder::Bfs => "breadth-first",
    };
    let threads = match context.args.threads {
        0 | 1 => String::new(),
        n => format!(", {n} threads"),
    };
    format!("{order} search{threads}, interpreter, exact: no reductions")
}

/// The findings of assertions, end states and run-time errors.
fn sort(context: &Context, result: &SearchResult) -> [Vec<Finding>; 3] {
    let mut sorted: [Vec<Finding>; 3] = Default::default();
    let mut findings = Findings::new(context);
    for violation in &result.violations {
        let (class, kind, name) = match violation.kind {
            ViolationKind::Assertion => (0, PropertyKind::Assertion, ASSERTIONS),
            ViolationKind::EndState => (1, PropertyKind::EndState, END_STATES),
            ViolationKind::Runtime(_) => (2, PropertyKind::Runtime, RUNTIME_ERRORS),
        };
        sorted[class].push(findings.add(violation, kind, name));
    }
    sorted
}

fn property(
    kind: PropertyKind,
    name: &str,
    findings: Vec<Finding>,
    context: &Context,
    result: &SearchResult,
) -> Property {
    let all_kept = result.violations.len() < MAX_TRAILS;
    let (verdict, message) = match (findings.is_empty(), result.exhausted && all_kept) {
        (false, _) => (Verdict::Violated, String::new()),
        (true, true) => (Verdict::Holds, String::new()),
        (true, false) => (Verdict::Incomplete, notes::why_open(context, result)),
    };
    Property { name: name.to_owned(), kind, verdict, message, findings }
}
