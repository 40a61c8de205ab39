//! References to labels and variables of other processes.

use super::scopes::Global;
use super::{Checker, Labels};
use crate::symbols::{LabelId, Meaning, ProctypeId};
use crate::syntax::ast::{Ident, Segment};
use isospin_source::{Diagnostic, Name};
use std::collections::{HashMap, HashSet};

impl<'a> Checker<'a> {
    fn known_proctype(&mut self, proctype: &Ident) -> Option<ProctypeId> {
        let name = &proctype.name;
        let before = matches!(self.scopes.globals.get(name), Some(Global::Proctype(_)));
        let id = self.proctypes.get(name).map(|(id, _)| *id).filter(|_| before);
        if let Some(id) = id {
            self.symbols.set_meaning(proctype, Meaning::Proctype(id));
            return Some(id);
        }
        let mut diagnostic =
            Diagnostic::error(proctype.span, format!("there is no proctype `{name}` so far"));
        if self.proctypes.contains_key(name) {
            diagnostic =
                diagnostic.note("a proctype is defined before it is referred to from outside");
        } else {
            let names = self.proctypes.keys().map(Name::as_str);
            diagnostic = diagnostic.did_you_mean(name, names);
        }
        self.report(diagnostic);
        None
    }

    /// `P[pid]@label`
    pub(super) fn remote_label(&mut self, proctype: &Ident, label: &'a Ident) {
        let Some(id) = self.known_proctype(proctype) else {
            return;
        };
        let names = self.labels.get(&id).map(|l| &l.names);
        if names.is_some_and(|names| names.contains(&label.name)) {
            self.remote_labels.push((id, label));
            return;
        }
        let message = format!("proctype `{}` has no label `{}`", proctype.name, label.name);
        let names = names.into_iter().flatten().map(Name::as_str);
        self.report(Diagnostic::error(label.span, message).did_you_mean(&label.name, names));
    }

    /// Once all bodies have been read: which labels the remote references name. Of several of one
    /// name, any can be meant.
    pub(super) fn remote_labels(&mut self) {
        let named: HashSet<(ProctypeId, &Name)> =
            self.remote_labels.iter().map(|(proctype, label)| (*proctype, &label.name)).collect();
        let mut first = HashMap::new();
        for (&proctype, Labels { ids, .. }) in &self.labels {
            for id in ids.clone() {
                let label = &mut self.symbols.labels[id];
                if named.contains(&(proctype, &label.name)) {
                    label.remote = true;
                    first.entry((proctype, label.name.clone())).or_insert(LabelId(id));
                }
            }
        }
        for (proctype, label) in &self.remote_labels {
            if let Some(&id) = first.get(&(*proctype, label.name.clone())) {
                self.symbols.set_meaning(label, Meaning::Label(id));
            }
        }
    }

    /// `P[pid]:var`
    pub(super) fn remote_var(&mut self, proctype: &Ident, var: &'a Segment) {
        if let Some(index) = &var.index {
            self.expr(index);
        }
        let Some(id) = self.known_proctype(proctype) else {
            return;
        };
        if matches!(&*var.name.name, "_p" | "_pid" | "_priority") {
            return;
        }
        // A proctype's own variables are known once its body has been read.
        if self.symbols.proctype(id).variables.is_none() {
            self.waiting.push((id, &var.name));
            return;
        }
        self.remote_name(id, &var.name);
    }

    /// Looks up the variables that remote references in the proctype's own body name.
    pub(super) fn remote_names(&mut self) {
        for (proctype, name) in std::mem::take(&mut self.waiting) {
            self.remote_name(proctype, name);
        }
    }

    fn remote_name(&mut self, proctype: ProctypeId, ident: &Ident) {
        let Ident { name, span, .. } = ident;
        let symbol = self.symbols.proctype(proctype);
        let Some(variables) = &symbol.variables else {
            return;
        };
        if let Some(&id) = variables.get(name) {
            self.symbols.set_meaning(ident, Meaning::Variable(id));
            let variable = self.symbols.variable_mut(id);
            variable.read = true;
            variable.remote = true;
            return;
        }
        let message = format!("proctype `{}` has no variable `{name}`", symbol.name);
        let names = variables.keys().map(Name::as_str);
        self.report(Diagnostic::error(*span, message).did_you_mean(name, names));
    }
}
