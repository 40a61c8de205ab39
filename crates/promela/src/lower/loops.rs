//! `for` and `select`: loops that count.

use isospin_model::{self as model, Action, Place, Scalar};
use isospin_source::Span;

use super::graph::{ElementKind, Target};
use super::reference::Resolved;
use super::stmt::Ready;
use super::types::VarType;
use super::Lowering;
use crate::syntax::ast::{
    Expr, ExprKind, For, ForRange, ReceiveArg, ReceiveArgKind, Select, VarRef,
};

impl Lowering<'_> {
    /// `var = from; do :: var <= to -> body; var++ :: else -> break od`
    pub(super) fn for_loop(&mut self, f: &For, span: Span) -> Ready {
        let exit = self.open_loop();
        let counter = match &f.range {
            ForRange::Range { from, to } => {
                let (from, to) = (self.expr(from), self.expr(to));
                self.count(&f.var, from, model::BinaryOp::LessEqual, to, span)
            }
            ForRange::In(over) => self.for_in(&f.var, over, span),
        };
        let Some(counter) = counter else {
            self.loops.pop();
            return Ready::Nothing;
        };
        self.at_start = false;
        self.stmts(&f.body.stmts);
        self.counted(counter, exit, true, span)
    }

    /// Sets a counter and opens the option that runs while it is within bounds.
    fn count(
        &mut self,
        var: &VarRef,
        from: model::Expr,
        op: model::BinaryOp,
        to: model::Expr,
        span: Span,
    ) -> Option<Place> {
        let Some(Resolved::Place(counter)) = self.resolve(var) else {
            self.error(var.span, "this cannot count");
            return None;
        };
        self.add_step(Action::Assign(Some(counter.clone()), from), span);
        self.graph.open();
        let test = model::Expr::binary(op, model::Expr::Load(counter.clone()), to);
        self.add_step(Action::Condition(test), span);
        Some(counter)
    }

    /// Over the indices of an array, or over the messages of a channel by rotating it.
    fn for_in(&mut self, var: &VarRef, over: &VarRef, span: Span) -> Option<Place> {
        let Some(container) = self.stored(over) else {
            self.undeclared(over.name());
            return None;
        };
        if let (Some(len), true) = (container.array, over.as_name().is_some()) {
            let last = model::Expr::Const(len as i32 - 1);
            return self.count(var, model::Expr::Const(0), model::BinaryOp::LessEqual, last, span);
        }
        let message = self.stored(var);
        let is_record = message.is_some_and(|m| matches!(m.ty, VarType::Record(_)));
        let Some(capacity) = container.capacity.filter(|_| is_record) else {
            self.error(over.span, "this is neither an array nor a channel of records");
            return None;
        };
        let ty = if capacity > 255 { Scalar::SHORT } else { Scalar::BYTE };
        let counter = self.declare_counter(ty);
        self.add_step(Action::Assign(Some(counter.clone()), model::Expr::Const(0)), span);
        self.graph.open();
        let channel = self.var(over);
        let len = model::Expr::Len(Box::new(channel.clone()));
        let test =
            model::Expr::binary(model::BinaryOp::Less, model::Expr::Load(counter.clone()), len);
        self.add_step(Action::Condition(test), span);
        let kind = ReceiveArgKind::Var(var.clone());
        let pattern = self.pattern(&[ReceiveArg { span: var.span, kind }]);
        let whole = Expr { span: var.span, kind: ExprKind::Var(var.clone()) };
        let args = self.message(&[whole]);
        let receive = Action::Receive {
            channel: channel.clone(),
            pattern,
            random: false,
            copy: false,
            saved: Vec::new(),
        };
        self.add_step(receive, span);
        self.add_step(Action::Send { channel, args, sorted: false }, span);
        Some(counter)
    }

    /// Closes the option that `count` opened with a step of the counter, and makes the loop.
    fn counted(&mut self, counter: Place, exit: usize, with_else: bool, span: Span) -> Ready {
        let one = model::Expr::Const(1);
        let next =
            model::Expr::binary(model::BinaryOp::Add, model::Expr::Load(counter.clone()), one);
        self.add_step(Action::Assign(Some(counter), next), span);
        let again = self.graph.close();
        self.graph.open();
        if with_else {
            self.add_step(Action::Else, span);
        }
        let source = self.source(span);
        let goto = self.graph.element(ElementKind::Goto(Target::Break(exit)), source, "break");
        self.graph.add(goto);
        let leave = self.graph.close();
        self.loops.pop();
        Ready::Selection { exit: Some(exit), options: vec![leave, again] }
    }

    pub(super) fn select(&mut self, s: &Select, span: Span) -> Ready {
        let (from, to) = (self.expr(&s.from), self.expr(&s.to));
        if let (true, model::Expr::Const(low), model::Expr::Const(high)) = (s.literal, &from, &to) {
            // One assignment a value, unless there are many.
            if (0..=32).contains(&(i64::from(*high) - i64::from(*low))) {
                let Some(Resolved::Place(place)) = self.resolve(&s.var) else {
                    return Ready::Nothing;
                };
                let options = (*low..=*high)
                    .map(|value| {
                        self.graph.open();
                        let value = model::Expr::Const(value);
                        self.add_step(Action::Assign(Some(place.clone()), value), span);
                        self.graph.close()
                    })
                    .collect();
                return Ready::Selection { exit: None, options };
            }
        }
        let exit = self.open_loop();
        match self.count(&s.var, from, model::BinaryOp::Less, to, span) {
            Some(counter) => self.counted(counter, exit, false, span),
            None => {
                self.loops.pop();
                Ready::Nothing
            }
        }
    }
}
