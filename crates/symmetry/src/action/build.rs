//! From a model and its sorts to what moves and what holds names.

use isospin_model::{ChannelType, Kind, Model, ProcTypeId, Slot};

use super::{Array, Channel, Fields, Frames, GroupAction, Named, SortId, CHANNELS, PIDS};
use crate::family::Domain;
use crate::flow::Flow;
use crate::sorts::{SortVariable, Sorts};
use crate::startup::Startup;

struct Builder<'b, 'm> {
    model: &'m Model,
    flows: &'b [Flow<'m>],
    sorts: &'b Sorts<'m>,
    domains: &'b [Domain],
}

impl Builder<'_, '_> {
    fn sort(&self, node: SortVariable) -> Option<SortId> {
        let node = self.sorts.find(node);
        if node == self.sorts.pid() {
            return Some(PIDS);
        }
        if let Some(d) = self.domains.iter().position(|d| d.sort == Some(node)) {
            return Some(2 + d as SortId);
        }
        self.sorts.is_channel(node).then_some(CHANNELS)
    }

    fn array(&self, slot: &Slot, value: Option<SortId>, nodes: &[SortVariable]) -> Option<Array> {
        let dims: Vec<_> = slot
            .dimensions()
            .zip(nodes)
            .map(|((len, stride), &n)| (len, stride, self.sort(n)))
            .collect();
        let moves = dims.iter().any(|d| d.2.is_some());
        moves.then(|| Array { offset: slot.offset, width: slot.ty.width(), dims, value })
    }

    fn frames(&self, ty: ProcTypeId) -> Frames {
        let flow = &self.flows[ty.index()];
        let frame = &flow.proctype.frame;
        let initial = flow.proctype.automaton.initial.index();
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
                let size = self.model.channel_types[channel.ty.index()].size();
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

impl GroupAction {
    /// How permutations of the domains' members act.
    pub fn new(
        model: &Model,
        flows: &[Flow],
        startup: &Startup,
        sorts: &Sorts,
        domains: Vec<Domain>,
    ) -> GroupAction {
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
            .map(|&(ty, at)| (ty, at, model.proctypes[ty.index()].frame.size))
            .collect();
        let mut channels = Vec::new();
        for (k, &(ty, offset)) in shape.channels.iter().enumerate() {
            let ty = model.channel_types[ty.index()].clone();
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
        let types =
            (0..model.proctypes.len()).map(|ty| builder.frames(ProcTypeId(ty as u16))).collect();
        let locations = model.proctypes.iter().map(|p| p.frame.location_width).collect();
        let first_channel = shape.first_channel.clone();
        GroupAction {
            frames,
            types,
            globals,
            arrays,
            channels,
            channel_moves,
            first_channel,
            locations,
            length: startup.sample.len() as u32,
            domains,
        }
    }
}
