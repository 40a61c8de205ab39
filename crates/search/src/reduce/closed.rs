//! Whether what one process may do from now on disturbs what another needs for its next step.

use std::cell::Cell;

use isospin_model::facts::{Access, End, Facts, Objects, OneChannel, OwnChannel};
use isospin_model::{LocationId, Model, ProcTypeId, Shape};

/// Where a process stands: its number, type and location.
type Standing = (usize, (ProcTypeId, LocationId));

/// More pairs of locations than this are not remembered.
const MAX_PAIRS: usize = 1 << 26;

/// Remembers which accesses are disturbed by what may be done from which locations.
pub(super) struct Disturbance {
    /// The number of the first location of each process type.
    first: Vec<usize>,
    locations: usize,
    /// What a member may need to be left alone.
    needs: Vec<Access>,
    /// For each location, its needs.
    of_location: Vec<Needs>,
    /// For each need and location, whether what may ever be done from there disturbs it.
    known: Vec<u8>,
    /// For each pair of locations, whether the next step of the one may let the other move; under
    /// fairness.
    wakes: Vec<u8>,
}

/// What is known of a pair: nothing yet, never, always, or depending on the processes' own
/// channels.
const UNKNOWN: u8 = 0;
const NEVER: u8 = 1;
const ALWAYS: u8 = 2;
const DEPENDS: u8 = 3;

/// The number of a need.
pub(super) type Need = usize;

/// What a process at a location may need: numbers of accesses.
#[derive(Clone, Debug, Default)]
pub(super) struct Needs {
    /// All that its next step may touch.
    pub whole: Need,
    /// What its edges wait for, in the order of the facts.
    pub waiting: Vec<Need>,
    /// For each edge, what the step along it touches, and what may make its conditions hold.
    pub edges: Vec<(Need, Vec<Need>)>,
    /// Whether some edge has conditions.
    pub guarded: bool,
}

impl Disturbance {
    pub fn new(facts: &Facts) -> Disturbance {
        let mut first = Vec::new();
        let (mut needs, mut of_location) = (Vec::new(), Vec::new());
        for of_type in &facts.locations {
            first.push(of_location.len());
            for location in of_type {
                let mut number = |access: &Access| {
                    needs.push(access.clone());
                    needs.len() - 1
                };
                of_location.push(Needs {
                    whole: number(&location.next),
                    waiting: location.waiting.iter().map(|w| number(&w.access)).collect(),
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
        let locations = of_location.len();
        let table = |rows: usize| match rows * locations <= MAX_PAIRS {
            true => vec![UNKNOWN; rows * locations],
            false => Vec::new(),
        };
        let known = table(needs.len());
        let wakes = table(if facts.fair { locations } else { 0 });
        Disturbance { first, locations, needs, of_location, known, wakes }
    }

    /// What a process at a location may need.
    pub fn needs(&self, at: (ProcTypeId, LocationId)) -> &Needs {
        &self.of_location[self.row(at)]
    }

    /// Whether `other` may disturb what `member` needs.
    pub fn disturbs(
        &mut self,
        facts: &Facts,
        place: &InState<'_>,
        (member, need): (usize, Need),
        other: Standing,
    ) -> bool {
        let at = need * self.locations + self.row(other.1);
        let future = &facts.at(other.1 .0, other.1 .1).future;
        let need = (member, &self.needs[need]);
        decide(self.known.get_mut(at), place, need, (other.0, future))
    }

    /// Whether the next step of `member` may let `other` move, which could not.
    pub fn wakes(
        &mut self,
        facts: &Facts,
        place: &InState<'_>,
        member: Standing,
        other: Standing,
    ) -> bool {
        let step = facts.at(member.1 .0, member.1 .1);
        let waits = facts.at(other.1 .0, other.1 .1);
        // Who waits to end waits for the next younger process.
        if waits.ends && step.ends_next && other.0 + 1 == member.0 {
            return true;
        }
        let at = self.row(member.1) * self.locations + self.row(other.1);
        let (wakes, sleeps) = ((member.0, &step.wakes), (other.0, &waits.sleeps));
        decide(self.wakes.get_mut(at), place, wakes, sleeps)
    }

    fn row(&self, (ty, location): (ProcTypeId, LocationId)) -> usize {
        self.first[ty as usize] + location as usize
    }
}

/// Whether two accesses disturb each other; `known` is what has been found out about the pair.
fn decide(
    known: Option<&mut u8>,
    place: &InState<'_>,
    member: (usize, &Access),
    other: (usize, &Access),
) -> bool {
    let found = match known.as_deref() {
        None | Some(&UNKNOWN) => match objects_disturb(member.1, other.1) {
            true => ALWAYS,
            false if member.1.own.is_empty() && other.1.own.is_empty() => NEVER,
            false => DEPENDS,
        },
        Some(&found) => found,
    };
    if let Some(known) = known {
        *known = found;
    }
    match found {
        ALWAYS => true,
        NEVER => false,
        _ => place.disturbs(member, other),
    }
}

/// What is written must not be read or written by the other, and what is read not written.
fn objects_disturb(next: &Access, future: &Access) -> bool {
    next.writes.meets(&future.writes)
        || next.writes.meets(&future.reads)
        || next.reads.meets(&future.writes)
}

/// A state, in which processes' own channels can be told.
pub(super) struct InState<'s> {
    pub model: &'s Model,
    pub shape: &'s Shape,
    pub state: &'s [u8],
    /// Whether more was looked at than where processes stand.
    pub looked: Cell<bool>,
}

impl InState<'_> {
    /// Whether two accesses disturb each other, own channels included.
    pub fn disturbs(&self, member: (usize, &Access), other: (usize, &Access)) -> bool {
        if member.1.own.is_empty() && other.1.own.is_empty() {
            return objects_disturb(member.1, other.1);
        }
        self.looked.set(true);
        objects_disturb(&self.resolve(member), &self.resolve(other))
    }

    /// Whether a channel holds messages.
    pub fn has_messages(&self, pid: usize, channel: OneChannel) -> bool {
        self.looked.set(true);
        let position = match channel {
            OneChannel::Global(position) => Some(position),
            OneChannel::Own(own) => self.position(pid, own),
        };
        let Some(&(ty, offset)) = position.and_then(|p| self.shape.channels.get(p)) else {
            return false;
        };
        self.model.channel_types[ty as usize].len(self.state, offset as usize) > 0
    }

    /// The access with its own channels turned into the channels that they are in this state.
    fn resolve(&self, (pid, access): (usize, &Access)) -> Access {
        let mut resolved =
            Access { reads: access.reads.clone(), writes: access.writes.clone(), own: Vec::new() };
        for own in &access.own {
            let objects: &mut Objects =
                if own.read_only { &mut resolved.reads } else { &mut resolved.writes };
            let position = self.position(pid, own.channel);
            match position.and_then(|p| Some((p, self.shape.channels.get(p)?.0))) {
                Some((p, ty)) => {
                    let rendezvous = self.model.channel_types[ty as usize].capacity == 0;
                    objects.add_channel(p, if rendezvous { End::Both } else { own.end });
                }
                None => objects.add_all_channels(End::Both),
            }
        }
        resolved
    }

    fn position(&self, pid: usize, channel: OwnChannel) -> Option<usize> {
        match channel {
            OwnChannel::Created(k) => Some(self.shape.first_channel[pid] as usize + k as usize),
            OwnChannel::Named(offset) => {
                let at = (self.shape.frames[pid].1 + offset) as usize;
                (self.state[at] as usize).checked_sub(1)
            }
        }
    }
}
