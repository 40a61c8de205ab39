//! References to variables: what they refer to, and how it is used.

use super::scopes::Global;
use super::{Checker, Context};
use crate::lints;
use crate::symbols::{Kind, Meaning, MtypeId, Place, Predefined, Variable, VariableId};
use crate::syntax::ast::{Expr, ExprKind, Ident, Segment, VarRef};
use isospin_source::{Diagnostic, Span};

/// How a variable is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Use {
    Read,
    Write,
    /// A whole structure may stand here: in a message or as an argument.
    ReadWhole,
    WriteWhole,
    /// A loop runs with it: a structure may stand here.
    Loop,
    /// A loop runs over it: an array without an index or a channel.
    Over,
}

/// What a reference refers to.
#[derive(Clone)]
pub(super) struct Target {
    /// The variable that the reference starts from.
    pub id: VariableId,
    /// The variable or field that it ends at.
    pub variable: Variable,
    /// Whether it ends at a field.
    pub is_field: bool,
    /// Whether it has an index at its end.
    pub indexed: bool,
}

impl<'a> Checker<'a> {
    pub(super) fn undeclared(&mut self, name: &str, span: Span) {
        let mut diagnostic = Diagnostic::error(span, format!("`{name}` is not declared"));
        if self.proctypes.contains_key(name) {
            diagnostic = diagnostic.note("there is a proctype of that name");
        } else {
            diagnostic = diagnostic.did_you_mean(name, self.scopes.visible());
        }
        self.report(diagnostic);
    }

    /// Looks a reference up and marks its variable as used. A constant of an
    /// mtype gives nothing, and neither does what has been complained about.
    pub(super) fn var_ref(&mut self, var: &'a VarRef, how: Use) -> Option<Target> {
        for segment in &var.segments {
            if let Some(index) = &segment.index {
                self.expr(index);
            }
        }
        let first = &var.segments[0];
        let meaning = self.scopes.find(&first.name.name);
        if let Some(meaning) = meaning {
            self.symbols.set_meaning(&first.name, meaning);
        }
        let Some(Meaning::Variable(id)) = meaning else {
            self.not_a_variable(var, how);
            return None;
        };
        self.mark(id, how);
        let variable = self.symbols.variable(id).clone();
        // In a trace, `_` is any value, in a send too.
        let reads = matches!(how, Use::Read | Use::ReadWhole);
        let scratch = variable.place == Place::Predefined(Predefined::Scratch);
        if scratch && reads && self.context != Context::Trace {
            self.error(var.span, "the value of `_` cannot be read");
            return None;
        }
        self.segment(first, &variable, how);
        let mut target = Target { id, variable, is_field: false, indexed: first.index.is_some() };
        for segment in &var.segments[1..] {
            let field = self.field(&target.variable, segment)?;
            self.segment(segment, &field, how);
            target.variable = field;
            target.is_field = true;
            target.indexed = segment.index.is_some();
        }
        let whole = matches!(how, Use::ReadWhole | Use::WriteWhole | Use::Loop | Use::Over);
        if matches!(target.variable.kind, Kind::Record(_)) && !whole {
            let message = format!(
                "`{}` is a whole structure, and only one of its fields can be used here",
                self.sources.text(var.span)
            );
            self.error(var.span, message);
            return None;
        }
        Some(target)
    }

    /// Remembers how a variable is used.
    fn mark(&mut self, id: VariableId, how: Use) {
        let variable = self.symbols.variable_mut(id);
        match how {
            Use::Read | Use::ReadWhole | Use::Over => variable.read = true,
            Use::Write | Use::WriteWhole => variable.written = true,
            Use::Loop => {
                variable.read = true;
                variable.written = true;
            }
        }
        let uses = &mut self.symbols.uses;
        match self.symbols.variables[id.0].place {
            Place::Predefined(Predefined::Last) => uses.last = true,
            Place::Predefined(Predefined::Priority) => uses.priorities = true,
            _ => {}
        }
    }

