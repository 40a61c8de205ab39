//! Whether what one process may do from now on disturbs what another needs for its next step.

use std::collections::HashMap;
use std::sync::Arc;

use isospin_model::facts::{Access, Facts, LocationFacts, OneChannel, OwnChannel};
use isospin_model::{EdgeId, LocationId, ProcTypeId};

use super::standing::Here;
use crate::expand::Movers;

/// More pairs than this are not remembered.
const MAX_PAIRS: usize = 1 << 26;

/// Where a process stands: the number of its location among those of all process types.
pub(super) type Row = usize;
/// The number of a need.
pub(super) type Need = usize;
/// Locations from which the same may be done ever after.
pub(super) type Class = usize;

/// What a process at a location may need: numbers of accesses.
#[derive(Clone, Debug, Default)]
pub(super) struct Needs {
    /// All that its next step may touch.
    pub whole: Need,
    /// What its edges wait for, as the facts have it.
    pub waiting: Vec<Waits>,
    /// Whether it can only end.
    pub ends: bool,
    /// For each edge, what the step along it touches, and what may make its conditions hold.
    pub edges: Vec<(Need, Vec<Need>)>,
    /// Whether some edge has conditions.
    pub guarded: bool,
    /// Whether a process there waits for nothing and wakes nobody: only what is touched counts.
    pub plain: bool,
}

/// An edge that waits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waits {
    pub edge: EdgeId,
    pub need: Need,
    /// The channel of whose first message it depends.
    pub first_message: Option<OneChannel>,
}

/// Remembers which accesses are disturbed by what may be done from which locations.
pub(super) struct Disturbance {
    facts: Arc<Facts>,
    pub kinds: Vec<Kind>,
    /// The process type of each row.
    types: Vec<ProcTypeId>,
    /// What members may need to be left alone.
    needs: Vec<Access>,
    /// For each row, its needs.
    of_row: Vec<Needs>,
    /// For each row, its class, and for each class what may be done.
    pub classes: Vec<Class>,
    futures: Vec<Access>,
    /// For each need and class, whether what may ever be done disturbs it.
    known: Vec<u8>,
    /// For each pair of rows, whether the next step of the one may let the other move; under
    /// fairness.
    wakes: Vec<u8>,
    /// Whether some channel has to be found in a state.
    pub channels: bool,
}

/// What it takes to see where a process of some type stands.
pub(super) struct Kind {
    /// The row of its first location.
    pub first: Row,
    /// Where the variables are that name channels of its own.
    pub named: Vec<u32>,
}

/// What is known of a pair: nothing yet, never, always, or depending on the processes' own
/// channels.
const UNKNOWN: u8 = 0;
const NEVER: u8 = 1;
const ALWAYS: u8 = 2;
const DEPENDS: u8 = 3;

impl Disturbance {
    pub fn new(facts: Arc<Facts>) -> Disturbance {
        let (mut kinds, mut types) = (Vec::new(), Vec::new());
        let (mut needs, mut of_row) = (Vec::new(), Vec::new());
        let (mut classes, mut futures) = (Vec::new(), Vec::new());
        let mut numbers: HashMap<&Access, Class> = HashMap::new();
        for (ty, of_type) in facts.locations.iter().enumerate() {
            kinds.push(Kind { first: of_row.len(), named: named(of_type) });
            for location in of_type {
                types.push(ty as ProcTypeId);
                classes.push(*numbers.entry(&location.future).or_insert_with(|| {
                    futures.push(location.future.clone());
                    futures.len() - 1
                }));
                let mut number = |access: &Access| {
                    needs.push(access.clone());
                    needs.len() - 1
                };
                of_row.push(Needs {
                    whole: number(&location.next),
                    plain: location.waiting.is_empty() && !location.ends && !facts.fair,
                    waiting: location
                        .waiting
                        .iter()
                        .map(|w| {
                            let (edge, first_message) = (w.edge, w.first_message);
                            Waits { edge, need: number(&w.access), first_message }
                        })
                        .collect(),
                    ends: location.ends,
                    guarded: location.edges.iter().any(|e| !e.conjuncts.is_empty()),
                    edges: location
                        .edges
                        .iter()
                        .map(|e| {
                            let step = number(&e.step);
                            (step, e.conjuncts.iter().map(|(_, a)| number(a)).collect())
                        })
                        .collect(),
                });
            }
        }
        let table = |pairs: usize| match pairs <= MAX_PAIRS {
            true => vec![UNKNOWN; pairs],
            false => Vec::new(),
        };
        let known = table(needs.len() * futures.len());
        let wakes = table(if facts.fair { of_row.len() * of_row.len() } else { 0 });
        let channels = facts.locations.iter().flatten().any(|l| {
            let uses = |a: &Access| !a.own.is_empty();
            let looks = l.waiting.iter().any(|w| w.first_message.is_some());
            looks || accesses(l).any(uses)
        });
        Disturbance {
            facts: Arc::clone(&facts),
            kinds,
            types,
            needs,
            of_row,
            classes,
            futures,
            known,
            wakes,
            channels,
        }
    }

    /// What a process there may need.
    pub fn needs(&self, row: Row) -> &Needs {
        &self.of_row[row]
    }

    /// What is known of a row's location.
    pub fn facts(&self, row: Row) -> &LocationFacts {
        let ty = self.types[row];
        self.facts.at(ty, (row - self.kinds[ty as usize].first) as LocationId)
    }

