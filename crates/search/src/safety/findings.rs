//! Counting violations and keeping the first of each.

use std::mem::{discriminant, Discriminant};

use isospin_machine::{Fault, RuntimeError, Step};
use isospin_model::{EdgeId, ProcTypeId};

use crate::options::Options;
use crate::result::{Violation, ViolationKind};

/// What kind of violation, and at which edge: violations that agree in this are the same one,
/// reached in different ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Site {
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
pub(crate) fn kind_of(fault: Fault) -> ViolationKind {
    match fault {
        Fault::Assertion => ViolationKind::Assertion,
        Fault::Runtime(error) => ViolationKind::Runtime(error),
    }
}

/// What to do about a violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Advice {
    /// It is the first of its site: its steps are wanted.
    pub keep: bool,
    /// It was the last one asked for.
    pub stop: bool,
}

/// See the [module](self).
#[derive(Debug)]
pub(crate) struct Findings {
    limit: u64,
    trails: usize,
    assertions: bool,
    end_states: bool,
    /// When set, nothing else counts.
    only: Option<Site>,
    errors: u64,
    kept: Vec<(Site, Violation)>,
}

impl Findings {
    pub fn new(options: &Options) -> Findings {
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
    pub fn only(self, only: Option<Site>) -> Findings {
        Findings { only, ..self }
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
    pub fn keep(&mut self, site: Site, violation: Violation) {
        self.kept.push((site, violation));
    }

    /// How many violations were counted.
    pub fn errors(&self) -> u64 {
        self.errors
    }

    /// The first violation kept.
    pub fn first(&self) -> Option<(Site, Violation)> {
        self.kept.first().cloned()
    }

    /// Puts another execution in the place of the one kept as number `k`.
    pub fn replace(&mut self, k: usize, violation: Violation) {
        if let Some(kept) = self.kept.get_mut(k) {
            kept.1 = violation;
        }
    }

    /// The violations kept.
    pub fn into_violations(self) -> Vec<Violation> {
        self.kept.into_iter().map(|(_, v)| v).collect()
    }
}
