//! Declarations of variables.

use super::symbols::{Global, Kind, Local, Place, Variable, UNNAMED};
use super::{constants, Checker};
use crate::lints;
use crate::syntax::ast::{
    Block, Declarator, Expr, ExprKind, Initializer, Item, Stmt, StmtKind, Tree, VarDecl, Visibility,
};
use isospin_source::{Diagnostic, Name};
use std::rc::Rc;

impl<'a> Checker<'a> {
    /// Declares variables; `early` is before the first statement of the body.
    pub(super) fn variables(&mut self, decl: &'a VarDecl, place: Place, early: bool) {
        for var in &decl.vars {
            if !early {
                self.late_initializer(var);
            }
            let Some(variable) = self.variable(decl, var, place) else {
                continue;
            };
            match self.symbols.clash(&var.name, "the variable") {
                Some(clash) => self.report(clash),
                None => {
                    let id = self.symbols.add(variable);
                    let name = var.name.name.clone();
                    match self.symbols.scopes.last_mut() {
                        Some(scope) => {
                            scope.insert(name, Local::Variable(id));
                        }
                        None => {
                            self.symbols.globals.insert(name, Global::Variable(id));
                        }
                    }
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
    ) -> Option<Variable> {
        let width = self.width(decl, var);
        let kind = Kind::of(&decl.ty, width);
        self.hidden(decl, var, &kind, place);
        if let Some(size) = &var.size {
            self.array_size(var, size);
            if place == Place::Parameter {
                let message = format!("parameter `{}` cannot be an array", var.name.name);
                self.error(var.span, message);
            }
        }
        if place == Place::Parameter {
            self.parameter(var, &kind);
        }
        let mut variable = Variable {
            name: var.name.name.clone(),
            span: var.name.span,
            array: var.size.is_some(),
            fields: None,
            capacity: 0,
            place,
            hidden: decl.visibility == Some(Visibility::Hidden),
            mtype: None,
            initial: Some(0),
            read: false,
            written: false,
            claims: [None, None],
            kind,
        };
        if let Kind::Mtype(Some(subtype)) = &variable.kind {
            variable.mtype = Some(subtype.clone());
        }
        if let Some(init) = &var.init {
            self.initializer(var, init, &mut variable);
        }
        Some(variable)
    }

    fn width(&mut self, decl: &VarDecl, var: &Declarator) -> u32 {
        let unsigned = matches!(decl.ty.kind, crate::syntax::ast::TypeKind::Unsigned);
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

    fn hidden(&mut self, decl: &VarDecl, var: &Declarator, kind: &Kind, place: Place) {
        if decl.visibility != Some(Visibility::Hidden) {
            return;
        }
        let name = &var.name.name;
        let message = match kind {
            // For a field, the typedef says so.
            _ if place != Place::Global && !self.symbols.scopes.is_empty() => {
                format!("`{name}` is local, and only a global variable can be hidden")
            }
            Kind::Bit | Kind::Bool => format!("`{name}` is a bit, which cannot be hidden"),
            Kind::Chan => format!("`{name}` is a channel, which cannot be hidden"),
            Kind::Struct(_) => format!("`{name}` is a structure, which cannot be hidden"),
            Kind::Timer => format!("`{name}` is a timer, which cannot be hidden"),
            _ => return,
        };
        self.error(var.name.span, message);
    }

    fn array_size(&mut self, var: &Declarator, size: &Expr) {
        let name = &var.name.name;
        if let ExprKind::Var(bound) = &size.kind {
            if let Some(id) = self.symbols.variable(&bound.name().name) {
                self.symbols.variables[id].read = true;
                let initial = self.symbols.variables[id].initial.filter(|n| *n > 0);
                let message = format!(
                    "the size of array `{name}` is a variable; its initial value is taken, {}",
                    initial.unwrap_or(8)
                );
                self.report(
                    Diagnostic::warning(lints::VARIABLE_ARRAY_SIZE, size.span, message)
                        .help("a constant from #define says it better"),
                );
                return;
            }
        }
        if self.const_value(size, "the size of an array").is_some_and(|n| n <= 0) {
            let message = format!("array `{name}` needs at least one element");
            self.error(size.span, message);
        }
    }

    /// The value of a constant expression; its names must be constants of an
    /// mtype, or it is a single variable whose initial value is taken.
    pub(super) fn const_value(&mut self, expr: &Expr, what: &str) -> Option<i64> {
        if let ExprKind::Var(var) = &expr.kind {
            let name = &var.name().name;
            if let Some(id) = self.symbols.variable(name) {
                self.symbols.variables[id].read = true;
                return self.symbols.variables[id].initial;
            }
        }
        if let Some(span) = self.unknown_constant(expr) {
            let name = self.sources.text(span).to_owned();
            if self.symbols.variable(&name).is_some() {
                self.error(span, format!("{what} must be constant, and `{name}` is a variable"));
            } else {
                self.undeclared(&name, span);
            }
        }
        constants::value(expr)
    }

    /// As [`Self::const_value`], without a word.
    pub(super) fn known_value(&self, expr: &Expr) -> Option<i64> {
        if let ExprKind::Var(var) = &expr.kind {
            let id = self.symbols.variable(&var.name().name)?;
            return self.symbols.variables[id].initial;
        }
        constants::value(expr)
    }

    fn unknown_constant(&self, expr: &Expr) -> Option<isospin_source::Span> {
        match &expr.kind {
            ExprKind::Var(var) => {
                let known = self.symbols.mtype_of(&var.name().name).is_some();
                (!known).then_some(var.span)
            }
            ExprKind::Unary(_, e) => self.unknown_constant(e),
            ExprKind::Binary(_, a, b) => {
                self.unknown_constant(a).or_else(|| self.unknown_constant(b))
            }
            _ => None,
        }
    }

    fn parameter(&mut self, var: &Declarator, kind: &Kind) {
        let name = &var.name.name;
        if var.init.is_some() {
            self.error(var.span, format!("parameter `{name}` cannot have an initial value"));
        }
        if let Kind::Struct(typedef) = kind {
            if self.has_array(typedef, 0) {
                let message =
                    format!("parameter `{name}` cannot be a structure with an array in it");
                self.error(var.span, message);
            }
        }
    }

    fn has_array(&self, typedef: &Name, depth: usize) -> bool {
        let Some(fields) = self.symbols.typedefs.get(typedef) else {
            return false;
        };
        fields.iter().any(|field| {
            field.array
                || matches!(&field.kind, Kind::Struct(inner) if depth < 100 && self.has_array(inner, depth + 1))
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
                variable.capacity =
                    self.const_value(&channel.capacity, "the capacity of a channel").unwrap_or(1);
                self.rendezvous |= variable.capacity == 0;
                let fields = channel.fields.iter().map(|ty| Kind::of(ty, 0)).collect();
                variable.fields = Some(Rc::new(fields));
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
                    self.fits(item, &variable.kind);
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
                if !matches!(variable.kind, Kind::Struct(_)) {
                    self.no_channel_arithmetic(value, true);
                }
                self.fits(value, &variable.kind);
                variable.initial = constants::value(value);
                if let Some(mtype) = self.mtype_of_expr(value) {
                    let own = variable.mtype.clone();
                    if own.as_ref().is_some_and(|own| *own != mtype) {
                        self.mtype_mismatch(value.span, name, own, &mtype);
                    }
                }
            }
        }
    }

    pub(super) fn mtype_mismatch(
        &mut self,
        span: isospin_source::Span,
        name: &Name,
        own: Option<Name>,
        other: &Name,
    ) {
        let say = |mtype: &str| match mtype {
            UNNAMED => "the mtype without a name".to_owned(),
            mtype => format!("mtype `{mtype}`"),
        };
        let own = own.unwrap_or_else(|| UNNAMED.into());
        let message = format!(
            "`{name}` holds values of {}, but this is a value of {}",
            say(&own),
            say(other)
        );
        self.error(span, message);
    }

    /// Warns where a constant does not fit the type it goes into.
    pub(super) fn fits(&mut self, value: &Expr, kind: &Kind) {
        let (Some(number), Some((least, greatest))) =
            (constants::value(value), constants::range(kind))
        else {
            return;
        };
        if number < least || number > greatest {
            let message = format!("{number} does not fit the type {}", kind.describe());
            self.report(
                Diagnostic::warning(lints::CONSTANT_OUT_OF_RANGE, value.span, message)
                    .label(format!("{} holds {least} to {greatest}", kind.describe())),
            );
        }
    }
}

/// The most fields that the messages of any channel in the tree have, those of
/// structures counted one by one.
pub(super) fn most_fields(tree: &Tree) -> usize {
    let mut finder = MostFields::default();
    for item in &tree.items {
        match item {
            Item::Typedef(typedef) => {
                let mut size = 0usize;
                for decl in &typedef.fields {
                    finder.decl(decl);
                    for var in &decl.vars {
                        let each = finder.width(&decl.ty);
                        let elements = var.size.as_ref().and_then(constants::value).unwrap_or(1);
                        size = size.saturating_add(each.saturating_mul(elements.max(1) as usize));
                    }
                }
                finder.typedefs.insert(typedef.name.name.clone(), size);
            }
            Item::Variables(decl) => finder.decl(decl),
            Item::Proctype(p) => finder.block(&p.body),
            Item::Init(i) => finder.block(&i.body),
            Item::Never(n) => finder.block(&n.body),
            Item::Trace(t) => finder.block(&t.body),
            _ => {}
        }
    }
    finder.most
}

#[derive(Default)]
struct MostFields {
    typedefs: std::collections::HashMap<Name, usize>,
    most: usize,
}

impl MostFields {
    fn width(&self, ty: &crate::syntax::ast::Type) -> usize {
        match &ty.kind {
            crate::syntax::ast::TypeKind::Named(name) => {
                self.typedefs.get(&name.name).copied().unwrap_or(1)
            }
            _ => 1,
        }
    }

    fn decl(&mut self, decl: &VarDecl) {
        for var in &decl.vars {
            if let Some(Initializer::Channel(channel)) = &var.init {
                let fields = channel.fields.iter().map(|ty| self.width(ty));
                let total = fields.fold(0usize, usize::saturating_add);
                self.most = self.most.max(total);
            }
        }
    }

    /// Channels are declared with their messages at the start of a body only.
    fn block(&mut self, block: &Block) {
        for Stmt { kind, .. } in &block.stmts {
            if let StmtKind::Decl(decl) = kind {
                self.decl(decl);
            }
        }
    }
}
