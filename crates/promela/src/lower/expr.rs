//! Expressions, messages and patterns.

use isospin_model::{self as model, ProcTypeId};

use super::reference::Resolved;
use super::Lowering;
use crate::operators::{binary, unary};
use crate::symbols::{Meaning, Predefined, ProctypeId};
use crate::syntax::ast::*;

impl Lowering<'_> {
    /// An expression of the model.
    pub(super) fn expr(&mut self, expr: &Expr) -> model::Expr {
        isospin_limits::check();
        match &expr.kind {
            ExprKind::Const(c) => model::Expr::Const(c.value()),
            ExprKind::Var(v) => self.var(v),
            ExprKind::Unary(op, e) => {
                let operand = self.expr(e);
                let Some(op) = unary(*op) else {
                    self.error(expr.span, "temporal operators stand only in ltl formulas");
                    return operand;
                };
                model::Expr::unary(op, operand)
            }
            ExprKind::Binary(op, a, b) => {
                let (left, right) = (self.expr(a), self.expr(b));
                match binary(*op) {
                    Some(op) => model::Expr::binary(op, left, right),
                    None if *op == BinaryOp::Implies => model::Expr::binary(
                        model::BinaryOp::Or,
                        model::Expr::unary(model::UnaryOp::Not, left),
                        right,
                    ),
                    None => {
                        self.error(expr.span, "temporal operators stand only in ltl formulas");
                        left
                    }
                }
            }
            ExprKind::Conditional { cond, then, otherwise } => model::Expr::Conditional(
                Box::new(self.expr(cond)),
                Box::new(self.expr(then)),
                Box::new(self.expr(otherwise)),
            ),
            ExprKind::Run(run) => self.run_expr(run),
            ExprKind::Len(v) => model::Expr::Len(Box::new(self.var(v))),
            ExprKind::Probe(probe, v) => {
                let channel = Box::new(self.var(v));
                match probe {
                    Probe::Full => model::Expr::Full(channel),
                    Probe::Empty => model::Expr::Empty(channel),
                    Probe::NFull => {
                        model::Expr::unary(model::UnaryOp::Not, model::Expr::Full(channel))
                    }
                    Probe::NEmpty => {
                        model::Expr::unary(model::UnaryOp::Not, model::Expr::Empty(channel))
                    }
                }
            }
            ExprKind::Poll(poll) => {
                let channel = Box::new(self.var(&poll.channel));
                let pattern = self.pattern(&poll.args);
                model::Expr::Poll { channel, pattern, random: poll.random }
            }
            ExprKind::Enabled(e) => model::Expr::Enabled(Box::new(self.expr(e))),
            ExprKind::PcValue(e) => model::Expr::PcValue(Box::new(self.expr(e))),
            ExprKind::GetPriority(e) => model::Expr::Priority(Box::new(self.expr(e))),
            ExprKind::Timeout => model::Expr::Timeout,
            ExprKind::Expire(v) => self.expire(v),
            ExprKind::NonProgress => model::Expr::NonProgress,
            ExprKind::RemoteLabel { proctype, pid, label } => {
                let pid = pid.as_ref().map(|pid| Box::new(self.expr(pid)));
                let Some(id) = self.proctype_of(proctype) else {
                    return model::Expr::Const(0);
                };
                let body = self.known.bodies.get(id.0);
                let location = body.and_then(|b| b.labels.get(&label.name).copied());
                model::Expr::AtLocation { proctype: ProcTypeId(id.0 as u16), pid, location }
            }
            ExprKind::RemoteVar { proctype, pid, var } => {
                self.remote_var(proctype, pid.as_deref(), var)
            }
            ExprKind::EmbeddedC(_) | ExprKind::Error => model::Expr::Const(0),
        }
    }

    fn run_expr(&mut self, run: &Run) -> model::Expr {
        let Some(ProctypeId(proctype)) = self.proctype_of(&run.proctype) else {
            return model::Expr::Const(0);
        };
        let proctype = ProcTypeId(proctype as u16);
        let args = self.message(&run.args);
        let priority = self.priority(run.priority.as_ref());
        model::Expr::Run { proctype, args, priority }
    }

    /// The values of a message or of parameters; a record stands for all its fields.
    pub(super) fn message(&mut self, args: &[Expr]) -> Vec<model::Expr> {
        let mut values = Vec::new();
        for arg in args {
            if let Some(record) = self.record_of(arg) {
                values.extend(record.into_iter().map(model::Expr::Load));
            } else {
                values.push(self.expr(arg));
            }
        }
        values
    }

    /// The pattern of a receive or poll.
    pub(super) fn pattern(&mut self, args: &[ReceiveArg]) -> Vec<model::ReceiveArg> {
        let mut pattern = Vec::new();
        for arg in args {
            match &arg.kind {
                ReceiveArgKind::Const(c) => {
                    pattern.push(model::ReceiveArg::Match(model::Expr::Const(c.value())));
                }
                ReceiveArgKind::Eval(e) => {
                    let value = self.expr(e);
                    pattern.push(model::ReceiveArg::Match(value));
                }
                ReceiveArgKind::Var(v) => {
                    if self.predefined(v) == Some(Predefined::Scratch) {
                        pattern.push(model::ReceiveArg::Ignore);
                        continue;
                    }
                    if let Some(Meaning::Constant(_, value)) = self.symbols.meaning(v.name()) {
                        pattern.push(model::ReceiveArg::Match(model::Expr::Const(value)));
                        continue;
                    }
                    match self.resolve(v) {
                        Some(Resolved::Place(place)) => {
                            self.no_timer(place.ty, v.span);
                            pattern.push(model::ReceiveArg::Store(place));
                        }
                        Some(Resolved::Record(region, offset, indices, record)) => {
                            let mut places = Vec::new();
                            self.leaves(&region, offset, &indices, record, &mut places);
                            pattern.extend(places.into_iter().map(model::ReceiveArg::Store));
                        }
                        // A channel that nothing is stored in is only polled for.
                        Some(Resolved::Channel(..)) => pattern.push(model::ReceiveArg::Ignore),
                        None => {}
                    }
                }
            }
        }
        pattern
    }
}
