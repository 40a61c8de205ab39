//! Statements.

use super::decls::own_mtype;
use super::references::Use;
use super::{Checker, Context};
use crate::lints;
use crate::symbols::{Kind, Place, Predefined};
use crate::syntax::ast::{
    BinaryOp, Block, Branch, Expr, ExprKind, For, ForRange, Select, Stmt, StmtKind, Str, VarRef,
};
use isospin_source::{Diagnostic, Name, Span};

impl<'a> Checker<'a> {
    /// The statements of a body, at whose start channels can be declared.
    pub(super) fn body_stmts(&mut self, stmts: &'a [Stmt], owner: &str) {
        let mut early = true;
        for stmt in stmts {
            match &stmt.kind {
                StmtKind::Decl(decl) => self.variables(decl, Place::Local, early),
                StmtKind::Exclusive { .. } => self.stmt(stmt, owner),
                _ => {
                    early = false;
                    self.stmt(stmt, owner);
                }
            }
        }
    }

    fn stmts(&mut self, stmts: &'a [Stmt], owner: &str) {
        for stmt in stmts {
            self.stmt(stmt, owner);
        }
    }

    fn block(&mut self, block: &'a Block, owner: &str) {
        self.scopes.enter();
        self.stmts(&block.stmts, owner);
        self.scopes.leave();
    }

    fn stmt(&mut self, stmt: &'a Stmt, owner: &str) {
        self.event_or_error(stmt);
        match &stmt.kind {
            StmtKind::Decl(decl) => self.variables(decl, Place::Local, false),
            StmtKind::Exclusive { send, channels } => self.exclusive(*send, channels, owner),
            StmtKind::Assign { target, value } | StmtKind::Return { target, value } => {
                self.assign(target, value);
            }
            StmtKind::Increment(target) | StmtKind::Decrement(target) => self.step_variable(target),
            StmtKind::Send(send) => {
                self.no_io_in_claim(stmt.span);
                self.send(send);
            }
            StmtKind::Receive(receive) => {
                self.no_io_in_claim(stmt.span);
                self.receive(receive);
            }
            StmtKind::Expr(expr) => {
                self.expr(expr);
                self.count_runs(expr);
            }
            StmtKind::If(branches) | StmtKind::Do(branches) => self.branches(branches, owner),
            StmtKind::For(for_loop) => self.for_loop(for_loop, owner),
            StmtKind::Select(select) => self.select(select),
            StmtKind::Atomic(block) | StmtKind::DStep(block) | StmtKind::Block(block) => {
                self.block(block, owner);
            }
            StmtKind::Unless { body, escape } => {
                self.stmt(body, owner);
                self.stmt(escape, owner);
            }
            StmtKind::Assert(expr) => self.expr(expr),
            StmtKind::Printf { format, args } => self.printf(format, args),
            StmtKind::Printm(value) => {
                self.expr(value);
                if matches!(value.kind, ExprKind::Const(_)) {
                    self.error(value.span, "printm needs a constant of an mtype or a variable");
                }
            }
            StmtKind::SetPriority { pid, priority } => {
                self.symbols.uses.priorities = true;
                self.expr(pid);
                self.expr(priority);
            }
            StmtKind::Timer(timer) => self.timer_stmt(stmt.span, timer),
            StmtKind::InlineCall(call) => {
                self.called.insert(call.name.name.clone());
                // What is returned goes to what the name means here, whatever the body declares.
                if let Some(target) = &call.target {
                    self.var_ref(target, Use::Write);
                }
                self.block(&call.body, owner);
            }
            StmtKind::Goto(_)
            | StmtKind::Else
            | StmtKind::Break
            | StmtKind::EmbeddedC(_)
            | StmtKind::Error => {}
        }
    }

    /// A trace consists of sends, receives and control.
    fn event_or_error(&mut self, stmt: &Stmt) {
        if self.context != Context::Trace {
            return;
        }
        let event = match &stmt.kind {
            StmtKind::Send(send) => !send.sorted,
            StmtKind::Receive(receive) => !receive.random && !receive.copy,
            StmtKind::Decl(_)
            | StmtKind::Exclusive { .. }
            | StmtKind::If(_)
            | StmtKind::Do(_)
            | StmtKind::For(_)
            | StmtKind::Select(_)
            | StmtKind::Goto(_)
            | StmtKind::Break
            | StmtKind::Unless { .. }
            | StmtKind::Error => true,
            // A label before nothing.
            StmtKind::Expr(e) => stmt.labels.last().is_some_and(|l| l.span == e.span),
            _ => false,
        };
        if !event {
            self.report(
                Diagnostic::error(stmt.span, "this is not an event")
                    .help("a trace consists of sends (!), receives (?), if, do and goto"),
            );
        }
    }

    fn no_io_in_claim(&mut self, span: Span) {
        if self.context == Context::Never {
            self.error(span, "a never claim cannot send or receive");
        }
    }

