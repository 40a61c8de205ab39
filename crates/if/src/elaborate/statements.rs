//! Statements.

use isospin_source::Diagnostic;

use super::names::Meaning;
use super::Elaborator;
use crate::syntax::ast::{self, StatementKind as Written};
use crate::system::{Expr, ExprKind, Owner, Statement, StatementKind, Type};

impl Elaborator<'_> {
    pub(super) fn statements(&mut self, written: &[ast::Statement]) -> Vec<Statement> {
        let mut all = Vec::new();
        for statement in written {
            if let Some(kind) = self.statement(statement) {
                all.push(Statement { kind, span: statement.span });
            }
        }
        all
    }

    fn statement(&mut self, written: &ast::Statement) -> Option<StatementKind> {
        Some(match &written.kind {
            Written::Skip => StatementKind::Skip,
            Written::Informal(text) => StatementKind::Informal(text.clone()),
            Written::Task(place, value) => {
                let place = self.place(place)?;
                if place.ty == Type::Clock {
                    self.error(place.span, "a clock is set: `set c := e;`");
                    return None;
                }
                let value = self.value_for(value, &place.ty);
                StatementKind::Assign(place, value)
            }
            Written::Set(place, value) => {
                let place = self.clock(place)?;
                StatementKind::Set(place, self.numeric(value))
            }
            Written::Reset(place) => StatementKind::Reset(self.place(place)?),
            Written::Release(names) => {
                let mut all = Vec::new();
                for name in names {
                    all.extend(self.resource(&name.name, name.span));
                }
                StatementKind::Release(all)
            }
            Written::Output { signal, args, via, to } => {
                let number = self.signal(&signal.name, signal.span)?;
                let wanted = self.system.signals[number].parameters.clone();
                let args = self.arguments(&signal.name, args, &wanted, written)?;
                let via = via.as_ref().map(|e| self.pid(e));
                let to = to.as_ref().map(|e| self.pid(e));
                if let Some(Expr { kind: ExprKind::Instance(owner, _), span, .. }) = &via {
                    let span = *span;
                    match owner {
                        Owner::Route(route) => self.carries(*route, number, span),
                        Owner::Process(_) => self.error(span, "a signal goes via a route"),
                    }
                }
                StatementKind::Output { signal: number, args, via, to }
            }
            Written::Fork { place, process, args } => {
                let number = self.process_named(&process.name, process.span)?;
                let of = &self.system.processes[number];
                let parameters = of.variables.iter().take(of.parameters);
                let wanted: Vec<Type> = parameters.map(|v| v.ty.clone()).collect();
                let args = self.arguments(&process.name, args, &wanted, written)?;
                let place = match place {
                    Some(place) => {
                        let place = self.place(place)?;
                        if !self.fits(&Type::Pid, &place.ty) {
                            let found = self.describe(&place.ty);
                            self.error(place.span, format!("a pid cannot be stored in {found}"));
                        }
                        Some(place)
                    }
                    None => None,
                };
                StatementKind::Fork { place, process: number, args }
            }
            Written::Kill(pid) => StatementKind::Kill(self.pid(pid)),
            Written::Call { procedure } => {
                match self.meaning(&procedure.name) {
                    // Without a body it does nothing; with C text it has been refused.
                    Some(Meaning::Procedure { .. }) => {}
                    _ => {
                        let test = |m: &Meaning| matches!(m, Meaning::Procedure { .. });
                        self.unknown(&procedure.name, procedure.span, "a procedure", test);
                    }
                }
                StatementKind::Skip
            }
            Written::If { condition, then, otherwise } => StatementKind::If {
                condition: self.truth(condition),
                then: self.statements(then),
                otherwise: self.statements(otherwise),
            },
            Written::While { condition, body } => StatementKind::While {
                condition: self.truth(condition),
                body: self.statements(body),
            },
        })
    }

    fn arguments(
        &mut self,
        name: &str,
        args: &[ast::Expr],
        wanted: &[Type],
        of: &ast::Statement,
    ) -> Option<Vec<Expr>> {
        if args.len() != wanted.len() {
            let message =
                format!("`{name}` has {} parameters, and {} are given", wanted.len(), args.len());
            self.error(of.span, message);
            return None;
        }
        Some(args.iter().zip(wanted).map(|(arg, ty)| self.value_for(arg, ty)).collect())
    }

    /// A pid.
    fn pid(&mut self, written: &ast::Expr) -> Expr {
        let value = self.value_for(written, &Type::Pid);
        Expr { span: written.span, ..value }
    }

    fn carries(&mut self, route: usize, signal: usize, span: isospin_source::Span) {
        let (of, signal_name) = (&self.system.routes[route], &self.system.signals[signal].name);
        if of.signals.contains(&signal) {
            return;
        }
        let message = format!("the route `{}` does not carry `{signal_name}`", of.name);
        let declared = of.span;
        let error = Diagnostic::error(span, message).note_at(declared, "it is declared here");
        self.errors.push(error);
    }
}
