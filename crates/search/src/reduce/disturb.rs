//! Whether what one process may do from now on disturbs what another needs for its next step.

use std::collections::HashMap;
use std::sync::Arc;

use isospin_machine::Successors;
use isospin_model::facts::{
    Access, End, Facts, LocationFacts, Objects, OneChannel, OwnChannel, OwnUse,
};
use isospin_model::{Cluster, EdgeId, FrameLayout, LocationId, Member, Model, ProcTypeId, Shape};

use crate::expand::{Group, Movers};

/// More pairs than this are not remembered.
const MAX_PAIRS: usize = 1 << 26;

/// Where a process stands: the number of its location among those of all process types.
pub(super) type Row = usize;
/// The number of a need.
pub(super) type Need = usize;
/// Locations from which the same may be done ever after.
type Class = usize;

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
    kinds: Vec<Kind>,
    /// The process type of each row.
    types: Vec<ProcTypeId>,
    /// What members may need to be left alone.
    needs: Vec<Access>,
    /// For each row, its needs.
    of_row: Vec<Needs>,
    /// For each row, its class, and for each class what may be done.
    classes: Vec<Class>,
    futures: Vec<Access>,
    /// For each need and class, whether what may ever be done disturbs it.
    known: Vec<u8>,
    /// For each pair of rows, whether the next step of the one may let the other move; under
    /// fairness.
    wakes: Vec<u8>,
    /// Whether some channel has to be found in a state.
    channels: bool,
}

/// What it takes to see where a process of some type stands.
struct Kind {
    /// The row of its first location.
    first: Row,
    /// Where the variables are that name channels of its own.
    named: Vec<u32>,
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

/// Where the processes of a state stand.
#[derive(Default)]
pub(super) struct Standing<const W: usize> {
    /// For each process, its row.
    pub rows: Vec<Row>,
    /// For each process its type and its class, and the channels that it names.
    futures: Vec<(u8, Class)>,
    names: Vec<u8>,
    /// Counts how often these were others than in the state before.
    generation: u64,
    /// The classes that there are, each with the processes that stand there.
    present: Vec<(Class, Movers<W>)>,
    shape: Shape,
}

impl<const W: usize> Standing<W> {
    /// Notes where the processes of a state stand.
    pub fn read(&mut self, disturbance: &Disturbance, model: &Model, state: &[u8]) {
        let count = usize::from(state[model.layout.process_count as usize]);
        let mut same = self.generation > 0 && self.futures.len() == count;
        self.futures.resize(count, (0, 0));
        self.rows.clear();
        let (mut frame, mut named) = (model.layout.frames as usize, 0);
        for known in &mut self.futures {
            let ty = state[frame + FrameLayout::TYPE as usize];
            let kind = &disturbance.kinds[usize::from(ty)];
            let layout = &model.proctypes[usize::from(ty)].frame;
            let row = kind.first + layout.location(state, frame) as usize;
            self.rows.push(row);
            let future = (ty, disturbance.classes[row]);
            same &= *known == future;
            *known = future;
            for &offset in &kind.named {
                let name = state[frame + offset as usize];
                if named == self.names.len() {
                    self.names.push(0);
                }
                same &= self.names[named] == name;
                self.names[named] = name;
                named += 1;
            }
            frame += layout.size as usize;
        }
        if !same {
            self.generation += 1;
            self.find_present();
            if disturbance.channels {
                self.shape.read(model, state);
            }
        }
    }

    fn proctype(&self, pid: usize) -> ProcTypeId {
        ProcTypeId::from(self.futures[pid].0)
    }

    fn find_present(&mut self) {
        self.present.clear();
        for (pid, &(_, class)) in self.futures.iter().enumerate() {
            match self.present.iter_mut().find(|(c, _)| *c == class) {
                Some((_, there)) => there.insert(pid as u8),
                None => self.present.push((class, [pid].into_iter().collect())),
            }
        }
    }
}

/// A state, where its processes stand, and what they can do.
#[derive(Clone, Copy)]
pub(super) struct Here<'s, const W: usize> {
    pub model: &'s Model,
    pub state: &'s [u8],
    pub standing: &'s Standing<W>,
    pub steps: &'s Successors,
    pub groups: &'s [Group],
}