    /// Adds everybody, under fairness, whom the next step of `member` may let move.
    pub fn add_woken<const W: usize>(
        &mut self,
        here: &Here<'_, W>,
        member: usize,
        woken: &mut Movers<W>,
    ) {
        if !self.facts.fair {
            return;
        }
        for other in 0..here.standing.rows.len() {
            if self.wakes(here, member, other) {
                woken.insert(other as u8);
            }
        }
    }

    /// Everybody who may disturb what `member` needs, and whether they disturb others there as well.
    fn disturbers<const W: usize>(
        &mut self,
        here: &Here<'_, W>,
        member: usize,
        need: Need,
    ) -> (Movers<W>, bool) {
        let (mut disturbers, mut common) = (Movers::default(), true);
        let access = &self.needs[need];
        for &(class, there) in &here.standing.present {
            let future = &self.futures[class];
            let known = self.known.get_mut(need * self.futures.len() + class);
            match decide(known, access, future) {
                NEVER => {}
                ALWAYS => disturbers.add(&there),
                _ => {
                    common = false;
                    let others = there.iter().filter(|&pid| pid != member);
                    let disturbs = |&pid: &usize| here.disturbs((member, access), (pid, future));
                    disturbers.add(&others.filter(disturbs).collect());
                }
            }
        }
        (disturbers, common)
    }

    /// Whether the next step of `member` may let `other` move, which could not.
    fn wakes<const W: usize>(&mut self, here: &Here<'_, W>, member: usize, other: usize) -> bool {
        let (from, to) = (here.standing.rows[member], here.standing.rows[other]);
        let facts = Arc::clone(&self.facts);
        let at = |row: Row| {
            let ty = self.types[row];
            facts.at(ty, (row - self.kinds[ty as usize].first) as LocationId)
        };
        let (step, waits) = (at(from), at(to));
        // Who waits to end waits for the next younger process.
        if waits.ends && step.ends_next && other + 1 == member {
            return true;
        }
        let known = self.wakes.get_mut(from * self.of_row.len() + to);
        match decide(known, &step.wakes, &waits.sleeps) {
            NEVER => false,
            ALWAYS => true,
            _ => here.disturbs((member, &step.wakes), (other, &waits.sleeps)),
        }
    }
}

/// Whether two accesses disturb each other; `known` is what has been found out about the pair.
#[inline]
fn decide(known: Option<&mut u8>, member: &Access, other: &Access) -> u8 {
    match known {
        Some(known) => {
            if *known == UNKNOWN {
                *known = decide_anew(member, other);
            }
            *known
        }
        None => decide_anew(member, other),
    }
}

#[cold]
fn decide_anew(member: &Access, other: &Access) -> u8 {
    // What is written must not be read or written by the other, and what is read not written.
    let disturb = member.writes.meets(&other.writes)
        || member.writes.meets(&other.reads)
        || member.reads.meets(&other.writes);
    match disturb {
        true => ALWAYS,
        false if member.own.is_empty() && other.own.is_empty() => NEVER,
        false => DEPENDS,
    }
}

/// All that is known of a location.
fn accesses(at: &LocationFacts) -> impl Iterator<Item = &Access> {
    let waiting = at.waiting.iter().map(|w| &w.access);
    let edges = at.edges.iter().flat_map(|e| e.conjuncts.iter().map(|c| &c.1).chain([&e.step]));
    [&at.next, &at.future, &at.wakes, &at.sleeps].into_iter().chain(waiting).chain(edges)
}

/// Where the variables are that name channels of processes of a type.
fn named(locations: &[LocationFacts]) -> Vec<u32> {
    let own = locations.iter().flat_map(accesses).flat_map(|a| &a.own);
    let mut named: Vec<u32> = own
        .filter_map(|own| match own.channel {
            OwnChannel::Named(offset) => Some(offset),
            OwnChannel::Created(_) => None,
        })
        .collect();
    named.sort_unstable();
    named.dedup();
    named
}

/// Who disturbs which needs while processes have the same futures and the same channels. That is so
/// for many states on end: a process that goes round in a circle always has the same.
#[derive(Default)]
pub(super) struct Memory<const W: usize> {
    /// For each need, when it was found out, and what.
    common: Vec<Known<W>>,
    /// For each process and need, where processes that stand at the same place differ.
    of_process: Vec<Vec<Known<W>>>,
}

/// The generation in which something was found out, and what.
#[derive(Clone, Copy, Default)]
struct Known<const W: usize>(u64, Movers<W>);

impl<const W: usize> Memory<W> {
    /// Everybody who may disturb what `member` needs.
    #[inline]
    pub fn get(
        &mut self,
        disturbance: &mut Disturbance,
        here: &Here<'_, W>,
        member: usize,
        need: Need,
    ) -> Movers<W> {
        let now = here.standing.generation;
        let known = |k: &Known<W>| (k.0 == now).then_some(k.1);
        let of_process = || self.of_process.get(member)?.get(need).and_then(known);
        let found = self.common.get(need).and_then(known).or_else(of_process);
        found.unwrap_or_else(|| self.find(disturbance, here, member, need))
    }

    #[cold]
    fn find(
        &mut self,
        disturbance: &mut Disturbance,
        here: &Here<'_, W>,
        member: usize,
        need: Need,
    ) -> Movers<W> {
        let (found, common) = disturbance.disturbers(here, member, need);
        if !common && self.of_process.len() <= member {
            self.of_process.resize_with(member + 1, Vec::new);
        }
        let all = if common { &mut self.common } else { &mut self.of_process[member] };
        if all.is_empty() {
            all.resize(disturbance.needs.len(), Known::default());
        }
        all[need] = Known(here.standing.generation, found);
        found
    }
}
