//! The types of variables, and how much room they take.

use isospin_model::{Kind, Scalar, Segment, Slot};
use isospin_source::Name;

use crate::syntax::ast::{ChannelInit, Expr};

/// A variable's type without its array bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum VarType {
    /// A single value.
    Scalar(Scalar),
    /// A record; the number counts in [`Types::records`].
    Record(usize),
}

/// What a field starts with.
#[derive(Clone, Debug)]
pub(super) enum FieldInit {
    Channel(ChannelInit),
    Value(Expr),
    List(Vec<Expr>),
}

/// A field of a record.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub name: Name,
    pub ty: VarType,
    pub array: Option<u32>,
    pub offset: u32,
    pub init: Option<FieldInit>,
}

/// A record type.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub name: Name,
    pub fields: Vec<Field>,
    pub size: u32,
}

/// The record types of a model.
#[derive(Default)]
pub(super) struct Types {
    pub records: Vec<Record>,
}

impl Types {
    /// How many bytes a value of this type takes.
    pub fn size(&self, ty: VarType) -> u32 {
        match ty {
            VarType::Scalar(s) => s.width(),
            VarType::Record(r) => self.records[r].size,
        }
    }

    /// How many bytes a variable takes.
    pub fn size_of(&self, ty: VarType, array: Option<u32>) -> u64 {
        u64::from(self.size(ty)) * u64::from(array.unwrap_or(1))
    }

    /// The slots of a variable: one, or one per field for a record.
    pub fn slots(
        &self,
        name: &Name,
        ty: VarType,
        array: Option<u32>,
        offset: u32,
        parameter: bool,
    ) -> Vec<Slot> {
        let mut slots = Vec::new();
        self.add_slots(Vec::new(), name, ty, array, offset, parameter, &mut slots);
        slots
    }

    #[allow(clippy::too_many_arguments)]
    fn add_slots(
        &self,
        mut path: Vec<Segment>,
        name: &Name,
        ty: VarType,
        array: Option<u32>,
        offset: u32,
        parameter: bool,
        out: &mut Vec<Slot>,
    ) {
        let array = array.map(|len| (len, self.size(ty)));
        path.push(Segment { name: name.to_string(), array });
        match ty {
            VarType::Scalar(ty) => out.push(Slot { path, offset, ty, parameter }),
            VarType::Record(r) => {
                for f in &self.records[r].fields {
                    let at = offset + f.offset;
                    self.add_slots(path.clone(), &f.name, f.ty, f.array, at, parameter, out);
                }
            }
        }
    }
}

/// The type of an array's elements: Spin keeps bits in arrays as bytes.
pub(super) fn element_type(ty: VarType, array: Option<u32>) -> VarType {
    match ty {
        VarType::Scalar(s) if array.is_some() && s.kind == Kind::Bool && s.bits == 1 => {
            VarType::Scalar(Scalar::BIT_ELEMENT)
        }
        ty => ty,
    }
}
