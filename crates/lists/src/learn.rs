//! What follows short vectors: the machine is run on states in which everything that a group does
//! not look at is 0.

use std::collections::{BTreeMap, HashMap, HashSet};

use isospin_machine::{Fault, Machine, Step, Successor, Successors};
use isospin_model::{EdgeId, Pid};

use crate::access::Partner;
use crate::diagram::{List, Move, Touch, COPY};
use crate::engine::{Engine, Halt};
use crate::group::{By, Crossing};
use crate::space::{Key, Space};

/// So many short vectors are learned in one go.
const CHUNK: usize = 1 << 14;
/// After so many states inside a sequence the limits are looked at.
const POLL: usize = 256;
/// So many states inside a sequence are a short one.
const SOME: usize = 64;

/// Two states that differ only where something may be written that nobody has read: with 0 and
/// with 1 there. What is the same afterwards has been written, what differs has been left alone.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Twins {
    zero: Vec<u8>,
    one: Option<Vec<u8>>,
}

/// What a group does in a state.
#[derive(Default)]
struct Outcome {
    moves: bool,
    arrivals: Vec<Twins>,
    faults: Vec<(Step, Fault)>,
}

/// The group looks at more than it was thought to.
pub(crate) struct Mistaken;

impl From<Mistaken> for Halt {
    fn from(_: Mistaken) -> Halt {
        Halt::Mistaken
    }
}

/// What has been found of some short vectors.
#[derive(Default)]
struct Found {
    domain: Vec<Vec<u32>>,
    pairs: Vec<Vec<u32>>,
    /// Pairs that lead to other spaces, by the space and what is new in it.
    crossing: BTreeMap<(usize, Vec<u32>), Vec<Vec<u32>>>,
    failing: HashMap<(Step, Fault), Vec<Vec<u32>>>,
}

