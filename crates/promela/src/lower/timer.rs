//! What is done with timers. Delays are sequences of setting and waiting, as derived in
//! [Bosnacki 2001, chapter 4].

use isospin_model::time::OFF;
use isospin_model::{self as model, Action, Kind, Place, Scalar};
use isospin_source::Span;

use super::graph::{ElementKind, SequenceId, Target};
use super::reference::Resolved;
use super::stmt::Ready;
use super::Lowering;
use crate::syntax::ast::{TimerStmt, TimerStmtKind, VarRef};

impl Lowering<'_> {
    pub(super) fn timer_stmt(&mut self, stmt: &TimerStmt, span: Span) -> Ready {
        let Some(Resolved::Place(timer)) = self.resolve(&stmt.timer) else {
            return Ready::Nothing;
        };
        let set = |value| Action::Assign(Some(timer.clone()), value);
        match &stmt.kind {
            TimerStmtKind::Set(value) => {
                let value = self.expr(value);
                Ready::Element(ElementKind::Basic(set(value)))
            }
            TimerStmtKind::Reset => {
                Ready::Element(ElementKind::Basic(set(model::Expr::Const(OFF))))
            }
            TimerStmtKind::Delay(value) => {
                let text = self.text(value.span);
                let value = self.expr(value);
                self.graph.open();
                self.set_step(&stmt.timer, set(value), &text, span);
                Ready::Element(ElementKind::Block(self.wait(&stmt.timer, &timer, span)))
            }
            TimerStmtKind::BoundedDelay(least, most) => {
                let bounds = (self.symbols.constant(least), self.symbols.constant(most));
                let (Some(least), Some(most)) = bounds else {
                    self.error(span, "the bounds of a delay must be constants");
                    return Ready::Nothing;
                };
                self.graph.open();
                let lengths = (least..=most).map(|length| {
                    self.graph.open();
                    let value = set(model::Expr::Const(length));
                    self.set_step(&stmt.timer, value, &length.to_string(), span);
                    self.graph.close()
                });
                let options: Vec<SequenceId> = lengths.collect();
                let source = self.source(span);
                self.graph.selection(None, options, source);
                Ready::Element(ElementKind::Block(self.wait(&stmt.timer, &timer, span)))
            }
            TimerStmtKind::UnboundedDelay => {
                let exit = self.open_loop();
                self.graph.open();
                self.set_step(&stmt.timer, set(model::Expr::Const(1)), "1", span);
                let again = self.wait(&stmt.timer, &timer, span);
                self.graph.open();
                let source = self.source(span);
                let goto =
                    self.graph.element(ElementKind::Goto(Target::Break(exit)), source, "break");
                self.graph.add(goto);
                let leave = self.graph.close();
                self.loops.pop();
                Ready::Selection { exit: Some(exit), options: vec![again, leave] }
            }
        }
    }

    /// `expire(t)`
    pub(super) fn expire(&mut self, timer: &VarRef) -> model::Expr {
        expired(self.var(timer))
    }

    /// A field of a message cannot be stored in a timer.
    pub(super) fn no_timer(&mut self, ty: Scalar, span: Span) {
        if ty.kind == Kind::Timer {
            self.error(span, "a timer cannot be received: receive a number and set the timer");
        }
    }

    fn set_step(&mut self, timer: &VarRef, action: Action, length: &str, span: Span) {
        let text = format!("set({}, {length})", self.text(timer.span));
        let source = self.source(span);
        let el = self.graph.element(ElementKind::Basic(action), source, &text);
        self.graph.add(el);
    }

    /// Adds the wait for a timer to the open sequence and closes it.
    fn wait(&mut self, timer: &VarRef, place: &Place, span: Span) -> SequenceId {
        let text = format!("expire({})", self.text(timer.span));
        let source = self.source(span);
        let condition = Action::Condition(expired(model::Expr::Load(place.clone())));
        let el = self.graph.element(ElementKind::Basic(condition), source, &text);
        self.graph.add(el);
        self.graph.close()
    }
}

fn expired(timer: model::Expr) -> model::Expr {
    model::Expr::binary(model::BinaryOp::Equal, timer, model::Expr::Const(0))
}
