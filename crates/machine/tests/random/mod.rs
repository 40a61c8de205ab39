//! Random models: small automata over a few variables and channels, with everything that a model
//! may contain.
#![allow(dead_code)] // Not every test makes models.

mod action;
mod expr;

use isospin_model::{
    Activation, Automaton, ChannelInstance, ChannelOwner, ChannelType, ChannelTypeId, Edge, EdgeId,
    Exclusive, Expr, Features, FrameLayout, Index, Initializer, Kind, Layout, Location, LocationId,
    Model, Place, ProcKind, ProcType, ProcTypeId, Region, Scalar, Segment, Slot, SourceRef,
};

/// A small random number generator: the same seed gives the same model.
pub struct Random(u64);

impl Random {
    /// The numbers that a seed stands for.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// True once in `n` times.
    pub fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// One of them.
    pub fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }
}

/// What the parts of a model that is being made know about it.
struct Maker {
    random: Random,
    channel_types: Vec<ChannelType>,
    layout: Layout,
    frames: Vec<FrameLayout>,
    /// How many locations each process type has.
    locations: Vec<usize>,
    /// Which process type is being made.
    current: usize,
    /// Whether there may be references to other processes.
    remote: bool,
    /// Whether most actions are sends and receives, and many of them rendez-vous.
    chatty: bool,
}

const TYPES: [Scalar; 11] = [
    Scalar::BIT,
    Scalar::BIT_ELEMENT,
    Scalar::BYTE,
    Scalar::BYTE,
    Scalar::SHORT,
    Scalar::INT,
    Scalar::CHANNEL,
    Scalar::PID,
    Scalar::unsigned(3),
    Scalar::unsigned(11),
    Scalar::new(Kind::Number, 6, true),
];

/// The model that a seed stands for.
pub fn model(seed: u64) -> Model {
    model_and_atoms(seed).0
}

/// The model that a seed stands for, and expressions that an observer may ask about it.
pub fn model_and_atoms(seed: u64) -> (Model, Vec<Expr>) {
    let mut random = Random::new(seed);
    let chatty = random.once_in(2);
    let channel_types = (0..random.below(4).max(usize::from(chatty)))
        .map(|k| {
            let capacity = random.pick(&[0, 1, 1, 2, 3, 5, 40, 300]);
            let capacity = if chatty && k == 0 { 0 } else { capacity };
            let fields = (0..1 + random.below(3)).map(|_| random.pick(&TYPES)).collect();
            ChannelType::new(capacity, fields)
        })
        .collect();
    let mut maker = Maker {
        random,
        channel_types,
        layout: Layout::default(),
        frames: Vec::new(),
        locations: Vec::new(),
        current: 0,
        remote: false,
        chatty,
    };
    maker.remote = maker.random.once_in(3);
    maker.make_layout();
    for _ in 0..1 + maker.random.below(3) {
        maker.make_frame();
    }
    let mut proctypes: Vec<ProcType> = (0..maker.frames.len()).map(|k| maker.proctype(k)).collect();
    let initializers = maker.initializers(None);
    let initial = (0..2 + maker.random.below(2))
        .map(|_| Activation {
            proctype: ProcTypeId::at(maker.random.below(maker.frames.len())),
            priority: 1,
        })
        .collect();
    let exclusives = maker.exclusives();
    // What names a claimed channel is never forgotten.
    for promise in &exclusives {
        if let Expr::Load(Place { region: Region::Local, offset, .. }) = promise.channel {
            for edge in &mut proctypes[promise.proctype.index()].automaton.edges {
                edge.resets.retain(|r| r.0 != offset);
            }
        }
    }
    maker.current = maker.random.below(maker.frames.len());
    let atoms = (0..1 + maker.random.below(6)).map(|_| maker.expr(4)).collect();
    let edges = || proctypes.iter().flat_map(|p: &ProcType| &p.automaton.edges);
    let features = Features {
        last: maker.layout.last.is_some(),
        rendezvous: maker.channel_types.iter().any(|t| t.capacity == 0),
        escapes: edges().any(|e| e.escape != 0),
        provided: proctypes.iter().any(|p| p.provided.is_some()),
        ..Features::default()
    };
    let model = Model {
        name: format!("random {seed}"),
        exclusives,
        layout: maker.layout,
        initializers,
        channel_types: maker.channel_types,
        proctypes,
        initial,
        features,
        ..Model::default()
    };
    (model, atoms)
}

