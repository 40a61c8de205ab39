//! Assignments: one for each variable, state by state, and in every process.

use std::collections::BTreeMap;

use isospin_relation::{Duty, ExprId, Kind, Mention, Node, Obligation, Part, Support, VarId};
use isospin_source::{Diagnostic, Span};

use crate::flatten::{Flattener, Result, ScopeId};
use crate::syntax::{AssignKind, Expr};
use crate::types::Ty;

/// An assignment that was understood.
#[derive(Clone, Debug)]
pub(crate) struct Assigned {
    /// The process that it belongs to.
    pub(crate) process: usize,
    /// The set that the value is in.
    pub(crate) set: usize,
    pub(crate) span: Span,
}

/// All assignments, by what they are to.
#[derive(Debug, Default)]
pub(crate) struct Assignments {
    pub(crate) init: BTreeMap<VarId, Assigned>,
    pub(crate) current: BTreeMap<VarId, Assigned>,
    pub(crate) next: BTreeMap<VarId, Vec<Assigned>>,
}

impl Flattener<'_> {
    pub(crate) fn assignment(
        &mut self,
        scope: ScopeId,
        kind: AssignKind,
        target: Expr,
        value: Expr,
        all: &mut Assignments,
    ) -> Result<()> {
        let span = self.tree.span(target);
        let target = self.value(target, scope);
        let item = self.item(value, scope)?;
        let (ty, expr) = target?;
        let Node::Current(variable) = self.relation.expressions.node(expr) else {
            return self.error(span, "only a variable can be assigned to");
        };
        self.allowed(kind, variable, span)?;
        let value_span = self.tree.span(value);
        let set = self.assignable(ty, expr, item, span, value_span)?;
        let name = self.relation.variable(variable).name.clone();
        let process = self.scopes[scope].process;
        let assigned = Assigned { process, set, span: value_span };
        let twice = |first: &Assigned, what: &str| {
            let message = format!("{what} is assigned twice");
            let twice = Diagnostic::error(span, message);
            twice.note_at(first.span, "the other assignment is here")
        };
        let conflict = match kind {
            AssignKind::Init => all
                .init
                .get(&variable)
                .or(all.current.get(&variable))
                .map(|first| twice(first, &format!("the initial value of `{name}`"))),
            AssignKind::Next => {
                let same = |a: &&Assigned| a.process == process;
                let next = all.next.get(&variable).and_then(|list| list.iter().find(same));
                next.or(all.current.get(&variable))
                    .map(|first| twice(first, &format!("the next value of `{name}`")))
            }
            AssignKind::Current => all
                .current
                .get(&variable)
                .or(all.init.get(&variable))
                .or(all.next.get(&variable).and_then(|list| list.first()))
                .map(|first| twice(first, &format!("`{name}`"))),
        };
        if let Some(conflict) = conflict {
            return self.report(conflict);
        }
        match kind {
            AssignKind::Init => drop(all.init.insert(variable, assigned)),
            AssignKind::Current => drop(all.current.insert(variable, assigned)),
            AssignKind::Next => all.next.entry(variable).or_default().push(assigned),
        }
        Ok(())
    }

    fn allowed(&mut self, kind: AssignKind, variable: VarId, span: Span) -> Result<()> {
        let of = self.relation.variable(variable);
        let (name, of) = (of.name.clone(), of.kind);
        match (of, kind) {
            (Kind::Input, _) => {
                self.error(span, format!("`{name}` is an input, which cannot be assigned to"))
            }
            (Kind::Frozen, AssignKind::Next) => {
                self.error(span, format!("`{name}` is frozen, it has no other next value"))
            }
            _ => Ok(()),
        }
    }

    /// What is assigned, as a set of values that the variable's type allows.
    fn assignable(
        &mut self,
        ty: Ty,
        target: ExprId,
        item: crate::flatten::Item,
        span: Span,
        value_span: Span,
    ) -> Result<usize> {
        let target = crate::flatten::Item::Value(ty, target);
        let (_, item) = self.alike(target, item);
        let constant = match &item {
            crate::flatten::Item::Value(ty, expr) => Some((*ty, *expr)),
            _ => None,
        };
        let (given, set) = self.as_set(item, value_span)?;
        if ty.is_comparable(given) {
            return Ok(set);
        }
        let (target, given) = (ty.words(), given.words());
        let message = format!("the variable is {target}, and what is assigned is {given}");
        let diagnostic = Diagnostic::error(value_span, message).note_at(span, "the variable");
        let diagnostic = match constant {
            Some(value) if ty == Ty::Boolean => self.explain_old(diagnostic, value),
            _ => diagnostic,
        };
        self.report(diagnostic)
    }

    /// Makes parts of all assignments.
    pub(crate) fn assignments(&mut self, all: Assignments) {
        let mentions = |this: &mut Self, variable: VarId, next: bool, set: usize| {
            let target =
                if next { this.relation.next(variable) } else { this.relation.current(variable) };
            let expr = this.member(target, set);
            (expr, Support::of(&this.relation.expressions, expr))
        };
        self.circular(&all);
        for (&variable, assigned) in &all.init {
            let (expr, support) = mentions(self, variable, false, assigned.set);
            if self.only_states("an initial value", &support, assigned.span).is_ok() {
                self.fit(variable, assigned);
                let parts = self.parts(expr, assigned.span);
                self.relation.init.extend(parts);
            }
        }
        for (&variable, assigned) in &all.current {
            let (expr, support) = mentions(self, variable, false, assigned.set);
            if self.only_states("a value in every state", &support, assigned.span).is_ok() {
                self.fit(variable, assigned);
                let parts = self.parts(expr, assigned.span);
                self.relation.invariants.extend(parts);
            }
        }
        for (&variable, list) in &all.next {
            let (now, next) = (self.relation.current(variable), self.relation.next(variable));
            let mut whole = self.relation.expressions.equal(next, now);
            for assigned in list {
                let (expr, _) = mentions(self, variable, true, assigned.set);
                self.fit(variable, assigned);
                let runs = self.runs(assigned.process);
                whole = self.relation.expressions.choose(runs, expr, whole);
            }
            let place = self.place(list[0].span);
            self.has_value(whole, place);
            self.relation.transitions.push(Part { expr: whole, place });
        }
    }

    fn only_states(&mut self, what: &str, support: &Support, span: Span) -> Result<()> {
        for mention in &support.0 {
            match *mention {
                Mention::Next(_) => {
                    return self.error(span, format!("{what} cannot depend on a `next`"));
                }
                Mention::Current(v) if self.relation.variable(v).kind == Kind::Input => {
                    let name = &self.relation.variable(v).name;
                    let message = format!("{what} cannot depend on the input `{name}`");
                    return self.error(span, message);
                }
                Mention::Current(_) => {}
            }
        }
        Ok(())
    }

    /// Demands that what is assigned lies in the variable's domain.
    fn fit(&mut self, variable: VarId, assigned: &Assigned) {
        let expr = self.fits(variable, assigned.set);
        if self.relation.expressions.as_constant(expr) != Some(1) {
            let place = self.place(assigned.span);
            let duty = Duty::Fits(variable);
            self.relation.obligations.push(Obligation { expr, duty, place });
        }
    }
}
