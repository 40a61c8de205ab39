//! Assertions, end states and run-time errors: one search, three properties.

use std::sync::Arc;

use isospin_machine::{Interpreter, RuntimeError};
use isospin_model::{Action, EdgeId, ProcTypeId};
use isospin_report::check::{
    unreached, CheckReport, Finding, Property, PropertyKind, ReducedStates, Verdict,
};
use isospin_search::{
    check_safety, take_away_ended, Options, Order, Progress, Reached, SearchResult, ViolationKind,
};

use super::findings::Findings;
use super::machine::Chosen;
use super::plan::{Plan, ASSERTIONS, END_STATES, RUNTIME_ERRORS};
use super::progress::ProgressLine;
use super::reductions::{self, Wanted};
use super::{notes, Context};
use crate::args::SearchOrder;

/// So many different violations get a trail.
const MAX_TRAILS: usize = 64;

/// Searches, and adds what was found to the report.
pub fn check(context: &Context, plan: &Plan, findings: &mut Findings, report: &mut CheckReport) {
    let options = options(context, plan);
    let model = &context.loaded.model;
    let mut result = search(context, &options);
    if context.prepared.keeps_ended {
        for violation in &mut result.violations {
            let at_end = violation.kind == ViolationKind::EndState;
            violation.steps = take_away_ended(model, &violation.steps, at_end).0;
        }
    }
    if context.prepared.symmetry.is_some() && !result.symmetry {
        report.reductions.symmetry = "off".to_owned();
        report.notes.push(
            "symmetry is off: a loop over all names was blocked half way (isospin show symmetry \
             says more)."
                .to_owned(),
        );
    }
    statistics(report, &result);
    report.method = method(context, &result);
    notes::add(context, &result, report);
    report.exhausted &= result.exhausted;
    if result.exhausted {
        let taken = |ty: ProcTypeId, edge: EdgeId| {
            result.reached.is_taken(ty, edge)
                || (context.prepared.keeps_ended && ends(context, &result.reached, ty, edge))
        };
        report.unreached = Some(unreached(model, taken));
    }
    let findings = sort(findings, &result);
    let trace = plan.trace.unwrap_or("trace");
    for (asked, kind, name, found) in [
        (plan.assertions, PropertyKind::Assertion, ASSERTIONS, 0),
        (plan.end_states, PropertyKind::EndState, END_STATES, 1),
        (plan.runtime, PropertyKind::Runtime, RUNTIME_ERRORS, 2),
        (plan.trace.is_some(), PropertyKind::Trace, trace, 3),
    ] {
        if asked {
            let found = findings[found].clone();
            let property = property(kind, name, found, context, &result);
            report.properties.push(property);
        }
    }
}

/// Runs the search on the machine that was asked for.
fn search(context: &Context, options: &Options) -> SearchResult {
    let mut line = ProgressLine::new(context.args.reading.quiet);
    let mut progress = |p: &Progress| line.show(p);
    let result = match &context.machine {
        Chosen::Interpreter(model) => {
            let machines = || Interpreter::new(Arc::clone(model));
            check_safety(machines, options, &mut progress)
        }
        Chosen::Native(native) => check_safety(|| (**native).clone(), options, &mut progress),
    };
    line.clear();
    result
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
        threads: threads(context),
        reduction: context.facts.clone(),
        symmetry: context.prepared.symmetry.clone(),
        ample: Wanted::new(args).ample,
        memory: context.memory,
        time: args.time,
        depth: args.depth,
        interrupt: Some(Arc::clone(&context.interrupt)),
        shorten: args.shorten,
    }
}

/// Whether an edge ends a process that came to its end, though it was kept there: whether it, and
/// all that are younger, came to their ends.
fn ends(context: &Context, reached: &Reached, ty: ProcTypeId, edge: EdgeId) -> bool {
    let model = &context.loaded.model;
    if model.proctypes[ty.index()].automaton.edges[edge.index()].action != Action::End {
        return false;
    }
    let comes_to_its_end = |ty: ProcTypeId| {
        let automaton = &model.proctypes[ty.index()].automaton;
        let mut ends = automaton.edges.iter().filter(|e| e.action == Action::End);
        ends.any(|end| {
            let mut into =
                automaton.edges.iter().zip((0..).map(EdgeId)).filter(|(e, _)| e.target == end.from);
            end.from == automaton.initial || into.any(|(_, k)| reached.is_taken(ty, k))
        })
    };
    let Some((symmetry, _)) = &context.prepared.symmetry else { return false };
    let youngest_first = symmetry.types().rev();
    youngest_first.take_while(|&t| comes_to_its_end(t)).any(|t| t == ty)
}

/// As many threads as were asked for, or as there are cores.
fn threads(context: &Context) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    context.args.threads.unwrap_or_else(cores)
}

fn statistics(report: &mut CheckReport, result: &SearchResult) {
    let s = &mut report.statistics;
    s.states += result.states;
    s.transitions += result.transitions;
    s.depth = s.depth.max(result.depth);
    s.errors += result.errors;
    if let Some(counts) = &result.reduction {
        reductions::add(&mut report.reductions.reduced, counts);
    }
    s.search += result.time;
    s.peak_bytes = s.peak_bytes.max(result.peak_bytes);
    s.store_bytes = s.store_bytes.max(result.store_bytes);
}

fn method(context: &Context, result: &SearchResult) -> String {
    let order = match context.args.search {
        SearchOrder::Dfs => "depth-first",
        SearchOrder::Bfs => "breadth-first",
    };
    let threads = match result.threads {
        0 | 1 => String::new(),
        n => format!(", {n} threads"),
    };
    let optimized = !context.args.exact && !context.args.no_optimize;
    let mut kept: Vec<String> = Vec::new();
    if let Some(counts) = &result.reduction {
        let mut reduced = ReducedStates::default();
        reductions::add(&mut reduced, counts);
        kept.push(format!("partial-order reduction ({})", reduced.text()));
    }
    if let (Some((symmetry, strategy)), true) = (&context.prepared.symmetry, result.symmetry) {
        let order = symmetry.group.order();
        let order = if order < 1e9 { format!("{order:.0}") } else { format!("{order:.1e}") };
        kept.push(format!("symmetry ({order} permutations, {})", strategy.name()));
    }
    if optimized {
        kept.push("merged steps, dead and unread variables".to_owned());
    }
    if context.jumps {
        kept.push("jumps in time".to_owned());
    }
    if context.args.abstract_timers {
        kept.push("abstract timers".to_owned());
    }
    let kept = match kept.is_empty() {
        true => "exact: no reductions".to_owned(),
        false => kept.join("; "),
    };
    format!("{order} search{threads}, {}, {kept}", context.machine.name())
}

/// The findings of assertions, end states and run-time errors.
fn sort(findings: &mut Findings, result: &SearchResult) -> [Vec<Finding>; 4] {
    let mut sorted: [Vec<Finding>; 4] = Default::default();
    for violation in &result.violations {
        let (class, kind, name) = match violation.kind {
            ViolationKind::Assertion => (0, PropertyKind::Assertion, ASSERTIONS),
            ViolationKind::EndState => (1, PropertyKind::EndState, END_STATES),
            ViolationKind::Runtime(RuntimeError::UnexpectedEvent) => {
                (3, PropertyKind::Trace, "trace")
            }
            ViolationKind::Runtime(RuntimeError::AllEventsMatched) => {
                (3, PropertyKind::Trace, "notrace")
            }
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
