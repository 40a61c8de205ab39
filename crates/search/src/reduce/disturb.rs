//! Whether what one process may do from now on disturbs what another needs for its next step.

use std::sync::Arc;

use isospin_analysis::facts::{Access, Element, Facts};
use isospin_model::ProcTypeId;

use super::rows::{Accesses, Class, Need, Row};
use super::standing::{Here, Process};
use crate::expand::Movers;

/// More pairs of rows than this are not remembered.
const MAX_PAIRS: usize = 1 << 26;
/// More answers about the own things of a process than this are not remembered.
const MAX_ANSWERS: usize = 1 << 18;

/// Remembers which accesses are disturbed by what may be done from which locations.
pub(super) struct Disturbance {
    facts: Arc<Facts>,
    accesses: Accesses,
    /// For each need, what is disturbed by whom.
    known: Vec<Decided>,
    /// For each pair of rows, whether the next step of the one may let the other move; under
    /// fairness.
    wakes: Vec<Disturbs>,
}

/// By what something is disturbed.
#[derive(Clone, Debug, Default)]
struct Decided {
    /// For each class, whether by what may ever be done there; empty until somebody asks.
    by: Vec<Disturbs>,
    /// Whether it depends somewhere.
    depends: bool,
}

/// Whether one disturbs the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Disturbs {
    /// Nobody has asked yet.
    Unknown,
    Never,
    Always,
    /// That depends on what is the processes' own.
    Depends,
}

impl Disturbance {
    pub fn new(facts: Arc<Facts>, accesses: Accesses, rows: usize) -> Disturbance {
        let pairs = if facts.fair { rows * rows } else { 0 };
        Disturbance {
            known: vec![Decided::default(); accesses.needs.len()],
            wakes: vec![Disturbs::Unknown; if pairs <= MAX_PAIRS { pairs } else { 0 }],
            facts,
            accesses,
        }
    }

    /// What a need stands for.
    pub fn access(&self, need: Need) -> &Access {
        &self.accesses.needs[need]
    }

    /// The elements that processes of a type settle for themselves.
    pub fn elements(&self, ty: ProcTypeId) -> &[Element] {
        &self.facts.elements[ty.index()]
    }

    /// The number of the value at an offset of the vector.
    pub fn value_at(&self, offset: usize) -> Option<usize> {
        self.facts.value_at(offset)
    }

    /// Adds everybody, under fairness, whom the next step of `member` may let move.
    pub fn add_woken<const W: usize>(
        &mut self,
        here: &Here<'_>,
        member: usize,
        woken: &mut Movers<W>,
    ) {
        if !self.facts.fair {
            return;
        }
        for other in 0..here.standing.processes.len() {
            if self.wakes(here, member, other) {
                woken.insert(other);
            }
        }
    }

    /// Whether the next step of `member` may let `other` move, which could not.
    fn wakes(&mut self, here: &Here<'_>, member: usize, other: usize) -> bool {
        let (from, to) = (here.standing.processes[member].row, here.standing.processes[other].row);
        let at = |row: Row| {
            let (ty, location) = here.rows.places[row];
            &self.facts.locations[ty.index()][location]
        };
        let (step, waits) = (at(from), at(to));
        // Who waits to end waits for the next younger process.
        if waits.ends && step.ends_next && other + 1 == member {
            return true;
        }
        let known = self.wakes.get_mut(from * here.rows.needs.len() + to);
        let decided = match known {
            Some(known) if *known != Disturbs::Unknown => *known,
            known => {
                let decided = decide(&step.wakes, &waits.sleeps);
                known.into_iter().for_each(|known| *known = decided);
                decided
            }
        };
        match decided {
            Disturbs::Never => false,
            Disturbs::Always => true,
            _ => here.disturbs((member, &step.wakes), (other, &waits.sleeps)),
        }
    }
}

/// Whether two accesses disturb each other.
fn decide(member: &Access, other: &Access) -> Disturbs {
    // What is written must not be read or written by the other, and what is read not written.
    let disturb = member.writes.meets(&other.writes)
        || member.writes.meets(&other.reads)
        || member.reads.meets(&other.writes);
    if disturb {
        Disturbs::Always
    } else if member.own.is_empty() && other.own.is_empty() {
        Disturbs::Never
    } else {
        Disturbs::Depends
    }
}

