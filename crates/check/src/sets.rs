//! Assertions, end states, run-time errors and traces, in sets of states.

use std::sync::Arc;

use isospin_lists::{explore, Exploration, Options, Stage, Strategy};
use isospin_machine::Interpreter;
use isospin_search::{Order, Progress};

use crate::applicable::SearchKind;
use crate::evidence::property;
use crate::machines::Chosen;
use crate::plan::Plan;
use crate::report::{Method, Open, PropertyKind, Sets};
use crate::run::{unhindered, Run};
use crate::safety::add_properties;
use crate::unreached::unreached;

/// Explores the model, and adds what was found to the report.
pub fn check(run: &mut Run, plan: &Plan, machine: &Chosen) {
    if plan.safety() {
        let result = search(run, plan, machine);
        conclude(run, plan, machine, &result);
    }
    for question in &plan.temporal {
        let open = Some(Open::NoCycles);
        run.report.properties.push(property(&question.name, question.kind, Vec::new(), open));
        run.report.exhausted = false;
    }
}

fn search(run: &mut Run, plan: &Plan, machine: &Chosen) -> Exploration {
    let wanted = run.options;
    let memory = run.memory;
    let options = Options {
        strategy: match wanted.order {
            Order::BreadthFirst => Strategy::BreadthFirst,
            Order::DepthFirst => Strategy::Saturation,
        },
        assertions: plan.assertions,
        end_states: plan.end_states,
        first_only: wanted.errors == 1,
        trails: wanted.findings,
        memory,
        time: run.limits.time_left(),
        interrupt: Some(wanted.interrupt.flag()),
        ..Options::default()
    };
    let start = std::time::Instant::now();
    let mut progress = |stage: &Stage| {
        run.watch.progress(&Progress {
            states: stage.states.as_u64().unwrap_or(u64::MAX),
            depth: stage.iterations,
            memory: stage.bytes,
            memory_limit: memory,
            elapsed: start.elapsed(),
            ..Progress::default()
        });
    };
    let result = unhindered(|| match machine {
        Chosen::Interpreter(model) => {
            explore(|| Interpreter::new(Arc::clone(model)), &options, &mut progress)
        }
        Chosen::Native(native) => explore(|| (**native).clone(), &options, &mut progress),
    });
    run.watch.search_ended();
    result
}

fn conclude(run: &mut Run, plan: &Plan, machine: &Chosen, result: &Exploration) {
    let s = &mut run.report.statistics;
    s.states = result.states.as_u64().unwrap_or(u64::MAX);
    s.errors = result.errors;
    s.search = result.time;
    s.peak_bytes = result.peak_bytes;
    s.sets = Some(Sets {
        reachable: result.states.to_string(),
        nodes: result.state_nodes,
        peak_nodes: result.nodes,
        iterations: result.iterations,
        slots: result.slots,
        groups: result.groups,
    });
    run.report.method.get_or_insert(Method {
        search: SearchKind::Sets,
        order: run.options.order,
        threads: 1,
        fairness: Default::default(),
        machine: machine.kind(),
        reduction: None,
        symmetry: None,
    });
    run.note_limit(result.incomplete, result.time);
    run.report.exhausted &= result.exhausted;
    if result.exhausted {
        let taken = |ty, edge| result.taken.contains(&(ty, edge));
        run.report.unreached = Some(unreached(run.model, taken));
    }
    let (findings, errors) = (run.options.findings, run.options.errors);
    let open = |kind: PropertyKind| match (result.incomplete, &result.wrong) {
        // Everything was looked at, and only executions are missing.
        (Some(limit), Some(wrong)) => {
            wrong.iter().any(|w| PropertyKind::of_violation(*w) == kind).then_some(Open::Met(limit))
        }
        (Some(limit), None) if result.met && result.violations.is_empty() => Some(Open::Met(limit)),
        (Some(limit), None) => Some(Open::Limit(limit)),
        (None, _) if result.exhausted && result.violations.len() < findings => None,
        (None, _) => Some(Open::Stopped(errors)),
    };
    add_properties(run, plan, &result.violations, &open);
}
