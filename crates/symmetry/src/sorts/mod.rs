//! What holds names: a type inference by unification over values, array indices, message fields
//! and channels.
//!
//! Two things are of one *sort* when values flow between them or are compared. Local variables are
//! taken apart by where they are: what is stored in a variable here and what is stored there may be
//! of different sorts, if no use sees both. The fields of a message are taken apart by its first
//! field where that is a symbolic constant.
//!
//! Nothing here decides whether a model is symmetric. A sort that is too coarse or too fine makes
//! the check in [`transport`](crate::transport) fail, and nothing else.

mod unify;
mod visit;

use std::collections::HashMap;

use isospin_model::{Action, ChannelTypeId, EdgeId, Expr, Kind, Model, ProcTypeId, Region};

use crate::flow::{is_single, Flow, Point};

/// Something that has a sort.
pub type SortVariable = u32;

/// Where an expression stands: in a process type at a point, or in a property.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    /// The process type; for a property 0, where nothing local is named.
    pub ty: ProcTypeId,
    /// The point.
    pub point: Point,
}

/// An array of channels: whose, the first of them, how many, how far apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ChannelArray {
    /// The process type whose processes create it; `None` for global ones.
    pub owner: Option<ProcTypeId>,
    /// The first channel.
    pub first: u16,
    /// How many.
    pub len: u32,
    /// How far apart.
    pub stride: u32,
}

/// The sorts of everything in a model.
pub struct Sorts<'m> {
    model: &'m Model,
    flows: &'m [Flow<'m>],
    parent: Vec<SortVariable>,
    /// For the root of channel-valued nodes, what is known of the channels.
    points_to: HashMap<SortVariable, SortVariable>,
    /// Message fields: of which channels, with which first field, which field.
    fields: HashMap<(SortVariable, Option<i32>, usize), SortVariable>,
    /// Channels whose messages are not told apart by their first field.
    untagged: HashMap<SortVariable, ()>,
    channel_kind: Vec<bool>,
    pid: SortVariable,
    global: Vec<SortVariable>,
    global_dims: Vec<Vec<SortVariable>>,
    /// For each type and slot, one node for an array and one a point for a single value.
    local: Vec<Vec<Vec<SortVariable>>>,
    local_dims: Vec<Vec<Vec<SortVariable>>>,
    global_channels: Vec<SortVariable>,
    own_channels: Vec<Vec<SortVariable>>,
    arrays: HashMap<ChannelArray, SortVariable>,
    /// The sorts of declared sets of names.
    declared: Vec<SortVariable>,
    /// Only channels are followed: what happens before everything has been started.
    channels_only: bool,
    /// Sorts stay what they are: proofs and the action that they are about must mean the same by
    /// them. What a proof comes across afterwards that would join two is compared by it and fails.
    inferred: bool,
}

