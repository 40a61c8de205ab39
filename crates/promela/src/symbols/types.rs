//! The types that a model declares, and what types and constants in the tree come to.

use super::{Kind, Meaning, MtypeId, ScalarsetId, Symbols, TypedefId, Variable};
use crate::syntax::ast::{BinaryOp, Expr, ExprKind, Type, TypeKind, UnaryOp};
use isospin_source::{Name, Span};
use std::collections::HashMap;

/// The mtype without a name.
pub(crate) const UNNAMED: MtypeId = MtypeId(0);

/// A typedef.
#[derive(Clone, Debug)]
pub struct Typedef {
    /// Its name.
    pub name: Name,
    /// Where it is named.
    pub span: Span,
    /// Its fields, in order.
    pub fields: Vec<Variable>,
}

/// An mtype.
#[derive(Clone, Debug)]
pub struct Mtype {
    /// The name after the colon; empty for the one without.
    pub name: Name,
    /// Its constants by rising value, from 1.
    pub constants: Vec<Name>,
}

/// A scalarset.
#[derive(Clone, Debug)]
pub struct Scalarset {
    /// Its name.
    pub name: Name,
    /// How many members it has.
    pub size: u8,
    /// Where it is first used.
    pub span: Span,
}

/// The types of each name.
#[derive(Debug, Default)]
pub(super) struct TypeNames {
    typedefs: HashMap<Name, TypedefId>,
    mtypes: HashMap<Name, MtypeId>,
    scalarsets: HashMap<Name, ScalarsetId>,
}

/// More fields than this, of structures within structures, are not counted.
const MANY_FIELDS: usize = 4096;

impl Symbols {
    /// A typedef.
    pub fn typedef(&self, id: TypedefId) -> &Typedef {
        &self.typedefs[id.0]
    }

    /// A scalarset.
    pub fn scalarset(&self, id: ScalarsetId) -> &Scalarset {
        &self.scalarsets[id.0]
    }

    /// The mtype of that name, which need not have constants.
    pub(crate) fn intern_mtype(&mut self, name: &str) -> MtypeId {
        if let Some(&id) = self.names.mtypes.get(name) {
            return id;
        }
        let id = MtypeId(self.mtypes.len());
        self.mtypes.push(Mtype { name: name.into(), constants: Vec::new() });
        self.names.mtypes.insert(name.into(), id);
        id
    }

    pub(crate) fn add_typedef(&mut self, typedef: Typedef) {
        self.names.typedefs.insert(typedef.name.clone(), TypedefId(self.typedefs.len()));
        self.typedefs.push(typedef);
    }

    pub(crate) fn add_scalarset(&mut self, scalarset: Scalarset) {
        self.names.scalarsets.insert(scalarset.name.clone(), ScalarsetId(self.scalarsets.len()));
        self.scalarsets.push(scalarset);
    }

    pub(crate) fn scalarset_named(&self, name: &str) -> Option<&Scalarset> {
        Some(self.scalarset(*self.names.scalarsets.get(name)?))
    }

    /// What a type in the tree is; nothing if it is declared further down. `width` is that of an
    /// unsigned.
    pub fn kind_of(&self, ty: &Type, width: u32) -> Option<Kind> {
        Some(match &ty.kind {
            TypeKind::Bit => Kind::Bit,
            TypeKind::Bool => Kind::Bool,
            TypeKind::Byte => Kind::Byte,
            TypeKind::Pid => Kind::Pid,
            TypeKind::Short => Kind::Short,
            TypeKind::Int => Kind::Int,
            TypeKind::Unsigned => Kind::Unsigned(width),
            TypeKind::Chan => Kind::Chan,
            TypeKind::Timer => Kind::Timer,
            TypeKind::Scalarset(name, _) => {
                Kind::Scalarset(*self.names.scalarsets.get(&name.name)?)
            }
            TypeKind::Mtype(None) => Kind::Mtype(UNNAMED),
            TypeKind::Mtype(Some(name)) => Kind::Mtype(*self.names.mtypes.get(&name.name)?),
            TypeKind::Named(name) => Kind::Record(*self.names.typedefs.get(&name.name)?),
        })
    }

    /// The type as a person writes it.
    pub fn describe(&self, kind: Kind) -> String {
        match kind {
            Kind::Bit => "bit".into(),
            Kind::Bool => "bool".into(),
            Kind::Byte | Kind::Scalarset(_) => "byte".into(),
            Kind::Pid => "pid".into(),
            Kind::Short => "short".into(),
            Kind::Int => "int".into(),
            Kind::Unsigned(width) => format!("unsigned:{width}"),
            Kind::Mtype(UNNAMED) => "mtype".into(),
            Kind::Mtype(id) => format!("mtype:{}", self.mtypes[id.0].name),
            Kind::Chan => "chan".into(),
            Kind::Timer => "timer".into(),
            Kind::Record(id) => self.typedef(id).name.to_string(),
        }
    }

    /// The simple fields that a value of the type has in a message, one after the other; an array
    /// of structures keeps it from being in one, and is named then.
    pub(crate) fn flatten(&self, kind: Kind, out: &mut Vec<Kind>) -> Result<(), Name> {
        let Kind::Record(id) = kind else {
            out.push(kind);
            return Ok(());
        };
        for field in &self.typedef(id).fields {
            if field.array && matches!(field.kind, Kind::Record(_)) {
                return Err(field.name.clone());
            }
            let repeat = if field.array { field.length.unwrap_or(1).clamp(0, 1024) } else { 1 };
            for _ in 0..repeat {
                self.flatten(field.kind, out)?;
                if out.len() > MANY_FIELDS {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// The value of an array bound or of a number of processes: a constant, or the name of a
    /// variable that is declared with one, which Spin lets stand for it.
    pub fn bound(&self, expr: &Expr) -> Option<i32> {
        self.constant(expr).or_else(|| {
            let ExprKind::Var(var) = &expr.kind else { return None };
            let variable = self.variable(self.variable_of(var.as_name()?)?);
            variable.initial.filter(|_| variable.initialized).map(|value| value as i32)
        })
    }

    /// The value of an expression of constants, those of mtypes among them.
    pub fn constant(&self, expr: &Expr) -> Option<i32> {
        Some(match &expr.kind {
            ExprKind::Const(c) => c.value(),
            ExprKind::Var(v) => match self.meaning(v.as_name()?)? {
                Meaning::Constant(_, value) => value,
                _ => return None,
            },
            ExprKind::Unary(op, e) => {
                let value = self.constant(e)?;
                match op {
                    UnaryOp::Not => i32::from(value == 0),
                    UnaryOp::Complement => !value,
                    UnaryOp::Negate => value.wrapping_neg(),
                    _ => return None,
                }
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.constant(a)?, self.constant(b)?);
                match op {
                    BinaryOp::Add => a.wrapping_add(b),
                    BinaryOp::Sub => a.wrapping_sub(b),
                    BinaryOp::Mul => a.wrapping_mul(b),
                    BinaryOp::Div => a.checked_div(b)?,
                    BinaryOp::Rem => a.checked_rem(b)?,
                    _ => return None,
                }
            }
            _ => return None,
        })
    }
}