    fn exclusive(&mut self, send: bool, channels: &'a [VarRef], owner: &str) {
        self.exclusive_seen = true;
        for channel in channels {
            let Some(target) = self.channel_ref(channel) else {
                continue;
            };
            if target.variable.array {
                self.report(
                    Diagnostic::error(channel.span, "xr and xs cannot name an element of an array")
                        .help("assign the element to a channel variable and name that"),
                );
            }
            let first = self.claims.entry((target.id, send)).or_insert_with(|| owner.into());
            if **first != *owner {
                let message = format!("`{first}` already has exclusive access to this channel");
                self.error(channel.span, message);
            }
        }
    }

    fn assign(&mut self, target: &'a VarRef, value: &'a Expr) {
        self.expr(value);
        let Some(found) = self.assigned(target) else {
            return;
        };
        self.fits(value, found.variable.kind);
        if found.is_field {
            return;
        }
        if found.variable.kind == Kind::Chan && matches!(value.kind, ExprKind::Const(_)) {
            self.error(value.span, "a number cannot be assigned to a channel");
            return;
        }
        self.no_channel_arithmetic(value, true);
        let Some(mtype) = self.mtype_of_expr(value) else {
            return;
        };
        let own = own_mtype(found.variable.kind);
        let own = own.unwrap_or_else(|| *self.held.entry(found.id).or_insert(mtype));
        if own != mtype {
            self.mtype_mismatch(value.span, &found.variable.name, own, mtype);
        }
    }

    /// `target++` and `target--`
    fn step_variable(&mut self, target: &'a VarRef) {
        let Some(found) = self.assigned(target) else {
            return;
        };
        self.symbols.variable_mut(found.id).read = true;
        if found.variable.kind == Kind::Chan && !found.is_field {
            self.error(target.span, "nothing can be computed from a channel");
        }
    }

    /// The variable that is assigned to, if it can be.
    fn assigned(&mut self, target: &'a VarRef) -> Option<super::references::Target> {
        let found = self.var_ref(target, Use::Write)?;
        if let Place::Predefined(which) = found.variable.place {
            if !matches!(which, Predefined::Scratch | Predefined::Priority) {
                self.error(target.span, format!("`{}` cannot be assigned to", which.name()));
                return None;
            }
        }
        if let Some(span) = indexes_itself(target, &mut Vec::new()) {
            self.error(
                span,
                "an array cannot be indexed with an element of itself in an assignment",
            );
        }
        Some(found)
    }

    /// A `run` is a statement of its own, or the value of an assignment.
    fn count_runs(&mut self, expr: &Expr) {
        let mut runs = Vec::new();
        runs_in(expr, &mut runs);
        match runs.as_slice() {
            [] => {}
            [_, second, ..] => {
                self.error(*second, "there can be only one `run` in a statement");
            }
            [run] if !matches!(expr.kind, ExprKind::Run(_)) => {
                self.error(*run, "`run` cannot be part of a larger expression here");
            }
            [_] => {}
        }
    }

    fn branches(&mut self, branches: &'a [Branch], owner: &str) {
        let is_else =
            |b: &&Branch| matches!(b.stmts.first().map(|s| &s.kind), Some(StmtKind::Else));
        let mut elses = branches.iter().filter(is_else);
        if let (Some(first), Some(second)) = (elses.next(), elses.next()) {
            let first = first.stmts[0].span;
            self.report(
                Diagnostic::error(second.stmts[0].span, "there is already an `else` here")
                    .note_at(first, "the first is here"),
            );
        }
        if let (true, Some(otherwise)) = (self.exclusive_seen, branches.iter().find(is_else)) {
            let io = |b: &Branch| match b.stmts.first().map(|s| &s.kind) {
                Some(StmtKind::Send(_) | StmtKind::Receive(_)) => true,
                Some(StmtKind::Expr(guard)) => probes(guard),
                _ => false,
            };
            let io = branches.iter().any(io);
            if io {
                let message =
                    "`else` cannot stand beside the use of a channel in a model with xr or xs";
                self.error(otherwise.stmts[0].span, message);
            }
        }
        for branch in branches {
            self.stmts(&branch.stmts, owner);
        }
    }

    /// The variable that a for or a select runs over.
    fn counter(&mut self, var: &'a VarRef) {
        self.assigned(var);
        self.var_ref(var, Use::Loop);
        if let Some(id) = self.symbols.variable_of(var.name()) {
            let variable = self.symbols.variable(id);
            if variable.array || matches!(variable.kind, Kind::Chan | Kind::Record(_)) {
                let message = "only a plain variable can run over a range";
                self.error(var.span, message);
            }
        }
    }

