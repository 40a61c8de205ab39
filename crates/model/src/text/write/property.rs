//! Properties and promises as text.

use std::fmt::Write;

use super::super::names::{quoted, spelled};
use super::{line, source, Scope, Writer};
use crate::expr::Expr;
use crate::model::Temporal;

impl Writer<'_> {
    pub(super) fn properties(&mut self) {
        let model = self.model;
        for claim in &model.claims {
            line!(self, "\nnever {}{} {{", spelled(&claim.name), source(claim.source));
            self.automaton(None, claim);
            line!(self, "}}");
        }
        if let Some(trace) = &model.trace {
            line!(self, "\n{}{} {{", trace.name(), source(trace.source));
            for (id, edges) in trace.locations.iter().enumerate() {
                let ends = trace.ends.get(id).copied().unwrap_or_default();
                line!(self, "  location {id}{}", if ends { " end" } else { "" });
                for edge in edges {
                    let what = if edge.sending { "send" } else { "receive" };
                    let channel = self.named(None, &edge.channel);
                    let pattern = self.patterns(None, &edge.pattern);
                    line!(self, "    {what} {channel} ({pattern}) -> {}", edge.target);
                }
            }
            line!(self, "}}");
        }
        for formula in &model.formulas {
            let (name, at) = (spelled(&formula.name), source(formula.source));
            let text = quoted(&formula.text);
            let mut temporal = String::new();
            self.temporal(&formula.temporal, &mut temporal);
            line!(self, "\nltl {name}{at} {text} {{ {temporal} }}");
        }
        for promise in &model.exclusives {
            let what = if promise.sending { "send" } else { "receive" };
            let ty = promise.proctype.index();
            let channel = self.expr(Some(ty), &promise.channel);
            let (name, at) = (self.proctype(ty), source(promise.source));
            line!(self, "exclusive {what} {name}({channel}){at}");
        }
        for cluster in &model.clusters {
            let members: Vec<String> = cluster
                .members
                .iter()
                .map(|m| {
                    let pid = m.pid.map_or_else(String::new, |pid| format!("[{pid}]"));
                    self.proctype(m.proctype.index()) + &pid
                })
                .collect();
            let (name, at) = (spelled(&cluster.name), source(cluster.source));
            line!(self, "cluster {name}{at} {{ {} }}", members.join(", "));
        }
    }

    /// An expression that names a channel, in front of a message.
    pub(super) fn named(&self, scope: Scope, channel: &Expr) -> String {
        let text = self.expr(scope, channel);
        match channel {
            Expr::Unary(..) | Expr::Binary(..) | Expr::Run { .. } => format!("({text})"),
            _ => text,
        }
    }

    fn temporal(&self, formula: &Temporal, out: &mut String) {
        match formula {
            Temporal::Const(value) => {
                let _ = write!(out, "{value}");
            }
            Temporal::Atom { expr, text } => {
                let _ = write!(out, "{{ {} {} }}", self.expr(None, expr), quoted(text));
            }
            Temporal::Not(a) => self.prefixed("!", a, out),
            Temporal::Next(a) => self.prefixed("X ", a, out),
            Temporal::Always(a) => self.prefixed("[] ", a, out),
            Temporal::Eventually(a) => self.prefixed("<> ", a, out),
            Temporal::And(a, b) => self.between("&&", a, b, out),
            Temporal::Or(a, b) => self.between("||", a, b, out),
            Temporal::Implies(a, b) => self.between("->", a, b, out),
            Temporal::Equivalent(a, b) => self.between("<->", a, b, out),
            Temporal::Until(a, b) => self.between("U", a, b, out),
            Temporal::WeakUntil(a, b) => self.between("W", a, b, out),
            Temporal::Release(a, b) => self.between("V", a, b, out),
        }
    }

    fn prefixed(&self, op: &str, a: &Temporal, out: &mut String) {
        out.push_str(op);
        self.temporal(a, out);
    }

    fn between(&self, op: &str, a: &Temporal, b: &Temporal, out: &mut String) {
        out.push('(');
        self.temporal(a, out);
        let _ = write!(out, " {op} ");
        self.temporal(b, out);
        out.push(')');
    }
}
