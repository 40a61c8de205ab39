//! Counting violations and keeping the first of each.

use std::mem::{discriminant, Discriminant};

use isospin_machine::{Fault, RuntimeError, Step};
use isospin_model::{EdgeId, ProcTypeId};

use crate::options::Options;
use crate::result::{Violation, ViolationKind};

/// What kind of violation, and at which edge: violations that agree in this are the same one,
/// reached in different ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Site {
    kind: Discriminant<ViolationKind>,
    error: Option<Discriminant<RuntimeError>>,
    edge: Option<(ProcTypeId, EdgeId)>,
}

impl Site {
    /// A violation of a state, not of a step.
    pub fn of_state(kind: ViolationKind) -> Site {
        Site {
            kind: discriminant(&kind),
            error: match kind {
                ViolationKind::Runtime(error) => Some(discriminant(&error)),
                _ => None,
            },
            edge: None,
        }
    }

    /// A violation of a step, which a process of this type takes unless time passes.
    pub fn of_step(kind: ViolationKind, proctype: Option<ProcTypeId>, step: Step) -> Site {
        let edge = step.process().map(|by| by.edge);
        Site { edge: proctype.zip(edge), ..Site::of_state(kind) }
    }
}

/// The kind of violation that a fault is.
pub(super) fn kind_of(fault: Fault) -> ViolationKind {
    match fault {
        Fault::Assertion => ViolationKind::Assertion,
        Fault::Runtime(error) => ViolationKind::Runtime(error),
    }
}

/// What to do about a violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Advice {
    /// It is the first of its site: its steps are wanted.
    pub keep: bool,
    /// It was the last one asked for.
    pub stop: bool,
}

/// Violations so far. `W` is what shows one.
#[derive(Debug)]
pub(super) struct Findings<W> {
    limit: u64,
    trails: usize,
    assertions: bool,
    end_states: bool,
    /// When set, nothing else counts.
    only: Option<Site>,
    errors: u64,
    kept: Vec<(Site, W)>,
}

impl<W> Findings<W> {
    pub fn new(options: &Options) -> Findings<W> {
        Findings {
            limit: options.errors,
            trails: options.trails.max(1),
            assertions: options.assertions,
            end_states: options.end_states,
            only: None,
            errors: 0,
            kept: Vec::new(),
        }
    }

    /// Counts only violations of one site.
    pub fn only(&mut self, only: Option<Site>) {
        self.only = only;
    }

    /// Counts a violation, if it is one that was asked for.
    pub fn count(&mut self, kind: ViolationKind, site: Site) -> Option<Advice> {
        let asked = match kind {
            ViolationKind::Assertion => self.assertions,
            ViolationKind::EndState => self.end_states,
            ViolationKind::Runtime(_) => true,
        };
        let enough = self.limit > 0 && self.errors >= self.limit;
        if !asked || enough || self.only.is_some_and(|only| only != site) {
            return None;
        }
        self.errors += 1;
        Some(Advice {
            keep: self.kept.len() < self.trails && self.kept.iter().all(|(s, _)| *s != site),
            stop: self.errors == self.limit,
        })
    }

    /// Keeps a violation.
    pub fn keep(&mut self, site: Site, witness: W) {
        self.kept.push((site, witness));
    }

    /// How many violations were counted.
    pub fn errors(&self) -> u64 {
        self.errors
    }

    /// The violations with their steps, which `show` works out.
    pub fn resolve(self, mut show: impl FnMut(W) -> Violation) -> Resolved {
        let violations = self.kept.into_iter().map(|(site, witness)| (site, show(witness)));
        Resolved { errors: self.errors, violations: violations.collect() }
    }
}

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Resolved {
    /// How many violations there are.
    pub errors: u64,
    /// The first of each site.
    pub violations: Vec<(Site, Violation)>,
}