impl<M: Machine> Engine<'_, M> {
    /// Learns what a group does from the vectors of `list`, whose first level is `level`.
    pub(crate) fn learn(
        &mut self,
        s: usize,
        g: usize,
        level: usize,
        list: List,
    ) -> Result<(), Halt> {
        let group = &self.groups[s].groups[g];
        let short = self.lists.project(list, group.projection, level)?;
        let new = self.lists.minus(short, group.seen)?;
        if new.is_empty() {
            return Ok(());
        }
        let mut all = Vec::new();
        let mut vectors = self.lists.vectors(new);
        while let Some(vector) = vectors.next_vector() {
            all.push(vector.to_vec());
        }
        for some in all.chunks(CHUNK) {
            self.look_around()?;
            let found = self.find(s, g, some)?;
            self.add_found(s, g, found)?;
        }
        let group = &mut self.groups[s].groups[g];
        group.seen = self.lists.union(group.seen, new)?;
        if self.met && self.first_only {
            return Err(Halt::Met);
        }
        Ok(())
    }

    fn add_found(&mut self, s: usize, g: usize, mut found: Found) -> Result<(), Halt> {
        let domain = self.lists.of_vectors(&mut found.domain)?;
        let pairs = self.lists.of_vectors(&mut found.pairs)?;
        let group = &mut self.groups[s].groups[g];
        group.domain = self.lists.union(group.domain, domain)?;
        group.relation = self.lists.union(group.relation, pairs)?;
        for (failure, mut vectors) in found.failing {
            let new = self.lists.of_vectors(&mut vectors)?;
            let group = &mut self.groups[s].groups[g];
            let failing = group.failing.entry(failure).or_insert(List::EMPTY);
            *failing = self.lists.union(*failing, new)?;
        }
        for ((target, inserted), mut pairs) in found.crossing {
            let pairs = self.lists.of_vectors(&mut pairs)?;
            let crossings = &self.groups[s].groups[g].crossings;
            let known = crossings.iter().position(|c| c.target == target && c.inserted == inserted);
            let at = match known {
                Some(at) => at,
                None => {
                    let moves = moves(&self.spaces[s], &self.spaces[target], &inserted);
                    let plan = self.lists.relocation(&moves);
                    let new = Crossing { target, inserted, plan, relation: List::EMPTY };
                    let crossings = &mut self.groups[s].groups[g].crossings;
                    crossings.push(new);
                    crossings.len() - 1
                }
            };
            let crossing = &mut self.groups[s].groups[g].crossings[at];
            crossing.relation = self.lists.union(crossing.relation, pairs)?;
        }
        Ok(())
    }

    /// Runs the machine on short vectors.
    fn find(&mut self, s: usize, g: usize, vectors: &[Vec<u32>]) -> Result<Found, Halt> {
        let mut found = Found::default();
        for vector in vectors {
            let twins = self.lengthen(s, g, vector);
            let (by, timeout) = {
                let group = &self.groups[s].groups[g];
                (group.by.clone(), group.timeout)
            };
            let outcome = self.follow(&twins, &by, timeout, usize::MAX)?;
            if outcome.moves {
                found.domain.push(self.looked_at(s, g, &twins.zero));
            }
            for failure in outcome.faults {
                let vectors = found.failing.entry(failure).or_default();
                vectors.push(self.looked_at(s, g, &twins.zero));
                self.met |= self.counts(failure.1);
            }
            for arrival in &outcome.arrivals {
                let types = Space::types_of(&self.model, &arrival.zero);
                if types == self.spaces[s].types {
                    let pair = self.pair(s, g, &twins.zero, arrival, types.len())?;
                    found.pairs.push(pair);
                    continue;
                }
                let target = self.space(types);
                self.refuse_deep(target)?;
                let common = common(&self.spaces[s], &self.spaces[target]);
                let pair = self.pair(s, g, &twins.zero, arrival, common)?;
                let inserted = self.inserted(target, common, arrival)?;
                found.crossing.entry((target, inserted)).or_default().push(pair);
            }
        }
        Ok(found)
    }

    /// The states that a short vector stands for.
    fn lengthen(&self, s: usize, g: usize, vector: &[u32]) -> Twins {
        let (space, group) = (&self.spaces[s], &self.groups[s].groups[g]);
        let mut zero = space.zero.clone();
        for (slot, value) in &group.fixed {
            space.store(&mut zero, *slot, *value);
        }
        for (slot, code) in group.read.iter().zip(vector) {
            space.store(&mut zero, *slot, self.values.value(*code));
        }
        let one = group.blind.then(|| {
            let mut one = zero.clone();
            for (slot, _) in group.touched.iter().filter(|(_, t)| *t == Touch::Write) {
                space.store(&mut one, *slot, 1);
            }
            one
        });
        Twins { zero, one }
    }

    /// The values that a group looks at in a state.
    fn looked_at(&mut self, s: usize, g: usize, state: &[u8]) -> Vec<u32> {
        let (space, group) = (&self.spaces[s], &self.groups[s].groups[g]);
        let read = group.touched.iter().filter(|(_, t)| *t != Touch::Write);
        read.map(|(slot, _)| self.values.code(space.load(state, *slot))).collect()
    }

    /// A pair of the relation: what a group looks at in a state, and what is there afterwards. Only
    /// the first `common` processes are there before and after.
    fn pair(
        &mut self,
        s: usize,
        g: usize,
        before: &[u8],
        after: &Twins,
        common: usize,
    ) -> Result<Vec<u32>, Mistaken> {
        let (space, group) = (&self.spaces[s], &self.groups[s].groups[g]);
        let stays = |slot: usize| !matches!(space.slots[slot].key, Key::Frame(pid, ..) if usize::from(pid) >= common);
        let mut pair = Vec::with_capacity(2 * group.touched.len());
        let mut touched = group.touched.iter().peekable();
        for slot in 0..space.levels() {
            let there = stays(slot);
            let touch = touched.next_if(|(t, _)| *t == slot).map_or(Touch::No, |(_, t)| *t);
            let old = space.load(before, slot);
            let new = if there { space.load(&after.zero, slot) } else { old };
            let twin = match &after.one {
                Some(one) if there => space.load(one, slot),
                _ => new,
            };
            match touch {
                Touch::No | Touch::Read => {
                    if new != old || twin != new {
                        return Err(Mistaken);
                    }
                    if touch == Touch::Read {
                        pair.push(self.values.code(old));
                    }
                }
                Touch::Both => {
                    if twin != new {
                        return Err(Mistaken);
                    }
                    pair.extend([self.values.code(old), self.values.code(new)]);
                }
                Touch::Write => pair.push(match (new, twin) {
                    _ if !there => COPY,
                    (new, twin) if new == twin => self.values.code(new),
                    (0, 1) => COPY,
                    _ => return Err(Mistaken),
                }),
            }
        }
        Ok(pair)
    }

    /// The values of the processes of another space that were not there before.
    fn inserted(
        &mut self,
        target: usize,
        common: usize,
        arrival: &Twins,
    ) -> Result<Vec<u32>, Mistaken> {
        let space = &self.spaces[target];
        let mut inserted = Vec::new();
        for (slot, at) in space.slots.iter().enumerate() {
            if matches!(at.key, Key::Frame(pid, ..) if usize::from(pid) >= common) {
                let value = space.load(&arrival.zero, slot);
                if arrival.one.as_ref().is_some_and(|one| space.load(one, slot) != value) {
                    return Err(Mistaken);
                }
                inserted.push(self.values.code(value));
            }
        }
        Ok(inserted)
    }

    /// Some of the storable states that follow a state: those of sequences that are not long.
    pub(crate) fn some_after(&mut self, state: &[u8]) -> Result<Vec<Vec<u8>>, Halt> {
        let mut all = Vec::new();
        for pid in 0..self.machine.process_count(state) {
            let twins = Twins { zero: state.to_vec(), one: None };
            let edges = Vec::new();
            let by = By::Process { pid, edges, partner: Partner::Anybody };
            let outcome = self.follow(&twins, &by, false, SOME)?;
            all.extend(outcome.arrivals.into_iter().map(|twins| twins.zero));
        }
        Ok(all)
    }

    /// Follows the steps of a group to the storable states that they lead to, by way of so many
    /// others.
    fn follow(
        &mut self,
        twins: &Twins,
        by: &By,
        timeout: bool,
        most: usize,
    ) -> Result<Outcome, Halt> {
        let mut outcome = Outcome::default();
        let mut seen: HashSet<(Twins, Pid)> = HashSet::new();
        let (mut todo, mut first) = (vec![(twins.clone(), None)], true);
        while let Some((from, control)) = todo.pop().filter(|_| seen.len() <= most) {
            if seen.len() % POLL == POLL - 1 {
                self.look_around()?;
            }
            let (mut zero, mut one) = (Successors::default(), Successors::default());
            let run = |machine: &mut M, state: &[u8], out: &mut Successors| match (by, control) {
                (_, Some(pid)) => {
                    if Pid::index(pid) < machine.process_count(state) {
                        machine.steps(state, pid, false, out);
                    }
                }
                (By::Time, None) => machine.tick(state, out),
                (By::Process { pid, .. }, None) => {
                    machine.steps(state, Pid::at(*pid), timeout, out);
                }
            };
            run(&mut self.machine, &from.zero, &mut zero);
            if let Some(state) = &from.one {
                run(&mut self.machine, state, &mut one);
            }
            let provided = self.model.features.provided;
            let counts = |s: &&Successor| !first || is_by(s, by, provided);
            let chosen: Vec<Successor> = zero.list().iter().filter(counts).copied().collect();
            let twin: Vec<Successor> = one.list().iter().filter(counts).copied().collect();
            let alike = |(a, b): (&Successor, &Successor)| {
                (a.step, a.fault, a.control) == (b.step, b.fault, b.control)
            };
            if from.one.is_some()
                && !(chosen.len() == twin.len() && chosen.iter().zip(&twin).all(alike))
            {
                return Err(Halt::Mistaken);
            }
            if chosen.is_empty() && !first {
                outcome.arrivals.push(from);
                continue;
            }
            outcome.moves |= first && !chosen.is_empty();
            for (k, successor) in chosen.iter().enumerate() {
                self.take(&from.zero, successor.step);
                if let Some(fault) = successor.fault {
                    outcome.faults.push((successor.step, fault));
                    if matches!(fault, Fault::Runtime(_)) {
                        continue;
                    }
                }
                let next = Twins {
                    zero: zero.state(successor).to_vec(),
                    one: twin.get(k).map(|t| one.state(t).to_vec()),
                };
                match successor.control {
                    None => outcome.arrivals.push(next),
                    Some(pid) if seen.insert((next.clone(), pid)) => todo.push((next, Some(pid))),
                    Some(_) => {}
                }
            }
            first = false;
        }
        Ok(outcome)
    }

    /// Notes which edges are taken.
    fn take(&mut self, state: &[u8], step: Step) {
        let Step::Process(by) = step else { return };
        let types = Space::types_of(&self.model, state);
        for (pid, edge) in
            std::iter::once((by.pid, by.edge)).chain(by.partner.map(|p| (p.pid, p.edge)))
        {
            if let Some(ty) = types.get(pid.index()) {
                self.taken.insert((*ty, edge));
            }
        }
    }
}

