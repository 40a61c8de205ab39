//! Shared objects that are known only once the process is: channels that it created or was given,
//! and elements of arrays by indices that it has settled.

use isospin_analysis::facts::{Access, Element, End, Objects, OneChannel, OwnObject, OwnUse, Sort};
use isospin_machine::Evaluator;
use isospin_model::{Model, ProcTypeId};

use super::disturb::Disturbance;
use super::standing::{Here, Process};

/// Which elements the processes of a state mean.
#[derive(Default)]
pub(super) struct Elements {
    /// For each process, those of its type by number; nothing while they have to be found.
    of: Vec<Option<Vec<Object>>>,
    evaluator: Evaluator,
}

/// A shared object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Object {
    /// A channel, by position.
    Channel(usize),
    /// A value, by number.
    Value(usize),
    /// Some channel.
    AnyChannel,
    /// An element that is not there. Whoever means it can do nothing but fail.
    Anything,
}

impl Elements {
    /// Processes are of other types than before.
    pub fn clear(&mut self) {
        self.of.clear();
    }

    /// A process is another one than before.
    pub fn forget(&mut self, pid: usize) {
        if let Some(of) = self.of.get_mut(pid) {
            *of = None;
        }
    }

    /// Finds the elements of everybody of whom they are not known.
    pub fn find(
        &mut self,
        disturbance: &Disturbance,
        model: &Model,
        state: &[u8],
        processes: &[Process],
    ) {
        self.of.resize(processes.len(), None);
        let mut observed = false;
        for (pid, (of, process)) in self.of.iter_mut().zip(processes).enumerate() {
            if of.is_some() {
                continue;
            }
            let elements = disturbance.elements(ProcTypeId(process.ty.into()));
            if !elements.is_empty() && !std::mem::replace(&mut observed, true) {
                self.evaluator.observe(model, state);
            }
            let evaluator = &mut self.evaluator;
            let find = |element| find(evaluator, disturbance, model, pid, element);
            *of = Some(elements.iter().map(find).collect());
        }
    }

    fn get(&self, pid: usize, number: u16) -> Object {
        self.of[pid].as_ref().map_or(Object::Anything, |of| of[usize::from(number)])
    }
}

/// The element that a process means.
fn find(
    evaluator: &mut Evaluator,
    disturbance: &Disturbance,
    model: &Model,
    pid: usize,
    element: &Element,
) -> Object {
    let mut at = element.first as usize;
    for index in &element.indices {
        match evaluator.value(model, pid, &index.expr).map(u32::try_from) {
            Ok(Ok(value)) if value < index.len => at += (value * index.stride) as usize,
            _ => return Object::Anything,
        }
    }
    match element.sort {
        Sort::Channel => Object::Channel(at),
        Sort::Value => disturbance.value_at(at).map_or(Object::Anything, Object::Value),
    }
}

impl Here<'_> {
    /// Whether two accesses disturb each other by what is known only once the processes are.
    pub fn disturbs(&self, member: (usize, &Access), other: (usize, &Access)) -> bool {
        let mine = |own| self.resolve(member.0, own);
        let theirs = |own| self.resolve(other.0, own);
        member.1.own.iter().any(|a| {
            let mine = mine(a);
            mine.meets_objects(other.1) || other.1.own.iter().any(|b| mine.meets(&theirs(b)))
        }) || other.1.own.iter().any(|b| theirs(b).meets_objects(member.1))
    }

    /// Whether what is a process's own, of what it touches, and not only looked at, is among some
    /// objects.
    pub fn changes(&self, pid: usize, access: &Access, objects: &Objects) -> bool {
        let changed = access.own.iter().filter(|own| !own.read_only);
        changed.map(|own| self.resolve(pid, own)).any(|used| used.is_in(objects))
    }

    /// Whether a channel holds messages.
    pub fn has_messages(&self, pid: usize, channel: OneChannel) -> bool {
        let object = match channel {
            OneChannel::Global(position) => Object::Channel(position),
            OneChannel::Own(own) => self.object(pid, own),
        };
        let Object::Channel(position) = object else {
            return false;
        };
        let Some(&(ty, offset)) = self.standing.shape.channels.get(position) else {
            return false;
        };
        self.model.channel_types[ty.index()].len(self.state, offset as usize) > 0
    }

    fn resolve(&self, pid: usize, own: &OwnUse) -> Use {
        let object = self.object(pid, own.object);
        let rendezvous = match object {
            Object::Channel(position) => {
                let (ty, _) = self.standing.shape.channels[position];
                self.model.channel_types[ty.index()].capacity == 0
            }
            _ => true,
        };
        let end = if rendezvous { own.end.whole() } else { own.end };
        Use { object, end, read_only: own.read_only }
    }

    fn object(&self, pid: usize, own: OwnObject) -> Object {
        let shape = &self.standing.shape;
        let position = match own {
            OwnObject::Created(k) => Some(shape.first_channel[pid] as usize + k as usize),
            OwnObject::Named(offset) => {
                let at = (shape.frames[pid].1 + offset) as usize;
                (self.state[at] as usize).checked_sub(1)
            }
            OwnObject::Element(number) => return self.standing.elements.get(pid, number),
        };
        let there = position.filter(|&p| p < shape.channels.len());
        there.map_or(Object::AnyChannel, Object::Channel)
    }
}

/// The use of an object in a state.
#[derive(Clone, Copy)]
struct Use {
    object: Object,
    /// Which end of a channel.
    end: End,
    read_only: bool,
}

impl Use {
    fn meets(&self, other: &Use) -> bool {
        let apart = self.end.is_apart(other.end);
        let same = match (self.object, other.object) {
            (Object::Anything, _) | (_, Object::Anything) => true,
            (Object::Value(a), Object::Value(b)) => a == b,
            (Object::Value(_), _) | (_, Object::Value(_)) => false,
            (Object::Channel(a), Object::Channel(b)) => a == b && !apart,
            _ => !apart,
        };
        same && !(self.read_only && other.read_only)
    }

    fn meets_objects(&self, access: &Access) -> bool {
        self.is_in(&access.writes) || (!self.read_only && self.is_in(&access.reads))
    }

    fn is_in(&self, objects: &Objects) -> bool {
        match self.object {
            Object::Channel(channel) => objects.has_channel(channel, self.end),
            Object::Value(value) => objects.everything || objects.has_value(value),
            Object::AnyChannel => objects.has_some_channel(self.end),
            Object::Anything => !objects.is_empty(),
        }
    }
}
