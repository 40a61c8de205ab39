//! Declarations and what stands at the outermost level, as Promela.

use super::exprs::{expr_text, print_expr, print_list};
use super::stmts::print_block;
use crate::syntax::ast::{
    EmbeddedKind, Expr, Initializer, Item, Proctype, Tree, Type, TypeKind, VarDecl, Visibility,
};
use crate::syntax::token::{apart, Token};
use std::fmt::Write;

/// The whole model.
pub fn tree_text(tree: &Tree) -> String {
    let mut out = String::new();
    for item in &tree.items {
        print_item(&mut out, item);
        out.push('\n');
    }
    out
}

/// One item of the outermost level.
pub fn item_text(item: &Item) -> String {
    let mut out = String::new();
    print_item(&mut out, item);
    out
}

fn print_item(out: &mut String, item: &Item) {
    match item {
        Item::Proctype(proctype) => print_proctype(out, proctype),
        Item::Init(init) => {
            out.push_str("init ");
            print_priority(out, init.priority.as_ref());
            print_block(out, &init.body, 0);
        }
        Item::Never(never) => {
            out.push_str("never ");
            if let Some(name) = &never.name {
                let _ = write!(out, "{} ", name.name);
            }
            print_block(out, &never.body, 0);
        }
        Item::Trace(trace) => {
            out.push_str(if trace.negated { "notrace " } else { "trace " });
            print_block(out, &trace.body, 0);
        }
        Item::Ltl(ltl) => {
            out.push_str("ltl ");
            if let Some(name) = &ltl.name {
                let _ = write!(out, "{} ", name.name);
            }
            let _ = write!(out, "{{ {} }}", expr_text(&ltl.formula));
        }
        Item::Variables(decl) => {
            print_variables(out, decl);
            out.push(';');
        }
        Item::Typedef(typedef) => {
            let _ = writeln!(out, "typedef {} {{", typedef.name.name);
            for field in &typedef.fields {
                out.push('\t');
                print_variables(out, field);
                out.push_str(";\n");
            }
            out.push('}');
        }
        Item::Mtype(mtype) => {
            out.push_str("mtype");
            if let Some(subtype) = &mtype.subtype {
                let _ = write!(out, ":{}", subtype.name);
            }
            let names: Vec<&str> = mtype.names.iter().map(|n| n.name.as_str()).collect();
            let _ = write!(out, " = {{ {} }};", names.join(", "));
        }
        Item::Inline(inline) => {
            let params: Vec<&str> = inline.params.iter().map(|p| p.name.as_str()).collect();
            let _ = write!(out, "inline {}({}) ", inline.name.name, params.join(", "));
            print_tokens(out, &inline.body);
        }
        Item::Cluster(cluster) => {
            let _ = write!(out, "cluster({}", cluster.name.name);
            for member in &cluster.members {
                let _ = write!(out, ", {}", member.name.name);
                if let Some(number) = &member.number {
                    let _ = write!(out, "[{}]", expr_text(number));
                }
            }
            out.push(')');
        }
        Item::EmbeddedC(c) => match c.kind {
            EmbeddedKind::State | EmbeddedKind::Track => {
                let _ = write!(out, "{} \"\" \"\"", c.kind.keyword());
            }
            _ => {
                let _ = write!(out, "{} {{ }}", c.kind.keyword());
            }
        },
    }
    out.push('\n');
}

/// Tokens with their lines kept, since the ends of lines mean something.
fn print_tokens(out: &mut String, tokens: &[Token]) {
    for (i, token) in tokens.iter().enumerate() {
        if i > 0 && token.newline_before {
            out.push('\n');
        } else if i > 0 && apart(&tokens[i - 1], token) {
            out.push(' ');
        }
        let _ = write!(out, "{token}");
    }
}

fn print_priority(out: &mut String, priority: Option<&Expr>) {
    if let Some(priority) = priority {
        let _ = write!(out, "priority {} ", expr_text(priority));
    }
}

fn print_proctype(out: &mut String, proctype: &Proctype) {
    if let Some(active) = &proctype.active {
        out.push_str("active ");
        if let Some(count) = &active.count {
            let _ = write!(out, "[{}] ", expr_text(count));
        }
    }
    out.push_str(if proctype.deterministic { "D_proctype " } else { "proctype " });
    let _ = write!(out, "{}(", proctype.name.name);
    for (i, param) in proctype.params.iter().enumerate() {
        if i > 0 {
            out.push_str("; ");
        }
        print_variables(out, param);
    }
    out.push_str(") ");
    print_priority(out, proctype.priority.as_ref());
    if let Some(condition) = &proctype.provided {
        let _ = write!(out, "provided ({}) ", expr_text(condition));
    }
    print_block(out, &proctype.body, 0);
}

pub(super) fn print_variables(out: &mut String, decl: &VarDecl) {
    out.push_str(match decl.visibility {
        None => "",
        Some(Visibility::Hidden) => "hidden ",
        Some(Visibility::Show) => "show ",
        Some(Visibility::Local) => "local ",
    });
    print_type(out, &decl.ty);
    for (i, var) in decl.vars.iter().enumerate() {
        out.push_str(if i > 0 { ", " } else { " " });
        out.push_str(&var.name.name);
        if let Some(width) = &var.width {
            let _ = write!(out, " : {}", expr_text(width));
        }
        if let Some(size) = &var.size {
            let _ = write!(out, "[{}]", expr_text(size));
        }
        match &var.init {
            None => {}
            Some(Initializer::Expr(value)) => {
                out.push_str(" = ");
                print_expr(out, value, 0);
            }
            Some(Initializer::List { items, .. }) => {
                out.push_str(" = { ");
                print_list(out, items);
                out.push_str(" }");
            }
            Some(Initializer::Channel(channel)) => {
                let _ = write!(out, " = [{}] of {{ ", expr_text(&channel.capacity));
                for (i, field) in channel.fields.iter().enumerate() {
                    if i > 0 {
                        out.push_str(", ");
                    }
                    print_type(out, field);
                }
                out.push_str(" }");
            }
        }
    }
}

fn print_type(out: &mut String, ty: &Type) {
    match &ty.kind {
        TypeKind::Bit => out.push_str("bit"),
        TypeKind::Bool => out.push_str("bool"),
        TypeKind::Byte => out.push_str("byte"),
        TypeKind::Pid => out.push_str("pid"),
        TypeKind::Short => out.push_str("short"),
        TypeKind::Int => out.push_str("int"),
        TypeKind::Unsigned => out.push_str("unsigned"),
        TypeKind::Chan => out.push_str("chan"),
        TypeKind::Timer => out.push_str("timer"),
        TypeKind::Scalarset(name, size) => {
            let _ = write!(out, "scalarset({}, ", name.name);
            print_expr(out, size, 0);
            out.push(')');
        }
        TypeKind::Mtype(None) => out.push_str("mtype"),
        TypeKind::Mtype(Some(name)) => {
            let _ = write!(out, "mtype:{}", name.name);
        }
        TypeKind::Named(name) => out.push_str(&name.name),
    }
}
