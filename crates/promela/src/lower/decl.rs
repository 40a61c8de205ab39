//! Declarations: where variables live, and what they start with.

use std::collections::HashMap;

use isospin_model::time::OFF;
use isospin_model::{
    Action, ChannelInstance, ChannelOwner, ChannelType, ChannelTypeId, Expr as ModelExpr,
    FrameLayout, Initializer as ModelInitializer, Kind, MtypeSet, Place, Region, Scalar,
};

use super::graph::Node;
use super::scope::{Home, Variable};
use super::types::{element_type, Field, FieldInit, Record, VarType};
use super::Lowering;
use crate::source::{Name, Span};
use crate::syntax::ast::*;

/// A state vector that would be larger than this is refused.
const MAX_VECTOR: u64 = 60_000;

/// The frame of the process type that is being lowered.
#[derive(Default)]
pub(super) struct Frame {
    layout: FrameLayout,
    initializers: Vec<ModelInitializer>,
    /// The last variable declared under each name, for references from outside.
    pub variables: HashMap<Name, Variable>,
}

impl Frame {
    /// An empty frame with `location_width` bytes for the location.
    pub fn new(location_width: u32, priorities: bool) -> Frame {
        let mut layout = FrameLayout { location_width, ..FrameLayout::default() };
        layout.size = FrameLayout::LOCATION + location_width;
        if priorities {
            layout.priority = Some(layout.size);
            layout.size += 1;
        }
        Frame { layout, ..Frame::default() }
    }
}

/// Who is declaring.
#[derive(Clone, Copy, PartialEq)]
enum Owner {
    Model { hidden: bool },
    Process { parameter: bool },
}