/// Who disturbs which needs while processes have the same futures and the same things of their own.
/// That is so for many states on end: a process that goes round in a circle always has the same.
#[derive(Default)]
pub(super) struct Memory<const W: usize> {
    /// For each need, when it was found out, and what.
    common: Vec<Known<W>>,
    /// For each process and need, where processes that stand at the same place differ.
    of_process: Vec<Vec<Known<W>>>,
    /// For each process, need and class, who would disturb if he stood there.
    answers: Vec<Vec<Answer<W>>>,
}

/// The generation in which something was found out, and what.
#[derive(Clone, Copy, Default)]
struct Known<const W: usize>(u64, Movers<W>);

/// Who of those that were asked about disturbs, while processes have the same things of their own.
#[derive(Clone, Copy, Default)]
struct Answer<const W: usize> {
    identity: u64,
    asked: Movers<W>,
    disturbing: Movers<W>,
}

impl<const W: usize> Memory<W> {
    /// Everybody who may disturb what `member` needs.
    #[inline]
    pub fn get(
        &mut self,
        disturbance: &mut Disturbance,
        here: &Here<'_>,
        member: usize,
        need: Need,
    ) -> Movers<W> {
        let now = here.standing.generation;
        let known = |k: &Known<W>| (k.0 == now).then_some(k.1);
        let of_process = || self.of_process.get(member)?.get(need).and_then(known);
        let found = self.common.get(need).and_then(known).or_else(of_process);
        found.unwrap_or_else(|| self.find(disturbance, here, member, need))
    }

    fn find(
        &mut self,
        Disturbance { accesses, known, .. }: &mut Disturbance,
        here: &Here<'_>,
        member: usize,
        need: Need,
    ) -> Movers<W> {
        let Decided { by, depends } = &mut known[need];
        if by.is_empty() {
            by.extend(accesses.futures.iter().map(|future| decide(&accesses.needs[need], future)));
            *depends = by.contains(&Disturbs::Depends);
        }
        if *depends {
            return self.find_own(accesses, by, here, member, need);
        }
        let mut disturbers = Movers::default();
        for (pid, process) in here.standing.processes.iter().enumerate() {
            if by[process.class] == Disturbs::Always {
                disturbers.insert(pid);
            }
        }
        if self.common.is_empty() {
            self.common.resize(accesses.needs.len(), Known::default());
        }
        self.common[need] = Known(here.standing.generation, disturbers);
        disturbers
    }

    /// The same where it depends on what is the processes' own.
    fn find_own(
        &mut self,
        accesses: &Accesses,
        by: &[Disturbs],
        here: &Here<'_>,
        member: usize,
        need: Need,
    ) -> Movers<W> {
        let mut disturbers = Movers::default();
        for (pid, &Process { class, .. }) in here.standing.processes.iter().enumerate() {
            let disturbs = match by[class] {
                Disturbs::Never => false,
                Disturbs::Always => true,
                _ => pid != member && self.ask(accesses, here, member, (need, class), pid),
            };
            if disturbs {
                disturbers.insert(pid);
            }
        }
        if self.of_process.len() <= member {
            self.of_process.resize_with(member + 1, Vec::new);
        }
        let of_process = &mut self.of_process[member];
        of_process.resize(accesses.needs.len(), Known::default());
        of_process[need] = Known(here.standing.generation, disturbers);
        disturbers
    }

    /// Whether `other` disturbs what `member` needs by what is his own.
    fn ask(
        &mut self,
        Accesses { needs, futures }: &Accesses,
        here: &Here<'_>,
        member: usize,
        (need, class): (Need, Class),
        other: usize,
    ) -> bool {
        let disturbs = || here.disturbs((member, &needs[need]), (other, &futures[class]));
        if needs.len() * futures.len() > MAX_ANSWERS {
            return disturbs();
        }
        if self.answers.len() <= member {
            self.answers.resize_with(member + 1, Vec::new);
        }
        let answers = &mut self.answers[member];
        if answers.is_empty() {
            answers.resize(needs.len() * futures.len(), Answer::default());
        }
        let answer = &mut answers[need * futures.len() + class];
        if answer.identity != here.standing.identity {
            *answer = Answer { identity: here.standing.identity, ..Answer::default() };
        }
        if !answer.asked.has(other) {
            answer.asked.insert(other);
            if disturbs() {
                answer.disturbing.insert(other);
            }
        }
        answer.disturbing.has(other)
    }
}