impl<const W: usize> Here<'_, W> {
    /// Whether a process is one of a declared cluster's.
    pub fn belongs(&self, pid: usize, cluster: &Cluster) -> bool {
        let process = Member { proctype: self.standing.proctype(pid), pid: Some(pid as u8) };
        cluster.members.iter().any(|m| m.has(process))
    }

    /// The steps of a process, if it can move.
    pub fn group(&self, pid: usize) -> Option<&Group> {
        self.groups.iter().find(|g| g.pid == pid)
    }

    /// Whether a step goes along an edge.
    pub fn takes(&self, group: Option<&Group>, edge: EdgeId) -> bool {
        let list = |g: &Group| &self.steps.list()[g.from..g.to];
        group.is_some_and(|g| list(g).iter().any(|s| s.step.edge == edge))
    }

    /// Whether two accesses disturb each other by channels that are known only once the processes
    /// are.
    fn disturbs(&self, member: (usize, &Access), other: (usize, &Access)) -> bool {
        let mine = |own| self.resolve(member.0, own);
        let theirs = |own| self.resolve(other.0, own);
        member.1.own.iter().any(|a| {
            mine(a).meets_objects(other.1) || other.1.own.iter().any(|b| mine(a).meets(&theirs(b)))
        }) || other.1.own.iter().any(|b| theirs(b).meets_objects(member.1))
    }

    /// Whether a channel holds messages.
    pub fn has_messages(&self, pid: usize, channel: OneChannel) -> bool {
        let position = match channel {
            OneChannel::Global(position) => Some(position),
            OneChannel::Own(own) => self.position(pid, own),
        };
        let channels = &self.standing.shape.channels;
        let Some(&(ty, offset)) = position.and_then(|p| channels.get(p)) else {
            return false;
        };
        self.model.channel_types[ty as usize].len(self.state, offset as usize) > 0
    }

    fn resolve(&self, pid: usize, own: &OwnUse) -> Use {
        let position = self.position(pid, own.channel);
        let known = position.and_then(|p| Some((p, self.standing.shape.channels.get(p)?.0)));
        let rendezvous = |ty: u16| self.model.channel_types[ty as usize].capacity == 0;
        let end = match known {
            Some((_, ty)) if !rendezvous(ty) => own.end,
            _ => End::Both,
        };
        Use { channel: known.map(|(p, _)| p), end, read_only: own.read_only }
    }

    fn position(&self, pid: usize, channel: OwnChannel) -> Option<usize> {
        let shape = &self.standing.shape;
        match channel {
            OwnChannel::Created(k) => Some(shape.first_channel[pid] as usize + k as usize),
            OwnChannel::Named(offset) => {
                let at = (shape.frames[pid].1 + offset) as usize;
                (self.state[at] as usize).checked_sub(1)
            }
        }
    }
}

/// The use of a channel in a state.
#[derive(Clone, Copy)]
struct Use {
    /// Which channel; any, where that cannot be told.
    channel: Option<usize>,
    end: End,
    read_only: bool,
}

impl Use {
    fn meets(&self, other: &Use) -> bool {
        let same = match (self.channel, other.channel) {
            (Some(a), Some(b)) => a == b,
            _ => true,
        };
        let apart =
            matches!((self.end, other.end), (End::Send, End::Receive) | (End::Receive, End::Send));
        same && !apart && !(self.read_only && other.read_only)
    }

    fn meets_objects(&self, access: &Access) -> bool {
        let has = |objects: &Objects| match self.channel {
            Some(channel) => objects.has_channel(channel, self.end),
            None => objects.has_channels(),
        };
        has(&access.writes) || (!self.read_only && has(&access.reads))
    }
}
