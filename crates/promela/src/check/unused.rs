//! What is there and never used.

use super::symbols::Place;
use super::Checker;
use crate::lints;
use crate::syntax::ast::{Ident, Item, Tree};
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
                    self.unused_labels(&p.body, Some(&name.name));
                }
                Item::Init(i) => self.unused_labels(&i.body, None),
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
                Place::Predefined => continue,
                Place::Parameter => "parameter",
                Place::Global | Place::Local => "variable",
            };
            let message = match variable.written {
                // What is hidden is meant to be looked at from outside.
                true if variable.hidden => continue,
                true => format!("{what} `{}` is assigned to and never read", variable.name),
                false => format!("{what} `{}` is never used", variable.name),
            };
            warnings.push(Diagnostic::warning(lints::UNUSED_VARIABLE, variable.span, message));
        }
        self.diagnostics.extend(warnings);
    }

    fn unused_labels(&mut self, body: &'a crate::syntax::ast::Block, owner: Option<&Name>) {
        let mut labels: Vec<&Ident> = Vec::new();
        let mut used: HashSet<&Name> = HashSet::new();
        super::flow::each_stmt(&body.stmts, &mut |stmt| {
            labels.extend(&stmt.labels);
            if let crate::syntax::ast::StmtKind::Goto(label) = &stmt.kind {
                used.insert(&label.name);
            }
        });
        for label in labels {
            let name = &label.name;
            // The prefixes give a label a meaning of its own.
            let meaning = ["end", "accept", "progress"].iter().any(|p| name.starts_with(p));
            let remote =
                owner.is_some_and(|o| self.used_labels.contains(&(o.clone(), name.clone())));
            if !meaning && !remote && !used.contains(name) {
                let message = format!("label `{name}` is never used");
                self.report(Diagnostic::warning(lints::UNUSED_LABEL, label.span, message));
            }
        }
    }
}
