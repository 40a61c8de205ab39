//! Expressions of properties: they belong to no process, and look everywhere.

use isospin_source::{Diagnostic, Span};

use super::{Elaborated, Elaborator, Scope};
use crate::syntax::{ast, parse_expression};
use crate::system::{Expr, ExprKind, Type};

/// The truth value that an expression of a property means.
pub fn property(
    known: &Elaborated,
    text: &str,
    start: u32,
    errors: &mut Vec<Diagnostic>,
) -> Option<Expr> {
    let written = parse_expression(text, start, errors)?;
    let mut me = Elaborator {
        system: known.system.clone(),
        names: known.symbols.clone(),
        scope: Scope { process: None, property: true },
        bound: Vec::new(),
        errors,
    };
    let before = me.errors.len();
    let expr = me.truth(&written);
    (me.errors.len() == before).then_some(expr)
}

impl Elaborator<'_> {
    /// `{P}e@s`.
    pub(super) fn at(&mut self, of: &ast::Expr, state: &ast::Ident, span: Span) -> Expr {
        let wrong = Expr { kind: ExprKind::Const(0), ty: Type::Wrong, span };
        let ast::ExprKind::Cast(owner, number) = &of.kind else {
            self.error(span, "`@` says where an instance stands: `{process}0@state`");
            return wrong;
        };
        if !self.scope.property {
            self.error(span, "where a process stands can be asked in properties only");
            return wrong;
        }
        let Some(process) = self.process_named(&owner.name, owner.span) else { return wrong };
        let Some(pid) = self.instance(process, number) else { return wrong };
        let Some(states) = self.names.states[process].get(&state.name).cloned() else {
            let names: Vec<String> = self.names.states[process].keys().cloned().collect();
            let message = format!("the process `{}` has no state `{}`", owner.name, state.name);
            let error = Diagnostic::error(state.span, message)
                .did_you_mean(&state.name, names.iter().map(String::as_str));
            self.errors.push(error);
            return wrong;
        };
        let kind = ExprKind::At(process, Box::new(pid), states);
        Expr { kind, ty: Type::Boolean, span }
    }

    /// `length e`: in a property, how many signals wait for an instance or in a route.
    pub(super) fn length(&mut self, of: &ast::Expr, span: Span) -> Expr {
        let wrong = Expr { kind: ExprKind::Const(0), ty: Type::Wrong, span };
        let ast::ExprKind::Cast(owner, _) = &of.kind else {
            self.error(span, "strings are not supported, so nothing has a length");
            return wrong;
        };
        if !self.scope.property {
            self.error(span, "how many signals wait can be asked in properties only");
            return wrong;
        }
        let Some(owner) = self.owner(owner) else { return wrong };
        let of = self.expr(of);
        let ExprKind::Instance(_, number) = of.kind else {
            if of.ty != Type::Wrong {
                self.error(span, "the number of an instance is needed: `length {process}0`");
            }
            return wrong;
        };
        Expr { kind: ExprKind::Waiting(owner, number), ty: Type::Integer, span }
    }
}
