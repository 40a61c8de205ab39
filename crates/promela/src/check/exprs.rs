//! Expressions: what names stand for, and what may be done with it.

use super::scopes::Global;
use super::{Checker, Context};
use crate::lints;
use crate::symbols::{Kind, Meaning, MtypeId, Place, Predefined, Variable, VariableId};
use crate::syntax::ast::{
    BinaryOp, Expr, ExprKind, Ident, ReceiveArg, ReceiveArgKind, Segment, UnaryOp, VarRef,
};
use isospin_source::{nearest, Diagnostic, Span};

/// How a variable is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Use {
    Read,
    Write,
    /// A whole structure may stand here: in a message or as an argument.
    ReadWhole,
    WriteWhole,
    /// A loop runs with it: a structure may stand here.
    Loop,
    /// A loop runs over it: an array without an index or a channel.
    Over,
}

/// What a reference refers to.
#[derive(Clone)]
pub(super) struct Target {
    /// The variable that the reference starts from.
    pub id: VariableId,
    /// The variable or field that it ends at.
    pub variable: Variable,
    /// Whether it ends at a field.
    pub is_field: bool,
    /// Whether it has an index at its end.
    pub indexed: bool,
}

/// The first `run` in the expression.
pub(super) fn find_run(expr: &Expr) -> Option<Span> {
    match &expr.kind {
        ExprKind::Run(_) => Some(expr.span),
        ExprKind::Unary(_, e)
        | ExprKind::Enabled(e)
        | ExprKind::PcValue(e)
        | ExprKind::GetPriority(e) => find_run(e),
        ExprKind::Binary(_, a, b) => find_run(a).or_else(|| find_run(b)),
        ExprKind::Conditional { cond, then, otherwise } => {
            [cond, then, otherwise].into_iter().find_map(|e| find_run(e))
        }
        _ => None,
    }
}

impl<'a> Checker<'a> {
    pub(super) fn undeclared(&mut self, name: &str, span: Span) {
        let mut diagnostic = Diagnostic::error(span, format!("`{name}` is not declared"));
        if self.proctypes.contains_key(name) {
            diagnostic = diagnostic.note("there is a proctype of that name");
        } else if let Some(near) = nearest(name, self.scopes.visible()) {
            diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
        }
        self.report(diagnostic);
    }

