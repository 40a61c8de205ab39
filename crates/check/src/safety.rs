//! Assertions, end states, run-time errors and traces: one search, four properties.

use std::sync::Arc;

use isospin_analysis::facts::Facts;
use isospin_model::{Action, EdgeId, Model, ProcTypeId};
use isospin_search::{Reached, SearchResult, Violation};

use crate::applicable::SearchKind;
use crate::asked::{ASSERTIONS, END_STATES, RUNTIME_ERRORS};
use crate::evidence::{of_violation, property};
use crate::machines::Chosen;
use crate::plan::Plan;
use crate::prepare::Prepared;
use crate::report::{Finding, Method, Note, Open, PropertyKind};
use crate::run::{add_counts, unhindered, Run};
use crate::unreached::unreached;

/// Searches, and adds what was found to the report.
pub fn check(run: &mut Run, plan: &Plan, machine: &Chosen, facts: Option<Arc<Facts>>) {
    let options = isospin_search::Options {
        assertions: plan.assertions,
        end_states: plan.end_states,
        ..run.search_options(facts, run.whole.symmetry.clone())
    };
    let result = run.search_safety(machine, &options);
    let strategy = run.whole.symmetry.as_ref().map(|s| s.1);
    run.report.applied.symmetry = strategy.filter(|_| result.symmetry);
    if run.whole.symmetry.is_some() && !result.symmetry {
        run.report.note(Note::Asymmetric);
    }
    statistics(run, &result);
    run.report.method.get_or_insert(Method {
        search: SearchKind::Safety,
        order: run.options.order,
        threads: result.threads,
        fairness: Default::default(),
        machine: machine.kind(),
        reduction: result.reduction,
        symmetry: (run.whole.symmetry.as_ref().filter(|_| result.symmetry))
            .map(|(symmetry, strategy)| (symmetry.group.order(), *strategy)),
    });
    run.note_limit(result.incomplete, result.time);
    run.report.exhausted &= result.exhausted;
    if result.exhausted {
        let (model, whole) = (run.model, &run.whole);
        let taken = |ty: ProcTypeId, edge: EdgeId| {
            result.reached.is_taken(ty, edge)
                || (whole.keeps_ended && ends(model, whole, &result.reached, ty, edge))
        };
        run.report.unreached = Some(unreached(model, taken));
    }
    if let Some((proctype, location)) = result.endless {
        let process = run.whole.model.proctype(proctype);
        let at = run.model.place(process.automaton.locations[location.index()].source);
        run.report.note(Note::EndlessAtomic { process: process.name.clone(), at });
    }
    let open = why_open(run, &result);
    add_properties(run, plan, &result.violations, &|_| open);
}

/// Adds the properties with what violates them, and why one without a violation is left open.
pub(crate) fn add_properties(
    run: &mut Run,
    plan: &Plan,
    violations: &[Violation],
    open: &dyn Fn(PropertyKind) -> Option<Open>,
) {
    let [assertions, end_states, runtime, trace] = sort(run, violations);
    let trace_name = plan.trace.unwrap_or("trace");
    for (asked, kind, name, found) in [
        (plan.assertions, PropertyKind::Assertion, ASSERTIONS, assertions),
        (plan.end_states, PropertyKind::EndState, END_STATES, end_states),
        (plan.runtime, PropertyKind::Runtime, RUNTIME_ERRORS, runtime),
        (plan.trace.is_some(), PropertyKind::Trace, trace_name, trace),
    ] {
        if asked {
            run.report.properties.push(property(name, kind, found, open(kind)));
        }
    }
}

/// Why a property without a violation is left open, if it is.
fn why_open(run: &Run, result: &SearchResult) -> Option<Open> {
    let all_kept = result.violations.len() < run.options.findings;
    if result.exhausted && all_kept {
        return None;
    }
    Some(match result.incomplete {
        Some(limit) => Open::Limit(limit),
        None => Open::Stopped(run.options.errors),
    })
}

/// Whether an edge ends a process that came to its end, though it was kept there: whether it, and
/// all that are younger, came to their ends.
fn ends(model: &Model, whole: &Prepared, reached: &Reached, ty: ProcTypeId, edge: EdgeId) -> bool {
    if model.proctype(ty).automaton.edges[edge.index()].action != Action::End {
        return false;
    }
    let comes_to_its_end = |ty: ProcTypeId| {
        let automaton = &model.proctype(ty).automaton;
        let mut ends = automaton.edges.iter().filter(|e| e.action == Action::End);
        ends.any(|end| {
            let mut into = automaton.numbered_edges().filter(|(_, e)| e.target == end.from);
            end.from == automaton.initial || into.any(|(k, _)| reached.is_taken(ty, k))
        })
    };
    let Some((symmetry, _)) = &whole.symmetry else { return false };
    let youngest_first = symmetry.types().rev();
    youngest_first.take_while(|&t| comes_to_its_end(t)).any(|t| t == ty)
}

fn statistics(run: &mut Run, result: &SearchResult) {
    let s = &mut run.report.statistics;
    s.states += result.states;
    s.transitions += result.transitions;
    s.depth = s.depth.max(result.depth);
    s.errors += result.errors;
    s.search += result.time;
    s.peak_bytes = s.peak_bytes.max(result.peak_bytes);
    s.store_bytes = s.store_bytes.max(result.store_bytes);
    if let Some(counts) = &result.reduction {
        add_counts(&mut run.report.applied.counts, counts);
    }
}

/// The findings of assertions, end states, run-time errors and traces.
fn sort(run: &Run, violations: &[Violation]) -> [Vec<Finding>; 4] {
    let mut sorted: [Vec<Finding>; 4] = Default::default();
    for violation in violations {
        let class = match PropertyKind::of_violation(violation.kind) {
            PropertyKind::Assertion => 0,
            PropertyKind::EndState => 1,
            PropertyKind::Trace => 3,
            _ => 2,
        };
        // Processes that ended stay only where there is symmetry, and until it is given up.
        let finding = unhindered(|| of_violation(run.model, violation, run.whole.keeps_ended));
        sorted[class].push(finding);
    }
    sorted
}
