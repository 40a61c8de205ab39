//! Statements into elements.

use isospin_model::{
    self as model, Action, BinaryOp as Op, Exclusive, Place, ProcTypeId, Scalar, SourceRef,
};
use isospin_source::Span;

use super::expr::Resolved;
use super::graph::{El, Node, Seq, Target};
use super::types::VarType;
use super::Lowering;
use crate::symbols::Predefined;
use crate::syntax::ast::*;

/// A statement whose inner sequences exist but which has no element of its own yet. An `unless`
/// decides where that element goes.
pub(super) enum Ready {
    Nothing,
    Node(Node),
    Selection { exit: Option<usize>, options: Vec<Seq> },
    Unless { main: Seq, escape: Seq },
}

impl Lowering<'_> {
    pub(super) fn stmts(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let ready = self.prepare(stmt);
        self.add(stmt, ready);
    }

    /// Appends a prepared statement, with its labels, to the open sequence.
    fn add(&mut self, stmt: &Stmt, ready: Ready) {
        let source = self.source(stmt.span);
        let el = match ready {
            Ready::Nothing => return,
            Ready::Node(node) => {
                let text = self.text(stmt.span);
                let el = self.graph.element(node, source, &text);
                self.set_labels(stmt, el);
                self.add_element(stmt, el);
                return;
            }
            Ready::Selection { exit, options } => self.graph.selection(exit, options, source),
            Ready::Unless { main, escape } => self.graph.unless(main, escape, source),
        };
        self.set_labels(stmt, el);
    }

    /// A jump with a label that is looked at from outside gets a step of its own.
    fn add_element(&mut self, stmt: &Stmt, el: El) {
        let jump = matches!(self.graph.elements[el].node, Node::Goto(_));
        let labels = stmt.labels.iter().filter_map(|l| self.symbols.label_of(l));
        let watched = labels.into_iter().any(|l| self.symbols.label(l).remote);
        if jump && watched {
            let goto =
                std::mem::replace(&mut self.graph.elements[el].node, Node::Basic(Action::Skip));
            self.graph.add(el);
            let (source, text) = (self.source(stmt.span), self.text(stmt.span));
            let el = self.graph.element(goto, source, &text);
            self.graph.add(el);
        } else {
            self.graph.add(el);
        }
    }

    fn set_labels(&mut self, stmt: &Stmt, el: El) {
        for label in &stmt.labels {
            if let Some(id) = self.symbols.label_of(label) {
                self.graph.label(id, label.name.clone(), el);
            }
        }
    }

    /// Adds a step that the text does not spell out.
    fn add_step(&mut self, action: Action, span: Span) {
        let (source, text) = (self.source(span), self.text(span));
        let el = self.graph.element(Node::Basic(action), source, &text);
        self.graph.add(el);
    }

    fn prepare(&mut self, stmt: &Stmt) -> Ready {
        let action = match &stmt.kind {
            StmtKind::Decl(decl) => {
                self.declare_locals(decl);
                return Ready::Nothing;
            }
            StmtKind::Exclusive { send, channels } => {
                channels.iter().for_each(|channel| self.promise(*send, channel));
                return Ready::Nothing;
            }
            StmtKind::EmbeddedC(_) | StmtKind::Error => {
                self.error(stmt.span, "this statement cannot be executed");
                return Ready::Nothing;
            }
            kind => {
                let ready = self.compound(stmt, kind);
                self.at_start = false;
                if let Some(ready) = ready {
                    return ready;
                }
                self.simple(kind)
            }
        };
        Ready::Node(Node::Basic(action))
    }

    /// `xs` or `xr`. The promise holds from the start of the process, wherever it stands.
    fn promise(&mut self, sending: bool, channel: &VarRef) {
        // Nobody sends or receives in a claim.
        if self.in_claim {
            return;
        }
        let expr = self.var(channel);
        let indexed = match &expr {
            model::Expr::Load(place) => !place.indices.is_empty(),
            model::Expr::ChannelId { index, .. } => index.is_some(),
            _ => false,
        };
        if indexed {
            return self.error(channel.span, "xr and xs cannot name an element of an array");
        }
        // The process type is added when its body has been read.
        let proctype = ProcTypeId(self.model.proctypes.len() as u16);
        let source = self.source(channel.span);
        self.model.exclusives.push(Exclusive { proctype, channel: expr, sending, source });
    }

    /// A statement that is more than one action; `None` for the rest.
    fn compound(&mut self, stmt: &Stmt, kind: &StmtKind) -> Option<Ready> {
        Some(match kind {
            StmtKind::If(branches) => {
                let options = self.branches(branches);
                Ready::Selection { exit: None, options }
            }
            StmtKind::Do(branches) => {
                let exit = self.open_loop();
                let options = self.branches(branches);
                self.loops.pop();
                Ready::Selection { exit: Some(exit), options }
            }
            StmtKind::For(f) => self.for_loop(f, stmt.span),
            StmtKind::Select(s) => self.select(s, stmt.span),
            StmtKind::Break => match self.loops.last() {
                Some(&exit) => Ready::Node(Node::Goto(Target::Break(exit))),
                None => {
                    self.error(stmt.span, "`break` outside a loop");
                    Ready::Nothing
                }
            },
            StmtKind::Goto(label) => match self.symbols.label_of(label) {
                Some(id) => Ready::Node(Node::Goto(Target::Label(id))),
                None => {
                    self.error(label.span, "the label is not defined");
                    Ready::Nothing
                }
            },
            StmtKind::Atomic(block) => {
                let seq = self.block(block);
                self.graph.make_atomic(seq, false);
                Ready::Node(Node::Atomic(seq))
            }
            StmtKind::DStep(block) => {
                let seq = self.block(block);
                self.graph.make_atomic(seq, true);
                Ready::Node(Node::DetStep(seq))
            }
            StmtKind::Block(block) => Ready::Node(Node::Block(self.block(block))),
            StmtKind::InlineCall(call) => Ready::Node(Node::Block(self.block(&call.body))),
            StmtKind::Unless { body, escape } => self.unless(body, escape),
            StmtKind::Timer(timer) => self.timer_stmt(timer, stmt.span),
            _ => return None,
        })
    }

    fn simple(&mut self, kind: &StmtKind) -> Action {
        match kind {
            StmtKind::Assign { target, value } | StmtKind::Return { target, value } => {
                let value = self.expr(value);
                self.assign(target, value)
            }
            StmtKind::Increment(v) | StmtKind::Decrement(v) => {
                let op = match kind {
                    StmtKind::Increment(_) => Op::Add,
                    _ => Op::Subtract,
                };
                let value = model::Expr::binary(op, self.var(v), model::Expr::Const(1));
                self.assign(v, value)
            }
            StmtKind::Send(send) if self.in_trace => {
                let channel = self.var(&send.channel);
                let pattern = send.args.iter().map(|arg| self.event_field(arg)).collect();
                Action::Receive { channel, pattern, random: true, copy: false }
            }
            StmtKind::Send(send) => {
                let channel = self.var(&send.channel);
                let args = self.message(&send.args);
                Action::Send { channel, args, sorted: send.sorted }
            }
            StmtKind::Receive(receive) => {
                let channel = self.var(&receive.channel);
                let pattern = self.pattern(&receive.args);
                Action::Receive { channel, pattern, random: receive.random, copy: receive.copy }
            }
            StmtKind::Expr(e) => match self.expr(e) {
                model::Expr::Const(1) => Action::Skip,
                condition => Action::Condition(condition),
            },
            StmtKind::Else => Action::Else,
            StmtKind::Assert(e) => Action::Assert(self.expr(e)),
            StmtKind::Printf { format, args } => {
                let args = self.message(args);
                Action::Print { format: unescape(format.text.as_str()), args }
            }
            StmtKind::Printm(e) => Action::PrintSymbol(self.expr(e)),
            StmtKind::SetPriority { pid, priority } => {
                Action::SetPriority { pid: self.expr(pid), priority: self.expr(priority) }
            }
            _ => Action::Skip,
        }
    }

    /// What a trace assertion says of a field that is sent: a constant, or nothing.
    fn event_field(&mut self, arg: &Expr) -> model::ReceiveArg {
        match self.symbols.constant(arg) {
            Some(value) => model::ReceiveArg::Match(model::Expr::Const(value)),
            None => model::ReceiveArg::Ignore,
        }
    }

    fn assign(&mut self, target: &VarRef, value: model::Expr) -> Action {
        match self.predefined(target) {
            Some(Predefined::Scratch) => return Action::Assign(None, value),
            Some(Predefined::Priority) => {
                return Action::SetPriority { pid: model::Expr::Pid, priority: value }
            }
            _ => {}
        }
        match self.resolve(target) {
            Some(Resolved::Place(place)) => Action::Assign(Some(place), value),
            Some(_) => {
                self.error(target.span, "this cannot be assigned to as a whole");
                Action::Skip
            }
            None => Action::Skip,
        }
    }

    pub(super) fn open_loop(&mut self) -> usize {
        self.graph.exits.push(None);
        self.loops.push(self.graph.exits.len() - 1);
        self.graph.exits.len() - 1
    }

    fn branches(&mut self, branches: &[Branch]) -> Vec<Seq> {
        let mut options = Vec::new();
        for branch in branches {
            self.graph.open();
            self.at_start = false;
            self.stmts(&branch.stmts);
            let seq = self.close_filled(branch.span);
            if !self.in_claim {
                self.graph.prune_skips(seq);
            }
            options.push(seq);
        }
        options
    }

    fn block(&mut self, block: &Block) -> Seq {
        self.graph.open();
        self.at_start = false;
        self.stmts(&block.stmts);
        self.close_filled(block.span)
    }

    /// Closes the open sequence. Nothing to execute is an error in Spin; it is a `skip` here so
    /// that every sequence has a first element.
    fn close_filled(&mut self, span: Span) -> Seq {
        let seq = self.graph.close();
        if self.graph.sequences[seq].first.is_none() {
            self.error(span, "a sequence must have at least one statement");
            let skip = self.graph.element(Node::Basic(Action::Skip), SourceRef::default(), "skip");
            self.graph.append(skip, seq);
            self.graph.sequences[seq].extent = Some(skip);
        }
        seq
    }

    fn unless(&mut self, body: &Stmt, escape: &Stmt) -> Ready {
        let main = self.prepare(body);
        let alternative = self.prepare(escape);
        let escape = match alternative {
            Ready::Node(Node::Block(seq)) => seq,
            ready => self.alone(escape, ready),
        };
        match main {
            Ready::Node(Node::Block(main)) if body.labels.is_empty() => {
                Ready::Unless { main, escape }
            }
            // A label in front stands for the whole: it is put around it.
            Ready::Node(node @ (Node::Block(main) | Node::Atomic(main) | Node::DetStep(main)))
                if !body.labels.is_empty() =>
            {
                self.graph.open();
                let source = self.source(body.span);
                self.graph.unless(main, escape, source);
                let around = self.graph.close();
                let node = match node {
                    Node::Block(_) => Node::Block(around),
                    Node::Atomic(_) => Node::Atomic(around),
                    _ => Node::DetStep(around),
                };
                let text = self.text(body.span);
                let el = self.graph.element(node, source, &text);
                self.set_labels(body, el);
                self.graph.add(el);
                Ready::Nothing
            }
            ready => {
                let main = self.alone(body, ready);
                Ready::Unless { main, escape }
            }
        }
    }

    /// A sequence of nothing but this statement.
    fn alone(&mut self, stmt: &Stmt, ready: Ready) -> Seq {
        self.graph.open();
        self.add(stmt, ready);
        self.close_filled(stmt.span)
    }

    /// `var = from; do :: var <= to -> body; var++ :: else -> break od`
    fn for_loop(&mut self, f: &For, span: Span) -> Ready {
        let exit = self.open_loop();
        let counter = match &f.range {
            ForRange::Range { from, to } => {
                let (from, to) = (self.expr(from), self.expr(to));
                self.count(&f.var, from, Op::LessEqual, to, span)
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
        op: Op,
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
            return self.count(var, model::Expr::Const(0), Op::LessEqual, last, span);
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
        let test = model::Expr::binary(Op::Less, model::Expr::Load(counter.clone()), len);
        self.add_step(Action::Condition(test), span);
        let kind = ReceiveArgKind::Var(var.clone());
        let pattern = self.pattern(&[ReceiveArg { span: var.span, kind }]);
        let whole = Expr { span: var.span, kind: ExprKind::Var(var.clone()) };
        let args = self.message(&[whole]);
        let receive =
            Action::Receive { channel: channel.clone(), pattern, random: false, copy: false };
        self.add_step(receive, span);
        self.add_step(Action::Send { channel, args, sorted: false }, span);
        Some(counter)
    }

    /// Closes the option that `count` opened with a step of the counter, and makes the loop.
    fn counted(&mut self, counter: Place, exit: usize, with_else: bool, span: Span) -> Ready {
        let one = model::Expr::Const(1);
        let next = model::Expr::binary(Op::Add, model::Expr::Load(counter.clone()), one);
        self.add_step(Action::Assign(Some(counter), next), span);
        let again = self.graph.close();
        self.graph.open();
        if with_else {
            self.add_step(Action::Else, span);
        }
        let source = self.source(span);
        let goto = self.graph.element(Node::Goto(Target::Break(exit)), source, "break");
        self.graph.add(goto);
        let leave = self.graph.close();
        self.loops.pop();
        Ready::Selection { exit: Some(exit), options: vec![leave, again] }
    }

    fn select(&mut self, s: &Select, span: Span) -> Ready {
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
        match self.count(&s.var, from, Op::Less, to, span) {
            Some(counter) => self.counted(counter, exit, false, span),
            None => {
                self.loops.pop();
                Ready::Nothing
            }
        }
    }
}

/// Resolves the escapes in a format.
fn unescape(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some(other) => out.push(other),
            None => out.push('\\'),
        }
    }
    out
}