    pub(super) fn expr(&mut self, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Const(_) | ExprKind::Timeout | ExprKind::EmbeddedC(_) | ExprKind::Error => {}
            ExprKind::NonProgress => {
                if !matches!(self.context, Context::Never | Context::Ltl) {
                    self.error(expr.span, "`np_` can be used only in a never claim or formula");
                }
            }
            ExprKind::Var(var) => {
                self.var_ref(var, Use::Read);
            }
            ExprKind::Enabled(e) => {
                self.symbols.uses.enabled = true;
                self.enabled.get_or_insert(expr.span);
                self.expr(e);
            }
            ExprKind::Unary(_, e) | ExprKind::PcValue(e) => self.expr(e),
            ExprKind::GetPriority(e) => {
                self.symbols.uses.priorities = true;
                self.expr(e);
            }
            ExprKind::Binary(..) => self.chain(expr),
            ExprKind::Conditional { cond, then, otherwise } => {
                self.expr(cond);
                self.expr(then);
                self.expr(otherwise);
            }
            ExprKind::Run(run) => self.run(expr.span, run),
            ExprKind::Expire(timer) => self.timer_ref(timer, Use::Read),
            ExprKind::Len(channel) => {
                self.var_ref(channel, Use::Read);
            }
            ExprKind::Probe(_, channel) => {
                self.channel_ref(channel);
            }
            ExprKind::Poll(poll) => {
                if let Some(target) = self.channel_ref(&poll.channel) {
                    self.receive_args(&poll.args, &target, Use::Read);
                }
            }
            ExprKind::RemoteLabel { proctype, pid, label } => {
                if let Some(pid) = pid {
                    self.expr(pid);
                }
                self.remote_label(proctype, label);
            }
            ExprKind::RemoteVar { proctype, pid, var } => {
                if let Some(pid) = pid {
                    self.expr(pid);
                }
                self.remote_var(proctype, var);
            }
        }
    }

    /// A chain of operators is deep on the left; it is walked from there.
    fn chain(&mut self, expr: &'a Expr) {
        let mut rights = Vec::new();
        let mut at = expr;
        while let ExprKind::Binary(_, left, right) = &at.kind {
            rights.push(right);
            at = left;
        }
        self.expr(at);
        for right in rights.into_iter().rev() {
            self.expr(right);
        }
    }

    /// A formula: temporal operators above, expressions below.
    pub(super) fn formula(&mut self, formula: &'a Expr) {
        self.expr(formula);
        if let Some(run) = find_run(formula) {
            self.error(run, "`run` cannot stand in a formula");
        }
        self.no_probes(formula);
        self.temporal_operands(formula, true);
    }

    fn no_probes(&mut self, formula: &Expr) {
        let mut at = formula;
        loop {
            match &at.kind {
                ExprKind::Probe(..) => {
                    self.report(
                        Diagnostic::error(
                            at.span,
                            "full, empty, nfull and nempty cannot stand in a formula",
                        )
                        .help("compare len(channel) with a number"),
                    );
                    return;
                }
                ExprKind::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
                    self.no_probes(b);
                    at = a;
                }
                _ => return,
            }
        }
    }

    /// Temporal operators bind tighter than comparisons: `<> x == 1` is read
    /// as `(<> x) == 1`.
    fn temporal_operands(&mut self, expr: &Expr, allowed: bool) {
        let temporal = match &expr.kind {
            ExprKind::Unary(op, operand) => {
                let temporal = matches!(op, UnaryOp::Next | UnaryOp::Always | UnaryOp::Eventually);
                self.temporal_operands(operand, allowed && (temporal || *op == UnaryOp::Not));
                temporal
            }
            ExprKind::Binary(op, a, b) => {
                let logical = matches!(
                    op,
                    BinaryOp::And
                        | BinaryOp::Or
                        | BinaryOp::Until
                        | BinaryOp::Release
                        | BinaryOp::WeakUntil
                        | BinaryOp::Implies
                        | BinaryOp::Equivalent
                );
                self.temporal_operands(a, allowed && logical);
                self.temporal_operands(b, allowed && logical);
                matches!(op, BinaryOp::Until | BinaryOp::Release | BinaryOp::WeakUntil)
            }
            _ => false,
        };
        if temporal && !allowed {
            self.report(
                Diagnostic::warning(
                    lints::TEMPORAL_OPERAND,
                    expr.span,
                    "a temporal formula is used as a number here",
                )
                .help("temporal operators bind tighter than any other; are parentheses missing, as in `<> (x == 1)`?"),
            );
        }
    }

    /// Looks a reference up and marks its variable as used. A constant of an
    /// mtype gives nothing, and neither does what has been complained about.
    pub(super) fn var_ref(&mut self, var: &'a VarRef, how: Use) -> Option<Target> {
        for segment in &var.segments {
            if let Some(index) = &segment.index {
                self.expr(index);
            }
        }
        let first = &var.segments[0];
        let meaning = self.scopes.find(&first.name.name);
        if let Some(meaning) = meaning {
            self.symbols.set_meaning(&first.name, meaning);
        }
        let Some(Meaning::Variable(id)) = meaning else {
            self.not_a_variable(var, how);
            return None;
        };
        self.mark(id, how);
        let variable = self.symbols.variable(id).clone();
        // In a trace, `_` is any value, in a send too.
        let reads = matches!(how, Use::Read | Use::ReadWhole);
        let scratch = variable.place == Place::Predefined(Predefined::Scratch);
        if scratch && reads && self.context != Context::Trace {
            self.error(var.span, "the value of `_` cannot be read");
            return None;
        }
        self.segment(first, &variable, how);
        let mut target = Target { id, variable, is_field: false, indexed: first.index.is_some() };
        for segment in &var.segments[1..] {
            let field = self.field(&target.variable, segment)?;
            self.segment(segment, &field, how);
            target.variable = field;
            target.is_field = true;
            target.indexed = segment.index.is_some();
        }
        let whole = matches!(how, Use::ReadWhole | Use::WriteWhole | Use::Loop | Use::Over);
        if matches!(target.variable.kind, Kind::Record(_)) && !whole {
            let message = format!(
                "`{}` is a whole structure, and only one of its fields can be used here",
                self.sources.text(var.span)
            );
            self.error(var.span, message);
            return None;
        }
        Some(target)
    }

    /// Remembers how a variable is used.
    fn mark(&mut self, id: VariableId, how: Use) {
        let variable = self.symbols.variable_mut(id);
        match how {
            Use::Read | Use::ReadWhole | Use::Over => variable.read = true,
            Use::Write | Use::WriteWhole => variable.written = true,
            Use::Loop => {
                variable.read = true;
                variable.written = true;
            }
        }
        let uses = &mut self.symbols.uses;
        match self.symbols.variables[id.0].place {
            Place::Predefined(Predefined::Last) => uses.last = true,
            Place::Predefined(Predefined::Priority) => uses.priorities = true,
            _ => {}
        }
    }

    fn not_a_variable(&mut self, var: &VarRef, how: Use) {
        let Ident { name, span, .. } = &var.segments[0].name;
        let plain = var.as_name().is_some();
        match self.scopes.globals.get(name) {
            Some(Global::Constant { .. }) if self.scopes.local(name).is_none() => {
                if matches!(how, Use::Write | Use::Loop | Use::Over) {
                    let message = format!("`{name}` is a constant of an mtype, not a variable");
                    self.error(*span, message);
                } else if !plain {
                    let message =
                        format!("`{name}` is a constant of an mtype, without index or fields");
                    self.error(var.span, message);
                }
            }
            Some(Global::Proctype(_)) => {
                let message = format!("`{name}` is a proctype, not a variable");
                self.error(*span, message);
            }
            Some(Global::Inline(_)) => {
                let message = format!("`{name}` is an inline, not a variable");
                self.error(*span, message);
            }
            _ => self.undeclared(name, *span),
        }
    }

    /// An index where there must be one, and none where there must not.
    fn segment(&mut self, segment: &Segment, variable: &Variable, how: Use) {
        let name = &segment.name.name;
        match (&segment.index, variable.array) {
            (None, true) if !matches!(how, Use::Loop | Use::Over) => {
                let message = format!("`{name}` is an array and needs an index");
                self.report(
                    Diagnostic::error(segment.name.span, message)
                        .note_at(variable.span, "declared here"),
                );
            }
            (Some(index), false) if super::constants::value(index) != Some(0) => {
                let message = format!("`{name}` is no array and cannot have an index");
                let diagnostic = Diagnostic::error(index.span, message);
                self.report(if variable.span == Span::NONE {
                    diagnostic
                } else {
                    diagnostic.note_at(variable.span, "declared here")
                });
            }
            _ => {}
        }
    }

    fn field(&mut self, variable: &Variable, segment: &Segment) -> Option<Variable> {
        let Ident { name, span, .. } = &segment.name;
        let Kind::Record(id) = variable.kind else {
            let kind = self.symbols.describe(variable.kind);
            let message = format!("`{}` is of type {kind} and has no fields", variable.name);
            self.error(*span, message);
            return None;
        };
        let typedef = self.symbols.typedef(id);
        let Some(k) = typedef.fields.iter().position(|f| f.name == *name) else {
            let message = format!("`{}` has no field `{name}`", variable.name);
            let mut diagnostic = Diagnostic::error(*span, message);
            let names = typedef.fields.iter().map(|f| f.name.as_str());
            diagnostic.help = Some(match nearest(name, names.clone()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => {
                    let names: Vec<String> = names.map(|f| format!("`{f}`")).collect();
                    format!("{} has the fields {}", typedef.name, names.join(", "))
                }
            });
            self.report(diagnostic);
            return None;
        };
        let field = typedef.fields[k].clone();
        self.symbols.set_meaning(&segment.name, Meaning::Field(id, k));
        Some(field)
    }

    /// The mtype of an expression that is one of its constants.
    pub(super) fn mtype_of_expr(&self, expr: &Expr) -> Option<MtypeId> {
        match &expr.kind {
            ExprKind::Var(var) => self.mtype_of_name(var),
            _ => None,
        }
    }

    fn mtype_of_name(&self, var: &VarRef) -> Option<MtypeId> {
        match self.scopes.find(&var.as_name()?.name)? {
            Meaning::Constant(mtype, _) => Some(mtype),
            _ => None,
        }
    }

    /// A channel's name may be assigned, but nothing can be computed from it.
    pub(super) fn no_channel_arithmetic(&mut self, expr: &Expr, top: bool) {
        match &expr.kind {
            ExprKind::Var(var) => {
                let Some(id) = self.symbols.variable_of(var.name()) else {
                    return;
                };
                if !top && var.segments.len() == 1 && self.symbols.variable(id).kind == Kind::Chan {
                    self.error(var.span, "nothing can be computed from a channel");
                }
            }
            ExprKind::Binary(_, a, b) => {
                self.no_channel_arithmetic(a, false);
                self.no_channel_arithmetic(b, false);
            }
            ExprKind::Unary(_, e) => self.no_channel_arithmetic(e, false),
            ExprKind::Conditional { cond, then, otherwise } => {
                for e in [cond, then, otherwise] {
                    self.no_channel_arithmetic(e, false);
                }
            }
            _ => {}
        }
    }

    /// A reference that must be to a channel.
    pub(super) fn channel_ref(&mut self, var: &'a VarRef) -> Option<Target> {
        let text = self.sources.text(var.span).to_owned();
        if self.mtype_of_name(var).is_some() {
            let message = format!("`{text}` is a constant of an mtype, not a channel");
            self.error(var.span, message);
            return None;
        }
        let target = self.var_ref(var, Use::Read)?;
        if target.variable.kind == Kind::Chan {
            return Some(target);
        }
        let kind = self.symbols.describe(target.variable.kind);
        let message = format!("`{text}` is of type {kind}, not a channel");
        let mut diagnostic = Diagnostic::error(var.span, message);
        if target.variable.span != Span::NONE {
            diagnostic = diagnostic.note_at(target.variable.span, "declared here");
        }
        self.report(diagnostic);
        None
    }

    /// The fields of a receive or of a test of a channel.
    pub(super) fn receive_args(&mut self, args: &'a [ReceiveArg], target: &Target, how: Use) {
        let mut kinds: Vec<Option<Kind>> = Vec::new();
        for arg in args {
            match &arg.kind {
                ReceiveArgKind::Const(_) => kinds.push(None),
                ReceiveArgKind::Eval(expr) => {
                    self.expr(expr);
                    kinds.push(None);
                }
                ReceiveArgKind::Var(var) => {
                    let how = match how {
                        _ if var.name().name == Predefined::Scratch.name() => Use::WriteWhole,
                        Use::Read => Use::ReadWhole,
                        _ => Use::WriteWhole,
                    };
                    let found = self.var_ref(var, how);
                    self.push_kinds(var.span, found, &mut kinds);
                }
            }
        }
        let places: Vec<Span> = args.iter().map(|a| a.span).collect();
        self.message(&places, &kinds, target);
    }
}
