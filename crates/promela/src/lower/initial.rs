//! What variables start with.

use isospin_model::time::OFF;
use isospin_model::{
    Expr as ModelExpr, Initializer as ModelInitializer, Kind, Place, Region, Scalar,
};
use isospin_source::{Name, Span};

use super::decl::Owner;
use super::types::{FieldInit, VarType};
use super::Lowering;
use crate::syntax::ast::{Const, Expr, ExprKind};

impl Lowering<'_> {
    pub(super) fn initialize_record(
        &mut self,
        owner: Owner,
        record: usize,
        path: &str,
        offset: u32,
    ) {
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

    pub(super) fn initialize(
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
                let Some(channel) = self.channel_type(c) else { return };
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
}

/// What a variable starts with that says nothing about it: a timer is off, unless it is a
/// parameter.
pub(super) fn off(ty: Scalar, owner: Owner) -> Option<FieldInit> {
    let timer = ty.kind == Kind::Timer && owner != Owner::Process { parameter: true };
    let value = Expr { span: Span::NONE, kind: ExprKind::Const(Const::Int(OFF)) };
    timer.then_some(FieldInit::Value(value))
}