    fn range(&mut self, from: &'a Expr, to: &'a Expr) {
        self.expr(from);
        self.expr(to);
        let ends = match (&from.kind, &to.kind) {
            (ExprKind::Const(a), ExprKind::Const(b)) => Some((a.value(), b.value())),
            _ => None,
        };
        if ends.is_some_and(|(a, b)| a > b) {
            let span = self.sources.join(from.span, to.span);
            self.error(span, "this range is empty");
        }
    }

    fn for_loop(&mut self, for_loop: &'a For, owner: &str) {
        match &for_loop.range {
            ForRange::Range { from, to } => {
                self.counter(&for_loop.var);
                self.range(from, to);
                self.range_fits(&for_loop.var, from, to);
            }
            ForRange::In(over) => self.for_in(&for_loop.var, over),
        }
        self.block(&for_loop.body, owner);
    }

    fn for_in(&mut self, var: &'a VarRef, over: &'a VarRef) {
        let Some(found) = self.var_ref(var, Use::Loop) else {
            return;
        };
        let Some(range) = self.var_ref(over, Use::Over) else {
            return;
        };
        let Kind::Record(typedef) = found.variable.kind else {
            self.counter(var);
            let plain = range.variable.array && !range.is_field && !range.indexed;
            if !plain {
                self.report(
                    Diagnostic::error(
                        over.span,
                        "a number can run only over the indices of an array",
                    )
                    .note_at(range.variable.span, "this is declared here"),
                );
            }
            return;
        };
        let channel = range.variable.channel.as_ref();
        let matches =
            channel.is_some_and(|c| c.capacity > 0 && c.fields[..] == [Kind::Record(typedef)]);
        if !matches {
            let typedef = &self.symbols.typedef(typedef).name;
            let message = format!(
                "a structure of type {typedef} can run only over a buffered channel of {{ {typedef} }}"
            );
            self.error(over.span, message);
        }
    }

    fn select(&mut self, select: &'a Select) {
        self.counter(&select.var);
        self.range(&select.from, &select.to);
        self.range_fits(&select.var, &select.from, &select.to);
    }

    fn range_fits(&mut self, var: &VarRef, from: &Expr, to: &Expr) {
        if let Some(id) = self.symbols.variable_of(var.name()) {
            let kind = self.symbols.variable(id).kind;
            self.fits(from, kind);
            self.fits(to, kind);
        }
    }

    fn printf(&mut self, format: &Str, args: &'a [Expr]) {
        for arg in args {
            self.expr(arg);
        }
        let mut wanted = 0;
        let mut chars = format.text.chars();
        while let Some(c) = chars.next() {
            match (c, if c == '%' { chars.next() } else { None }) {
                ('%', Some('%')) => {}
                ('%', Some('c' | 'd' | 'e' | 'o' | 'u' | 'x')) => wanted += 1,
                ('%', Some(other)) => {
                    let message = format!("printf does not know the conversion `%{other}`");
                    self.report(
                        Diagnostic::warning(lints::PRINTF_ARGUMENTS, format.span, message)
                            .help("the conversions are %c, %d, %e, %o, %u, %x and %%"),
                    );
                    wanted += 1;
                }
                _ => {}
            }
        }
        if wanted != args.len() {
            let message = format!(
                "the format has {wanted} conversions, but there are {} arguments",
                args.len()
            );
            self.report(Diagnostic::warning(lints::PRINTF_ARGUMENTS, format.span, message));
        }
    }
}

/// Whether the guard asks if a channel is full or empty.
fn probes(guard: &Expr) -> bool {
    match &guard.kind {
        ExprKind::Probe(..) => true,
        ExprKind::Binary(BinaryOp::And | BinaryOp::Or, a, b) => probes(a) || probes(b),
        _ => false,
    }
}

/// An array somewhere in its own index: `a[a[0]]`.
fn indexes_itself(var: &VarRef, around: &mut Vec<Name>) -> Option<Span> {
    let [segment] = &var.segments[..] else {
        return None;
    };
    let index = segment.index.as_deref()?;
    if around.contains(&segment.name.name) {
        return Some(var.span);
    }
    let ExprKind::Var(inner) = &index.kind else {
        return None;
    };
    around.push(segment.name.name.clone());
    indexes_itself(inner, around)
}

fn runs_in(expr: &Expr, runs: &mut Vec<Span>) {
    match &expr.kind {
        ExprKind::Run(run) => {
            runs.push(expr.span);
            for arg in &run.args {
                runs_in(arg, runs);
            }
        }
        ExprKind::Unary(_, e)
        | ExprKind::Enabled(e)
        | ExprKind::PcValue(e)
        | ExprKind::GetPriority(e) => {
            runs_in(e, runs);
        }
        ExprKind::Binary(_, a, b) => {
            runs_in(a, runs);
            runs_in(b, runs);
        }
        ExprKind::Conditional { cond, then, otherwise } => {
            for e in [cond, then, otherwise] {
                runs_in(e, runs);
            }
        }
        _ => {}
    }
}
