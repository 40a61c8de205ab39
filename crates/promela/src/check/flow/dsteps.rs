//! What may not, or had better not, be in a d_step.

use super::each_stmt;
use crate::check::exprs::find_run;
use crate::lints;
use crate::syntax::ast::{Block, Branch, Expr, ExprKind, Stmt, StmtKind, TimerStmt, TimerStmtKind};
use isospin_source::Diagnostic;

pub(super) fn check(stmts: &[Stmt], diagnostics: &mut Vec<Diagnostic>) {
    each_stmt(stmts, &mut |stmt| {
        if let StmtKind::DStep(block) = &stmt.kind {
            forbidden(block, diagnostics);
            sequence(&block.stmts, true, diagnostics);
        }
    });
}

/// What Spin rejects inside a d_step.
fn forbidden(block: &Block, diagnostics: &mut Vec<Diagnostic>) {
    each_stmt(&block.stmts, &mut |stmt| {
        let expr = match &stmt.kind {
            StmtKind::Expr(e) | StmtKind::Assert(e) => e,
            StmtKind::Assign { value, .. } => {
                run(value, diagnostics);
                return;
            }
            _ => return,
        };
        run(expr, diagnostics);
        if let Some(remote) = remote(expr) {
            diagnostics
                .push(Diagnostic::error(remote, "a remote reference cannot stand in a d_step"));
        }
    });
    if let Some(Stmt { kind: StmtKind::Unless { .. }, span, .. }) = block.stmts.first() {
        diagnostics.push(Diagnostic::error(*span, "`unless` cannot stand in a d_step"));
    }
}

fn run(expr: &Expr, diagnostics: &mut Vec<Diagnostic>) {
    if let Some(run) = find_run(expr) {
        diagnostics.push(
            Diagnostic::error(run, "`run` cannot stand in a d_step").help("use atomic instead"),
        );
    }
}

fn remote(expr: &Expr) -> Option<isospin_source::Span> {
    match &expr.kind {
        ExprKind::RemoteLabel { .. } | ExprKind::RemoteVar { .. } => Some(expr.span),
        ExprKind::Unary(_, e) => remote(e),
        ExprKind::Binary(_, a, b) => remote(a).or_else(|| remote(b)),
        _ => None,
    }
}

/// Warns of statements that may block, the first of the d_step excepted.
fn sequence(stmts: &[Stmt], mut first: bool, diagnostics: &mut Vec<Diagnostic>) {
    for stmt in stmts {
        if matches!(stmt.kind, StmtKind::Decl(_) | StmtKind::Exclusive { .. }) {
            continue;
        }
        statement(stmt, first, diagnostics);
        first = false;
    }
}

fn statement(stmt: &Stmt, first: bool, diagnostics: &mut Vec<Diagnostic>) {
    match &stmt.kind {
        StmtKind::If(branches) | StmtKind::Do(branches) => {
            if !first && !branches.iter().any(always) && !exhaustive(branches) {
                let at = branches[0].span;
                warn(at, "a d_step blocks here when none of the guards holds", diagnostics);
            }
            for branch in branches {
                sequence(&branch.stmts, true, diagnostics);
            }
        }
        StmtKind::Atomic(b) | StmtKind::Block(b) => sequence(&b.stmts, first, diagnostics),
        StmtKind::InlineCall(call) => sequence(&call.body.stmts, first, diagnostics),
        StmtKind::For(l) => sequence(&l.body.stmts, false, diagnostics),
        StmtKind::Unless { body, .. } if !first => {
            let message = "`unless` in a d_step has no effect";
            diagnostics.push(Diagnostic::warning(lints::UNLESS_IN_D_STEP, stmt.span, message));
            statement(body, first, diagnostics);
        }
        StmtKind::Expr(e) if !first && may_be_zero(e) => {
            warn(stmt.span, "a d_step blocks here when this does not hold", diagnostics);
        }
        StmtKind::Timer(t) if waits(t) => {
            warn(stmt.span, "a d_step cannot wait for a timer", diagnostics);
        }
        StmtKind::Send(_) if !first => {
            warn(stmt.span, "a d_step blocks here when the channel is full", diagnostics);
        }
        StmtKind::Receive(_) if !first => {
            warn(stmt.span, "a d_step blocks here when there is no such message", diagnostics);
        }
        _ => {}
    }
}

/// Whether the statement waits for a timer after it has set it.
fn waits(stmt: &TimerStmt) -> bool {
    !matches!(stmt.kind, TimerStmtKind::Set(_) | TimerStmtKind::Reset)
}

fn warn(span: isospin_source::Span, message: &str, diagnostics: &mut Vec<Diagnostic>) {
    diagnostics.push(
        Diagnostic::warning(lints::BLOCKING_D_STEP, span, message)
            .note("a d_step that blocks after its first statement is an error at run time"),
    );
}

fn may_be_zero(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Const(constant) => constant.value() == 0,
        ExprKind::Run(_) => false,
        _ => true,
    }
}

/// Whether the branch can always be taken.
fn always(branch: &Branch) -> bool {
    let first = branch.stmts.iter().find(|s| !matches!(s.kind, StmtKind::Decl(_)));
    let Some(stmt) = first else { return true };
    match &stmt.kind {
        StmtKind::Expr(e) => !may_be_zero(e),
        StmtKind::Send(_) | StmtKind::Receive(_) => false,
        StmtKind::If(b) | StmtKind::Do(b) => b.iter().any(always),
        StmtKind::Atomic(b) | StmtKind::Block(b) | StmtKind::DStep(b) => match b.stmts.first() {
            Some(inner) => always_stmt(inner),
            None => true,
        },
        StmtKind::InlineCall(call) => call.body.stmts.first().is_none_or(always_stmt),
        StmtKind::Unless { body, .. } => always_stmt(body),
        _ => true,
    }
}

fn always_stmt(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Expr(e) => !may_be_zero(e),
        StmtKind::Send(_) | StmtKind::Receive(_) => false,
        StmtKind::If(b) | StmtKind::Do(b) => b.iter().any(always),
        _ => true,
    }
}

/// Two guards of which one is the negation of the other.
fn exhaustive(branches: &[Branch]) -> bool {
    let guards: Vec<&Expr> = branches
        .iter()
        .filter_map(|b| match b.stmts.first().map(|s| &s.kind) {
            Some(StmtKind::Expr(e)) => Some(e),
            _ => None,
        })
        .collect();
    guards.iter().any(|a| guards.iter().any(|b| negates(a, b)))
}

fn negates(a: &Expr, b: &Expr) -> bool {
    use crate::syntax::ast::{BinaryOp, UnaryOp};
    use crate::syntax::print::expr_text;
    match (&a.kind, &b.kind) {
        (ExprKind::Unary(UnaryOp::Not, inner), _) if expr_text(inner) == expr_text(b) => true,
        (ExprKind::Binary(op_a, a1, a2), ExprKind::Binary(op_b, b1, b2)) => {
            let opposite = matches!(
                (op_a, op_b),
                (BinaryOp::Eq, BinaryOp::Ne)
                    | (BinaryOp::Lt, BinaryOp::Ge)
                    | (BinaryOp::Gt, BinaryOp::Le)
            );
            opposite && expr_text(a1) == expr_text(b1) && expr_text(a2) == expr_text(b2)
        }
        _ => false,
    }
}
