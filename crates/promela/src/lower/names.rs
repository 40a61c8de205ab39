//! What must be known of the whole tree before any of it is lowered: which names are ever written
//! to, and which labels are looked at from outside.

use isospin_source::Name;
use std::collections::HashSet;

use crate::syntax::ast::*;

/// Facts about names, regardless of scope.
#[derive(Default)]
pub(super) struct Names {
    /// Names of variables that something is stored in.
    pub written: HashSet<Name>,
    /// `(proctype, label)` of every remote reference.
    pub remote_labels: HashSet<(Name, Name)>,
    /// Predefined names that occur.
    pub predefined: HashSet<Name>,
    /// Priorities are given, set or read.
    pub priorities: bool,
    /// `enabled` occurs.
    pub enabled: bool,
}

impl Names {
    /// Walks the tree.
    pub fn of(tree: &Tree) -> Names {
        let mut names = Names::default();
        for item in &tree.items {
            match item {
                Item::Proctype(p) => {
                    names.priorities |= p.priority.is_some();
                    for e in p.provided.iter() {
                        names.expr(e);
                    }
                    names.block(&p.body);
                }
                Item::Init(i) => {
                    names.priorities |= i.priority.is_some();
                    names.block(&i.body);
                }
                Item::Never(n) => names.block(&n.body),
                Item::Trace(t) => names.block(&t.body),
                Item::Ltl(l) => names.expr(&l.formula),
                Item::Variables(v) => names.decl(v),
                Item::Typedef(_)
                | Item::Mtype(_)
                | Item::Inline(_)
                | Item::Cluster(_)
                | Item::EmbeddedC(_) => {}
            }
        }
        names
    }

    fn block(&mut self, block: &Block) {
        self.stmts(&block.stmts);
    }

    fn stmts(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            self.stmt(stmt);
        }
    }

    fn write(&mut self, target: &VarRef) {
        self.written.insert(target.name().name.clone());
        self.var(target);
    }

    fn var(&mut self, var: &VarRef) {
        let name = &var.name().name;
        if name.starts_with('_') {
            self.predefined.insert(name.clone());
            self.priorities |= name == "_priority";
        }
        for index in var.segments.iter().filter_map(|s| s.index.as_deref()) {
            self.expr(index);
        }
    }

    fn decl(&mut self, decl: &VarDecl) {
        for var in &decl.vars {
            if let Some(Initializer::Expr(e)) = &var.init {
                self.expr(e);
            }
        }
    }

    fn receive_args(&mut self, args: &[ReceiveArg], stores: bool) {
        for arg in args {
            match &arg.kind {
                ReceiveArgKind::Var(v) if stores => self.write(v),
                ReceiveArgKind::Var(v) => self.var(v),
                ReceiveArgKind::Eval(e) => self.expr(e),
                ReceiveArgKind::Const(_) => {}
            }
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Decl(d) => self.decl(d),
            StmtKind::Assign { target, value } | StmtKind::Return { target, value } => {
                self.write(target);
                self.expr(value);
            }
            StmtKind::Increment(v) | StmtKind::Decrement(v) => self.write(v),
            StmtKind::Send(s) => {
                self.var(&s.channel);
                s.args.iter().for_each(|a| self.expr(a));
            }
            StmtKind::Receive(r) => {
                self.var(&r.channel);
                self.receive_args(&r.args, true);
            }
            StmtKind::Expr(e) | StmtKind::Assert(e) | StmtKind::Printm(e) => self.expr(e),
            StmtKind::If(branches) | StmtKind::Do(branches) => {
                branches.iter().for_each(|b| self.stmts(&b.stmts));
            }
            StmtKind::For(f) => {
                self.write(&f.var);
                match &f.range {
                    ForRange::Range { from, to } => {
                        self.expr(from);
                        self.expr(to);
                    }
                    ForRange::In(v) => self.var(v),
                }
                self.block(&f.body);
            }
            StmtKind::Select(s) => {
                self.write(&s.var);
                self.expr(&s.from);
                self.expr(&s.to);
            }
            StmtKind::Atomic(b) | StmtKind::DStep(b) | StmtKind::Block(b) => self.block(b),
            StmtKind::Unless { body, escape } => {
                self.stmt(body);
                self.stmt(escape);
            }
            StmtKind::Printf { args, .. } => args.iter().for_each(|a| self.expr(a)),
            StmtKind::SetPriority { pid, priority } => {
                self.priorities = true;
                self.expr(pid);
                self.expr(priority);
            }
            StmtKind::Timer(t) => {
                self.write(&t.timer);
                t.kind.operands().into_iter().for_each(|e| self.expr(e));
            }
            StmtKind::InlineCall(call) => {
                if let Some(target) = &call.target {
                    self.write(target);
                }
                self.block(&call.body);
            }
            StmtKind::Exclusive { channels, .. } => channels.iter().for_each(|c| self.var(c)),
            StmtKind::Else
            | StmtKind::Break
            | StmtKind::Goto(_)
            | StmtKind::EmbeddedC(_)
            | StmtKind::Error => {}
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Const(_)
            | ExprKind::Timeout
            | ExprKind::NonProgress
            | ExprKind::EmbeddedC(_)
            | ExprKind::Error => {}
            ExprKind::Var(v) | ExprKind::Len(v) | ExprKind::Probe(_, v) | ExprKind::Expire(v) => {
                self.var(v)
            }
            ExprKind::Unary(_, e) | ExprKind::PcValue(e) => self.expr(e),
            ExprKind::Enabled(e) => {
                self.enabled = true;
                self.expr(e);
            }
            ExprKind::GetPriority(e) => {
                self.priorities = true;
                self.expr(e);
            }
            ExprKind::Binary(_, a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Conditional { cond, then, otherwise } => {
                self.expr(cond);
                self.expr(then);
                self.expr(otherwise);
            }
            ExprKind::Run(run) => {
                self.priorities |= run.priority.is_some();
                run.args.iter().for_each(|a| self.expr(a));
            }
            ExprKind::Poll(poll) => {
                self.var(&poll.channel);
                self.receive_args(&poll.args, false);
            }
            ExprKind::RemoteLabel { proctype, pid, label } => {
                self.remote_labels.insert((proctype.name.clone(), label.name.clone()));
                for pid in pid.iter() {
                    self.expr(pid);
                }
            }
            ExprKind::RemoteVar { pid, var, .. } => {
                // What is read from outside must be in the frame.
                self.written.insert(var.name.name.clone());
                for e in pid.iter().chain(var.index.iter()) {
                    self.expr(e);
                }
            }
        }
    }
}
