//! Expressions.

use super::references::{Target, Use};
use super::{Checker, Context};
use crate::symbols::{Kind, Predefined};
use crate::syntax::ast::{Expr, ExprKind, ReceiveArg, ReceiveArgKind};
use isospin_source::Span;

/// The first `run` in the expression.
pub(super) fn find_run(expr: &Expr) -> Option<Span> {
    match &expr.kind {
        ExprKind::Run(_) => Some(expr.span),
        ExprKind::Unary(_, e)
        | ExprKind::Enabled(e)
        | ExprKind::PcValue(e)
        | ExprKind::GetPriority(e) => find_run(e),
        ExprKind::Binary(_, a, b) => find_run(a).or_else(|| find_run(b)),
        ExprKind::Conditional { cond, then, otherwise } => {
            [cond, then, otherwise].into_iter().find_map(|e| find_run(e))
        }
        _ => None,
    }
}

impl<'a> Checker<'a> {
    pub(super) fn expr(&mut self, expr: &'a Expr) {
        isospin_limits::check();
        match &expr.kind {
            ExprKind::Const(_) | ExprKind::Timeout | ExprKind::EmbeddedC(_) | ExprKind::Error => {}
            ExprKind::NonProgress => {
                if !matches!(self.context, Context::Never | Context::Ltl) {
                    self.error(expr.span, "`np_` can be used only in a never claim or formula");
                }
            }
            ExprKind::Var(var) => {
                self.var_ref(var, Use::Read);
            }
            ExprKind::Enabled(e) => {
                self.symbols.uses.enabled = true;
                self.enabled.get_or_insert(expr.span);
                self.expr(e);
            }
            ExprKind::Unary(_, e) | ExprKind::PcValue(e) => self.expr(e),
            ExprKind::GetPriority(e) => {
                self.symbols.uses.priorities = true;
                self.expr(e);
            }
            ExprKind::Binary(..) => self.chain(expr),
            ExprKind::Conditional { cond, then, otherwise } => {
                self.expr(cond);
                self.expr(then);
                self.expr(otherwise);
            }
            ExprKind::Run(run) => self.run(expr.span, run),
            ExprKind::Expire(timer) => self.timer_ref(timer, Use::Read),
            ExprKind::Len(channel) => {
                self.var_ref(channel, Use::Read);
            }
            ExprKind::Probe(_, channel) => {
                self.channel_ref(channel);
            }
            ExprKind::Poll(poll) => {
                if let Some(target) = self.channel_ref(&poll.channel) {
                    self.receive_args(&poll.args, &target, Use::Read);
                }
            }
            ExprKind::RemoteLabel { proctype, pid, label } => {
                if let Some(pid) = pid {
                    self.expr(pid);
                }
                self.remote_label(proctype, label);
            }
            ExprKind::RemoteVar { proctype, pid, var } => {
                if let Some(pid) = pid {
                    self.expr(pid);
                }
                self.remote_var(proctype, var);
            }
        }
    }

    /// A chain of operators is deep on the left; it is walked from there.
    fn chain(&mut self, expr: &'a Expr) {
        let mut rights = Vec::new();
        let mut at = expr;
        while let ExprKind::Binary(_, left, right) = &at.kind {
            rights.push(right);
            at = left;
        }
        self.expr(at);
        for right in rights.into_iter().rev() {
            self.expr(right);
        }
    }

    /// A channel's name may be assigned, but nothing can be computed from it.
    pub(super) fn no_channel_arithmetic(&mut self, expr: &Expr, top: bool) {
        match &expr.kind {
            ExprKind::Var(var) => {
                let Some(id) = self.symbols.variable_of(var.name()) else {
                    return;
                };
                if !top && var.segments.len() == 1 && self.symbols.variable(id).kind == Kind::Chan {
                    self.error(var.span, "nothing can be computed from a channel");
                }
            }
            ExprKind::Binary(_, a, b) => {
                self.no_channel_arithmetic(a, false);
                self.no_channel_arithmetic(b, false);
            }
            ExprKind::Unary(_, e) => self.no_channel_arithmetic(e, false),
            ExprKind::Conditional { cond, then, otherwise } => {
                for e in [cond, then, otherwise] {
                    self.no_channel_arithmetic(e, false);
                }
            }
            _ => {}
        }
    }

    /// The fields of a receive or of a test of a channel.
    pub(super) fn receive_args(&mut self, args: &'a [ReceiveArg], target: &Target, how: Use) {
        let mut kinds: Vec<Option<Kind>> = Vec::new();
        for arg in args {
            match &arg.kind {
                ReceiveArgKind::Const(_) => kinds.push(None),
                ReceiveArgKind::Eval(expr) => {
                    self.expr(expr);
                    kinds.push(None);
                }
                ReceiveArgKind::Var(var) => {
                    let how = match how {
                        _ if var.name().name == Predefined::Scratch.name() => Use::WriteWhole,
                        Use::Read => Use::ReadWhole,
                        _ => Use::WriteWhole,
                    };
                    let found = self.var_ref(var, how);
                    self.push_kinds(var.span, found, &mut kinds);
                }
            }
        }
        let places: Vec<Span> = args.iter().map(|a| a.span).collect();
        self.message(&places, &kinds, target);
    }
}
