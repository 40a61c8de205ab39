//! Whether what one process may do from now on disturbs the next step of another.

use isospin_model::facts::{Access, End, Facts, Objects, OneChannel, OwnChannel};
use isospin_model::{LocationId, Model, ProcTypeId, Shape};

/// Where a process stands: its number, type and location.
type Standing = (usize, (ProcTypeId, LocationId));

/// More pairs of locations than this are not remembered.
const MAX_PAIRS: usize = 1 << 26;

/// Remembers which pairs of locations disturb each other.
pub(super) struct Disturbance {
    /// The number of the first location of each process type.
    first: Vec<usize>,
    locations: usize,
    /// For each pair, whether what the one may ever do disturbs the next step of the other.
    next: Vec<u8>,
    /// For each pair, whether the next step of the one may let the other move; under fairness.
    wakes: Vec<u8>,
}

/// What is known of a pair: nothing yet, never, always, or depending on the processes' own
/// channels.
const UNKNOWN: u8 = 0;
const NEVER: u8 = 1;
const ALWAYS: u8 = 2;
const DEPENDS: u8 = 3;

impl Disturbance {
    pub fn new(facts: &Facts) -> Disturbance {
        let mut first = Vec::new();
        let mut locations = 0;
        for of_type in &facts.locations {
            first.push(locations);
            locations += of_type.len();
        }
        let pairs = locations * locations;
        let table = |wanted| match wanted && pairs <= MAX_PAIRS {
            true => vec![UNKNOWN; pairs],
            false => Vec::new(),
        };
        Disturbance { first, locations, next: table(true), wakes: table(facts.fair) }
    }

    /// Whether `other` may disturb the next step of `member`.
    pub fn next(
        &mut self,
        facts: &Facts,
        place: &InState<'_>,
        member: Standing,
        other: Standing,
    ) -> bool {
        let next = &facts.at(member.1 .0, member.1 .1).next;
        let future = &facts.at(other.1 .0, other.1 .1).future;
        let at = self.pair(member, other);
        decide(self.next.get_mut(at), place, (member.0, next), (other.0, future))
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
        let at = self.pair(member, other);
        let (wakes, sleeps) = ((member.0, &step.wakes), (other.0, &waits.sleeps));
        decide(self.wakes.get_mut(at), place, wakes, sleeps)
    }

    fn pair(&self, member: Standing, other: Standing) -> usize {
        let row = self.first[member.1 .0 as usize] + member.1 .1 as usize;
        let column = self.first[other.1 .0 as usize] + other.1 .1 as usize;
        row * self.locations + column
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
}

impl InState<'_> {
    /// Whether two accesses disturb each other, own channels included.
    pub fn disturbs(&self, member: (usize, &Access), other: (usize, &Access)) -> bool {
        if member.1.own.is_empty() && other.1.own.is_empty() {
            return objects_disturb(member.1, other.1);
        }
        objects_disturb(&self.resolve(member), &self.resolve(other))
    }

    /// Whether a channel holds messages.
    pub fn has_messages(&self, pid: usize, channel: OneChannel) -> bool {
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
