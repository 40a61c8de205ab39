//! All states with the same processes: where everything is in their vectors, as slots.
//!
//! The vectors of a space have the same length and the same meaning, so that what a process may
//! touch can be told slot by slot. A step that starts or ends a process leads to another space.

use std::collections::HashMap;

use isospin_model::{ChannelInstance, FrameLayout, LocationId, Model, ProcTypeId, Scalar, Shape};

use crate::values::Values;

/// What a slot is, in every space that has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Key {
    /// At this offset of the part that is always there.
    Global(u32),
    /// In the frame of this process, if it is of this type.
    Frame(u16, ProcTypeId, u32),
}

/// A single value of the state vector.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    pub key: Key,
    pub offset: usize,
    pub ty: Scalar,
}

/// The slots of a channel.
#[derive(Clone, Debug)]
pub(crate) struct Channel {
    /// How many messages it holds; a rendez-vous channel has none.
    pub len: Option<usize>,
    /// Its messages, field by field.
    pub messages: Vec<Vec<usize>>,
}

/// Ranks of slots: their order in all spaces.
#[derive(Debug, Default, Clone)]
pub(crate) struct Ranks(HashMap<Key, u32>);

impl Ranks {
    /// These slots, in this order, before all others.
    pub fn new(order: impl IntoIterator<Item = Key>) -> Ranks {
        Ranks(order.into_iter().zip(0..).collect())
    }

    fn of(&mut self, key: Key) -> u32 {
        let next = self.0.len() as u32;
        *self.0.entry(key).or_insert(next)
    }
}

/// All states with processes of these types.
#[derive(Debug)]
pub(crate) struct Space {
    pub types: Vec<ProcTypeId>,
    pub shape: Shape,
    /// A vector of the space in which every slot is 0.
    pub zero: Vec<u8>,
    /// The slots, by level.
    pub slots: Vec<Slot>,
    /// The slot at each offset where one begins.
    at: HashMap<usize, usize>,
    /// For each process the slot of its location.
    pub locations: Vec<usize>,
    pub channels: Vec<Channel>,
    pub last: Option<usize>,
    pub event: Option<usize>,
    /// The slots that take part in execution and not in identity.
    pub hidden: Vec<usize>,
}

impl Space {
    /// The types of the processes of a state.
    pub fn types_of(model: &Model, state: &[u8]) -> Vec<ProcTypeId> {
        let mut shape = Shape::default();
        shape.read(model, state);
        shape.frames.iter().map(|f| f.0).collect()
    }

    /// The space of states with such processes.
    pub fn new(model: &Model, types: Vec<ProcTypeId>, ranks: &mut Ranks) -> Space {
        let layout = &model.layout;
        let mut zero = vec![0; layout.frames as usize];
        zero[layout.process_count as usize] = types.len() as u8;
        let mut all = Slots { model, found: Vec::new() };
        for slot in &layout.slots {
            slot.values().iter().for_each(|(_, at)| all.push(Key::Global(*at), *at, slot.ty));
        }
        let (last, event) = (layout.last, layout.event);
        last.iter().for_each(|&at| all.push(Key::Global(at), at, Scalar::BYTE));
        event.iter().for_each(|&at| all.push(Key::Global(at), at, Scalar::unsigned(16)));
        let mut channels = Vec::new();
        for channel in &layout.channels {
            channels.push(all.channel(channel, 0, &Key::Global));
        }
        let mut locations = Vec::new();
        for (pid, &ty) in types.iter().enumerate() {
            let frame = &model.proctype(ty).frame;
            let start = zero.len() as u32;
            zero.resize((start + frame.size) as usize, 0);
            zero[(start + FrameLayout::TYPE) as usize] = ty.0 as u8;
            let key = |at: u32| Key::Frame(pid as u16, ty, at);
            let width = Scalar::unsigned(8 * frame.location_width as u8);
            locations.push(start + FrameLayout::LOCATION);
            all.push(key(FrameLayout::LOCATION), start + FrameLayout::LOCATION, width);
            frame.priority.iter().for_each(|&at| all.push(key(at), start + at, Scalar::BYTE));
            for slot in &frame.slots {
                slot.values().iter().for_each(|(_, at)| all.push(key(*at), start + at, slot.ty));
            }
            for channel in &frame.channels {
                channels.push(all.channel(channel, start, &key));
            }
        }
        let mut slots = all.found;
        let mut ranked: Vec<(u32, Slot)> = slots.iter().map(|s| (ranks.of(s.key), *s)).collect();
        ranked.sort_unstable_by_key(|(rank, _)| *rank);
        slots = ranked.into_iter().map(|(_, slot)| slot).collect();
        let at: HashMap<usize, usize> =
            slots.iter().enumerate().map(|(k, slot)| (slot.offset, k)).collect();
        let level = |offset: u32| at.get(&(offset as usize)).copied().unwrap_or(0);
        for channel in &mut channels {
            channel.len.iter_mut().for_each(|len| *len = level(*len as u32));
            for field in channel.messages.iter_mut().flatten() {
                *field = level(*field as u32);
            }
        }
        let mut shape = Shape::default();
        shape.read(model, &zero);
        let hidden = (0..slots.len()).filter(|&k| slots[k].offset < layout.hidden as usize);
        Space {
            hidden: hidden.collect(),
            locations: locations.into_iter().map(level).collect(),
            last: last.map(level),
            event: event.map(level),
            types,
            shape,
            zero,
            channels,
            at,
            slots,
        }
    }

