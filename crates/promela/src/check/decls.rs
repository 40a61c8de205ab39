//! Declarations of variables.

use super::{constants, Checker};
use crate::lints;
use crate::symbols::{
    Channel, Kind, Meaning, MtypeId, Place, Scalarset, TypedefId, Variable, UNNAMED,
};
use crate::syntax::ast::{
    Declarator, Expr, ExprKind, Ident, Initializer, Type, TypeKind, VarDecl, Visibility,
};
use isospin_source::{Diagnostic, Name, Span};
use std::sync::Arc;

impl<'a> Checker<'a> {
    /// Declares variables; `early` is before the first statement of the body.
    pub(super) fn variables(&mut self, decl: &'a VarDecl, place: Place, early: bool) {
        for var in &decl.vars {
            if !early {
                self.late_initializer(var);
            }
            let variable = self.variable(decl, var, place);
            match self.scopes.clash(&self.symbols, &var.name, "the variable") {
                Some(clash) => self.report(clash),
                None => {
                    let id = self.symbols.add_variable(variable);
                    self.symbols.set_meaning(&var.name, Meaning::Variable(id));
                    self.scopes.declare(var.name.name.clone(), id);
                }
            }
        }
    }

    fn late_initializer(&mut self, var: &Declarator) {
        let what = match &var.init {
            Some(Initializer::Channel(_)) => "a channel with its messages",
            Some(Initializer::List { .. }) => "an array with a list of values",
            _ => return,
        };
        let message = format!("{what} can be declared only at the start of a proctype");
        self.report(
            Diagnostic::error(var.span, message)
                .help("move the declaration before the first statement, outside inner blocks"),
        );
    }

    /// One variable with its checks, not yet declared.
    pub(super) fn variable(
        &mut self,
        decl: &'a VarDecl,
        var: &'a Declarator,
        place: Place,
    ) -> Variable {
        let width = self.width(decl, var);
        let kind = self.kind(&decl.ty, width);
        self.hidden(decl, var, kind, place);
        let length = var.size.as_ref().and_then(|size| self.array_size(var, size));
        if var.size.is_some() && place == Place::Parameter {
            let message = format!("parameter `{}` cannot be an array", var.name.name);
            self.error(var.span, message);
        }
        if place == Place::Parameter {
            self.parameter(var, kind);
        }
        let mut variable = Variable {
            name: var.name.name.clone(),
            span: var.name.span,
            kind,
            array: var.size.is_some(),
            length,
            channel: None,
            place,
            hidden: decl.visibility == Some(Visibility::Hidden),
            initial: Some(0),
            initialized: var.init.is_some(),
            read: false,
            written: false,
            remote: false,
        };
        if let Some(init) = &var.init {
            self.initializer(var, init, &mut variable);
        }
        variable
    }

    /// The type in a declaration.
    fn kind(&mut self, ty: &Type, width: u32) -> Kind {
        match &ty.kind {
            TypeKind::Mtype(Some(name)) => {
                self.symbols.intern_mtype(&name.name);
            }
            TypeKind::Scalarset(name, size) => self.scalarset(name, size),
            _ => {}
        }
        // What is no type has been complained about.
        self.symbols.kind_of(ty, width).unwrap_or(Kind::Int)
    }

    /// A scalarset, which is declared wherever it is used.
    fn scalarset(&mut self, name: &Ident, size: &Expr) {
        self.const_value(size, "the size of a scalarset");
        let members = match self.symbols.constant(size).map(u8::try_from) {
            Some(Ok(members @ 1..)) => members,
            _ => {
                self.error(size.span, "a scalarset has 1 to 255 members");
                return;
            }
        };
        let first = self.symbols.scalarset_named(&name.name).map(|s| s.size);
        match first {
            None => {
                let (name, span) = (name.name.clone(), name.span);
                self.symbols.add_scalarset(Scalarset { name, size: members, span });
            }
            Some(first) if first != members => {
                let message = format!("`{}` has {first} members elsewhere", name.name);
                self.error(size.span, message);
            }
            Some(_) => {}
        }
    }

    fn width(&mut self, decl: &VarDecl, var: &Declarator) -> u32 {
        let unsigned = matches!(decl.ty.kind, TypeKind::Unsigned);
        let width = var.width.as_ref().and_then(constants::value);
        match (unsigned, width) {
            (true, Some(width @ 1..=31)) => width as u32,
            (true, Some(0) | None) => {
                let message = format!("unsigned `{}` needs a width", var.name.name);
                self.report(
                    Diagnostic::error(var.name.span, message)
                        .help(format!("write `unsigned {} : 4` for four bits", var.name.name)),
                );
                16
            }
            (true, Some(_)) => {
                self.error(var.span, "the width of an unsigned is from 1 to 31 bits");
                31
            }
            (false, Some(_)) => {
                self.error(var.span, "only an unsigned can have a width");
                0
            }
            (false, None) => 0,
        }
    }

