//! What is done with timers.

use super::exprs::find_run;
use super::references::Use;
use super::{constants, Checker, Context};
use crate::symbols::Kind;
use crate::syntax::ast::{Expr, TimerStmt, TimerStmtKind, VarRef};
use isospin_source::{Diagnostic, Span};

/// A bounded delay has a step for each length; more than this are refused.
const MAX_LENGTHS: i32 = 10_000;

impl<'a> Checker<'a> {
    pub(super) fn timer_stmt(&mut self, span: Span, stmt: &'a TimerStmt) {
        if self.context == Context::Never {
            self.error(span, "a never claim cannot change a timer");
        }
        for operand in stmt.kind.operands() {
            self.expr(operand);
            if let Some(run) = find_run(operand) {
                self.error(run, "`run` cannot be part of a larger expression here");
            }
            self.fits(operand, Kind::Timer);
        }
        self.timer_ref(&stmt.timer, Use::Write);
        match &stmt.kind {
            TimerStmtKind::Set(_) | TimerStmtKind::Reset => {}
            TimerStmtKind::BoundedDelay(least, most) => {
                self.bounds(least, most);
                self.timer_ref(&stmt.timer, Use::Read);
            }
            _ => self.timer_ref(&stmt.timer, Use::Read),
        }
    }

    /// A reference to what must be a timer.
    pub(super) fn timer_ref(&mut self, timer: &'a VarRef, how: Use) {
        let Some(found) = self.var_ref(timer, how) else { return };
        if found.variable.kind != Kind::Timer {
            let message = format!(
                "`{}` is of type {}, and a timer is needed here",
                self.sources.text(timer.span),
                self.symbols.describe(found.variable.kind)
            );
            let diagnostic = Diagnostic::error(timer.span, message);
            self.report(if found.variable.span == Span::NONE {
                diagnostic
            } else {
                diagnostic.note_at(found.variable.span, "declared here")
            });
        }
    }

    fn bounds(&mut self, least: &Expr, most: &Expr) {
        let span = self.sources.join(least.span, most.span);
        match (constants::value(least), constants::value(most)) {
            (Some(a), Some(b)) if a < 0 => {
                self.error(span, format!("a delay cannot be negative, as {} is", a.min(b)));
            }
            (Some(a), Some(b)) if a > b => self.error(span, "this range is empty"),
            (Some(a), Some(b)) if b - a >= MAX_LENGTHS => {
                let message = format!("a delay can have {MAX_LENGTHS} different lengths at most");
                self.error(span, message);
            }
            (Some(_), Some(_)) => {}
            _ => self.error(span, "the bounds of a delay must be constants"),
        }
    }
}
