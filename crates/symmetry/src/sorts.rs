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

use std::collections::HashMap;

use isospin_model::{
    Action, BinaryOp, ChannelOwner, Expr, Kind, Model, Place, ProcTypeId, ReceiveArg, Region,
};

use crate::flow::{dims, indices, is_single, slot_of, Flow, Point};

/// Something that has a sort.
pub type Node = u32;

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
    parent: Vec<Node>,
    /// For the root of channel-valued nodes, what is known of the channels.
    points_to: HashMap<Node, Node>,
    /// Message fields: of which channels, with which first field, which field.
    fields: HashMap<(Node, Option<i32>, usize), Node>,
    /// Channels whose messages are not told apart by their first field.
    untagged: HashMap<Node, ()>,
    channel_kind: Vec<bool>,
    pid: Node,
    global: Vec<Node>,
    global_dims: Vec<Vec<Node>>,
    /// For each type and slot, one node for an array and one a point for a single value.
    local: Vec<Vec<Vec<Node>>>,
    local_dims: Vec<Vec<Vec<Node>>>,
    global_channels: Vec<Node>,
    own_channels: Vec<Vec<Node>>,
    arrays: HashMap<ChannelArray, Node>,
    /// The sorts of declared sets of names.
    declared: Vec<Node>,
    /// Only channels are followed: what happens before everything has been started.
    channels_only: bool,
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
        };
        sorts.allocate();
        for (ty, flow) in flows.iter().enumerate() {
            let ty = ty as ProcTypeId;
            for arc in &flow.arcs {
                let site = Site { ty, point: arc.from };
                sorts.channels_only = is_starting(flow, &starting[ty as usize], arc.edge);
                sorts.action(site, arc.to, arc.action);
            }
            sorts.channels_only = false;
            if let Some(provided) = &flow.proctype.provided {
                sorts.value(Site { ty, point: 0 }, provided);
            }
            sorts.channels_only = !linked;
            for init in &flow.proctype.initializers {
                let site = Site { ty, point: flow.proctype.automaton.initial as usize };
                let value = sorts.value(site, &init.value);
                let place = sorts.place(site, site.point, &init.place);
                sorts.unify(value, Some(place));
            }
        }
        sorts.channels_only = true;
        for init in &model.initializers {
            let site = Site { ty: 0, point: 0 };
            let value = sorts.value(site, &init.value);
            let place = sorts.place(site, 0, &init.place);
            sorts.unify(value, Some(place));
        }
        sorts.channels_only = false;
        for expr in observers {
            sorts.value(Site { ty: 0, point: 0 }, expr);
        }
        sorts.declare_fields();
        sorts
    }

    fn fresh(&mut self, channel: bool) -> Node {
        self.parent.push(self.parent.len() as Node);
        self.channel_kind.push(channel);
        (self.parent.len() - 1) as Node
    }

    fn allocate(&mut self) {
        let (model, flows) = (self.model, self.flows);
        self.pid = self.fresh(false);
        self.declared = model.scalarsets.iter().map(|_| self.fresh(false)).collect();
        for slot in &model.layout.slots {
            let node = self.fresh(slot.ty.kind == Kind::Channel);
            self.global.push(node);
            self.declare(slot.ty.kind, node);
            let all = dims(slot).map(|_| self.fresh(false)).collect();
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
                all_dims.push(dims(slot).map(|_| self.fresh(false)).collect());
                if !is_single(slot) || flow.watched[k] {
                    let node = self.fresh(channel);
                    values.push(vec![node; flow.points]);
                    self.declare(slot.ty.kind, node);
                    continue;
                }
                let at: Vec<Node> = (0..flow.points).map(|_| self.fresh(channel)).collect();
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
    fn declare(&mut self, kind: Kind, node: Node) {
        if let Kind::Name(set) = kind {
            self.union(self.declared[usize::from(set)], node);
        }
    }

    /// The same for the fields of messages.
    fn declare_fields(&mut self) {
        let model = self.model;
        let mut channels: Vec<(Node, u16)> = Vec::new();
        for (channel, &node) in model.layout.channels.iter().zip(&self.global_channels) {
            channels.push((node, channel.ty));
        }
        for (proctype, own) in model.proctypes.iter().zip(&self.own_channels) {
            for (channel, &node) in proctype.frame.channels.iter().zip(own) {
                channels.push((node, channel.ty));
            }
        }
        for (node, ty) in channels {
            for (f, field) in model.channel_types[usize::from(ty)].fields.iter().enumerate() {
                let class = self.find(node);
                let keys = self.fields.iter().filter(|(k, _)| k.0 == class && k.2 == f);
                let nodes: Vec<Node> = keys.map(|(_, &node)| node).collect();
                nodes.into_iter().for_each(|node| self.declare(field.kind, node));
            }
        }
    }

    /// The sort of a declared set of names.
    pub fn declared(&self, set: usize) -> Node {
        self.find(self.declared[set])
    }

    /// The representative of a node's sort.
    pub fn find(&self, mut node: Node) -> Node {
        while self.parent[node as usize] != node {
            node = self.parent[node as usize];
        }
        node
    }

    /// The sort of process numbers.
    pub fn pid(&self) -> Node {
        self.find(self.pid)
    }

    /// Whether values of this sort name channels.
    pub fn is_channel(&self, node: Node) -> bool {
        self.channel_kind[self.find(node) as usize]
    }

    /// The sort of a global variable's values.
    pub fn global(&self, slot: usize) -> Node {
        self.find(self.global[slot])
    }

    /// The sorts of a global variable's indices.
    pub fn global_dims(&self, slot: usize) -> Vec<Node> {
        self.global_dims[slot].iter().map(|&n| self.find(n)).collect()
    }

    /// The sort of a local variable's values at a point.
    pub fn local(&self, ty: ProcTypeId, slot: usize, point: Point) -> Node {
        self.find(self.local[ty as usize][slot][point])
    }

    /// The sorts of a local variable's indices.
    pub fn local_dims(&self, ty: ProcTypeId, slot: usize) -> Vec<Node> {
        self.local_dims[ty as usize][slot].iter().map(|&n| self.find(n)).collect()
    }

    /// Every array of channels that is indexed, with the sort of its index.
    pub fn channel_arrays(&self) -> Vec<(ChannelArray, Node)> {
        let mut all: Vec<_> = self.arrays.iter().map(|(a, &n)| (*a, self.find(n))).collect();
        all.sort_by_key(|(a, _)| (a.owner, a.first));
        all
    }

    /// Whether some array is indexed by values of this sort.
    pub fn is_index(&self, node: Node) -> bool {
        let node = self.find(node);
        let local = self.local_dims.iter().flatten();
        let mut dims = self.global_dims.iter().chain(local).flatten();
        dims.any(|&d| self.find(d) == node) || self.arrays.values().any(|&d| self.find(d) == node)
    }

    /// The sort of the index of an array of channels.
    pub fn array(&self, array: &ChannelArray) -> Option<Node> {
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
    ) -> Option<Node> {
        let class = self.find(match owner {
            None => self.global_channels[channel],
            Some(ty) => self.own_channels[ty as usize][channel],
        });
        let tag = (field > 0 && !self.untagged.contains_key(&class)).then_some(tag);
        self.fields.get(&(class, tag, field)).map(|&n| self.find(n))
    }

    /// The first fields that messages of a channel are told apart by.
    pub fn known_tags(&self, owner: Option<ProcTypeId>, channel: usize) -> Vec<i32> {
        let class = self.find(match owner {
            None => self.global_channels[channel],
            Some(ty) => self.own_channels[ty as usize][channel],
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
            Some(ty) => self.own_channels[ty as usize][channel],
        });
        !self.untagged.contains_key(&class)
    }

    fn unify(&mut self, a: Option<Node>, b: Option<Node>) {
        let (Some(a), Some(b)) = (a, b) else { return };
        let (a, b) = (self.find(a), self.find(b));
        let channels = self.channel_kind[a as usize] && self.channel_kind[b as usize];
        if !self.channels_only || channels {
            self.union(a, b);
        }
    }

    fn union(&mut self, a: Node, b: Node) {
        let mut todo = vec![(a, b)];
        while let Some((a, b)) = todo.pop() {
            let (a, b) = (self.find(a), self.find(b));
            if a == b {
                continue;
            }
            self.parent[b as usize] = a;
            let channel = self.channel_kind[b as usize];
            self.channel_kind[a as usize] |= channel;
            if let Some(theirs) = self.points_to.remove(&b) {
                match self.points_to.get(&a) {
                    Some(&mine) => todo.push((mine, theirs)),
                    None => {
                        self.points_to.insert(a, theirs);
                    }
                }
            }
            // For channels, their messages.
            if self.untagged.remove(&b).is_some() {
                self.untagged.insert(a, ());
            }
            let moved: Vec<_> = self.fields.keys().filter(|k| k.0 == b).copied().collect();
            for key in moved {
                if let Some(node) = self.fields.remove(&key) {
                    self.add_field((a, key.1, key.2), node, &mut todo);
                }
            }
            if self.untagged.contains_key(&a) {
                self.drop_tags(a, &mut todo);
            }
        }
    }

    fn add_field(
        &mut self,
        key: (Node, Option<i32>, usize),
        node: Node,
        todo: &mut Vec<(Node, Node)>,
    ) {
        match self.fields.get(&key) {
            Some(&there) => todo.push((there, node)),
            None => {
                self.fields.insert(key, node);
            }
        }
    }

    fn drop_tags(&mut self, class: Node, todo: &mut Vec<(Node, Node)>) {
        let tagged: Vec<_> =
            self.fields.keys().filter(|k| k.0 == class && k.1.is_some()).copied().collect();
        for key in tagged {
            if let Some(node) = self.fields.remove(&key) {
                self.add_field((class, None, key.2), node, todo);
            }
        }
    }

    /// The sort of a field of the messages in the channels of `class`.
    fn field(&mut self, class: Node, tag: Option<i32>, field: usize, channel: bool) -> Node {
        let class = self.find(class);
        if field > 0 && tag.is_none() && self.untagged.insert(class, ()).is_none() {
            let mut todo = Vec::new();
            self.drop_tags(class, &mut todo);
            todo.into_iter().for_each(|(a, b)| self.union(a, b));
        }
        let class = self.find(class);
        let tag = if field == 0 || self.untagged.contains_key(&class) { None } else { tag };
        if let Some(&node) = self.fields.get(&(class, tag, field)) {
            return node;
        }
        let node = self.fresh(channel);
        self.fields.insert((class, tag, field), node);
        node
    }

    /// The channels that a channel-valued node names.
    fn channels(&mut self, node: Node) -> Node {
        let root = self.find(node);
        if let Some(&class) = self.points_to.get(&root) {
            return class;
        }
        let class = self.fresh(false);
        self.points_to.insert(root, class);
        class
    }

    /// The sort of a place's values, `after` telling the point at which a local one is looked at.
    pub fn place(&mut self, site: Site, after: Point, place: &Place) -> Node {
        let (slots, ty) = match &place.region {
            Region::Global => (&self.model.layout.slots, None),
            Region::Local => (&self.flows[site.ty as usize].proctype.frame.slots, Some(site.ty)),
            Region::Remote { proctype, pid } => {
                if let Some(pid) = pid {
                    let value = self.value(site, pid);
                    self.unify(value, Some(self.pid));
                }
                (&self.model.proctypes[*proctype as usize].frame.slots, Some(*proctype))
            }
        };
        let k = slot_of(slots, place);
        for (d, index) in indices(&slots[k], place).into_iter().enumerate() {
            if let Ok(expr) = index {
                let value = self.value(site, expr);
                let dim = match ty {
                    None => self.global_dims[k][d],
                    Some(ty) => self.local_dims[ty as usize][k][d],
                };
                self.unify(value, Some(dim));
            }
        }
        match ty {
            None => self.global[k],
            Some(ty) if place.region == Region::Local => self.local[ty as usize][k][after],
            Some(ty) => self.local[ty as usize][k][0],
        }
    }

    /// The sort of an expression's value; `None` for one that is a number of no sort.
    pub fn value(&mut self, site: Site, expr: &Expr) -> Option<Node> {
        match expr {
            Expr::Const(_) | Expr::Timeout | Expr::NonProgress | Expr::ProcessCount => None,
            Expr::Load(place) => Some(self.place(site, site.point, place)),
            Expr::Pid | Expr::Last => Some(self.pid),
            Expr::Unary(_, e) => {
                self.value(site, e);
                None
            }
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.value(site, a), self.value(site, b));
                match op {
                    BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Modulo => {
                        self.unify(a, b);
                        a.or(b)
                    }
                    BinaryOp::Equal
                    | BinaryOp::NotEqual
                    | BinaryOp::Less
                    | BinaryOp::LessEqual
                    | BinaryOp::Greater
                    | BinaryOp::GreaterEqual => {
                        self.unify(a, b);
                        None
                    }
                    _ => None,
                }
            }
            Expr::Conditional(c, a, b) => {
                self.value(site, c);
                let (a, b) = (self.value(site, a), self.value(site, b));
                self.unify(a, b);
                a.or(b)
            }
            Expr::ChannelId { owner, first, index } => {
                let owner = match owner {
                    ChannelOwner::Global => None,
                    ChannelOwner::Executing => Some(site.ty),
                };
                let channel = |sorts: &Sorts, k: usize| match owner {
                    None => sorts.global_channels[k],
                    Some(ty) => sorts.own_channels[ty as usize][k],
                };
                let class = channel(self, *first as usize);
                if let Some(index) = index {
                    let (len, stride) = (index.len, index.stride);
                    for k in 1..len {
                        let other = channel(self, *first as usize + (k * stride) as usize);
                        self.union(class, other);
                    }
                    let array = ChannelArray { owner, first: *first, len, stride };
                    let dim = match self.arrays.get(&array) {
                        Some(&dim) => dim,
                        None => {
                            let dim = self.fresh(false);
                            self.arrays.insert(array, dim);
                            dim
                        }
                    };
                    let value = self.value(site, &index.expr);
                    self.unify(value, Some(dim));
                }
                let node = self.fresh(true);
                self.points_to.insert(node, class);
                Some(node)
            }
            Expr::Len(e) | Expr::Full(e) | Expr::Empty(e) => {
                self.value(site, e);
                None
            }
            Expr::Poll { channel, pattern, .. } => {
                self.receive(site, site.point, channel, pattern);
                None
            }
            Expr::Run { proctype, args, .. } => {
                let entry = self.flows[*proctype as usize].proctype.automaton.initial as usize;
                for (k, arg) in args.iter().enumerate() {
                    let value = self.value(site, arg);
                    let parameter = self.local[*proctype as usize][k][entry];
                    self.unify(value, Some(parameter));
                }
                Some(self.pid)
            }
            Expr::Enabled(e) | Expr::PcValue(e) | Expr::Priority(e) => {
                let value = self.value(site, e);
                self.unify(value, Some(self.pid));
                None
            }
            Expr::AtLocation { pid, .. } => {
                if let Some(pid) = pid {
                    let value = self.value(site, pid);
                    self.unify(value, Some(self.pid));
                }
                None
            }
        }
    }

    /// The sort of argument `k` of a message that is sent or received on `channel`.
    pub fn argument(
        &mut self,
        site: Site,
        channel: &Expr,
        tag: Option<i32>,
        k: usize,
        is_channel: bool,
    ) -> Option<Node> {
        let channel = self.value(site, channel)?;
        let class = self.channels(channel);
        Some(self.field(class, tag, k, is_channel))
    }

    fn receive(&mut self, site: Site, to: Point, channel: &Expr, pattern: &[ReceiveArg]) {
        let tag = self.tag_of_pattern(pattern);
        for (k, arg) in pattern.iter().enumerate() {
            let (value, is_channel) = match arg {
                ReceiveArg::Match(e) => {
                    let value = self.value(site, e);
                    (value, value.is_some_and(|v| self.is_channel(v)))
                }
                ReceiveArg::Store(place) => {
                    (Some(self.place(site, to, place)), place.ty.kind == Kind::Channel)
                }
                ReceiveArg::Ignore => continue,
            };
            let field = self.argument(site, channel, tag, k, is_channel);
            self.unify(field, value);
        }
    }

    /// The first field of a message, where it is a constant.
    pub fn tag_of_message(&self, args: &[Expr]) -> Option<i32> {
        match args.first() {
            Some(Expr::Const(tag)) => self.survives(*tag).then_some(*tag),
            _ => None,
        }
    }

    /// The first field that a pattern asks for, where it is a constant.
    pub fn tag_of_pattern(&self, pattern: &[ReceiveArg]) -> Option<i32> {
        match pattern.first() {
            Some(ReceiveArg::Match(Expr::Const(tag))) => self.survives(*tag).then_some(*tag),
            _ => None,
        }
    }

    /// Whether a message keeps its first field when it is sent: one that is cut off would arrive as
    /// another.
    fn survives(&self, tag: i32) -> bool {
        let first = |t: &isospin_model::ChannelType| t.fields.first().copied();
        self.model.channel_types.iter().filter_map(first).all(|field| field.truncate(tag) == tag)
    }

    fn action(&mut self, site: Site, to: Point, action: &Action) {
        match action {
            Action::Skip | Action::Else | Action::End | Action::DetStep(_) => {}
            Action::Condition(e) | Action::Assert(e) | Action::PrintSymbol(e) => {
                self.value(site, e);
            }
            Action::Assign(place, e) => {
                let value = self.value(site, e);
                if let Some(place) = place {
                    // Indices are computed where the step starts.
                    let place = self.place(site, to, place);
                    self.unify(value, Some(place));
                }
            }
            Action::Send { channel, args, .. } => {
                let tag = self.tag_of_message(args);
                for (k, arg) in args.iter().enumerate() {
                    let value = self.value(site, arg);
                    let is_channel = value.is_some_and(|v| self.is_channel(v));
                    let field = self.argument(site, channel, tag, k, is_channel);
                    self.unify(field, value);
                }
            }
            Action::Receive { channel, pattern, .. } => {
                self.receive(site, to, channel, pattern);
            }
            Action::Print { args, .. } => {
                args.iter().for_each(|a| {
                    self.value(site, a);
                });
            }
            Action::SetPriority { pid, priority } => {
                let value = self.value(site, pid);
                self.unify(value, Some(self.pid));
                self.value(site, priority);
            }
        }
    }
}

/// Whether an edge belongs to the start: from where it leads, something may still be started, or
/// it starts something itself.
pub fn is_starting(flow: &Flow, starting: &[bool], edge: u32) -> bool {
    starting[flow.proctype.automaton.edges[edge as usize].from as usize]
}