    fn not_a_variable(&mut self, var: &VarRef, how: Use) {
        let Ident { name, span, .. } = &var.segments[0].name;
        let plain = var.as_name().is_some();
        match self.scopes.globals.get(name) {
            Some(Global::Constant { .. }) if self.scopes.local(name).is_none() => {
                if matches!(how, Use::Write | Use::Loop | Use::Over) {
                    let message = format!("`{name}` is a constant of an mtype, not a variable");
                    self.error(*span, message);
                } else if !plain {
                    let message =
                        format!("`{name}` is a constant of an mtype, without index or fields");
                    self.error(var.span, message);
                }
            }
            Some(Global::Proctype(_)) => {
                let message = format!("`{name}` is a proctype, not a variable");
                self.error(*span, message);
            }
            Some(Global::Inline(_)) => {
                let message = format!("`{name}` is an inline, not a variable");
                self.error(*span, message);
            }
            _ => self.undeclared(name, *span),
        }
    }

    /// An index where there must be one, and none where there must not.
    fn segment(&mut self, segment: &Segment, variable: &Variable, how: Use) {
        let name = &segment.name.name;
        match (&segment.index, variable.array) {
            (None, true) if !matches!(how, Use::Loop | Use::Over) => {
                // As in Spin.
                let message = format!("`{name}` is an array, and means its element 0 here");
                self.report(
                    Diagnostic::warning(lints::ARRAY_WITHOUT_INDEX, segment.name.span, message)
                        .note_at(variable.span, "declared here")
                        .help(format!("write `{name}[0]` if that is meant")),
                );
            }
            (Some(index), false) if super::constants::value(index) != Some(0) => {
                let message = format!("`{name}` is no array and cannot have an index");
                let diagnostic = Diagnostic::error(index.span, message);
                self.report(if variable.span == Span::NONE {
                    diagnostic
                } else {
                    diagnostic.note_at(variable.span, "declared here")
                });
            }
            _ => {}
        }
    }

    fn field(&mut self, variable: &Variable, segment: &Segment) -> Option<Variable> {
        let Ident { name, span, .. } = &segment.name;
        let Kind::Record(id) = variable.kind else {
            let kind = self.symbols.describe(variable.kind);
            let message = format!("`{}` is of type {kind} and has no fields", variable.name);
            self.error(*span, message);
            return None;
        };
        let typedef = self.symbols.typedef(id);
        let Some(k) = typedef.fields.iter().position(|f| f.name == *name) else {
            let message = format!("`{}` has no field `{name}`", variable.name);
            let names = typedef.fields.iter().map(|f| f.name.as_str());
            let all: Vec<String> = names.clone().map(|f| format!("`{f}`")).collect();
            let help = format!("{} has the fields {}", typedef.name, all.join(", "));
            let diagnostic = Diagnostic::error(*span, message).help(help);
            self.report(diagnostic.did_you_mean(name, names));
            return None;
        };
        let field = typedef.fields[k].clone();
        self.symbols.set_meaning(&segment.name, Meaning::Field(id, k));
        Some(field)
    }

    /// The mtype of an expression that is one of its constants.
    pub(super) fn mtype_of_expr(&self, expr: &Expr) -> Option<MtypeId> {
        match &expr.kind {
            ExprKind::Var(var) => self.mtype_of_name(var),
            _ => None,
        }
    }

    fn mtype_of_name(&self, var: &VarRef) -> Option<MtypeId> {
        match self.scopes.find(&var.as_name()?.name)? {
            Meaning::Constant(mtype, _) => Some(mtype),
            _ => None,
        }
    }

    /// A reference that must be to a channel.
    pub(super) fn channel_ref(&mut self, var: &'a VarRef) -> Option<Target> {
        let text = self.sources.text(var.span).to_owned();
        if self.mtype_of_name(var).is_some() {
            let message = format!("`{text}` is a constant of an mtype, not a channel");
            self.error(var.span, message);
            return None;
        }
        let target = self.var_ref(var, Use::Read)?;
        if target.variable.kind == Kind::Chan {
            return Some(target);
        }
        let kind = self.symbols.describe(target.variable.kind);
        let message = format!("`{text}` is of type {kind}, not a channel");
        let mut diagnostic = Diagnostic::error(var.span, message);
        if target.variable.span != Span::NONE {
            diagnostic = diagnostic.note_at(target.variable.span, "declared here");
        }
        self.report(diagnostic);
        None
    }
}
