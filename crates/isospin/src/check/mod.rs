//! `isospin check`: plan, search, trails, report.
//!
//! | file | what it does |
//! | --- | --- |
//! | `plan.rs` | what was asked, of this model |
//! | `safety.rs` | assertions, end states, run-time errors |
//! | `temporal.rs`, `hoa.rs` | formulas, claims and cycles; automata that were given as files |
//! | `together.rs` | invariants that are looked at in one search |
//! | `machine.rs` | which machine steps the model |
//! | `findings.rs` | from a violation to a trail file and what is shown of it |
//! | `notes.rs` | what cut a search short, and what would help |
//! | `machine.rs`, `reductions.rs`, `symmetry.rs` | which machine and which reductions apply |
//! | `progress.rs`, `memory.rs` | the line on standard error; how much memory there is |

mod findings;
mod hoa;
mod machine;
mod memory;
mod notes;
mod plan;
mod progress;
mod reductions;
mod safety;
mod symmetry;
mod temporal;
mod together;

use std::sync::atomic::AtomicBool;
use std::sync::Arc;
use std::time::Instant;

use isospin_analysis::facts::Facts;
use isospin_model::time::Pace;
use isospin_report::check::{
    self as report, CheckReport, ReducedStates, Reductions, Statistics, Verdict,
};
use isospin_report::Names;

use crate::args::{CheckArgs, EmptinessChoice};
use crate::failure::Failure;
use crate::given::Given;
use crate::load::{load_with, Loaded};
use crate::output::Output;
use crate::{interrupt, timers, Status};
use findings::Findings;
use machine::{Chosen, Made};
use plan::Plan;
use symmetry::Prepared;

/// What every part of a check looks at.
struct Context<'c> {
    args: &'c CheckArgs,
    loaded: &'c Loaded,
    names: &'c Names,
    /// The machine for what needs no cycle.
    machine: Chosen,
    /// The model that is searched for what needs no cycle, and its symmetry.
    prepared: &'c Prepared,
    /// All machines so far.
    made: Made,
    /// What partial-order reduction stands on, where it is on.
    facts: Option<Arc<Facts>>,
    /// Whether ticks in which nothing can happen are taken in one step.
    jumps: bool,
    /// The memory limit.
    memory: Option<u64>,
    interrupt: Arc<AtomicBool>,
}

/// The model, and what is to be checked of it.
fn read(args: &CheckArgs) -> Result<(Loaded, Plan), Failure> {
    let mut given = Given::formulas(&args.ltl, &args.ltl_file)?;
    let formulas = given.len();
    let hoa = args.hoa.as_deref().map(hoa::Automaton::read).transpose()?;
    given.extend(hoa.iter().flat_map(hoa::Automaton::propositions));
    let mut loaded = load_with(&args.model, &args.reading, &given)?;
    if args.exact {
        // Spin without reductions does not look at promises, whose breach would end executions.
        Arc::make_mut(&mut loaded.model).exclusives.clear();
    }
    if args.abstract_timers {
        timers::forget(&mut loaded.model)?;
    }
    let automaton = match hoa {
        None => None,
        Some(hoa) => {
            // Propositions were read as formulas, the last ones, and are none of the model's.
            let stated = &mut Arc::make_mut(&mut loaded.model).formulas;
            let own = stated.len().saturating_sub(given.len() - formulas);
            let property = hoa.property(&stated.split_off(own), formulas)?;
            if args.emptiness == EmptinessChoice::Nested && !property.state_based {
                return Err(Failure::new(format_args!(
                    "a nested search needs accepting states, and {} has accepting edges: leave \
                     --emptiness out, or choose components",
                    hoa.name
                )));
            }
            Some((hoa.name, property))
        }
    };
    let plan = Plan::new(args, &loaded.model, formulas, automaton)?;
    Ok((loaded, plan))
}

/// Verifies the model.
pub fn run(args: &CheckArgs) -> Result<Status, Failure> {
    let start = Instant::now();
    plan::refuse_unsupported(args)?;
    let (loaded, plan) = read(args)?;
    symmetry::check_declarations(&loaded.model)?;
    let names = Names::new(Arc::clone(&loaded.model));
    let reductions = reductions::Wanted::new(args);
    let prepared = symmetry::prepare(&reductions, args, &loaded.model, &[], true, true);
    let searched = &prepared.model;
    let (machine, note) = Chosen::new(args.machine, searched)?;
    let made = Made::default();
    made.keep(searched, &machine);
    let (facts, obstacle) = reductions.facts(searched);
    let compile = start.elapsed();
    let jumps = searched.time.as_ref().is_some_and(|t| t.pace == Pace::Event);
    let context = Context {
        args,
        jumps,
        loaded: &loaded,
        machine,
        prepared: &prepared,
        made,
        facts,
        names: &names,
        memory: args.memory.or_else(memory::default_limit),
        interrupt: interrupt::flag(),
    };
    let mut report = CheckReport {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        model: args.model.display().to_string(),
        properties: Vec::new(),
        statistics: Statistics { compile, ..Statistics::default() },
        reductions: Reductions {
            por: context.facts.is_some(),
            reduced: ReducedStates::default(),
            symmetry: prepared.symmetry.as_ref().map_or("off", |s| s.1.name()).to_owned(),
            optimize: reductions.optimize,
            jumps: loaded.model.time.as_ref().map(|_| jumps),
        },
        method: String::new(),
        exhausted: true,
        unreached: None,
        notes: note.into_iter().chain(obstacle).chain(prepared.note.clone()).collect(),
    };
    let mut findings = Findings::new(&context);
    if plan.safety() {
        safety::check(&context, &plan, &mut findings, &mut report);
    }
    let known = together::holding(&context, &plan.temporal, &mut report)?;
    for question in &plan.temporal {
        temporal::check(&context, question, &known, &mut findings, &mut report)?;
    }
    if !plan.safety() && report.reductions.reduced != ReducedStates::default() {
        let reduced = report.reductions.reduced.text();
        report.method += &format!(", partial-order reduction ({reduced})");
    }
    notes::add_abstraction(&context, &mut report);
    report.statistics.total = start.elapsed();
    let mut out = Output::new();
    match args.json {
        true => out.line(&format!("{:#}", report::json(&report, &loaded.model))),
        false => out.text(&report::text(&report, &names, out.style())),
    }
    out.finish()?;
    Ok(match report.verdict() {
        Verdict::Holds => Status::Fine,
        Verdict::Violated => Status::Violated,
        Verdict::Incomplete => Status::Incomplete,
    })
}
