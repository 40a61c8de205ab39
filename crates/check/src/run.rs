//! A check from beginning to end.

use std::sync::Arc;
use std::time::{Duration, Instant};

use isospin_analysis::facts::Facts;
use isospin_machine::Interpreter;
use isospin_model::time::Pace;
use isospin_model::Model;
use isospin_search::liveness::{check_liveness, Emptiness, LivenessResult, PropertyAutomaton};
use isospin_search::reduce::ReductionCounts;
use isospin_search::{check_safety, Progress, SearchResult};
use isospin_symmetry::{Strategy, Symmetry};

use crate::applicable::{applicable, Job, Reduction, SearchKind, Stuttering};
use crate::asked::Asked;
use crate::failure::Failure;
use crate::machines::{Chosen, Machines};
use crate::options::Options;
use crate::plan::{refuse_impossible, Plan};
use crate::prepare::{check_declarations, prepare, Prepared};
use crate::report::{Applied, Note, Report};
use crate::watch::Watch;
use crate::{safety, temporal, together};

/// Checks what is asked of a model, and reports. See the [crate](crate) for an example.
pub fn check(
    model: &Arc<Model>,
    asked: &Asked,
    options: &Options,
    watch: &mut dyn Watch,
) -> Result<Report, Failure> {
    let start = Instant::now();
    refuse_impossible(asked, options)?;
    let plan = Plan::new(asked, model)?;
    check_declarations(model)?;
    let job = Job {
        search: SearchKind::Safety,
        fairness: options.fairness,
        stuttering: Stuttering::Unnoticed,
    };
    let prepared = prepare(&options.wanted, &applicable(&job), model, &[]);
    if let Some(array) = options.wanted.main_array.as_ref().filter(|_| !prepared.sorts_main_array) {
        return Err(Failure::NoMainArray(array.clone()));
    }
    let machines = Machines::default();
    let machine = machines.machine(options.machine, &prepared.model)?;
    let mut report = Report { exhausted: true, ..Report::default() };
    let mut facts = None;
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
        symmetry: prepared.symmetry.as_ref().map(|s| s.1),
        optimize: options.wanted.optimize != isospin_analysis::Optimizations::NONE,
        jumps: pace.map(|pace| pace == Pace::Event),
    };
    report.statistics.compile = start.elapsed();
    let mut run = Run {
        model,
        options,
        machines,
        whole: prepared,
        deadline: options.time.and_then(|time| start.checked_add(time)),
        watch,
        report,
    };
    if plan.safety() {
        safety::check(&mut run, &plan, &machine, facts);
    }
    let known = together::holding(&mut run, &plan.temporal)?;
    for question in &plan.temporal {
        temporal::check(&mut run, question, &known)?;
    }
    Ok(run.report)
}

/// A check on its way: what every part of it looks at, and the report so far.
pub(crate) struct Run<'r> {
    /// The model as written.
    pub model: &'r Arc<Model>,
    pub options: &'r Options,
    pub machines: Machines,
    /// The model that is searched for what needs no cycle, and its symmetry.
    pub whole: Prepared,
    deadline: Option<Instant>,
    watch: &'r mut dyn Watch,
    pub report: Report,
}

impl Run<'_> {
    /// The options of a search, whose time is what is left of all.
    pub fn search_options(
        &self,
        reduction: Option<Arc<Facts>>,
        symmetry: Option<(Arc<Symmetry>, Strategy)>,
    ) -> isospin_search::Options {
        let options = self.options;
        let left = |at: Instant| at.saturating_duration_since(Instant::now());
        isospin_search::Options {
            order: options.order,
            errors: options.errors,
            trails: options.findings,
            threads: options.threads.unwrap_or_else(cores),
            memory: options.memory,
            time: self.deadline.map(left),
            depth: options.depth,
            interrupt: Some(options.interrupt.flag()),
            reduction,
            symmetry,
            ample: options.wanted.por.unwrap_or_default(),
            shorten: options.shorten,
            ..isospin_search::Options::default()
        }
    }

    /// Runs a search for what needs no cycle.
    pub fn search_safety(
        &mut self,
        machine: &Chosen,
        options: &isospin_search::Options,
    ) -> SearchResult {
        let mut progress = |p: &Progress| self.watch.progress(p);
        let result = match machine {
            Chosen::Interpreter(model) => {
                check_safety(|| Interpreter::new(Arc::clone(model)), options, &mut progress)
            }
            Chosen::Native(native) => check_safety(|| (**native).clone(), options, &mut progress),
        };
        self.watch.search_ended();
        result
    }

    /// Looks for an execution that the automaton accepts.
    pub fn search_liveness(
        &mut self,
        machine: &Chosen,
        automaton: PropertyAutomaton,
        kind: Emptiness,
        options: &isospin_search::Options,
    ) -> LivenessResult {
        let fairness = self.options.fairness;
        let mut progress = |p: &Progress| self.watch.progress(p);
        let result = match machine {
            Chosen::Interpreter(model) => {
                let machine = Interpreter::new(Arc::clone(model));
                check_liveness(machine, automaton, fairness, kind, options, &mut progress)
            }
            Chosen::Native(native) => {
                let machine = (**native).clone();
                check_liveness(machine, automaton, fairness, kind, options, &mut progress)
            }
        };
        self.watch.search_ended();
        result
    }

    /// Notes that a search was cut short, if it was.
    pub fn note_limit(&mut self, incomplete: Option<isospin_search::Incomplete>, time: Duration) {
        if let Some(limit) = incomplete {
            let known = self.report.notes.iter();
            if !known.clone().any(|n| matches!(n, Note::Limit(l, _) if *l == limit)) {
                self.report.notes.push(Note::Limit(limit, time));
            }
        }
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Adds how often a search reduced.
pub(crate) fn add_counts(all: &mut ReductionCounts, more: &ReductionCounts) {
    all.reduced += more.reduced;
    all.trivial += more.trivial;
    all.no_closed_set += more.no_closed_set;
    all.visible += more.visible;
    all.revoked += more.revoked;
    all.unsought += more.unsought;
}
