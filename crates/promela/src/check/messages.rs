//! Messages and arguments: how many, and of what types.

use super::exprs::find_run;
use super::references::{Target, Use};
use super::{Checker, Context};
use crate::lints;
use crate::symbols::{Kind, Meaning, Place, Predefined, VariableId, UNNAMED};
use crate::syntax::ast::{Expr, ExprKind, Receive, ReceiveArgKind, Run, Send, TypeKind};
use isospin_source::{Diagnostic, Name, Span};

impl<'a> Checker<'a> {
    /// The types of the fields that a reference in a message stands for.
    pub(super) fn push_kinds(
        &mut self,
        span: Span,
        found: Option<Target>,
        kinds: &mut Vec<Option<Kind>>,
    ) {
        let Some(target) = found else {
            kinds.push(None);
            return;
        };
        let mut flat = Vec::new();
        match self.symbols.flatten(target.variable.kind, &mut flat) {
            Ok(()) => kinds.extend(flat.into_iter().map(Some)),
            Err(field) => {
                let message = format!(
                    "a structure with an array of structures (`{field}`) cannot be in a message"
                );
                self.error(span, message);
                kinds.push(None);
            }
        }
    }

    pub(super) fn send(&mut self, send: &'a Send) {
        let target = self.channel_ref(&send.channel);
        let mut kinds = Vec::new();
        for arg in &send.args {
            if let Some(run) = find_run(arg) {
                self.error(run, "`run` cannot stand in a message");
            }
            self.whole_arg(arg, &mut kinds);
        }
        let Some(target) = target else { return };
        if kinds.len() > self.max_fields {
            let message = match self.max_fields {
                0 => "no channel of the model is declared with messages".to_owned(),
                n => format!("{} are sent, but no channel has more than {n}", fields(kinds.len())),
            };
            let span = self.span_of(&send.args);
            self.error(span, message);
            return;
        }
        let places: Vec<Span> = send.args.iter().map(|a| a.span).collect();
        self.message(&places, &kinds, &target);
        if let (Some(declared), true) = (&target.variable.channel, kinds.len() == send.args.len()) {
            for (arg, kind) in send.args.iter().zip(&declared.fields) {
                self.fits(arg, *kind);
            }
        }
    }

    fn span_of(&self, args: &[Expr]) -> Span {
        match (args.first(), args.last()) {
            (Some(first), Some(last)) => self.sources.join(first.span, last.span),
            _ => Span::NONE,
        }
    }

    /// An argument that may be a whole structure.
    fn whole_arg(&mut self, arg: &'a Expr, kinds: &mut Vec<Option<Kind>>) {
        match &arg.kind {
            ExprKind::Var(var) => {
                let mtype = self.mtype_of_expr(arg);
                let found = self.var_ref(var, Use::ReadWhole);
                match mtype {
                    Some(mtype) => kinds.push(Some(Kind::Mtype(mtype))),
                    None => self.push_kinds(arg.span, found, kinds),
                }
            }
            _ => {
                self.expr(arg);
                kinds.push(None);
            }
        }
    }

    pub(super) fn receive(&mut self, receive: &'a Receive) {
        let Some(target) = self.channel_ref(&receive.channel) else {
            for arg in &receive.args {
                if let ReceiveArgKind::Var(var) = &arg.kind {
                    self.var_ref(var, Use::WriteWhole);
                }
            }
            return;
        };
        self.receive_args(&receive.args, &target, Use::Write);
        self.received_twice(receive);
    }

    /// One variable for two fields of a message: Spin cannot undo that.
    fn received_twice(&mut self, receive: &Receive) {
        let mut seen: Vec<(VariableId, Span)> = Vec::new();
        for arg in &receive.args {
            let ReceiveArgKind::Var(var) = &arg.kind else {
                continue;
            };
            let Some(name) = var.as_name() else { continue };
            let Some(id) = self.symbols.variable_of(name) else {
                continue;
            };
            let variable = self.symbols.variable(id);
            let scratch = variable.place == Place::Predefined(Predefined::Scratch);
            if scratch || variable.array || matches!(variable.kind, Kind::Record(_)) {
                continue;
            }
            match seen.iter().find(|(earlier, _)| *earlier == id) {
                Some((_, first)) => {
                    let message = format!("`{}` receives two fields of one message", name.name);
                    let first = *first;
                    self.report(
                        Diagnostic::error(var.span, message).note_at(first, "the first is here"),
                    );
                }
                None => seen.push((id, var.span)),
            }
        }
    }

