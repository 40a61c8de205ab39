//! Applying a permutation to a state vector.
//!
//! Everything here is worked out once, for states in which all processes are there: which bytes
//! move with which name, and which bytes hold names.

use std::collections::HashMap;

use isospin_model::{ChannelType, Kind, Model, ProcTypeId, Slot};

use crate::family::{Domain, Element};
use crate::flow::{dims, Flow};
use crate::sorts::{ChannelArray, Node, Sorts};
use crate::startup::Startup;

/// A sort that holds names: 0 for process numbers, 1 for channels, then the domains.
pub type SortId = u8;
/// Process numbers.
pub const PIDS: SortId = 0;
/// Channel numbers.
pub const CHANNELS: SortId = 1;

/// A value that holds a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named {
    /// Where it is.
    pub offset: u32,
    /// How many bytes it has.
    pub width: u8,
    /// What it names.
    pub sort: SortId,
}

/// An array whose elements move.
#[derive(Clone, Debug)]
pub struct Array {
    /// Where it starts: in the vector, or in the frame.
    pub offset: u32,
    /// How many bytes an element has.
    pub width: u32,
    /// For each dimension its length, the distance of its elements, and what indexes it.
    pub dims: Vec<(u32, u32, Option<SortId>)>,
    /// What its values name, if they do.
    pub value: Option<SortId>,
}

/// A channel whose messages hold names, or that moves.
#[derive(Clone, Debug)]
pub struct Channel {
    /// Its number.
    pub number: u8,
    /// Where it is in the vector.
    pub offset: u32,
    /// What it can hold.
    pub ty: ChannelType,
    /// What the fields of a message name, by first field where that counts.
    pub fields: Fields,
    /// The process that created it.
    pub owner: Option<usize>,
}

/// What the fields of messages name.
#[derive(Clone, Debug)]
pub enum Fields {
    /// The same in all messages.
    All(Vec<Named>),
    /// It depends on the first field.
    ByTag(HashMap<i32, Vec<Named>>),
}

/// What is known of the frames of a process type.
#[derive(Clone, Debug, Default)]
pub struct Frames {
    /// For each location, the values that hold names there.
    pub named: Vec<Vec<Named>>,
    /// For each location, bytes whose value does not count there: where and how many.
    pub dead: Vec<Vec<(u32, u32)>>,
    /// For each location, the bytes that hold neither: where and how many.
    pub plain: Vec<Vec<(u32, u32)>>,
    /// Arrays whose elements move.
    pub arrays: Vec<Array>,
}

/// How permutations act on states.
#[derive(Clone, Debug)]
pub struct Action {
    /// The domains.
    pub domains: Vec<Domain>,
    /// For each process its type, where its frame starts, and how long it is.
    pub frames: Vec<(ProcTypeId, u32, u32)>,
    /// By process type.
    pub types: Vec<Frames>,
    /// Global values that hold names and are no elements of moving arrays.
    pub globals: Vec<Named>,
    /// Global arrays whose elements move.
    pub arrays: Vec<Array>,
    /// All channels.
    pub channels: Vec<Channel>,
    /// How channel numbers move: the array and index of global ones.
    pub channel_moves: Vec<(ChannelArray, SortId)>,
    /// The first channel of each process.
    pub first_channel: Vec<u32>,
    locations: Vec<u32>,
}

/// A permutation as tables, by sort.
#[derive(Clone, Debug)]
pub struct Renaming {
    /// Where each value goes.
    pub tables: Vec<[u8; 256]>,
}

struct Builder<'b, 'm> {
    model: &'m Model,
    flows: &'b [Flow<'m>],
    sorts: &'b Sorts<'m>,
    domains: &'b [Domain],
}

impl Builder<'_, '_> {
    fn sort(&self, node: Node) -> Option<SortId> {
        let node = self.sorts.find(node);
        if node == self.sorts.pid() {
            return Some(PIDS);
        }
        if let Some(d) = self.domains.iter().position(|d| d.node == Some(node)) {
            return Some(2 + d as SortId);
        }
        self.sorts.is_channel(node).then_some(CHANNELS)
    }

    fn array(&self, slot: &Slot, value: Option<SortId>, nodes: &[Node]) -> Option<Array> {
        let dims: Vec<_> =
            dims(slot).zip(nodes).map(|((len, stride), &n)| (len, stride, self.sort(n))).collect();
        let moves = dims.iter().any(|d| d.2.is_some());
        moves.then(|| Array { offset: slot.offset, width: slot.ty.width(), dims, value })
    }

