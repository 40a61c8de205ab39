//! A check from beginning to end.

use std::sync::Arc;

use isospin_analysis::facts::Facts;
use isospin_analysis::Optimizations;
use isospin_limits::{attempt, phase, Limits, Spent, Stopped};
use isospin_model::time::Pace;
use isospin_model::Model;
use isospin_search::reduce::ReductionCounts;
use isospin_search::Incomplete;

use crate::applicable::{applicable, Job, Reduction, SearchKind, Stuttering};
use crate::asked::Asked;
use crate::evidence::property;
use crate::failure::Failure;
use crate::machines::Machines;
use crate::options::{Engine, Options};
use crate::plan::{refuse_impossible, Plan, Question};
use crate::prepare::{check_declarations, prepare};
use crate::report::{Applied, Note, Open, Report};
use crate::run::Run;
use crate::watch::Watch;
use crate::{safety, sets, temporal, together};

/// Checks what is asked of a model, and reports. See the [crate](crate) for an example.
pub fn check(
    model: &Arc<Model>,
    asked: &Asked,
    options: &Options,
    watch: &mut dyn Watch,
) -> Result<Report, Failure> {
    let limits = Limits::new(options.time, options.memory, options.interrupt.clone());
    let checked = limits.run(|| check_within(&limits, model, asked, options, watch));
    checked.unwrap_or_else(|stopped| Err(Failure::Stopped(stopped)))
}

/// Checks under limits that hold already.
fn check_within(
    limits: &Limits,
    model: &Arc<Model>,
    asked: &Asked,
    options: &Options,
    watch: &mut dyn Watch,
) -> Result<Report, Failure> {
    refuse_impossible(asked, options)?;
    if options.verify {
        model.verify().map_err(Failure::Broken)?;
    }
    phase(ANALYSIS);
    let plan = Plan::new(asked, model)?;
    plan.refuse_cycles(asked, options)?;
    let in_sets = options.engine == Engine::Symbolic;
    let open = model.time.as_ref().is_some_and(|t| t.open) || model.present.is_some();
    if in_sets && open {
        return Err(Failure::Impossible(
            "--engine symbolic knows no clocks, no deadlines and no instances: leave it out",
        ));
    }
    check_declarations(model)?;
    let job = Job {
        search: if in_sets { SearchKind::Sets } else { SearchKind::Safety },
        fairness: options.fairness,
        stuttering: Stuttering::Unnoticed,
    };
    let prepared = prepare(&options.wanted, &applicable(&job), model, &[]);
    if let Some(array) = options.wanted.main_array.as_ref().filter(|_| !prepared.sorts_main_array) {
        return Err(Failure::NoMainArray(array.clone()));
    }
    phase(CODE);
    let machines = Machines::new(options.verify);
    let machine = machines.machine(options.machine, &prepared.model)?;
    let mut report = Report { exhausted: true, ..Report::default() };
    let mut facts = None;
    phase(ANALYSIS);
    if options.wanted.por.is_some() && applicable(&job).allows(Reduction::PartialOrder) {
        let found = Facts::of(&prepared.model, &[]);
        match found.obstacle {
            None => facts = Some(Arc::new(found)),
            Some(obstacle) => report.note(Note::Obstacle(obstacle)),
        }
    }
    if let Some(why) = machines.obstacle() {
        report.notes.insert(0, Note::NoMachineCode(why));
    }
    report.notes.extend(prepared.note.clone());
    let pace = prepared.model.time.as_ref().map(|t| t.pace);
    report.applied = Applied {
        por: facts.is_some(),
        counts: ReductionCounts::default(),
        symmetry: None,
        optimize: options.wanted.optimize != Optimizations::NONE,
        jumps: pace.map(|pace| pace == Pace::Event),
    };
    report.statistics.compile = limits.start().elapsed();
    let mut run = Run {
        model,
        options,
        machines,
        whole: prepared,
        limits: limits.clone(),
        memory: limits.memory_left(),
        searches_left: u32::from(plan.safety()) + plan.temporal.len() as u32,
        reserved: !plan.runtime && !plan.temporal.is_empty(),
        watch,
        failed: false,
        report,
    };
    if in_sets {
        sets::check(&mut run, &plan, &machine);
        return Ok(run.report);
    }
    if plan.safety() {
        safety::check(&mut run, &plan, &machine, facts.clone());
        run.searches_left -= 1;
    }
    let known = attempt(|| together::holding(&mut run, &plan.temporal));
    let known = known.unwrap_or_else(|_| Ok(Vec::new()))?;
    for question in &plan.temporal {
        let before = run.report.properties.len();
        match attempt(|| temporal::check(&mut run, question, &known)) {
            Ok(checked) => checked?,
            Err(stopped) => {
                run.report.properties.truncate(before);
                cut_short(&mut run, question, stopped);
            }
        }
        run.searches_left -= 1;
    }
    if run.failed && !plan.runtime {
        // Nobody asked, and it has to be told all the same.
        (run.searches_left, run.reserved) = (1, false);
        safety::check(&mut run, &Plan::runtime_errors(), &machine, facts);
        if let Some(property) = run.report.properties.last_mut() {
            if let Some(Open::Limit(limit)) = property.open {
                property.open = Some(Open::Met(limit));
            }
        }
    }
    Ok(run.report)
}

/// What is going on before a search, for whoever is told that a limit was exceeded.
const ANALYSIS: &str = "the model was being analysed";
const CODE: &str = "machine code was being made";

/// Leaves a question open whose search could not begin.
fn cut_short(run: &mut Run, question: &Question, stopped: Stopped) {
    let limit = match stopped.spent {
        Spent::Time => Incomplete::Time,
        Spent::Memory => Incomplete::Memory,
        Spent::Interrupted => Incomplete::Interrupted,
    };
    run.report.exhausted = false;
    run.note_limit(Some(limit), run.limits.start().elapsed());
    let open = Some(Open::Limit(limit));
    run.report.properties.push(property(&question.name, question.kind, Vec::new(), open));
}
