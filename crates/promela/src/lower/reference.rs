//! References: which places of the state vector they mean.

use isospin_model::{self as model, ChannelOwner, Index, Place, ProcTypeId, Region};

use super::storage::{Home, Storage};
use super::types::VarType;
use super::Lowering;
use crate::symbols::{Meaning, Place as Declared, Predefined, ProctypeId};
use crate::syntax::ast::{Expr, ExprKind, Ident, Segment, VarRef};

/// What a reference to a variable means.
pub(super) enum Resolved {
    /// A single value.
    Place(Place),
    /// A channel whose name never comes to mean another.
    Channel(ChannelOwner, u16, Option<Index>),
    /// A whole record.
    Record(Region, u32, Vec<Index>, usize),
}

impl Lowering<'_> {
    /// The process type that a name means.
    pub(super) fn proctype_of(&mut self, ident: &Ident) -> Option<ProctypeId> {
        let id = self.symbols.proctype_of(ident);
        if id.is_none() {
            self.error(ident.span, format!("there is no proctype `{}`", ident.name));
        }
        id
    }

    /// The predefined variable that a reference means.
    pub(super) fn predefined(&self, v: &VarRef) -> Option<Predefined> {
        match self.symbols.variable(self.symbols.variable_of(v.name())?).place {
            Declared::Predefined(which) => Some(which),
            _ => None,
        }
    }

    /// How the variable is stored that a reference starts from.
    pub(super) fn stored(&self, v: &VarRef) -> Option<Storage> {
        self.storage[self.symbols.variable_of(v.name())?.0]
    }

    /// The value of a variable, a predefined one, or a symbolic constant.
    pub(super) fn var(&mut self, v: &VarRef) -> model::Expr {
        if let Some(Meaning::Constant(_, value)) = self.symbols.meaning(v.name()) {
            return model::Expr::Const(value);
        }
        match self.predefined(v) {
            Some(Predefined::Pid) => return model::Expr::Pid,
            Some(Predefined::ProcessCount) => return model::Expr::ProcessCount,
            Some(Predefined::Last) => return model::Expr::Last,
            Some(Predefined::Priority) => return model::Expr::Priority(Box::new(model::Expr::Pid)),
            Some(Predefined::Scratch) => return model::Expr::Const(0),
            Some(Predefined::Location) | None => {}
        }
        match self.resolve(v) {
            Some(Resolved::Place(place)) => model::Expr::Load(place),
            Some(Resolved::Channel(owner, first, index)) => {
                model::Expr::ChannelId { owner, first, index: index.map(Box::new) }
            }
            Some(Resolved::Record(..)) => {
                self.error(v.span, "a whole record stands only in messages and parameters");
                model::Expr::Const(0)
            }
            None => model::Expr::Const(0),
        }
    }

    /// The index into an array; without one the first element is meant.
    fn index(&mut self, index: Option<&Expr>) -> model::Expr {
        match index {
            None => model::Expr::Const(0),
            Some(e) => match self.symbols.constant(e) {
                Some(value) => model::Expr::Const(value),
                None => self.expr(e),
            },
        }
    }

    /// What a reference means.
    pub(super) fn resolve(&mut self, v: &VarRef) -> Option<Resolved> {
        let Some(variable) = self.stored(v) else {
            self.undeclared(v.name());
            return None;
        };
        let first = &v.segments[0];
        let (region, mut offset) = match variable.home {
            Home::Global(offset) => (Region::Global, offset),
            Home::Local(offset) => (Region::Local, offset),
            Home::Channels(owner, position) => {
                let Some(len) = variable.array else {
                    return Some(Resolved::Channel(owner, position, None));
                };
                return Some(match self.index(first.index.as_deref()) {
                    // Which channel it is is known.
                    model::Expr::Const(k) if k >= 0 && (k as u32) < len => {
                        Resolved::Channel(owner, position + k as u16, None)
                    }
                    expr => {
                        Resolved::Channel(owner, position, Some(Index { expr, len, stride: 1 }))
                    }
                });
            }
        };
        let mut indices = Vec::new();
        let Storage { mut ty, mut array, .. } = variable;
        for (k, segment) in v.segments.iter().enumerate() {
            if k > 0 {
                let VarType::Record(record) = ty else {
                    self.error(segment.name.span, "only records have fields");
                    return None;
                };
                let field = match self.symbols.meaning(&segment.name) {
                    Some(Meaning::Field(_, k)) => self.types.records[record].fields.get(k),
                    _ => None,
                };
                let Some(field) = field else {
                    let message = format!("there is no field `{}`", segment.name.name);
                    self.error(segment.name.span, message);
                    return None;
                };
                offset += field.offset;
                (ty, array) = (field.ty, field.array);
            }
            if let Some(len) = array {
                let stride = self.types.size(ty);
                match self.index(segment.index.as_deref()) {
                    model::Expr::Const(i) if i >= 0 && (i as u32) < len => {
                        offset += i as u32 * stride;
                    }
                    expr => indices.push(Index { expr, len, stride }),
                }
            } else if let Some(index) = &segment.index {
                // Spin lets a plain variable be indexed by 0.
                if self.symbols.constant(index) != Some(0) {
                    self.error(index.span, format!("`{}` is not an array", segment.name.name));
                }
            }
        }
        Some(match ty {
            VarType::Scalar(ty) => Resolved::Place(Place { region, offset, indices, ty }),
            VarType::Record(record) => Resolved::Record(region, offset, indices, record),
        })
    }

    /// The places of all single values of a record, in the order of a message's fields.
    pub(super) fn leaves(
        &self,
        region: &Region,
        offset: u32,
        indices: &[Index],
        record: usize,
        out: &mut Vec<Place>,
    ) {
        for field in &self.types.records[record].fields {
            for i in 0..field.array.unwrap_or(1) {
                let offset = offset + field.offset + i * self.types.size(field.ty);
                match field.ty {
                    VarType::Scalar(ty) => out.push(Place {
                        region: region.clone(),
                        offset,
                        indices: indices.to_vec(),
                        ty,
                    }),
                    VarType::Record(inner) => self.leaves(region, offset, indices, inner, out),
                }
            }
        }
    }

    /// `P[pid]:var`
    pub(super) fn remote_var(
        &mut self,
        proctype: &Ident,
        pid: Option<&Expr>,
        var: &Segment,
    ) -> model::Expr {
        let pid = pid.map(|pid| Box::new(self.expr(pid)));
        let Some(id) = self.proctype_of(proctype) else {
            return model::Expr::Const(0);
        };
        let index = var.index.as_ref().map(|i| self.expr(i));
        let name = &var.name.name;
        let Some(variable) = self.symbols.variable_of(&var.name) else {
            let message = format!("`{}` has no variable `{name}`", proctype.name);
            self.error(var.name.span, message);
            return model::Expr::Const(0);
        };
        // The first pass does not know the other frames yet.
        let known = self.known.storage.get(variable.0).copied().flatten();
        let (Some(variable), Some(body)) = (known, self.known.bodies.get(id.0)) else {
            return model::Expr::Const(0);
        };
        let id = ProcTypeId(id.0 as u16);
        match (variable.home, variable.ty) {
            (Home::Local(offset), VarType::Scalar(ty)) => {
                // The first pass took one byte for the location.
                let offset = offset + body.location_width() - 1;
                let indices = match variable.array {
                    Some(len) => {
                        let expr = index.unwrap_or(model::Expr::Const(0));
                        vec![Index { expr, len, stride: ty.width() }]
                    }
                    None => Vec::new(),
                };
                let region = Region::Remote { proctype: id, pid };
                model::Expr::Load(Place { region, offset, indices, ty })
            }
            _ => {
                self.error(var.name.span, format!("`{name}` cannot be referred to from outside"));
                model::Expr::Const(0)
            }
        }
    }

    /// The places of a whole record, if the argument is one.
    pub(super) fn record_of(&mut self, arg: &Expr) -> Option<Vec<Place>> {
        let ExprKind::Var(v) = &arg.kind else {
            return None;
        };
        let variable = self.stored(v)?;
        if !matches!(variable.ty, VarType::Record(_)) {
            return None;
        }
        self.record_places(v)
    }

    fn record_places(&mut self, v: &VarRef) -> Option<Vec<Place>> {
        match self.resolve(v)? {
            Resolved::Record(region, offset, indices, record) => {
                let mut places = Vec::new();
                self.leaves(&region, offset, &indices, record, &mut places);
                Some(places)
            }
            _ => None,
        }
    }
}