impl Maker {
    fn make_layout(&mut self) {
        let mut at = 0;
        let count = self.random.below(2);
        let hidden = self.slots(count, 0, &mut at);
        self.layout.hidden = at;
        self.layout.process_count = at;
        at += 1;
        if self.random.once_in(3) {
            self.layout.last = Some(at);
            at += 1;
        }
        let count = 2 + self.random.below(4);
        self.layout.slots = hidden;
        let visible = self.slots(count, 0, &mut at);
        self.layout.slots.extend(visible);
        let count = self.random.below(5).max(usize::from(self.chatty));
        self.layout.channels = self.channels(count, &mut at);
        self.layout.frames = at;
    }

    /// Promises, in some models: of global and own channels, and of what variables hold.
    fn exclusives(&mut self) -> Vec<Exclusive> {
        let mut promises = Vec::new();
        if !self.random.once_in(3) {
            return promises;
        }
        for _ in 0..1 + self.random.below(4) {
            let ty = self.random.below(self.frames.len());
            let frame = &self.frames[ty];
            let mut named = Vec::new();
            let owners = [
                (ChannelOwner::Global, self.layout.channels.len()),
                (ChannelOwner::Executing, frame.channels.len()),
            ];
            for (owner, len) in owners {
                named.extend((0..len as u16).map(|first| Expr::ChannelId {
                    owner,
                    first,
                    index: None,
                }));
            }
            // What variables hold is mostly no channel.
            let channels = named.len();
            for (region, slots) in
                [(Region::Global, &self.layout.slots), (Region::Local, &frame.slots)]
            {
                named.extend(slots.iter().map(|slot| {
                    let region = region.clone();
                    let (offset, ty) = (slot.offset, slot.ty);
                    Expr::Load(Place { region, offset, indices: Vec::new(), ty })
                }));
            }
            if channels > 0 && !self.random.once_in(3) {
                named.truncate(channels);
            }
            let channel = self.random.pick(&named);
            promises.push(Exclusive {
                proctype: ProcTypeId::at(ty),
                channel,
                sending: self.random.once_in(2),
                source: SourceRef::default(),
            });
        }
        promises
    }

    fn make_frame(&mut self) {
        let wide = self.random.once_in(4);
        let location_width = if wide { 2 } else { 1 };
        let mut at = 1 + location_width;
        let count = 1 + self.random.below(3);
        let mut slots = self.slots(count, 1, &mut at);
        slots[0].parameter = true;
        let count = self.random.below(2);
        let channels = self.channels(count, &mut at);
        self.frames.push(FrameLayout { location_width, priority: None, slots, channels, size: at });
        let locations = 2 + self.random.below(4);
        self.locations.push(locations);
    }

    /// Variables; the first `single` of them are no arrays.
    fn slots(&mut self, count: usize, single: usize, at: &mut u32) -> Vec<Slot> {
        (0..count)
            .map(|k| {
                let ty = self.random.pick(&TYPES);
                let len = if k >= single && self.random.once_in(3) {
                    Some(self.random.pick(&[1, 2, 3, 256]))
                } else {
                    None
                };
                let offset = *at;
                *at += ty.width() * len.unwrap_or(1);
                Slot {
                    path: vec![Segment {
                        name: format!("v{k}"),
                        array: len.map(|len| (len, ty.width())),
                    }],
                    offset,
                    ty,
                    parameter: false,
                }
            })
            .collect()
    }

