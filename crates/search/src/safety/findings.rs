//! Counting violations and keeping the first of each.

use std::mem::{discriminant, Discriminant};

use isospin_machine::{Fault, RuntimeError, Step};
use isospin_model::{EdgeId, LocationId, ProcTypeId};

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
    /// Where an atomic sequence can go round for ever, if one was met.
    pub endless: Option<(ProcTypeId, LocationId)>,
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
            endless: None,
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
        Resolved { errors: self.errors, violations: violations.collect(), endless: self.endless }
    }
}

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Resolved {
    /// How many violations there are.
    pub errors: u64,
    /// The first of each site.
    pub violations: Vec<(Site, Violation)>,
    /// Where an atomic sequence can go round for ever.
    pub endless: Option<(ProcTypeId, LocationId)>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use isospin_model::Pid;

    const ASSERTION: ViolationKind = ViolationKind::Assertion;

    fn at(edge: u32) -> Site {
        let step = Step::alone(Pid(0), EdgeId(edge));
        Site::of_step(ASSERTION, Some(ProcTypeId(0)), step)
    }

    fn findings(errors: u64) -> Findings<u32> {
        Findings::new(&Options { errors, trails: 2, ..Options::default() })
    }

    #[test]
    fn the_first_of_each_site_is_kept_and_all_are_counted() {
        let mut findings = findings(0);
        for (k, edge) in [1, 1, 2, 3].into_iter().enumerate() {
            let advice = findings.count(ASSERTION, at(edge)).unwrap();
            assert!(!advice.stop);
            assert_eq!(advice.keep, [true, false, true, false][k], "only two trails are wanted");
            if advice.keep {
                findings.keep(at(edge), edge);
            }
        }
        let violation = |edge| Violation { kind: ASSERTION, steps: vec![Step::units(edge)] };
        let found = findings.resolve(violation);
        assert_eq!(found.errors, 4);
        assert_eq!(found.violations, [(at(1), violation(1)), (at(2), violation(2))]);
    }

    #[test]
    fn the_last_one_asked_for_ends_the_search() {
        let mut findings = findings(2);
        assert!(!findings.count(ASSERTION, at(1)).unwrap().stop);
        assert!(findings.count(ASSERTION, at(1)).unwrap().stop);
        assert_eq!(findings.count(ASSERTION, at(2)), None);
        assert_eq!(findings.errors(), 2);
    }

    #[test]
    fn what_was_not_asked_for_does_not_count() {
        let options = Options { assertions: false, end_states: false, ..Options::default() };
        let mut findings: Findings<u32> = Findings::new(&options);
        assert_eq!(findings.count(ASSERTION, at(1)), None);
        let end = ViolationKind::EndState;
        assert_eq!(findings.count(end, Site::of_state(end)), None);
        let error = ViolationKind::Runtime(RuntimeError::DivisionByZero);
        findings.only(Some(at(1)));
        assert_eq!(findings.count(error, Site::of_state(error)), None);
        findings.only(None);
        assert!(findings.count(error, Site::of_state(error)).is_some());
    }
}