    fn frames(&self, ty: ProcTypeId) -> Frames {
        let flow = &self.flows[ty as usize];
        let frame = &flow.proctype.frame;
        let initial = flow.proctype.automaton.initial as usize;
        let resets = flow.proctype.automaton.edges.iter().any(|e| !e.resets.is_empty());
        let mut out = Frames::default();
        for (k, slot) in frame.slots.iter().enumerate() {
            let value = self.sort(self.sorts.local(ty, k, initial));
            out.arrays.extend(self.array(slot, value, &self.sorts.local_dims(ty, k)));
        }
        for at in 0..flow.locations {
            let (mut named, mut dead) = (Vec::new(), Vec::new());
            let mut taken = vec![false; frame.size as usize];
            for (k, slot) in frame.slots.iter().enumerate() {
                let (width, offsets) = (slot.ty.width(), slot.values());
                let moving = self.array(slot, None, &self.sorts.local_dims(ty, k)).is_some();
                let sort = self.sort(self.sorts.local(ty, k, at));
                let is_dead = !flow.live[at][k];
                for (_, offset) in offsets {
                    // A timer runs on, needed or not.
                    let forgotten = is_dead && slot.ty.kind != Kind::Timer;
                    if forgotten && (!resets || !flow.live[initial][k]) {
                        dead.push((offset, width));
                    }
                    if moving {
                        taken[offset as usize..(offset + width) as usize].fill(true);
                    } else if let (Some(sort), false) = (sort, is_dead) {
                        taken[offset as usize..(offset + width) as usize].fill(true);
                        named.push(Named { offset, width: width as u8, sort });
                    }
                }
            }
            for channel in &frame.channels {
                let size = self.model.channel_types[channel.ty as usize].size();
                taken[channel.offset as usize..(channel.offset + size) as usize].fill(true);
            }
            out.plain.push(runs(&taken));
            out.named.push(named);
            out.dead.push(dead);
        }
        out
    }

    fn fields(&self, owner: Option<ProcTypeId>, k: usize, ty: &ChannelType) -> Fields {
        let named = |tag: i32| {
            let fields = ty.fields.iter().zip(&ty.field_offsets).enumerate();
            let mut named = Vec::new();
            for (f, (field, &offset)) in fields {
                let node = self.sorts.field_of(owner, k, tag, f);
                let sort = match node {
                    Some(node) => self.sort(node),
                    None => (field.kind == Kind::Channel).then_some(CHANNELS),
                };
                if let Some(sort) = sort {
                    named.push(Named { offset, width: field.width() as u8, sort });
                }
            }
            named
        };
        if !self.sorts.tags_of(owner, k) {
            return Fields::All(named(0));
        }
        let mut tags = self.sorts.known_tags(owner, k);
        // What carries a first field that nobody names holds nothing that anybody looks at.
        tags.push(i32::MIN);
        Fields::ByTag(tags.into_iter().map(|tag| (tag, named(tag))).collect())
    }
}

/// The stretches of bytes that are not taken.
fn runs(taken: &[bool]) -> Vec<(u32, u32)> {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for (k, &taken) in taken.iter().enumerate() {
        match runs.last_mut() {
            _ if taken => {}
            Some((at, len)) if *at + *len == k as u32 => *len += 1,
            _ => runs.push((k as u32, 1)),
        }
    }
    runs
}

impl Action {
    /// How permutations of the domains' members act.
    pub fn new(
        model: &Model,
        flows: &[Flow],
        startup: &Startup,
        sorts: &Sorts,
        domains: Vec<Domain>,
    ) -> Action {
        let builder = Builder { model, flows, sorts, domains: &domains };
        let (mut globals, mut arrays) = (Vec::new(), Vec::new());
        for (k, slot) in model.layout.slots.iter().enumerate() {
            let value = builder.sort(sorts.global(k));
            match builder.array(slot, value, &sorts.global_dims(k)) {
                Some(array) => arrays.push(array),
                None => globals.extend(value.iter().flat_map(|&sort| {
                    let width = slot.ty.width() as u8;
                    slot.values().into_iter().map(move |(_, offset)| Named { offset, width, sort })
                })),
            }
        }
        if let Some(offset) = model.layout.last {
            globals.push(Named { offset, width: 1, sort: PIDS });
        }
        let shape = &startup.shape;
        let frames = shape
            .frames
            .iter()
            .map(|&(ty, at)| (ty, at, model.proctypes[ty as usize].frame.size))
            .collect();
        let mut channels = Vec::new();
        for (k, &(ty, offset)) in shape.channels.iter().enumerate() {
            let ty = model.channel_types[ty as usize].clone();
            let owner = shape.first_channel.iter().rposition(|&f| f as usize <= k);
            let global = k < model.layout.channels.len();
            let (owner, type_of, own) = match owner {
                Some(pid) if !global => {
                    let first = shape.first_channel[pid] as usize;
                    (Some(pid), Some(shape.frames[pid].0), k - first)
                }
                _ => (None, None, k),
            };
            let fields = builder.fields(type_of, own, &ty);
            channels.push(Channel { number: (k + 1) as u8, offset, ty, fields, owner });
        }
        let channel_moves = sorts
            .channel_arrays()
            .into_iter()
            .filter_map(|(a, n)| builder.sort(n).map(|s| (a, s)))
            .collect();
        let types = (0..model.proctypes.len()).map(|ty| builder.frames(ty as ProcTypeId)).collect();
        let locations = model.proctypes.iter().map(|p| p.frame.location_width).collect();
        let first_channel = shape.first_channel.clone();
        Action {
            frames,
            types,
            globals,
            arrays,
            channels,
            channel_moves,
            first_channel,
            locations,
            domains,
        }
    }

