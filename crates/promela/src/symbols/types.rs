//! The types that a model declares, and what types and constants in the tree come to.

use super::{Kind, Meaning, MtypeId, ScalarsetId, Symbols, TypedefId, Variable};
use crate::operators;
use crate::syntax::ast::{Expr, ExprKind, Type, TypeKind};
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
            variable.initial.filter(|_| variable.initialized)
        })
    }

    /// The value of an expression of constants, those of mtypes among them.
    pub fn constant(&self, expr: &Expr) -> Option<i32> {
        operators::constant(expr, &|name| match self.meaning(name)? {
            Meaning::Constant(_, value) => Some(value),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{check, parse, Options};
    use std::path::Path;

    fn symbols(text: &str) -> Symbols {
        let mut file = |_: &Path| Ok(text.as_bytes().to_vec());
        let parsed = parse(Path::new("m.pml"), &Options::default(), &mut file);
        assert_eq!(parsed.diagnostics, []);
        check::check(&parsed.sources, &parsed.tree).symbols
    }

    /// The types of the last typedef's fields in a message, as a person writes them.
    fn message(symbols: &Symbols) -> Result<Vec<String>, Name> {
        let mut flat = Vec::new();
        symbols.flatten(Kind::Record(TypedefId(symbols.typedefs.len() - 1)), &mut flat)?;
        Ok(flat.into_iter().map(|kind| symbols.describe(kind)).collect())
    }

    #[test]
    fn a_structure_in_a_message_is_all_its_fields() {
        let found = symbols(
            "mtype:colour = { red };
             typedef In { unsigned u : 3; mtype:colour c };
             typedef Out { bit b[2]; In i; chan q }",
        );
        let expected = ["bit", "bit", "unsigned:3", "mtype:colour", "chan"];
        assert_eq!(message(&found), Ok(expected.map(String::from).to_vec()));
    }

    #[test]
    fn an_array_of_structures_cannot_be_in_a_message() {
        let found = symbols("typedef In { byte b }; typedef Out { In several[2] }");
        assert_eq!(message(&found), Err("several".into()));
    }

    #[test]
    fn constants_of_an_mtype_count_over_its_declarations_each_from_its_end() {
        let found = symbols("mtype = { b, a }; mtype:other = { x }; mtype = { d, c }");
        let names: Vec<&str> = found.mtypes[0].constants.iter().map(Name::as_str).collect();
        assert_eq!(names, ["a", "b", "c", "d"]);
        assert_eq!(found.mtypes[1].constants, [Name::from("x")]);
    }

    #[test]
    fn an_array_bound_is_a_constant_or_what_a_variable_is_declared_with() {
        let found = symbols(
            "mtype = { no, yes }; byte n = 3, unset; int a[n], b[yes + 1], c[2 * 4], d[unset];",
        );
        let length = |name: &str| found.variables.iter().find(|v| v.name == *name)?.length;
        assert_eq!(["a", "b", "c", "d"].map(length), [Some(3), Some(2), Some(8), None]);
    }
}