/// Whether a step is one of a group.
fn is_by(successor: &Successor, by: &By, provided: bool) -> bool {
    match (by, successor.step) {
        (By::Time, Step::Time(_)) => true,
        (By::Process { pid, edges, partner }, Step::Process(step)) => {
            step.pid.index() == *pid
                && (edges.is_empty()
                    || edges.contains(&step.edge)
                    || provided && is_anywhere(successor))
                && match partner {
                    Partner::Anybody => true,
                    Partner::Nobody => step.partner.is_none(),
                    Partner::This(q, _) => step.partner.is_some_and(|p| p.pid.index() == *q),
                }
        }
        _ => false,
    }
}

/// Whether a step fails before any edge is looked at, because it cannot be told whether the process
/// may move at all. Then all edges of a location are in one group.
fn is_anywhere(successor: &Successor) -> bool {
    let first = successor.step.process().is_some_and(|step| step.edge == EdgeId(0));
    first && matches!(successor.fault, Some(Fault::Runtime(_)))
}

/// How many processes two spaces have in common.
pub(crate) fn common(a: &Space, b: &Space) -> usize {
    a.types.iter().zip(&b.types).take_while(|(a, b)| a == b).count()
}

/// How sets move from one space to another, with these values for what is new there.
fn moves(from: &Space, to: &Space, inserted: &[u32]) -> Vec<Move> {
    let common = common(from, to);
    let stays = |key: Key| !matches!(key, Key::Frame(pid, ..) if usize::from(pid) >= common);
    let (mut inserted, mut kept) = (inserted.iter(), 0);
    let mut moves = Vec::new();
    // What both have stands in the same order in both.
    let old = |kept: &mut usize, moves: &mut Vec<Move>| {
        while *kept < from.slots.len() && !stays(from.slots[*kept].key) {
            moves.push(Move::Drop);
            *kept += 1;
        }
    };
    for slot in &to.slots {
        if !stays(slot.key) {
            moves.extend(inserted.next().copied().map(Move::Insert));
            continue;
        }
        old(&mut kept, &mut moves);
        moves.push(Move::Keep);
        kept += 1;
    }
    old(&mut kept, &mut moves);
    moves
}