    fn hidden(&mut self, decl: &VarDecl, var: &Declarator, kind: Kind, place: Place) {
        if decl.visibility != Some(Visibility::Hidden) {
            return;
        }
        let name = &var.name.name;
        let message = match kind {
            // For a field, the typedef says so.
            _ if place != Place::Global && !self.scopes.blocks.is_empty() => {
                format!("`{name}` is local, and only a global variable can be hidden")
            }
            Kind::Bit | Kind::Bool => format!("`{name}` is a bit, which cannot be hidden"),
            Kind::Chan => format!("`{name}` is a channel, which cannot be hidden"),
            Kind::Record(_) => format!("`{name}` is a structure, which cannot be hidden"),
            Kind::Timer => format!("`{name}` is a timer, which cannot be hidden"),
            _ => return,
        };
        self.error(var.name.span, message);
    }

    /// The number of elements, as far as it is known.
    fn array_size(&mut self, var: &Declarator, size: &Expr) -> Option<i32> {
        let name = &var.name.name;
        let value = self.const_value(size, "the size of an array");
        if self.variable_in(size).is_some() {
            let message = format!(
                "the size of array `{name}` is a variable; its initial value is taken, {}",
                value.filter(|n| *n > 0).unwrap_or(8)
            );
            self.report(
                Diagnostic::warning(lints::VARIABLE_ARRAY_SIZE, size.span, message)
                    .help("a constant from #define says it better"),
            );
        } else if value.is_some_and(|n| n <= 0) {
            let message = format!("array `{name}` needs at least one element");
            self.error(size.span, message);
        }
        self.symbols.bound(size)
    }

    fn parameter(&mut self, var: &Declarator, kind: Kind) {
        let name = &var.name.name;
        if var.init.is_some() {
            self.error(var.span, format!("parameter `{name}` cannot have an initial value"));
        }
        if let Kind::Record(typedef) = kind {
            if self.has_array(typedef, 0) {
                let message =
                    format!("parameter `{name}` cannot be a structure with an array in it");
                self.error(var.span, message);
            }
        }
    }

    fn has_array(&self, typedef: TypedefId, depth: usize) -> bool {
        self.symbols.typedef(typedef).fields.iter().any(|field| {
            field.array
                || matches!(field.kind, Kind::Record(inner) if depth < 100 && self.has_array(inner, depth + 1))
        })
    }

    fn initializer(&mut self, var: &Declarator, init: &'a Initializer, variable: &mut Variable) {
        let name = &var.name.name;
        match init {
            Initializer::Channel(channel) => {
                if variable.kind != Kind::Chan {
                    let message = format!("`{name}` is no channel, but is initialised as one");
                    self.error(channel.span, message);
                }
                let capacity =
                    self.const_value(&channel.capacity, "the capacity of a channel").unwrap_or(1);
                self.rendezvous |= capacity == 0;
                let fields = channel.fields.iter().map(|ty| self.kind(ty, 0)).collect();
                variable.channel = Some(Arc::new(Channel { capacity, fields }));
                variable.initial = None;
            }
            Initializer::List { span, items } => {
                if !variable.array {
                    self.error(
                        *span,
                        format!("`{name}` is no array, but is given a list of values"),
                    );
                }
                for item in items {
                    self.const_value(item, "an element");
                    self.fits(item, variable.kind);
                }
                variable.initial = None;
            }
            Initializer::Expr(value) => {
                self.expr(value);
                if let Some(run) = super::exprs::find_run(value) {
                    self.error(run, "`run` cannot stand in an initial value");
                }
                if variable.kind == Kind::Chan && matches!(value.kind, ExprKind::Const(_)) {
                    self.error(value.span, "a number cannot be assigned to a channel");
                }
                if !matches!(variable.kind, Kind::Record(_)) {
                    self.no_channel_arithmetic(value, true);
                }
                self.fits(value, variable.kind);
                variable.initial = self.symbols.constant(value);
                if let (Some(own), Some(mtype)) =
                    (own_mtype(variable.kind), self.mtype_of_expr(value))
                {
                    if own != mtype {
                        self.mtype_mismatch(value.span, name, own, mtype);
                    }
                }
            }
        }
    }

    pub(super) fn mtype_mismatch(&mut self, span: Span, name: &Name, own: MtypeId, other: MtypeId) {
        let say = |mtype: MtypeId| match mtype {
            UNNAMED => "the mtype without a name".to_owned(),
            MtypeId(id) => format!("mtype `{}`", self.symbols.mtypes[id].name),
        };
        let message =
            format!("`{name}` holds values of {}, but this is a value of {}", say(own), say(other));
        self.error(span, message);
    }

    /// Warns where a constant does not fit the type it goes into.
    pub(super) fn fits(&mut self, value: &Expr, kind: Kind) {
        let (Some(number), Some((least, greatest))) = (constants::value(value), kind.range())
        else {
            return;
        };
        if !(least..=greatest).contains(&i64::from(number)) {
            let kind = self.symbols.describe(kind);
            let message = format!("{number} does not fit the type {kind}");
            self.report(
                Diagnostic::warning(lints::CONSTANT_OUT_OF_RANGE, value.span, message)
                    .label(format!("{kind} holds {least} to {greatest}")),
            );
        }
    }
}

/// The mtype whose constants a variable of the type holds, if it has a name.
pub(super) fn own_mtype(kind: Kind) -> Option<MtypeId> {
    match kind {
        Kind::Mtype(id) if id != UNNAMED => Some(id),
        _ => None,
    }
}
