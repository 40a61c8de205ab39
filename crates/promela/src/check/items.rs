//! The walk over what stands at the outermost level.

use super::scopes::Global;
use super::{constants, flow, Checker, Context};
use crate::symbols::{self, Meaning, Place, ProctypeId, VariableId};
use crate::syntax::ast::{
    Block, Expr, ExprKind, Item, Ltl, MtypeDecl, Proctype, Tree, Typedef, VarRef,
};
use isospin_source::{Diagnostic, Name, Span};
use std::collections::HashMap;

impl<'a> Checker<'a> {
    pub(super) fn walk(&mut self, tree: &'a Tree) {
        let mut claims: HashMap<Name, Span> = HashMap::new();
        let mut trace: Option<Span> = None;
        let mut proctypes = (0..).map(ProctypeId);
        for item in &tree.items {
            match item {
                Item::Proctype(proctype) => {
                    let id = proctypes.next();
                    self.proctype(proctype, id);
                }
                Item::Init(init) => {
                    let id = proctypes.next();
                    self.priority(init.priority.as_ref(), 1);
                    self.body(&init.body, Context::Process, "init", id);
                }
                Item::Never(never) => {
                    if let Some(name) = &never.name {
                        self.claim_name(&mut claims, name.name.clone(), name.span);
                    }
                    self.body(&never.body, Context::Never, "never", None);
                }
                Item::Trace(item) => {
                    if let Some(first) = trace {
                        self.report(
                            Diagnostic::error(
                                item.keyword,
                                "there can be only one trace or notrace",
                            )
                            .note_at(first, "the first is here"),
                        );
                    }
                    trace.get_or_insert(item.keyword);
                    self.body(&item.body, Context::Trace, "trace", None);
                }
                Item::Variables(decl) => self.variables(decl, Place::Global, true),
                Item::Typedef(typedef) => self.typedef(typedef),
                Item::Mtype(decl) => self.mtype(decl),
                Item::Inline(inline) => {
                    let name = inline.name.name.clone();
                    let global = Global::Inline(inline.name.span);
                    self.scopes.globals.entry(name).or_insert(global);
                }
                Item::Cluster(cluster) => self.cluster(cluster),
                Item::Ltl(_) | Item::EmbeddedC(_) => {}
            }
        }
        // Formulas are read last, wherever they stand.
        for ltl in tree.all_formulas() {
            self.ltl(ltl, &mut claims);
        }
        if let (Some(span), true) = (self.enabled, self.rendezvous) {
            let message = "`enabled` cannot be used in a model with a channel of capacity 0";
            self.error(span, message);
        }
        self.something_runs(tree);
    }

    fn claim_name(&mut self, claims: &mut HashMap<Name, Span>, name: Name, span: Span) {
        let message = format!("there is already a property called `{name}`");
        if let Some(first) = claims.insert(name, span) {
            self.report(Diagnostic::error(span, message).note_at(first, "the first is here"));
        }
    }

    fn mtype(&mut self, decl: &MtypeDecl) {
        let mtype = self.symbols.intern_mtype(decl.subtype.as_ref().map_or("", |s| &s.name));
        // Within one declaration the last name comes first.
        let constants = &mut self.symbols.mtypes[mtype.0].constants;
        constants.extend(decl.names.iter().rev().map(|n| n.name.clone()));
        let count = constants.len();
        let first = count - decl.names.len();
        for (value, name) in (first + 1..=count).rev().zip(&decl.names) {
            if let Some(clash) = self.scopes.clash(&self.symbols, name, "the constant") {
                self.report(clash);
                continue;
            }
            let value = value as i32;
            self.symbols.set_meaning(name, Meaning::Constant(mtype, value));
            let global = Global::Constant { mtype, value, span: name.span };
            self.scopes.globals.insert(name.name.clone(), global);
        }
        if count > 255 {
            self.error(decl.span, "an mtype can have at most 255 constants");
        }
    }

    fn typedef(&mut self, typedef: &'a Typedef) {
        let mut fields = Vec::new();
        let mut names: HashMap<&Name, Span> = HashMap::new();
        for decl in &typedef.fields {
            for var in &decl.vars {
                if let Some(first) = names.insert(&var.name.name, var.name.span) {
                    let message = format!("field `{}` is declared twice", var.name.name);
                    self.report(
                        Diagnostic::error(var.name.span, message)
                            .note_at(first, "declared first here"),
                    );
                }
                let field = self.variable(decl, var, Place::Field);
                if field.hidden {
                    let message = format!("field `{}` cannot be hidden", var.name.name);
                    self.error(var.name.span, message);
                }
                fields.push(field);
            }
        }
        let (name, span) = (typedef.name.name.clone(), typedef.name.span);
        self.scopes.globals.insert(name.clone(), Global::Typedef(span));
        self.symbols.add_typedef(symbols::Typedef { name, span, fields });
    }

