//! What is there and never used.

use super::Checker;
use crate::lints;
use crate::symbols::Place;
use crate::syntax::ast::{Block, Ident, Item, StmtKind, Tree};
use isospin_source::{Diagnostic, Name};
use std::collections::HashSet;

impl<'a> Checker<'a> {
    pub(super) fn unused(&mut self, tree: &'a Tree) {
        self.unused_variables();
        for item in &tree.items {
            match item {
                Item::Proctype(p) => {
                    let name = &p.name;
                    if p.active.is_none() && !self.run.contains(&name.name) {
                        let message = format!("proctype `{}` is never run", name.name);
                        self.report(Diagnostic::warning(
                            lints::PROCTYPE_NEVER_RUN,
                            name.span,
                            message,
                        ));
                    }
                    self.unused_labels(&p.body);
                }
                Item::Init(i) => self.unused_labels(&i.body),
                Item::Inline(i) if !self.called.contains(&i.name.name) => {
                    let message = format!("inline `{}` is never called", i.name.name);
                    self.report(Diagnostic::warning(lints::UNUSED_INLINE, i.name.span, message));
                }
                _ => {}
            }
        }
    }

    fn unused_variables(&mut self) {
        let mut warnings = Vec::new();
        for variable in &self.symbols.variables {
            if variable.read || variable.name.starts_with('_') {
                continue;
            }
            let what = match variable.place {
                Place::Predefined(_) => continue,
                Place::Parameter => "parameter",
                Place::Global | Place::Local | Place::Field => "variable",
            };
            // What is hidden is meant to be looked at from outside.
            if variable.written && variable.hidden {
                continue;
            }
            let how = if variable.written { "assigned to and never read" } else { "never used" };
            let message = format!("{what} `{}` is {how}", variable.name);
            warnings.push(Diagnostic::warning(lints::UNUSED_VARIABLE, variable.span, message));
        }
        self.diagnostics.extend(warnings);
    }

    fn unused_labels(&mut self, body: &'a Block) {
        let mut labels: Vec<&Ident> = Vec::new();
        let mut used: HashSet<&Name> = HashSet::new();
        super::flow::each_stmt(&body.stmts, &mut |stmt| {
            labels.extend(&stmt.labels);
            if let StmtKind::Goto(label) = &stmt.kind {
                used.insert(&label.name);
            }
        });
        for label in labels {
            let name = &label.name;
            // The prefixes give a label a meaning of its own.
            let meaning = ["end", "accept", "progress"].iter().any(|p| name.starts_with(p));
            let remote = self.symbols.label_of(label).is_some_and(|l| self.symbols.label(l).remote);
            if !meaning && !remote && !used.contains(name) {
                let message = format!("label `{name}` is never used");
                self.report(Diagnostic::warning(lints::UNUSED_LABEL, label.span, message));
            }
        }
    }
}
