//! Statements into elements.

use isospin_model::{self as model, Action, Exclusive, ProcTypeId, SourceRef};
use isospin_source::Span;

use super::graph::{ElementId, ElementKind, SequenceId, Target};
use super::reference::Resolved;
use super::Lowering;
use crate::symbols::Predefined;
use crate::syntax::ast::*;

/// A statement whose inner sequences exist but which has no element of its own yet. An `unless`
/// decides where that element goes.
pub(super) enum Ready {
    Nothing,
    Element(ElementKind),
    Selection { exit: Option<usize>, options: Vec<SequenceId> },
    Unless { main: SequenceId, escape: SequenceId },
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
            Ready::Element(node) => {
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
    fn add_element(&mut self, stmt: &Stmt, el: ElementId) {
        let jump = matches!(self.graph.elements[el].kind, ElementKind::Goto(_));
        let labels = stmt.labels.iter().filter_map(|l| self.symbols.label_of(l));
        let watched = labels.into_iter().any(|l| self.symbols.label(l).remote);
        if jump && watched {
            let goto = std::mem::replace(
                &mut self.graph.elements[el].kind,
                ElementKind::Basic(Action::Skip),
            );
            self.graph.add(el);
            let (source, text) = (self.source(stmt.span), self.text(stmt.span));
            let el = self.graph.element(goto, source, &text);
            self.graph.add(el);
        } else {
            self.graph.add(el);
        }
    }

    fn set_labels(&mut self, stmt: &Stmt, el: ElementId) {
        for label in &stmt.labels {
            if let Some(id) = self.symbols.label_of(label) {
                self.graph.label(id, label.name.clone(), el);
            }
        }
    }

    /// Adds a step that the text does not spell out.
    pub(super) fn add_step(&mut self, action: Action, span: Span) {
        let (source, text) = (self.source(span), self.text(span));
        let el = self.graph.element(ElementKind::Basic(action), source, &text);
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
        Ready::Element(ElementKind::Basic(action))
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
                Some(&exit) => Ready::Element(ElementKind::Goto(Target::Break(exit))),
                None => {
                    self.error(stmt.span, "`break` outside a loop");
                    Ready::Nothing
                }
            },
            StmtKind::Goto(label) => match self.symbols.label_of(label) {
                Some(id) => Ready::Element(ElementKind::Goto(Target::Label(id))),
                None => {
                    self.error(label.span, "the label is not defined");
                    Ready::Nothing
                }
            },
            StmtKind::Atomic(block) => {
                let seq = self.block(block);
                self.graph.make_atomic(seq, false);
                Ready::Element(ElementKind::Atomic(seq))
            }
            StmtKind::DStep(block) => {
                let seq = self.block(block);
                self.graph.make_atomic(seq, true);
                Ready::Element(ElementKind::DetStep(seq))
            }
            StmtKind::Block(block) => Ready::Element(ElementKind::Block(self.block(block))),
            StmtKind::InlineCall(call) => {
                Ready::Element(ElementKind::Block(self.block(&call.body)))
            }
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
                    StmtKind::Increment(_) => model::BinaryOp::Add,
                    _ => model::BinaryOp::Subtract,
                };
                let value = model::Expr::binary(op, self.var(v), model::Expr::Const(1));
                self.assign(v, value)
            }
            StmtKind::Send(send) if self.in_trace => {
                let channel = self.var(&send.channel);
                let pattern = send.args.iter().map(|arg| self.event_field(arg)).collect();
                let action = Action::Receive {
                    channel,
                    pattern,
                    random: true,
                    copy: false,
                    saved: Vec::new(),
                };
                self.events.push(action.clone());
                action
            }
            StmtKind::Send(send) => {
                let channel = self.var(&send.channel);
                let args = self.message(&send.args);
                Action::Send { channel, args, sorted: send.sorted }
            }
            StmtKind::Receive(receive) => {
                let channel = self.var(&receive.channel);
                let pattern = self.pattern(&receive.args);
                if self.in_trace {
                    let action = Action::Receive {
                        channel,
                        pattern,
                        random: false,
                        copy: false,
                        saved: Vec::new(),
                    };
                    self.events.push(action.clone());
                    return action;
                }
                Action::Receive {
                    channel,
                    pattern,
                    random: receive.random,
                    copy: receive.copy,
                    saved: Vec::new(),
                }
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

    fn branches(&mut self, branches: &[Branch]) -> Vec<SequenceId> {
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

    fn block(&mut self, block: &Block) -> SequenceId {
        self.graph.open();
        self.at_start = false;
        self.stmts(&block.stmts);
        self.close_filled(block.span)
    }

    /// Closes the open sequence. Nothing to execute is an error in Spin; it is a `skip` here so
    /// that every sequence has a first element.
    fn close_filled(&mut self, span: Span) -> SequenceId {
        let seq = self.graph.close();
        if self.graph.sequences[seq].first.is_none() {
            self.error(span, "a sequence must have at least one statement");
            let skip =
                self.graph.element(ElementKind::Basic(Action::Skip), SourceRef::default(), "skip");
            self.graph.append(skip, seq);
            self.graph.sequences[seq].extent = Some(skip);
        }
        seq
    }

    fn unless(&mut self, body: &Stmt, escape: &Stmt) -> Ready {
        let main = self.prepare(body);
        let alternative = self.prepare(escape);
        let escape = match alternative {
            Ready::Element(ElementKind::Block(seq)) => seq,
            ready => self.alone(escape, ready),
        };
        match main {
            Ready::Element(ElementKind::Block(main)) if body.labels.is_empty() => {
                Ready::Unless { main, escape }
            }
            // A label in front stands for the whole: it is put around it.
            Ready::Element(
                node @ (ElementKind::Block(main)
                | ElementKind::Atomic(main)
                | ElementKind::DetStep(main)),
            ) if !body.labels.is_empty() => {
                self.graph.open();
                let source = self.source(body.span);
                self.graph.unless(main, escape, source);
                let around = self.graph.close();
                let node = match node {
                    ElementKind::Block(_) => ElementKind::Block(around),
                    ElementKind::Atomic(_) => ElementKind::Atomic(around),
                    _ => ElementKind::DetStep(around),
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
    fn alone(&mut self, stmt: &Stmt, ready: Ready) -> SequenceId {
        self.graph.open();
        self.add(stmt, ready);
        self.close_filled(stmt.span)
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
