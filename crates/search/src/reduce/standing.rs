//! Where the processes of a state stand, and what they use there.

use isospin_machine::Successors;
use isospin_model::facts::{Access, End, Objects, OneChannel, OwnChannel, OwnUse};
use isospin_model::{Cluster, EdgeId, FrameLayout, Member, Model, ProcTypeId, Shape};

use super::disturb::{Class, Disturbance, Row};
use crate::expand::{Group, Movers};

/// Where the processes of a state stand.
#[derive(Default)]
pub(super) struct Standing<const W: usize> {
    /// For each process, its row.
    pub rows: Vec<Row>,
    /// For each process its type and its class, and the channels that it names.
    futures: Vec<(u8, Class)>,
    names: Vec<u8>,
    /// Counts how often these were others than in the state before.
    pub generation: u64,
    /// The classes that there are, each with the processes that stand there.
    pub present: Vec<(Class, Movers<W>)>,
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
    pub fn disturbs(&self, member: (usize, &Access), other: (usize, &Access)) -> bool {
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
