//! Declarations: where variables live, and what they start with.

use isospin_model::time::OFF;
use isospin_model::{
    Action, Expr as ModelExpr, FrameLayout, Initializer as ModelInitializer, Kind, Place, Region,
    Scalar,
};
use isospin_source::{Name, Span};

use super::graph::ElementKind;
use super::initial::off;
use super::storage::{Home, Storage};
use super::types::{FieldInit, VarType};
use super::Lowering;
use crate::symbols::VariableId;
use crate::syntax::ast::*;

/// A state vector that would be larger than this is refused.
pub(super) const MAX_VECTOR: u64 = 60_000;

/// The frame of the process type that is being lowered.
#[derive(Default)]
pub(super) struct FrameBuilder {
    pub layout: FrameLayout,
    pub initializers: Vec<ModelInitializer>,
}

impl FrameBuilder {
    /// An empty frame with `location_width` bytes for the location.
    pub fn new(location_width: u32, priorities: bool) -> FrameBuilder {
        let mut layout = FrameLayout { location_width, ..FrameLayout::default() };
        layout.size = FrameLayout::LOCATION + location_width;
        if priorities {
            layout.priority = Some(layout.size);
            layout.size += 1;
        }
        FrameBuilder { layout, ..FrameBuilder::default() }
    }
}

/// Who is declaring.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Owner {
    Model { hidden: bool },
    Process { parameter: bool },
}

