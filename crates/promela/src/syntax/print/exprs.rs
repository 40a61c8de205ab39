//! Expressions as Promela, with the parentheses that they need.

use crate::syntax::ast::{
    BinaryOp, Const, Expr, ExprKind, Probe, ReceiveArg, ReceiveArgKind, Segment, UnaryOp, VarRef,
};
use crate::syntax::parse::precedence;
use std::fmt::Write;

/// The expression on one line.
pub fn expr_text(expr: &Expr) -> String {
    let mut out = String::new();
    print_expr(&mut out, expr, 0);
    out
}

/// How tightly a prefix operator's operand must bind.
const OPERAND: u8 = 100;

pub(super) fn print_expr(out: &mut String, expr: &Expr, least: u8) {
    match &expr.kind {
        ExprKind::Const(constant) => print_const(out, *constant, least),
        ExprKind::Var(var) => print_var(out, var),
        ExprKind::Unary(op, operand) => {
            out.push_str(unary_text(*op));
            // `--` and `!!` are operators of their own.
            if matches!(operand.kind, ExprKind::Unary(..)) {
                out.push(' ');
            }
            print_expr(out, operand, OPERAND);
        }
        ExprKind::Binary(op, a, b) => {
            let own = precedence(*op);
            let parens = own < least;
            if parens {
                out.push('(');
            }
            print_expr(out, a, own);
            let _ = write!(out, " {} ", binary_text(*op));
            print_expr(out, b, own + 1);
            if parens {
                out.push(')');
            }
        }
        ExprKind::Conditional { cond, then, otherwise } => {
            out.push('(');
            print_expr(out, cond, 0);
            out.push_str(" -> ");
            print_expr(out, then, 0);
            out.push_str(" : ");
            print_expr(out, otherwise, 0);
            out.push(')');
        }
        ExprKind::Run(run) => {
            let _ = write!(out, "run {}(", run.proctype.name);
            print_list(out, &run.args);
            out.push(')');
            if let Some(priority) = &run.priority {
                out.push_str(" priority ");
                print_expr(out, priority, OPERAND);
            }
        }
        ExprKind::Len(channel) => call(out, "len", |out| print_var(out, channel)),
        ExprKind::Probe(probe, channel) => {
            let name = match probe {
                Probe::Full => "full",
                Probe::Empty => "empty",
                Probe::NFull => "nfull",
                Probe::NEmpty => "nempty",
            };
            call(out, name, |out| print_var(out, channel));
        }
        ExprKind::Poll(poll) => {
            print_var(out, &poll.channel);
            out.push_str(if poll.random { "??[" } else { "?[" });
            print_receive_args(out, &poll.args);
            out.push(']');
        }
        ExprKind::Enabled(e) => call(out, "enabled", |out| print_expr(out, e, 0)),
        ExprKind::PcValue(e) => call(out, "pc_value", |out| print_expr(out, e, 0)),
        ExprKind::GetPriority(e) => call(out, "get_priority", |out| print_expr(out, e, 0)),
        ExprKind::Expire(timer) => call(out, "expire", |out| print_var(out, timer)),
        ExprKind::Timeout => out.push_str("timeout"),
        ExprKind::NonProgress => out.push_str("np_"),
        ExprKind::RemoteLabel { proctype, pid, label } => {
            out.push_str(&proctype.name);
            print_index(out, pid.as_deref());
            let _ = write!(out, "@{}", label.name);
        }
        ExprKind::RemoteVar { proctype, pid, var } => {
            out.push_str(&proctype.name);
            print_index(out, pid.as_deref());
            out.push(':');
            print_segment(out, var);
        }
        ExprKind::EmbeddedC(_) => out.push_str("c_expr { }"),
        ExprKind::Error => out.push_str("<error>"),
    }
}

fn call(out: &mut String, name: &str, arg: impl FnOnce(&mut String)) {
    out.push_str(name);
    out.push('(');
    arg(out);
    out.push(')');
}

pub(super) fn print_const(out: &mut String, constant: Const, least: u8) {
    match constant {
        // A negative number does not come from the parser as one constant.
        Const::Int(value) if value < 0 && least > 0 => {
            let _ = write!(out, "({value})");
        }
        Const::Int(value) => {
            let _ = write!(out, "{value}");
        }
        Const::True => out.push_str("true"),
        Const::False => out.push_str("false"),
        Const::Skip => out.push_str("skip"),
        Const::Char(c) => match c {
            b'\n' => out.push_str("'\\n'"),
            b'\r' => out.push_str("'\\r'"),
            b'\t' => out.push_str("'\\t'"),
            0x0c => out.push_str("'\\f'"),
            b'\'' | b'\\' => {
                let _ = write!(out, "'\\{}'", c as char);
            }
            c => {
                let _ = write!(out, "'{}'", c as char);
            }
        },
    }
}

pub(super) fn print_list(out: &mut String, exprs: &[Expr]) {
    for (i, expr) in exprs.iter().enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        print_expr(out, expr, 0);
    }
}

pub(super) fn print_var(out: &mut String, var: &VarRef) {
    for (i, segment) in var.segments.iter().enumerate() {
        if i > 0 {
            out.push('.');
        }
        print_segment(out, segment);
    }
}

fn print_segment(out: &mut String, segment: &Segment) {
    out.push_str(&segment.name.name);
    print_index(out, segment.index.as_deref());
}

fn print_index(out: &mut String, index: Option<&Expr>) {
    if let Some(index) = index {
        out.push('[');
        print_expr(out, index, 0);
        out.push(']');
    }
}

pub(super) fn print_receive_args(out: &mut String, args: &[ReceiveArg]) {
    for (i, arg) in args.iter().enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        match &arg.kind {
            ReceiveArgKind::Var(var) => print_var(out, var),
            ReceiveArgKind::Eval(expr) => call(out, "eval", |out| print_expr(out, expr, 0)),
            ReceiveArgKind::Const(constant) => print_const(out, *constant, 0),
        }
    }
}

fn unary_text(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Not => "!",
        UnaryOp::Complement => "~",
        UnaryOp::Negate => "-",
        UnaryOp::Next => "X ",
        UnaryOp::Always => "[] ",
        UnaryOp::Eventually => "<> ",
    }
}

fn binary_text(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitXor => "^",
        BinaryOp::BitOr => "|",
        BinaryOp::Gt => ">",
        BinaryOp::Lt => "<",
        BinaryOp::Ge => ">=",
        BinaryOp::Le => "<=",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::And => "&&",
        BinaryOp::Or => "||",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::Until => "U",
        BinaryOp::Release => "V",
        BinaryOp::WeakUntil => "W",
        BinaryOp::Implies => "->",
        BinaryOp::Equivalent => "<->",
    }
}