impl Lowering<'_> {
    /// Record types and symbolic types.
    pub(super) fn declare_types(&mut self) {
        let tree = self.tree;
        self.model.mtypes.push(MtypeSet { name: String::new(), members: Vec::new() });
        for item in &tree.items {
            match item {
                Item::Mtype(m) => self.declare_mtype(m),
                Item::Typedef(t) => self.declare_record(t),
                // Array bounds of records may name initialised globals.
                Item::Variables(v) => self.note_constants(v),
                _ => {}
            }
        }
    }

    fn declare_mtype(&mut self, m: &MtypeDecl) {
        let name = m.subtype.as_ref().map_or("", |s| s.name.as_str());
        let set = self.mtype_set(name);
        // Within one declaration the last name comes first.
        for ident in m.names.iter().rev() {
            let members = &mut self.model.mtypes[set as usize].members;
            let value = members.len() as i32 + 1;
            members.push((ident.name.to_string(), value));
            self.mtype_constants.entry(ident.name.clone()).or_insert((value, set));
        }
    }

    fn mtype_set(&mut self, name: &str) -> u16 {
        let sets = &mut self.model.mtypes;
        let at = sets.iter().position(|s| s.name == name).unwrap_or_else(|| {
            sets.push(MtypeSet { name: name.to_owned(), members: Vec::new() });
            sets.len() - 1
        });
        at as u16
    }

    fn note_constants(&mut self, decl: &VarDecl) {
        for var in &decl.vars {
            let value = match &var.init {
                Some(Initializer::Expr(e)) => self.constant(e),
                _ => None,
            };
            if let Some(value) = value {
                self.constants.insert(var.name.name.clone(), value);
            }
        }
    }

    fn declare_record(&mut self, t: &Typedef) {
        let mut record = Record { name: t.name.name.clone(), fields: Vec::new(), size: 0 };
        let mut size = 0u64;
        for decl in &t.fields {
            for var in &decl.vars {
                let Some((ty, array)) = self.var_type(&decl.ty, var) else {
                    continue;
                };
                let init = match &var.init {
                    None => None,
                    Some(Initializer::Expr(e)) => Some(FieldInit::Value(e.clone())),
                    Some(Initializer::List { items, .. }) => Some(FieldInit::List(items.clone())),
                    Some(Initializer::Channel(c)) => Some(FieldInit::Channel(c.clone())),
                };
                let name = var.name.name.clone();
                record.fields.push(Field { name, ty, array, offset: size as u32, init });
                size += self.types.size_of(ty, array);
            }
        }
        if size > MAX_VECTOR {
            self.error(t.name.span, format!("`{}` is larger than a state can be", t.name.name));
            size = 0;
        }
        record.size = size as u32;
        self.type_names.insert(record.name.clone(), self.types.records.len());
        self.types.records.push(record);
    }

    /// The type of a declared variable, and its array bound.
    fn var_type(&mut self, ty: &Type, var: &Declarator) -> Option<(VarType, Option<u32>)> {
        let array = match &var.size {
            Some(size) => {
                let len = self.size(size);
                if len <= 0 {
                    self.error(size.span, format!("the array `{}` has no elements", var.name.name));
                    return None;
                }
                Some(len as u32)
            }
            None => None,
        };
        let width = match &var.width {
            Some(width) => self.constant(width),
            None => None,
        };
        let ty = self.base_type(ty, width)?;
        Some((element_type(ty, array), array))
    }

    fn base_type(&mut self, ty: &Type, width: Option<i32>) -> Option<VarType> {
        Some(VarType::Scalar(match &ty.kind {
            TypeKind::Bit | TypeKind::Bool => Scalar::BIT,
            TypeKind::Byte => Scalar::BYTE,
            TypeKind::Pid => Scalar::PID,
            TypeKind::Short => Scalar::SHORT,
            TypeKind::Int => Scalar::INT,
            TypeKind::Unsigned => Scalar::unsigned(width.unwrap_or(32).clamp(1, 32) as u8),
            TypeKind::Chan => Scalar::CHANNEL,
            TypeKind::Timer => Scalar::TIMER,
            TypeKind::Scalarset(name, size) => {
                let set = self.scalarset(name, size)?;
                Scalar::new(Kind::Name(set), 8, false)
            }
            TypeKind::Mtype(set) => {
                let name = set.as_ref().map_or("", |s| s.name.as_str()).to_owned();
                let set = self.mtype_set(&name);
                Scalar::new(Kind::Mtype(set), 8, false)
            }
            TypeKind::Named(name) => match self.type_names.get(&name.name) {
                Some(&record) => return Some(VarType::Record(record)),
                None => {
                    self.error(name.span, format!("there is no type `{}`", name.name));
                    return None;
                }
            },
        }))
    }

    /// The number of a scalarset, which is declared wherever it is used.
    fn scalarset(&mut self, name: &Ident, size: &Expr) -> Option<u16> {
        let size_span = size.span;
        let size = self.constant(size)?;
        if !(1..=255).contains(&size) {
            self.error(size_span, "a scalarset has 1 to 255 members");
            return None;
        }
        let size = size as u8;
        let sets = &self.model.scalarsets;
        if let Some(k) = sets.iter().position(|s| s.name == name.name.as_str()) {
            if sets[k].size != size {
                let message = format!("`{}` has {} members elsewhere", name.name, sets[k].size);
                self.error(size_span, message);
            }
            return Some(k as u16);
        }
        let source = self.source(name.span);
        let name = name.name.as_str().to_owned();
        self.model.scalarsets.push(isospin_model::Scalarset { name, size, source });
        Some((self.model.scalarsets.len() - 1) as u16)
    }

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
        });
    }

    fn declare_all(&mut self, decl: &VarDecl, owner: Owner) {
        for var in &decl.vars {
            self.declare(decl, var, owner, true);
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
            let Some(variable) = self.declare(decl, var, owner, at_start) else {
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
                VarType::Scalar(ty) => first_place(variable, ty),
                VarType::Record(_) => None,
            };
            let (source, text) = (self.source(var.span), self.text(var.span));
            let node = Node::Basic(Action::Assign(place, value));
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

    fn declare(
        &mut self,
        decl: &VarDecl,
        var: &Declarator,
        owner: Owner,
        initialize: bool,
    ) -> Option<Variable> {
        let (ty, array) = self.var_type(&decl.ty, var)?;
        let name = &var.name.name;
        let channel = match &var.init {
            Some(Initializer::Channel(c)) => Some(self.channel_type(c)),
            _ => None,
        };
        let capacity = channel.map(|ty| self.model.channel_types[ty.index()].capacity);
        let len = array.unwrap_or(1);
        // A channel variable that nothing is ever stored in needs no room of its own.
        if let (Some(channel), false) = (channel, self.names.written.contains(name)) {
            let (whose, first) = self.create_channels(owner, name, array, channel);
            let home = Home::Channels(whose, first);
            let variable = Variable { ty, array, home, capacity };
            self.remember(name, variable, owner);
            return Some(variable);
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
        let variable = Variable { ty, array, home, capacity };
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
        self.remember(name, variable, owner);
        Some(variable)
    }

    fn remember(&mut self, name: &Name, variable: Variable, owner: Owner) {
        self.scopes.declare(name.clone(), variable);
        if let Owner::Process { .. } = owner {
            self.frame.variables.insert(name.clone(), variable);
        }
    }

    fn initialize_record(&mut self, owner: Owner, record: usize, path: &str, offset: u32) {
        for field in self.types.records[record].fields.clone() {
            let at = offset + field.offset;
            let path = format!("{path}.{}", field.name);
            match (field.ty, &field.init) {
                (VarType::Record(inner), _) => {
                    for i in 0..field.array.unwrap_or(1) {
                        let at = at + i * self.types.size(field.ty);
                        self.initialize_record(owner, inner, &path, at);
                    }
                }
                (VarType::Scalar(ty), Some(init)) => {
                    self.initialize(owner, &Name::from(path), ty, field.array, at, init);
                }
                (VarType::Scalar(ty), None) => {
                    if let Some(init) = off(ty, owner) {
                        self.initialize(owner, &Name::from(path), ty, field.array, at, &init);
                    }
                }
            }
        }
    }

    fn initialize(
        &mut self,
        owner: Owner,
        name: &Name,
        ty: Scalar,
        array: Option<u32>,
        offset: u32,
        init: &FieldInit,
    ) {
        let region = match owner {
            Owner::Model { .. } => Region::Global,
            Owner::Process { .. } => Region::Local,
        };
        let values: Vec<ModelExpr> = match init {
            FieldInit::Value(e) => {
                let value = self.expr(e);
                vec![value; array.unwrap_or(1) as usize]
            }
            FieldInit::List(items) => {
                let listed: Vec<ModelExpr> = items.iter().map(|e| self.expr(e)).collect();
                // The last value given stands for those that follow.
                let last = listed.last().cloned();
                listed
                    .into_iter()
                    .chain(last.into_iter().cycle())
                    .take(array.unwrap_or(1) as usize)
                    .collect()
            }
            FieldInit::Channel(c) => {
                let channel = self.channel_type(c);
                let (owner, first) = self.create_channels(owner, name, array, channel);
                (0..array.unwrap_or(1) as u16)
                    .map(|i| ModelExpr::ChannelId { owner, first: first + i, index: None })
                    .collect()
            }
        };
        for (i, value) in values.into_iter().enumerate() {
            let offset = offset + i as u32 * ty.width();
            let place = Place { region: region.clone(), offset, indices: Vec::new(), ty };
            let init = ModelInitializer { place, value };
            match owner {
                Owner::Model { .. } => self.model.initializers.push(init),
                Owner::Process { .. } => self.frame.initializers.push(init),
            }
        }
    }

    /// The type of a channel literal.
    fn channel_type(&mut self, init: &ChannelInit) -> ChannelTypeId {
        let capacity = match self.constant(&init.capacity) {
            Some(capacity @ 0..=60_000) => capacity as u16,
            _ => {
                self.error(
                    init.capacity.span,
                    "a channel's capacity is a constant from 0 to 60000",
                );
                0
            }
        };
        let mut fields = Vec::new();
        for ty in &init.fields {
            let first = fields.len();
            match self.base_type(ty, None) {
                Some(VarType::Scalar(s)) => fields.push(s),
                Some(VarType::Record(r)) => self.flatten_fields(r, &mut fields),
                None => {}
            }
            if fields[first..].iter().any(|f| f.kind == Kind::Timer) {
                self.error(ty.span, "a message cannot have a timer in it");
            }
        }
        // Spin gives a truth value that is a message's only field a whole byte.
        if let [only @ Scalar::BIT] = &mut fields[..] {
            *only = Scalar::BIT_ELEMENT;
        }
        let ty = ChannelType::new(capacity, fields);
        if u64::from(ty.size()) > MAX_VECTOR {
            self.error(init.span, "the channel is larger than a state can be");
            return ChannelTypeId(0);
        }
        let types = &mut self.model.channel_types;
        let at = types.iter().position(|t| *t == ty).unwrap_or_else(|| {
            types.push(ty);
            types.len() - 1
        });
        ChannelTypeId(at as u16)
    }

    fn flatten_fields(&self, record: usize, fields: &mut Vec<Scalar>) {
        for field in &self.types.records[record].fields {
            for _ in 0..field.array.unwrap_or(1) {
                match field.ty {
                    VarType::Scalar(s) => fields.push(s),
                    VarType::Record(r) => self.flatten_fields(r, fields),
                }
            }
        }
    }

    /// Creates one channel, or as many as an array has elements; says whose they are and the
    /// position of the first.
    fn create_channels(
        &mut self,
        owner: Owner,
        name: &Name,
        array: Option<u32>,
        ty: ChannelTypeId,
    ) -> (ChannelOwner, u16) {
        let (whose, channels) = match owner {
            Owner::Model { .. } => (ChannelOwner::Global, &mut self.model.layout.channels),
            Owner::Process { .. } => (ChannelOwner::Executing, &mut self.frame.layout.channels),
        };
        let first = channels.len() as u16;
        for i in 0..array.unwrap_or(1).min(1024) {
            let name = match array {
                Some(_) => format!("{name}[{i}]"),
                None => name.to_string(),
            };
            channels.push(ChannelInstance { name, ty, offset: 0 });
        }
        (whose, first)
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

/// What a variable starts with that says nothing about it: a timer is off, unless it is a
/// parameter.
fn off(ty: Scalar, owner: Owner) -> Option<FieldInit> {
    let timer = ty.kind == Kind::Timer && owner != Owner::Process { parameter: true };
    let value = Expr { span: Span::NONE, kind: ExprKind::Const(Const::Int(OFF)) };
    timer.then_some(FieldInit::Value(value))
}

/// The variable, or the first element of an array.
fn first_place(variable: Variable, ty: Scalar) -> Option<Place> {
    let (region, offset) = match variable.home {
        Home::Global(offset) => (Region::Global, offset),
        Home::Local(offset) => (Region::Local, offset),
        Home::Channels(..) => return None,
    };
    Some(Place { region, offset, indices: Vec::new(), ty })
}