    /// Compares a message's fields with what its channel declares; Spin lets
    /// differences pass.
    pub(super) fn message(&mut self, places: &[Span], kinds: &[Option<Kind>], target: &Target) {
        let Some(declared) = target.variable.channel.clone() else {
            return;
        };
        let mut expected = Vec::new();
        for kind in &declared.fields {
            if self.symbols.flatten(*kind, &mut expected).is_err() {
                return;
            }
        }
        let declaration = target.variable.span;
        if kinds.len() != expected.len() {
            let span = match (places.first(), places.last()) {
                (Some(first), Some(last)) => self.sources.join(*first, *last),
                _ => declaration,
            };
            let message = format!(
                "this message has {}, but `{}` has messages of {}",
                fields(kinds.len()),
                target.variable.name,
                fields(expected.len())
            );
            self.report(
                Diagnostic::warning(lints::MESSAGE_FIELD_COUNT, span, message)
                    .note_at(declaration, "the channel is declared here"),
            );
            return;
        }
        if places.len() != kinds.len() {
            return;
        }
        for ((place, kind), expected) in places.iter().zip(kinds).zip(&expected) {
            let Some(kind) = kind else { continue };
            if !compatible(*kind, *expected) {
                let message = format!(
                    "this field is of type {}, but `{}` has {} here",
                    self.symbols.describe(*kind),
                    target.variable.name,
                    self.symbols.describe(*expected)
                );
                self.report(
                    Diagnostic::warning(lints::MESSAGE_FIELD_TYPE, *place, message)
                        .note_at(declaration, "the channel is declared here"),
                );
            }
        }
    }

    /// `run name(args)`
    pub(super) fn run(&mut self, span: Span, run: &'a Run) {
        let mut kinds = Vec::new();
        for arg in &run.args {
            self.whole_arg(arg, &mut kinds);
        }
        self.priority(run.priority.as_ref(), 0);
        if self.context == Context::None {
            self.error(span, "`run` can stand only in a process");
            return;
        }
        if self.context == Context::Ltl {
            return;
        }
        let name = &run.proctype.name;
        self.run.insert(name.clone());
        let Some((id, proctype)) = self.proctypes.get(name).copied() else {
            let message = format!("there is no proctype `{name}`");
            let names = self.proctypes.keys().map(Name::as_str);
            self.report(Diagnostic::error(run.proctype.span, message).did_you_mean(name, names));
            return;
        };
        self.symbols.set_meaning(&run.proctype, Meaning::Proctype(id));
        let mut expected: Vec<(Kind, Span)> = Vec::new();
        for decl in &proctype.params {
            for var in &decl.vars {
                let mut flat = Vec::new();
                let width = var.width.as_ref().and_then(super::constants::value).unwrap_or(0);
                let kind = match self.symbols.kind_of(&decl.ty, width.clamp(0, 32) as u32) {
                    Some(kind) => kind,
                    // A typedef from further down: nothing is known about it yet.
                    None if matches!(decl.ty.kind, TypeKind::Named(_)) => return,
                    // A scalarset, or an mtype without constants.
                    None => Kind::Byte,
                };
                let _ = self.symbols.flatten(kind, &mut flat);
                expected.extend(flat.into_iter().map(|k| (k, var.name.span)));
            }
        }
        if kinds.len() != expected.len() {
            let message = format!(
                "proctype `{name}` has {}, but is run with {}",
                parameters(expected.len()),
                kinds.len()
            );
            let definition = proctype.name.span;
            self.report(Diagnostic::error(span, message).note_at(definition, "defined here"));
            return;
        }
        if run.args.len() != expected.len() {
            return;
        }
        for (arg, (kind, declared)) in run.args.iter().zip(&expected) {
            self.fits(arg, *kind);
            let Kind::Mtype(wanted) = *kind else { continue };
            let given = match (&arg.kind, self.mtype_of_expr(arg)) {
                (_, Some(mtype)) => mtype,
                (ExprKind::Var(var), None) => match self.symbols.variable_of(var.name()) {
                    Some(id) => match self.symbols.variable(id).kind {
                        Kind::Mtype(given) if var.segments.len() == 1 => given,
                        _ => continue,
                    },
                    None => continue,
                },
                _ => continue,
            };
            if wanted != given {
                let message = "this argument is of another mtype than the parameter";
                self.report(
                    Diagnostic::error(arg.span, message)
                        .note_at(*declared, "the parameter is here"),
                );
            }
        }
    }
}

/// Whether a value of the one type can be meant for a field of the other.
fn compatible(given: Kind, expected: Kind) -> bool {
    match (given, expected) {
        (Kind::Chan, Kind::Chan) => true,
        (Kind::Chan, _) | (_, Kind::Chan) => false,
        (Kind::Mtype(a), Kind::Mtype(b)) => a == b || a == UNNAMED || b == UNNAMED,
        _ => true,
    }
}

fn fields(n: usize) -> String {
    match n {
        1 => "1 field".to_owned(),
        n => format!("{n} fields"),
    }
}

fn parameters(n: usize) -> String {
    match n {
        0 => "no parameters".to_owned(),
        1 => "1 parameter".to_owned(),
        n => format!("{n} parameters"),
    }
}
