//! Models built by hand, and what every search result must satisfy.
#![allow(dead_code)]

pub mod brute_force;
pub mod promela;
pub mod random;
pub mod replay;

use std::sync::Arc;

use isospin_machine::Interpreter;
use isospin_model::*;
use isospin_search::{check_safety, Options, SearchResult, Verdict};
use replay::replay;

/// One edge of an automaton to be built.
pub struct EdgeSpec {
    pub from: u32,
    pub to: u32,
    pub action: Action,
    pub atomic: bool,
}

pub fn edge(from: u32, to: u32, action: Action) -> EdgeSpec {
    EdgeSpec { from, to, action, atomic: false }
}

pub fn atomic(from: u32, to: u32, action: Action) -> EdgeSpec {
    EdgeSpec { atomic: true, ..edge(from, to, action) }
}

/// Puts a model together: globals, then channels, then process types.
#[derive(Default)]
pub struct Builder {
    pub model: Model,
    at: u32,
}

impl Builder {
    /// A model whose first `hidden` bytes are not part of a state.
    pub fn new(hidden: u32) -> Builder {
        let mut builder = Builder::default();
        builder.model.layout.hidden = hidden;
        builder.model.layout.process_count = hidden;
        builder.at = hidden + 1;
        builder
    }

    /// Adds a global variable and says where it is.
    pub fn global(&mut self, ty: Scalar) -> Place {
        let place = Place { region: Region::Global, offset: self.at, indices: Vec::new(), ty };
        let slots = &mut self.model.layout.slots;
        let path = vec![Segment { name: format!("v{}", slots.len()), array: None }];
        slots.push(Slot { path, offset: self.at, ty, parameter: false });
        self.at += ty.width();
        place
    }

    /// A hidden variable at `offset`.
    pub fn hidden(&self, offset: u32) -> Place {
        Place { region: Region::Global, offset, indices: Vec::new(), ty: Scalar::BYTE }
    }

    /// Adds a global channel with one byte per message.
    pub fn channel(&mut self, capacity: u16) -> Expr {
        let ty = ChannelType::new(capacity, vec![Scalar::BYTE]);
        let size = ty.size();
        let layout = &mut self.model.layout;
        layout.channels.push(ChannelInstance {
            name: format!("c{}", layout.channels.len()),
            ty: ChannelTypeId(self.model.channel_types.len() as u16),
            offset: self.at,
        });
        self.model.channel_types.push(ty);
        self.model.features.rendezvous |= capacity == 0;
        self.at += size;
        Expr::ChannelId {
            owner: ChannelOwner::Global,
            first: layout.channels.len() as u16 - 1,
            index: None,
        }
    }

    /// Adds a process type; `ends` are the locations where it may end.
    pub fn proctype(&mut self, locations: u32, ends: &[u32], specs: Vec<EdgeSpec>) -> ProcTypeId {
        let mut automaton = Automaton::default();
        for location in 0..locations {
            let first_edge = EdgeId::at(automaton.edges.len());
            for spec in specs.iter().filter(|s| s.from == location) {
                automaton.edges.push(Edge {
                    from: LocationId(location),
                    target: LocationId(spec.to),
                    action: spec.action.clone(),
                    atomic: spec.atomic,
                    urgency: Default::default(),
                    escape: 0,
                    resets: Vec::new(),
                    statement: 0,
                    source: SourceRef::default(),
                    text: String::new(),
                });
            }
            automaton.locations.push(Location {
                number: location,
                first_edge,
                edge_count: automaton.edges.len() as u32 - first_edge.0,
                end: ends.contains(&location),
                ..Location::default()
            });
        }
        self.model.proctypes.push(ProcType {
            name: format!("P{}", self.model.proctypes.len()),
            kind: ProcKind::Process,
            parameters: 0,
            frame: FrameLayout { location_width: 1, size: 2, ..FrameLayout::default() },
            initializers: Vec::new(),
            provided: None,
            deterministic: false,
            automaton,
            source: SourceRef::default(),
        });
        ProcTypeId::at(self.model.proctypes.len() - 1)
    }

    /// Has a process of this type from the start.
    pub fn active(&mut self, proctype: ProcTypeId) {
        self.model.initial.push(Activation { proctype, priority: 1 });
    }

    pub fn build(mut self) -> Arc<Model> {
        self.model.layout.frames = self.at;
        Arc::new(self.model)
    }
}

pub fn load(place: &Place) -> Expr {
    Expr::Load(place.clone())
}

pub fn number(value: i32) -> Expr {
    Expr::Const(value)
}

pub fn op(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    Expr::binary(op, left, right)
}

/// `place = place + 1`.
pub fn increment(place: &Place) -> Action {
    let sum = op(BinaryOp::Add, load(place), number(1));
    Action::Assign(Some(place.clone()), sum)
}

/// `count` processes, each counting a variable of its own up to `limit`; `limit` to the power of
/// `count` states or so.
pub fn counters(count: usize, limit: i32) -> Arc<Model> {
    let mut b = Builder::new(0);
    let places: Vec<_> = (0..count).map(|_| b.global(Scalar::INT)).collect();
    for place in &places {
        let below = op(BinaryOp::Less, load(place), number(limit));
        let done = op(BinaryOp::Equal, load(place), number(limit));
        let ty = b.proctype(
            3,
            &[2],
            vec![
                edge(0, 1, Action::Condition(below)),
                edge(0, 2, Action::Condition(done)),
                edge(1, 0, increment(place)),
            ],
        );
        b.active(ty);
    }
    b.build()
}

/// Searches with the interpreter and checks what must hold of every result: every violation that
/// has steps can be replayed, and the figures agree with each other.
pub fn check(model: &Arc<Model>, options: &Options) -> SearchResult {
    let machines = || Interpreter::new(Arc::clone(model));
    let result = check_safety(machines, options, &mut |_| {});
    for violation in &result.violations {
        if let Err(error) = replay(model, violation) {
            panic!("{error}: {violation:?}");
        }
    }
    assert_eq!(result.errors > 0, result.verdict == Verdict::Violated);
    assert_eq!(result.errors > 0, !result.violations.is_empty());
    assert!(result.transitions >= result.states);
    assert!(result.peak_bytes >= result.store_bytes.min(1));
    if let Some(limit) = options.memory {
        assert!(result.peak_bytes <= limit);
    }
    result
}

/// Options that explore everything and count.
pub fn everything() -> Options {
    Options { errors: 0, ..Options::default() }
}
