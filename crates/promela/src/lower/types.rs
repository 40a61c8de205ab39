//! The types of variables, and how much room they take.

use isospin_model::{Kind, MtypeSet, Scalar, Scalarset, Segment, Slot};
use isospin_source::Name;

use super::decl::MAX_VECTOR;
use super::Lowering;
use crate::symbols::{self, ScalarsetId, TypedefId};
use crate::syntax::ast::{ChannelInit, Declarator, Expr, Initializer, Item, Typedef};

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

impl Lowering<'_> {
    /// Record types and symbolic types.
    pub(super) fn declare_types(&mut self) {
        for mtype in &self.symbols.mtypes {
            let names = mtype.constants.iter().map(Name::to_string);
            let members = names.zip(1..).collect();
            self.model.mtypes.push(MtypeSet { name: mtype.name.to_string(), members });
        }
        let typedefs = self.tree.items.iter().filter_map(|item| match item {
            Item::Typedef(typedef) => Some(typedef),
            _ => None,
        });
        for (k, typedef) in typedefs.enumerate() {
            self.declare_record(typedef, TypedefId(k));
        }
    }

    fn declare_record(&mut self, t: &Typedef, id: TypedefId) {
        let mut fields = Vec::new();
        let mut size = 0u64;
        let declared = t.fields.iter().flat_map(|decl| &decl.vars);
        for (field, var) in self.symbols.typedef(id).fields.iter().zip(declared) {
            let Some((ty, array)) = self.variable_type(field, var) else {
                continue;
            };
            let init = match &var.init {
                None => None,
                Some(Initializer::Expr(e)) => Some(FieldInit::Value(e.clone())),
                Some(Initializer::List { items, .. }) => Some(FieldInit::List(items.clone())),
                Some(Initializer::Channel(c)) => Some(FieldInit::Channel(c.clone())),
            };
            let name = field.name.clone();
            fields.push(Field { name, ty, array, offset: size as u32, init });
            size += self.types.size_of(ty, array);
        }
        if size > MAX_VECTOR {
            self.error(t.name.span, format!("`{}` is larger than a state can be", t.name.name));
            size = 0;
        }
        self.types.records.push(Record { fields, size: size as u32 });
    }

    /// The type of a declared variable, and its array bound.
    pub(super) fn variable_type(
        &mut self,
        variable: &symbols::Variable,
        var: &Declarator,
    ) -> Option<(VarType, Option<u32>)> {
        let array = match (&var.size, variable.length) {
            (None, _) => None,
            (Some(_), Some(length @ 1..)) => Some(length as u32),
            (Some(size), Some(_)) => {
                self.error(size.span, format!("the array `{}` has no elements", variable.name));
                return None;
            }
            (Some(size), None) => {
                self.error(size.span, "this must be a constant");
                return None;
            }
        };
        Some((element_type(self.var_type(variable.kind), array), array))
    }

    /// What a value of a type is stored as.
    pub(super) fn var_type(&mut self, kind: symbols::Kind) -> VarType {
        VarType::Scalar(match kind {
            symbols::Kind::Bit | symbols::Kind::Bool => Scalar::BIT,
            symbols::Kind::Byte => Scalar::BYTE,
            symbols::Kind::Pid => Scalar::PID,
            symbols::Kind::Short => Scalar::SHORT,
            symbols::Kind::Int => Scalar::INT,
            symbols::Kind::Unsigned(width) => Scalar::unsigned(width.clamp(1, 32) as u8),
            symbols::Kind::Chan => Scalar::CHANNEL,
            symbols::Kind::Timer => Scalar::TIMER,
            symbols::Kind::Scalarset(set) => Scalar::new(Kind::Name(self.scalarset(set)), 8, false),
            symbols::Kind::Mtype(set) => Scalar::new(Kind::Mtype(set.0 as u16), 8, false),
            symbols::Kind::Record(record) => return VarType::Record(record.0),
        })
    }

    /// The model's number of a scalarset; they are numbered as they are come by.
    fn scalarset(&mut self, id: ScalarsetId) -> u16 {
        if let Some(at) = self.scalarsets.iter().position(|s| *s == id) {
            return at as u16;
        }
        let set = self.symbols.scalarset(id);
        let source = self.source(set.span);
        let name = set.name.to_string();
        self.model.scalarsets.push(Scalarset { name, size: set.size, source });
        self.scalarsets.push(id);
        (self.scalarsets.len() - 1) as u16
    }
}
