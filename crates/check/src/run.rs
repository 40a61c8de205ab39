//! A check on its way: its searches, its limits, and the report so far.

use std::sync::Arc;
use std::time::Duration;

use isospin_analysis::facts::Facts;
use isospin_limits::Limits;
use isospin_machine::Interpreter;
use isospin_model::Model;
use isospin_search::liveness::{
    check_liveness, Emptiness, Fairness, LivenessResult, PropertyAutomaton,
};
use isospin_search::reduce::ReductionCounts;
use isospin_search::{check_safety, Progress, SearchResult};
use isospin_symmetry::{Strategy, Symmetry};

use crate::machines::{Chosen, Machines};
use crate::options::Options;
use crate::prepare::Prepared;
use crate::report::{Note, Report};
use crate::watch::Watch;

/// A check on its way: what every part of it looks at, and the report so far.
pub(crate) struct Run<'r> {
    /// The model as written.
    pub model: &'r Arc<Model>,
    pub options: &'r Options,
    pub machines: Machines,
    /// The model that is searched for what needs no cycle, and its symmetry.
    pub whole: Prepared,
    /// How long everything may take.
    pub limits: Limits,
    /// How many bytes each search may hold: what the model has left.
    pub memory: Option<u64>,
    /// How many searches are still to come, this one included.
    pub searches_left: u32,
    /// Whether a part of the time is kept for run-time errors, which nobody asked for and which are
    /// told all the same.
    pub reserved: bool,
    pub watch: &'r mut dyn Watch,
    /// Whether some execution that was looked at for a formula ended in a run-time error.
    pub failed: bool,
    pub report: Report,
}

impl Run<'_> {
    /// The options of a search, whose time is its share of what is left: where the first of several
    /// searches could go on for ever, the others get their turn all the same.
    pub fn search_options(
        &self,
        reduction: Option<Arc<Facts>>,
        symmetry: Option<(Arc<Symmetry>, Strategy)>,
    ) -> isospin_search::Options {
        let options = self.options;
        let share = |mut left: Duration| {
            if self.reserved {
                left -= left / 4;
            }
            left / self.searches_left.max(1)
        };
        isospin_search::Options {
            order: options.order,
            errors: options.errors,
            trails: options.findings,
            threads: options.threads.unwrap_or_else(cores),
            memory: self.memory,
            time: self.limits.time_left().map(share),
            depth: options.depth,
            interrupt: Some(options.interrupt.flag()),
            reduction,
            symmetry,
            twins: options.twins,
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
        let result = unhindered(|| match machine {
            Chosen::Interpreter(model) => {
                check_safety(|| Interpreter::new(Arc::clone(model)), options, &mut progress)
            }
            Chosen::Native(native) => check_safety(|| (**native).clone(), options, &mut progress),
        });
        self.watch.search_ended();
        result
    }

    /// Looks for a fair execution that the automaton accepts.
    pub fn search_liveness(
        &mut self,
        machine: &Chosen,
        automaton: PropertyAutomaton,
        kind: Emptiness,
        options: &isospin_search::Options,
    ) -> LivenessResult {
        self.search_fair(machine, automaton, self.options.fairness, kind, options)
    }

    /// The same under a fairness of its own.
    pub fn search_fair(
        &mut self,
        machine: &Chosen,
        automaton: PropertyAutomaton,
        fairness: Fairness,
        kind: Emptiness,
        options: &isospin_search::Options,
    ) -> LivenessResult {
        let mut progress = |p: &Progress| self.watch.progress(p);
        let result = unhindered(|| match machine {
            Chosen::Interpreter(model) => {
                let machine = Interpreter::new(Arc::clone(model));
                check_liveness(machine, automaton, fairness, kind, options, &mut progress)
            }
            Chosen::Native(native) => {
                let machine = (**native).clone();
                check_liveness(machine, automaton, fairness, kind, options, &mut progress)
            }
        });
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

/// Searches have results to keep, and look at their limits themselves; so has what follows them.
pub(crate) fn unhindered<T>(work: impl FnOnce() -> T) -> T {
    match Limits::none().run(work) {
        Ok(done) => done,
        Err(stopped) => unreachable!("nothing limits this: {stopped}"),
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