    fn channels(&mut self, count: usize, at: &mut u32) -> Vec<ChannelInstance> {
        if self.channel_types.is_empty() {
            return Vec::new();
        }
        // Neighbours are often alike, so that arrays of channels are seen.
        let mut ty = self.random.below(self.channel_types.len());
        if self.chatty {
            ty = 0;
        }
        (0..count)
            .map(|k| {
                if self.random.once_in(3) {
                    ty = self.random.below(self.channel_types.len());
                }
                let offset = *at;
                *at += self.channel_types[ty].size();
                ChannelInstance { name: format!("c{k}"), ty: ChannelTypeId::at(ty), offset }
            })
            .collect()
    }

    /// Starting values, of the model or of the current process type.
    fn initializers(&mut self, ty: Option<usize>) -> Vec<Initializer> {
        if let Some(ty) = ty {
            self.current = ty;
        }
        (0..self.random.below(4))
            .map(|_| {
                let region = if ty.is_some() { Region::Local } else { Region::Global };
                let mut place = self.place(region);
                if ty.is_none() {
                    // Nobody is there yet whose variables could be looked at.
                    for index in &mut place.indices {
                        index.expr = Expr::Const(self.random.below(index.len as usize) as i32);
                    }
                }
                let value = if ty.is_none() || !self.random.once_in(8) {
                    self.constant_or_channel(&place, ty.is_some())
                } else {
                    self.expr(2)
                };
                Initializer { place, value }
            })
            .collect()
    }

    fn proctype(&mut self, k: usize) -> ProcType {
        self.current = k;
        let count = self.locations[k];
        let mut automaton =
            Automaton { initial: LocationId::at(self.random.below(count)), ..Automaton::default() };
        for l in 0..count {
            let first_edge = EdgeId::at(automaton.edges.len());
            let edges = 1 + self.random.below(4);
            let escapes = self.random.once_in(4);
            for e in 0..edges {
                let mut edge = self.edge(l, count);
                if escapes && e < 3 {
                    edge.escape = [1, self.random.below(3) as u32, self.random.below(3) as u32][e];
                }
                automaton.edges.push(edge);
            }
            // Escapes stand first.
            automaton.edges[first_edge.index()..].sort_by_key(|e| {
                if e.escape == 0 {
                    u32::MAX
                } else {
                    e.escape
                }
            });
            automaton.locations.push(Location {
                number: 10 + l as u32,
                first_edge,
                edge_count: edges as u32,
                progress: self.random.once_in(4),
                ..Location::default()
            });
        }
        ProcType {
            name: format!("P{k}"),
            kind: ProcKind::Process,
            parameters: 1,
            frame: self.frames[k].clone(),
            initializers: self.initializers(Some(k)),
            provided: None,
            deterministic: self.random.once_in(5),
            automaton,
            source: SourceRef::default(),
        }
    }

    fn edge(&mut self, from: usize, locations: usize) -> Edge {
        Edge {
            from: LocationId::at(from),
            target: LocationId::at(self.random.below(locations)),
            action: self.action(true),
            atomic: self.random.once_in(4),
            urgency: Default::default(),
            escape: 0,
            resets: self.resets(),
            statement: 0,
            source: SourceRef::default(),
            text: String::new(),
        }
    }

    /// Local variables that an edge forgets.
    fn resets(&mut self) -> Vec<(u32, u32)> {
        if !self.random.once_in(3) {
            return Vec::new();
        }
        let slot = self.random.pick(&self.frames[self.current].slots.clone());
        let len = slot.path[0].array.map_or(1, |(len, _)| len);
        vec![(slot.offset, slot.ty.width() * len)]
    }

    /// A variable, or an element of one.
    fn place(&mut self, region: Region) -> Place {
        let slots = match region {
            Region::Global => self.layout.slots.clone(),
            Region::Local => self.frames[self.current].slots.clone(),
            Region::Remote { proctype, .. } => self.frames[proctype.index()].slots.clone(),
        };
        let slot = self.random.pick(&slots);
        let indices = match slot.path[0].array {
            Some((len, stride)) => vec![self.index(len, stride)],
            None => Vec::new(),
        };
        Place { region, offset: slot.offset, indices, ty: slot.ty }
    }

    fn index(&mut self, len: u32, stride: u32) -> Index {
        Index { expr: self.index_expr(len), len, stride }
    }
}
