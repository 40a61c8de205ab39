//! Channels: their types, and how many of them there are.

use isospin_model::{ChannelInstance, ChannelOwner, ChannelType, ChannelTypeId, Kind, Scalar};
use isospin_source::Name;

use super::decl::{Owner, MAX_VECTOR};
use super::types::VarType;
use super::Lowering;
use crate::syntax::ast::ChannelInit;

const TOO_LARGE: &str = "the channel is larger than a state can be";

impl Lowering<'_> {
    /// The type of a channel literal, unless it is too large.
    pub(super) fn channel_type(&mut self, init: &ChannelInit) -> Option<ChannelTypeId> {
        let capacity = match self.symbols.constant(&init.capacity) {
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
            match self.symbols.kind_of(ty, 0).map(|kind| self.var_type(kind)) {
                Some(VarType::Scalar(s)) => fields.push(s),
                // A field takes a byte or more, and the largest record fits a state.
                Some(VarType::Record(r)) => self.flatten_fields(r, &mut fields),
                None => self.error(ty.span, "this is no type"),
            }
            if fields.len() as u64 > MAX_VECTOR {
                self.error(init.span, TOO_LARGE);
                return None;
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
        let size = u64::from(ty.capacity) * u64::from(ty.message_size) + 2;
        if size > MAX_VECTOR {
            self.error(init.span, TOO_LARGE);
            return None;
        }
        let types = &mut self.model.channel_types;
        let at = types.iter().position(|t| *t == ty).unwrap_or_else(|| {
            types.push(ty);
            types.len() - 1
        });
        Some(ChannelTypeId(at as u16))
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
    pub(super) fn create_channels(
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
}