impl<'m> Sorts<'m> {
    /// Infers the sorts. `starting` says which points belong to the start; `linked`, whether what a
    /// variable of a process starts with is of its sort.
    pub fn infer(
        model: &'m Model,
        flows: &'m [Flow<'m>],
        observers: &[&Expr],
        starting: &[Vec<bool>],
        linked: bool,
    ) -> Sorts<'m> {
        let mut sorts = Sorts {
            model,
            flows,
            parent: Vec::new(),
            points_to: HashMap::new(),
            fields: HashMap::new(),
            untagged: HashMap::new(),
            channel_kind: Vec::new(),
            pid: 0,
            global: Vec::new(),
            global_dims: Vec::new(),
            local: Vec::new(),
            local_dims: Vec::new(),
            global_channels: Vec::new(),
            own_channels: Vec::new(),
            arrays: HashMap::new(),
            declared: Vec::new(),
            channels_only: false,
            inferred: false,
        };
        sorts.allocate();
        for (ty, flow) in flows.iter().enumerate() {
            let ty = ProcTypeId(ty as u16);
            for arc in &flow.arcs {
                let site = Site { ty, point: arc.from };
                sorts.channels_only = is_starting(flow, &starting[ty.index()], arc.edge);
                sorts.action(site, arc.to, arc.action);
            }
            sorts.channels_only = false;
            if let Some(provided) = &flow.proctype.provided {
                sorts.value(Site { ty, point: 0 }, provided);
            }
            sorts.channels_only = !linked;
            for init in &flow.proctype.initializers {
                let site = Site { ty, point: flow.proctype.automaton.initial.index() };
                let value = sorts.value(site, &init.value);
                let place = sorts.place(site, site.point, &init.place);
                sorts.unify(value, Some(place));
            }
        }
        sorts.channels_only = true;
        for init in &model.initializers {
            let site = Site { ty: ProcTypeId(0), point: 0 };
            let value = sorts.value(site, &init.value);
            let place = sorts.place(site, 0, &init.place);
            sorts.unify(value, Some(place));
        }
        sorts.channels_only = false;
        for expr in observers {
            sorts.value(Site { ty: ProcTypeId(0), point: 0 }, expr);
        }
        sorts.declare_fields();
        sorts.inferred = true;
        sorts
    }

    fn allocate(&mut self) {
        let (model, flows) = (self.model, self.flows);
        self.pid = self.fresh(false);
        self.declared = model.scalarsets.iter().map(|_| self.fresh(false)).collect();
        for slot in &model.layout.slots {
            let node = self.fresh(slot.ty.kind == Kind::Channel);
            self.global.push(node);
            self.declare(slot.ty.kind, node);
            let all = slot.dimensions().map(|_| self.fresh(false)).collect();
            self.global_dims.push(all);
        }
        for _ in &model.layout.channels {
            let node = self.fresh(false);
            self.global_channels.push(node);
        }
        for flow in flows {
            let (mut values, mut all_dims) = (Vec::new(), Vec::new());
            for (k, slot) in flow.proctype.frame.slots.iter().enumerate() {
                let channel = slot.ty.kind == Kind::Channel;
                all_dims.push(slot.dimensions().map(|_| self.fresh(false)).collect());
                if !is_single(slot) || flow.watched[k] {
                    let node = self.fresh(channel);
                    values.push(vec![node; flow.points]);
                    self.declare(slot.ty.kind, node);
                    continue;
                }
                let at: Vec<SortVariable> = (0..flow.points).map(|_| self.fresh(channel)).collect();
                at.iter().for_each(|&node| self.declare(slot.ty.kind, node));
                for arc in &flow.arcs {
                    let mut stored = *arc.action == Action::End;
                    crate::flow::for_each_store(arc.action, &mut |place| {
                        stored |= place.region == Region::Local && flow.slot(place) == k;
                    });
                    if !stored && flow.live[arc.to][k] {
                        self.union(at[arc.from], at[arc.to]);
                    }
                }
                values.push(at);
            }
            self.local.push(values);
            self.local_dims.push(all_dims);
            let own = flow.proctype.frame.channels.iter().map(|_| self.fresh(false)).collect();
            self.own_channels.push(own);
        }
    }

    /// Values of a declared set of names are of one sort.
    fn declare(&mut self, kind: Kind, node: SortVariable) {
        if let Kind::Name(set) = kind {
            self.union(self.declared[usize::from(set)], node);
        }
    }

    /// The same for the fields of messages.
    fn declare_fields(&mut self) {
        let model = self.model;
        let mut channels: Vec<(SortVariable, ChannelTypeId)> = Vec::new();
        for (channel, &node) in model.layout.channels.iter().zip(&self.global_channels) {
            channels.push((node, channel.ty));
        }
        for (proctype, own) in model.proctypes.iter().zip(&self.own_channels) {
            for (channel, &node) in proctype.frame.channels.iter().zip(own) {
                channels.push((node, channel.ty));
            }
        }
        for (node, ty) in channels {
            for (f, field) in model.channel_types[ty.index()].fields.iter().enumerate() {
                let class = self.find(node);
                let keys = self.fields.iter().filter(|(k, _)| k.0 == class && k.2 == f);
                let nodes: Vec<SortVariable> = keys.map(|(_, &node)| node).collect();
                nodes.into_iter().for_each(|node| self.declare(field.kind, node));
            }
        }
    }

    /// The sort of a declared set of names.
    pub fn declared(&self, set: usize) -> SortVariable {
        self.find(self.declared[set])
    }

    /// The sort of process numbers.
    pub fn pid(&self) -> SortVariable {
        self.find(self.pid)
    }

    /// Whether values of this sort name channels.
    pub fn is_channel(&self, node: SortVariable) -> bool {
        self.channel_kind[self.find(node) as usize]
    }

    /// The sort of a global variable's values.
    pub fn global(&self, slot: usize) -> SortVariable {
        self.find(self.global[slot])
    }

    /// The sorts of a global variable's indices.
    pub fn global_dims(&self, slot: usize) -> Vec<SortVariable> {
        self.global_dims[slot].iter().map(|&n| self.find(n)).collect()
    }

    /// The sort of a local variable's values at a point.
    pub fn local(&self, ty: ProcTypeId, slot: usize, point: Point) -> SortVariable {
        self.find(self.local[ty.index()][slot][point])
    }

    /// The sorts of a local variable's indices.
    pub fn local_dims(&self, ty: ProcTypeId, slot: usize) -> Vec<SortVariable> {
        self.local_dims[ty.index()][slot].iter().map(|&n| self.find(n)).collect()
    }

    /// Every array of channels that is indexed, with the sort of its index.
    pub fn channel_arrays(&self) -> Vec<(ChannelArray, SortVariable)> {
        let mut all: Vec<_> = self.arrays.iter().map(|(a, &n)| (*a, self.find(n))).collect();
        all.sort_by_key(|(a, _)| (a.owner, a.first));
        all
    }

    /// Whether some array is indexed by values of this sort.
    pub fn is_index(&self, node: SortVariable) -> bool {
        let node = self.find(node);
        let local = self.local_dims.iter().flatten();
        let mut dims = self.global_dims.iter().chain(local).flatten();
        dims.any(|&d| self.find(d) == node) || self.arrays.values().any(|&d| self.find(d) == node)
    }

    /// The sort of the index of an array of channels.
    pub fn array(&self, array: &ChannelArray) -> Option<SortVariable> {
        self.arrays.get(array).map(|&n| self.find(n))
    }

    /// The sort of a field of the messages in a channel: the global channel with this number, or
    /// one of those that processes of a type create. The first field is 0.
    pub fn field_of(
        &self,
        owner: Option<ProcTypeId>,
        channel: usize,
        tag: i32,
        field: usize,
    ) -> Option<SortVariable> {
        let class = self.find(match owner {
            None => self.global_channels[channel],
            Some(ty) => self.own_channels[ty.index()][channel],
        });
        let tag = (field > 0 && !self.untagged.contains_key(&class)).then_some(tag);
        self.fields.get(&(class, tag, field)).map(|&n| self.find(n))
    }

    /// The first fields that messages of a channel are told apart by.
    pub fn known_tags(&self, owner: Option<ProcTypeId>, channel: usize) -> Vec<i32> {
        let class = self.find(match owner {
            None => self.global_channels[channel],
            Some(ty) => self.own_channels[ty.index()][channel],
        });
        let mut tags: Vec<i32> =
            self.fields.keys().filter(|k| k.0 == class).filter_map(|k| k.1).collect();
        tags.sort_unstable();
        tags.dedup();
        tags
    }

    /// Whether the messages of a channel are told apart by their first field.
    pub fn tags_of(&self, owner: Option<ProcTypeId>, channel: usize) -> bool {
        let class = self.find(match owner {
            None => self.global_channels[channel],
            Some(ty) => self.own_channels[ty.index()][channel],
        });
        !self.untagged.contains_key(&class)
    }
}

/// Whether an edge belongs to the start: from where it leads, something may still be started, or
/// it starts something itself.
pub fn is_starting(flow: &Flow, starting: &[bool], edge: EdgeId) -> bool {
    starting[flow.proctype.automaton.edges[edge.index()].from.index()]
}