impl Lowering<'_> {
    /// The global variables. Hidden ones come first in the vector, and records last, as their
    /// channels come last in Spin's numbering.
    pub(super) fn declare_globals(&mut self) {
        let tree = self.tree;
        let decls = || {
            tree.items.iter().filter_map(|item| match item {
                Item::Variables(v) => Some(v),
                _ => None,
            })
        };
        let is_hidden = |v: &VarDecl| v.visibility == Some(Visibility::Hidden);
        let is_record = |v: &VarDecl| matches!(v.ty.kind, TypeKind::Named(_));
        for decl in decls().filter(|v| is_hidden(v)) {
            self.declare_all(decl, Owner::Model { hidden: true });
        }
        let layout = &mut self.model.layout;
        layout.hidden = layout.frames;
        layout.process_count = layout.hidden;
        layout.frames += 1;
        if self.model.features.last {
            layout.last = Some(layout.frames);
            layout.frames += 1;
        }
        if tree.items.iter().any(|item| matches!(item, Item::Trace(_))) {
            layout.event = Some(layout.frames);
            layout.frames += 2;
        }
        for decl in decls().filter(|v| !is_hidden(v) && !is_record(v)) {
            self.declare_all(decl, Owner::Model { hidden: false });
        }
        for decl in decls().filter(|v| !is_hidden(v) && is_record(v)) {
            self.declare_all(decl, Owner::Model { hidden: false });
        }
        let mut at = self.model.layout.frames;
        for channel in &mut self.model.layout.channels {
            channel.offset = at;
            at += self.model.channel_types[channel.ty.index()].size();
        }
        self.model.layout.frames = at;
        if self.model.layout.channels.len() > 255 {
            self.error(Span::NONE, "more than 255 global channels");
        }
        // Spin initialises globals type by type.
        let inits = &mut self.model.initializers;
        inits.sort_by_key(|init| match (init.place.ty.kind, init.place.ty.bits) {
            (Kind::Bool, _) => 1,
            (Kind::Number, 32) | (Kind::Timer, _) => 6,
            (Kind::Number, 16) if init.place.ty.signed => 5,
            (Kind::Number, 8) | (Kind::Pid | Kind::Name(_), _) => 2,
            (Kind::Number, _) => 0,
            (Kind::Channel, _) => 3,
            (Kind::Mtype(_), _) => 4,
            (Kind::Clock { .. }, _) => 7,
        });
    }

    fn declare_all(&mut self, decl: &VarDecl, owner: Owner) {
        for var in &decl.vars {
            self.declare(var, owner, true);
        }
    }

    /// Parameters; says how many values they take.
    pub(super) fn declare_parameters(&mut self, decl: &VarDecl) -> u32 {
        let before = self.frame.layout.slots.len();
        self.declare_all(decl, Owner::Process { parameter: true });
        (self.frame.layout.slots.len() - before) as u32
    }

    /// Local variables. Behind the first statement of a body, a declaration is a step.
    pub(super) fn declare_locals(&mut self, decl: &VarDecl) {
        for var in &decl.vars {
            let at_start = self.at_start;
            let owner = Owner::Process { parameter: false };
            let Some(variable) = self.declare(var, owner, at_start) else {
                continue;
            };
            if at_start || matches!(var.init, Some(Initializer::Channel(_))) {
                continue;
            }
            let value = match &var.init {
                Some(Initializer::Expr(e)) => self.expr(e),
                Some(Initializer::List { items, .. }) => {
                    items.first().map_or(ModelExpr::Const(0), |e| self.expr(e))
                }
                _ => match variable.ty {
                    VarType::Scalar(Scalar { kind: Kind::Timer, .. }) => ModelExpr::Const(OFF),
                    _ => ModelExpr::Const(0),
                },
            };
            let place = match variable.ty {
                VarType::Scalar(ty) => variable.first_place(ty),
                VarType::Record(_) => None,
            };
            let (source, text) = (self.source(var.span), self.text(var.span));
            let node = ElementKind::Basic(Action::Assign(place, value));
            let el = self.graph.element(node, source, &text);
            self.graph.add(el);
        }
    }

    /// A counter that the text does not name.
    pub(super) fn declare_counter(&mut self, ty: Scalar) -> Place {
        let offset = self.frame.layout.size;
        let name = Name::from(format!("_for_{offset}"));
        let slots = self.types.slots(&name, VarType::Scalar(ty), None, offset, false);
        self.frame.layout.slots.extend(slots);
        self.frame.layout.size += ty.width();
        Place { region: Region::Local, offset, indices: Vec::new(), ty }
    }

    fn declare(&mut self, var: &Declarator, owner: Owner, initialize: bool) -> Option<Storage> {
        let Some(id) = self.symbols.variable_of(&var.name) else {
            self.undeclared(&var.name);
            return None;
        };
        let symbol = self.symbols.variable(id);
        let (ty, array) = self.variable_type(symbol, var)?;
        let name = &symbol.name;
        let channel = match &var.init {
            Some(Initializer::Channel(c)) => Some(self.channel_type(c)?),
            _ => None,
        };
        let capacity = channel.map(|ty| self.model.channel_types[ty.index()].capacity);
        let len = array.unwrap_or(1);
        // A channel variable that nothing is ever stored in needs no room of its own; one that is
        // looked at from outside does.
        if let (Some(channel), false) = (channel, symbol.written || symbol.remote) {
            let (whose, first) = self.create_channels(owner, name, array, channel);
            let home = Home::Channels(whose, first);
            return self.remember(id, Storage { ty, array, home, capacity });
        }
        let size = self.types.size_of(ty, array);
        let end = match owner {
            Owner::Model { .. } => &mut self.model.layout.frames,
            Owner::Process { .. } => &mut self.frame.layout.size,
        };
        let offset = *end;
        if u64::from(offset) + size > MAX_VECTOR {
            self.error(var.span, format!("with `{name}` a state is larger than it can be"));
            return None;
        }
        *end += size as u32;
        let home = match owner {
            Owner::Model { .. } => Home::Global(offset),
            Owner::Process { .. } => Home::Local(offset),
        };
        let parameter = owner == Owner::Process { parameter: true };
        let slots = self.types.slots(name, ty, array, offset, parameter);
        match owner {
            Owner::Model { .. } => self.model.layout.slots.extend(slots),
            Owner::Process { .. } => self.frame.layout.slots.extend(slots),
        }
        match ty {
            VarType::Record(record) => {
                let path = name.to_string();
                for i in 0..len {
                    let at = offset + i * self.types.size(ty);
                    let path = if array.is_some() { format!("{path}[{i}]") } else { path.clone() };
                    self.initialize_record(owner, record, &path, at);
                }
            }
            VarType::Scalar(scalar) => {
                let init = match &var.init {
                    Some(Initializer::Channel(c)) => Some(FieldInit::Channel(c.clone())),
                    Some(Initializer::Expr(e)) if initialize => Some(FieldInit::Value(e.clone())),
                    Some(Initializer::List { items, .. }) if initialize => {
                        Some(FieldInit::List(items.clone()))
                    }
                    // A timer is off before its declaration is come to, too.
                    _ => off(scalar, owner),
                };
                if let Some(init) = init {
                    self.initialize(owner, name, scalar, array, offset, &init);
                }
            }
        }
        self.remember(id, Storage { ty, array, home, capacity })
    }

    fn remember(&mut self, id: VariableId, storage: Storage) -> Option<Storage> {
        self.storage[id.0] = Some(storage);
        Some(storage)
    }

    /// Places the channels behind the variables and hands the frame over.
    pub(super) fn finish_frame(&mut self) -> (FrameLayout, Vec<ModelInitializer>) {
        let frame = std::mem::take(&mut self.frame);
        let mut layout = frame.layout;
        for channel in &mut layout.channels {
            channel.offset = layout.size;
            layout.size += self.model.channel_types[channel.ty.index()].size();
        }
        if u64::from(layout.size) > MAX_VECTOR {
            self.error(Span::NONE, "the variables of a process are larger than a state can be");
        }
        (layout, frame.initializers)
    }
}