    /// Where a process stands.
    #[inline]
    pub fn location(&self, state: &[u8], pid: usize) -> usize {
        let (ty, at, _) = self.frames[pid];
        let at = at as usize + 1;
        match self.locations[ty as usize] {
            1 => usize::from(state[at]),
            _ => usize::from(u16::from_le_bytes([state[at], state[at + 1]])),
        }
    }

    /// A renaming that changes nothing.
    pub fn no_renaming(&self) -> Renaming {
        let mut identity = [0; 256];
        for (k, to) in identity.iter_mut().enumerate() {
            *to = k as u8;
        }
        Renaming { tables: vec![identity; 2 + self.domains.len()] }
    }

    /// Writes the tables of an element into `renaming`.
    pub fn rename(&self, element: &Element, renaming: &mut Renaming) {
        let tables = &mut renaming.tables;
        for (d, (domain, to)) in self.domains.iter().zip(element).enumerate() {
            for (m, &to) in to.iter().enumerate() {
                let to = usize::from(to);
                for family in &domain.families {
                    tables[usize::from(PIDS)][family.pids[m]] = family.pids[to] as u8;
                }
                if domain.node.is_some() {
                    tables[2 + d][usize::from(domain.values[m])] = domain.values[to];
                }
            }
        }
        if self.channels.len() > self.first_channel.first().map_or(0, |&f| f as usize) {
            for (pid, &(ty, ..)) in self.frames.iter().enumerate() {
                let to = usize::from(tables[usize::from(PIDS)][pid]);
                let (from, to) = (self.first_channel[pid], self.first_channel[to]);
                let last = self.first_channel.get(pid + 1).copied();
                let own = last.unwrap_or(self.channels.len() as u32) - from;
                let _ = ty;
                for k in 0..own {
                    tables[usize::from(CHANNELS)][(from + k + 1) as usize] = (to + k + 1) as u8;
                }
            }
        }
        for &(array, sort) in &self.channel_moves {
            let ChannelArray { owner, first, len, stride } = array;
            for k in 0..len {
                let to = u32::from(tables[usize::from(sort)][k as usize]);
                let (from, to) = (u32::from(first) + k * stride, u32::from(first) + to * stride);
                match owner {
                    None => tables[usize::from(CHANNELS)][from as usize + 1] = to as u8 + 1,
                    Some(ty) => {
                        for (pid, f) in self.frames.iter().enumerate().filter(|(_, f)| f.0 == ty) {
                            let _ = f;
                            let image = usize::from(tables[usize::from(PIDS)][pid]);
                            let from = self.first_channel[pid] + from + 1;
                            let to = self.first_channel[image] + to + 1;
                            tables[usize::from(CHANNELS)][from as usize] = to as u8;
                        }
                    }
                }
            }
        }
    }

