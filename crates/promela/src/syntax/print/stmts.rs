//! Statements as Promela, one a line.

use super::exprs::{print_expr, print_list, print_receive_args, print_var};
use super::items::print_variables;
use crate::syntax::ast::{Block, Branch, ForRange, Stmt, StmtKind};
use crate::syntax::token::text_of;
use std::fmt::Write;

/// The statement with its labels; more than one line where it is compound.
pub fn stmt_text(stmt: &Stmt) -> String {
    let mut out = String::new();
    print_stmt(&mut out, stmt, 0);
    out
}

fn indent(out: &mut String, depth: usize) {
    out.extend(std::iter::repeat_n('\t', depth));
}

/// Statements with `;` between them, each on a line of its own.
pub(super) fn print_stmts(out: &mut String, stmts: &[Stmt], depth: usize) {
    for (i, stmt) in stmts.iter().enumerate() {
        indent(out, depth);
        print_stmt(out, stmt, depth);
        if i + 1 < stmts.len() {
            out.push(';');
        }
        out.push('\n');
    }
}

pub(super) fn print_block(out: &mut String, block: &Block, depth: usize) {
    out.push_str("{\n");
    print_stmts(out, &block.stmts, depth + 1);
    indent(out, depth);
    out.push('}');
}

fn print_branches(out: &mut String, branches: &[Branch], depth: usize) {
    for branch in branches {
        indent(out, depth);
        out.push_str(":: ");
        for (i, stmt) in branch.stmts.iter().enumerate() {
            if i > 0 {
                indent(out, depth + 1);
            }
            print_stmt(out, stmt, depth + 1);
            if i + 1 < branch.stmts.len() {
                out.push_str(if i == 0 { " ->" } else { ";" });
            }
            out.push('\n');
        }
    }
    indent(out, depth);
}

fn print_stmt(out: &mut String, stmt: &Stmt, depth: usize) {
    for label in &stmt.labels {
        let _ = write!(out, "{}: ", label.name);
    }
    match &stmt.kind {
        StmtKind::Decl(decl) => print_variables(out, decl),
        StmtKind::Exclusive { send, channels } => {
            out.push_str(if *send { "xs " } else { "xr " });
            for (i, channel) in channels.iter().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                print_var(out, channel);
            }
        }
        StmtKind::Assign { target, value } => {
            print_var(out, target);
            out.push_str(" = ");
            print_expr(out, value, 0);
        }
        StmtKind::Return { value, .. } => {
            out.push_str("return ");
            print_expr(out, value, 0);
        }
        StmtKind::Increment(target) => {
            print_var(out, target);
            out.push_str("++");
        }
        StmtKind::Decrement(target) => {
            print_var(out, target);
            out.push_str("--");
        }
        StmtKind::Send(send) => {
            print_var(out, &send.channel);
            out.push_str(if send.sorted { "!!" } else { "!" });
            let start = out.len();
            print_list(out, &send.args);
            if out[start..].starts_with('!') {
                out.insert(start, ' ');
            }
        }
        StmtKind::Receive(receive) => {
            print_var(out, &receive.channel);
            out.push_str(if receive.random { "??" } else { "?" });
            if receive.copy {
                out.push('<');
            }
            print_receive_args(out, &receive.args);
            if receive.copy {
                out.push('>');
            }
        }
        StmtKind::Expr(expr) => print_expr(out, expr, 0),
        StmtKind::Else => out.push_str("else"),
        StmtKind::Break => out.push_str("break"),
        StmtKind::Goto(label) => {
            let _ = write!(out, "goto {}", label.name);
        }
        StmtKind::If(branches) => {
            out.push_str("if\n");
            print_branches(out, branches, depth);
            out.push_str("fi");
        }
        StmtKind::Do(branches) => {
            out.push_str("do\n");
            print_branches(out, branches, depth);
            out.push_str("od");
        }
        StmtKind::For(for_loop) => {
            out.push_str("for (");
            print_var(out, &for_loop.var);
            match &for_loop.range {
                ForRange::Range { from, to } => {
                    out.push_str(" : ");
                    print_expr(out, from, 0);
                    out.push_str(" .. ");
                    print_expr(out, to, 0);
                }
                ForRange::In(over) => {
                    out.push_str(" in ");
                    print_var(out, over);
                }
            }
            out.push_str(") ");
            print_block(out, &for_loop.body, depth);
        }
        StmtKind::Select(select) => {
            out.push_str("select (");
            print_var(out, &select.var);
            out.push_str(" : ");
            print_expr(out, &select.from, 0);
            out.push_str(" .. ");
            print_expr(out, &select.to, 0);
            out.push(')');
        }
        StmtKind::Atomic(block) => {
            out.push_str("atomic ");
            print_block(out, block, depth);
        }
        StmtKind::DStep(block) => {
            out.push_str("d_step ");
            print_block(out, block, depth);
        }
        StmtKind::Block(block) => print_block(out, block, depth),
        StmtKind::Unless { body, escape } => {
            print_stmt(out, body, depth);
            out.push_str(" unless ");
            print_stmt(out, escape, depth);
        }
        StmtKind::Assert(expr) => {
            out.push_str("assert(");
            print_expr(out, expr, 0);
            out.push(')');
        }
        StmtKind::Printf { format, args } => {
            let _ = write!(out, "printf(\"{}\"", format.text);
            if !args.is_empty() {
                out.push_str(", ");
                print_list(out, args);
            }
            out.push(')');
        }
        StmtKind::Printm(value) => {
            out.push_str("printm(");
            print_expr(out, value, 0);
            out.push(')');
        }
        StmtKind::SetPriority { pid, priority } => {
            out.push_str("set_priority(");
            print_expr(out, pid, 0);
            out.push_str(", ");
            print_expr(out, priority, 0);
            out.push(')');
        }
        StmtKind::Timer(stmt) => {
            let _ = write!(out, "{}(", stmt.kind.word());
            print_var(out, &stmt.timer);
            for operand in stmt.kind.operands() {
                out.push_str(", ");
                print_expr(out, operand, 0);
            }
            out.push(')');
        }
        StmtKind::InlineCall(call) => {
            if let Some(target) = &call.target {
                print_var(out, target);
                out.push_str(" = ");
            }
            let args: Vec<String> = call.args.iter().map(|a| text_of(a)).collect();
            let _ = write!(out, "{}({})", call.name.name, args.join(", "));
        }
        StmtKind::EmbeddedC(c) => {
            let _ = write!(out, "{} {{ }}", c.kind.keyword());
        }
        StmtKind::Error => out.push_str("<error>"),
    }
}