    /// How many levels its sets have.
    pub fn levels(&self) -> usize {
        self.slots.len()
    }

    /// The slot that begins at an offset.
    pub fn slot_at(&self, offset: usize) -> Option<usize> {
        self.at.get(&offset).copied()
    }

    /// The value of a slot in a state.
    pub fn load(&self, state: &[u8], slot: usize) -> i32 {
        let Slot { offset, ty, .. } = self.slots[slot];
        ty.load(state, offset)
    }

    /// Puts a value into a slot of a state.
    pub fn store(&self, state: &mut [u8], slot: usize, value: i32) {
        let Slot { offset, ty, .. } = self.slots[slot];
        ty.store(state, offset, value);
    }

    /// A state as a vector of values.
    pub fn encode(&self, state: &[u8], values: &mut Values) -> Vec<u32> {
        (0..self.levels()).map(|slot| values.code(self.load(state, slot))).collect()
    }

    /// The state that is a vector of values.
    pub fn decode(&self, vector: &[u32], values: &Values) -> Vec<u8> {
        let mut state = self.zero.clone();
        for (slot, code) in vector.iter().enumerate() {
            self.store(&mut state, slot, values.value(*code));
        }
        state
    }

    /// The locations at which a process may end, as values.
    pub fn ends(&self, model: &Model, pid: usize) -> Vec<u32> {
        let automaton = &model.proctype(self.types[pid]).automaton;
        let ends = automaton.location_ids().filter(|l| automaton.locations[l.index()].end);
        ends.map(|LocationId(l)| l).collect()
    }
}

/// Slots as they are found: levels are offsets until all are.
struct Slots<'m> {
    model: &'m Model,
    found: Vec<Slot>,
}

impl Slots<'_> {
    fn push(&mut self, key: Key, offset: u32, ty: Scalar) {
        self.found.push(Slot { key, offset: offset as usize, ty });
    }

    fn channel(
        &mut self,
        channel: &ChannelInstance,
        start: u32,
        key: &dyn Fn(u32) -> Key,
    ) -> Channel {
        let ty = self.model.channel_type(channel.ty);
        let mut len = None;
        if ty.capacity > 0 {
            let width = Scalar::unsigned(8 * ty.len_width() as u8);
            self.push(key(channel.offset), start + channel.offset, width);
            len = Some((start + channel.offset) as usize);
        }
        let mut messages = Vec::new();
        for message in 0..usize::from(ty.capacity) {
            let from = ty.message(channel.offset as usize, message) as u32;
            let mut fields = Vec::new();
            for (field, at) in ty.fields.iter().zip(&ty.field_offsets) {
                self.push(key(from + at), start + from + at, *field);
                fields.push((start + from + at) as usize);
            }
            messages.push(fields);
        }
        Channel { len, messages }
    }
}