    fn proctype(&mut self, proctype: &'a Proctype, id: Option<ProctypeId>) {
        let name = &proctype.name;
        if let Some(clash) = self.scopes.clash(&self.symbols, name, "proctype") {
            self.report(clash);
        }
        self.scopes.globals.insert(name.name.clone(), Global::Proctype(name.span));
        if let Some(count) = proctype.active.as_ref().and_then(|a| a.count.as_ref()) {
            let count_value = self.const_value(count, "the number of processes");
            if count_value.is_some_and(|n| n > 255) {
                self.error(count.span, "there can be at most 255 processes");
            }
        }
        let least = if proctype.active.is_some() { 1 } else { 0 };
        self.priority(proctype.priority.as_ref(), least);
        self.scopes.enter();
        for decl in &proctype.params {
            self.variables(decl, Place::Parameter, true);
        }
        if let Some(condition) = &proctype.provided {
            self.context = Context::Process;
            self.expr(condition);
            if let Some(span) = self.improper_enabler(condition) {
                self.report(Diagnostic::error(
                    span,
                    "a provided clause can use only constants, global variables and _pid",
                ));
            }
        }
        self.body(&proctype.body, Context::Process, &name.name, id);
        self.scopes.leave();
    }

    /// `priority n`, from `least` to 255.
    pub(super) fn priority(&mut self, priority: Option<&Expr>, least: i32) {
        let Some(priority) = priority else { return };
        self.symbols.uses.priorities = true;
        if constants::value(priority).is_some_and(|n| n < least || n > 255) {
            self.error(priority.span, "a priority is a number from 1 to 255");
        }
    }

    /// A body; `id` is that of its process type, if it is one's.
    fn body(&mut self, body: &'a Block, context: Context, name: &str, id: Option<ProctypeId>) {
        self.context = context;
        let first_variable = self.symbols.variables.len();
        let first_label = self.symbols.labels.len();
        self.scopes.enter();
        self.body_stmts(&body.stmts, name);
        self.scopes.leave();
        self.context = Context::None;
        let own = first_variable..self.symbols.variables.len();
        if context == Context::Never {
            for id in own.clone() {
                let span = self.symbols.variables[id].span;
                self.error(span, "a never claim cannot have variables of its own");
            }
        }
        flow::check(self.sources, body, &mut self.symbols, &mut self.diagnostics);
        let Some(id) = id else { return };
        let blocks = self.scopes.blocks.iter().flatten();
        let parameters = blocks.map(|(name, id)| (name.clone(), *id));
        let locals = own.map(|k| (self.symbols.variables[k].name.clone(), VariableId(k)));
        let variables = parameters.chain(locals).collect();
        self.symbols.proctypes[id.0].variables = Some(variables);
        if let Some(labels) = self.labels.get_mut(&id) {
            labels.ids = first_label..self.symbols.labels.len();
        }
        self.remote_names();
    }

    fn ltl(&mut self, ltl: &'a Ltl, claims: &mut HashMap<Name, Span>) {
        self.context = Context::Ltl;
        if let Some(name) = &ltl.name {
            self.claim_name(claims, name.name.clone(), name.span);
            if matches!(
                self.scopes.globals.get(&name.name),
                Some(
                    Global::Proctype(_)
                        | Global::Typedef(_)
                        | Global::Inline(_)
                        | Global::Constant { .. }
                )
            ) {
                if let Some(clash) = self.scopes.clash(&self.symbols, name, "the property") {
                    self.report(clash);
                }
            }
        }
        self.formula(&ltl.formula);
        self.context = Context::None;
    }

    /// Something must be there to run.
    fn something_runs(&mut self, tree: &Tree) {
        let runs = tree.items.iter().any(|item| match item {
            Item::Init(_) => true,
            Item::Proctype(p) => match p.active.as_ref().map(|a| a.count.as_ref()) {
                Some(Some(count)) => self.known_value(count).is_none_or(|n| n > 0),
                Some(None) => true,
                None => false,
            },
            // Embedded C may be anything.
            Item::EmbeddedC(_) => true,
            _ => false,
        });
        if !runs {
            let span = tree.items.last().map_or(Span::NONE, |i| i.span());
            self.report(
                Diagnostic::error(span, "the model has no process to start with")
                    .help("write an `init`, or `active` before a proctype"),
            );
        }
    }

    /// The part of a provided clause that may not be in one.
    fn improper_enabler(&self, expr: &Expr) -> Option<Span> {
        let global = |var: &VarRef| {
            let local = self.symbols.variable_of(var.name()).is_some_and(|id| {
                matches!(self.symbols.variable(id).place, Place::Local | Place::Parameter)
            });
            local.then_some(var.span)
        };
        match &expr.kind {
            ExprKind::Var(var)
            | ExprKind::Len(var)
            | ExprKind::Probe(_, var)
            | ExprKind::Expire(var) => global(var),
            ExprKind::Poll(poll) => global(&poll.channel),
            ExprKind::Const(_) | ExprKind::Timeout | ExprKind::EmbeddedC(_) | ExprKind::Error => {
                None
            }
            ExprKind::Enabled(e)
            | ExprKind::PcValue(e)
            | ExprKind::GetPriority(e)
            | ExprKind::Unary(_, e) => self.improper_enabler(e),
            ExprKind::Binary(_, a, b) => {
                self.improper_enabler(a).or_else(|| self.improper_enabler(b))
            }
            ExprKind::Conditional { cond, then, otherwise } => {
                [cond, then, otherwise].into_iter().find_map(|e| self.improper_enabler(e))
            }
            _ => Some(expr.span),
        }
    }
}