    /// Writes the image of `state` into `out`.
    pub fn apply(&self, renaming: &Renaming, state: &[u8], out: &mut Vec<u8>) {
        out.clear();
        out.extend_from_slice(state);
        let tables = &renaming.tables;
        let pids = &tables[usize::from(PIDS)];
        for (pid, &(ty, from, len)) in self.frames.iter().enumerate() {
            let image = usize::from(pids[pid]);
            let to = self.frames[image].1;
            if image != pid {
                let (from, to, len) = (from as usize, to as usize, len as usize);
                out[to..to + len].copy_from_slice(&state[from..from + len]);
            }
            for array in &self.types[ty as usize].arrays {
                array.apply(tables, state, from, out, to);
            }
        }
        for array in &self.arrays {
            array.apply(tables, state, 0, out, 0);
        }
        let numbers = &tables[usize::from(CHANNELS)];
        for channel in &self.channels {
            let to = usize::from(numbers[usize::from(channel.number)]);
            if to != usize::from(channel.number) {
                let (from, to) = (channel.offset as usize, self.channels[to - 1].offset as usize);
                let size = channel.ty.size() as usize;
                out[to..to + size].copy_from_slice(&state[from..from + size]);
            }
        }
        // What was moved is renamed where it is now.
        for named in &self.globals {
            named.rename(tables, out, 0);
        }
        for (pid, &(ty, at, _)) in self.frames.iter().enumerate() {
            let location = self.location(out, pid);
            for named in &self.types[ty as usize].named[location] {
                named.rename(tables, out, at as usize);
            }
        }
        for channel in &self.channels {
            channel.rename(tables, out);
        }
    }
}

impl Named {
    /// The value.
    #[inline]
    pub fn load(&self, state: &[u8], base: usize) -> usize {
        let at = base + self.offset as usize;
        match self.width {
            1 => usize::from(state[at]),
            2 => usize::from(u16::from_le_bytes([state[at], state[at + 1]])),
            _ => u32::from_le_bytes([state[at], state[at + 1], state[at + 2], state[at + 3]])
                as usize,
        }
    }

    #[inline]
    fn rename(&self, tables: &[[u8; 256]], state: &mut [u8], base: usize) {
        let value = self.load(state, base);
        if value < 256 {
            // Names fit into a byte, whatever the width; the bytes above are 0.
            state[base + self.offset as usize] = tables[usize::from(self.sort)][value];
        }
    }
}

impl Array {
    /// Calls `visit` with the index in every dimension and the offset of each element.
    pub fn each(&self, visit: &mut dyn FnMut(&[u32], u32)) {
        let mut index = vec![0; self.dims.len()];
        loop {
            let offset: u32 = index.iter().zip(&self.dims).map(|(i, d)| i * d.1).sum();
            visit(&index, self.offset + offset);
            let mut d = self.dims.len();
            loop {
                if d == 0 {
                    return;
                }
                d -= 1;
                index[d] += 1;
                if index[d] < self.dims[d].0 {
                    break;
                }
                index[d] = 0;
            }
        }
    }

    #[inline]
    fn apply(&self, tables: &[[u8; 256]], state: &[u8], from: u32, out: &mut [u8], to: u32) {
        let mut move_one = |offset: u32, image: u32| {
            let source = (from + offset) as usize;
            let target = (to + image) as usize;
            let width = self.width as usize;
            out[target..target + width].copy_from_slice(&state[source..source + width]);
            if let Some(sort) = self.value {
                let named = Named { offset: 0, width: self.width as u8, sort };
                named.rename(tables, out, target);
            }
        };
        if let [(len, stride, sort)] = self.dims[..] {
            for k in 0..len {
                let image = sort.map_or(k, |s| u32::from(tables[usize::from(s)][k as usize]));
                move_one(self.offset + k * stride, self.offset + image * stride);
            }
            return;
        }
        self.each(&mut |index, offset| {
            let image: u32 = index
                .iter()
                .zip(&self.dims)
                .map(|(&k, &(_, stride, sort))| {
                    sort.map_or(k, |s| u32::from(tables[usize::from(s)][k as usize])) * stride
                })
                .sum();
            move_one(offset, self.offset + image);
        });
    }
}

impl Fields {
    /// What the fields of the message at `message` name.
    #[inline]
    pub fn of(&self, ty: &ChannelType, state: &[u8], message: usize) -> &[Named] {
        match self {
            Fields::All(named) => named,
            Fields::ByTag(by_tag) => {
                let tag = ty.fields[0].load(state, message);
                by_tag.get(&tag).or_else(|| by_tag.get(&i32::MIN)).map_or(&[], Vec::as_slice)
            }
        }
    }

    /// Whether no message holds a name.
    pub fn is_empty(&self) -> bool {
        match self {
            Fields::All(named) => named.is_empty(),
            Fields::ByTag(by_tag) => by_tag.values().all(Vec::is_empty),
        }
    }
}

impl Channel {
    fn rename(&self, tables: &[[u8; 256]], state: &mut [u8]) {
        if self.fields.is_empty() {
            return;
        }
        let at = self.offset as usize;
        for slot in 0..self.ty.len(state, at) {
            let message = self.ty.message(at, slot);
            // The first field tells the rest apart, and is no name itself then.
            for named in self.fields.of(&self.ty, state, message).to_vec() {
                named.rename(tables, state, message);
            }
        }
    }
}
