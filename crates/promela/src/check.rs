//! The checks that need the whole tree: names, types, control flow, and the
//! warnings.
//!
//! An error is something that Spin rejects too (or the compiler of its
//! verifiers); whatever Spin lets pass is a warning with a name. Names are
//! declared before they are used, so one walk in source order resolves them.

mod constants;
mod decls;
mod exprs;
mod flow;
mod items;
mod messages;
mod stmts;
mod symbols;
mod timers;
mod unused;

use crate::syntax::ast::{Item, Proctype, Tree};
use isospin_source::{Diagnostic, Name, SourceMap, Span};
use std::collections::{HashMap, HashSet};
use symbols::Symbols;

/// Checks a tree that was read without errors; what it says is not sorted.
pub fn check(sources: &SourceMap, tree: &Tree) -> Vec<Diagnostic> {
    let mut checker = Checker {
        sources,
        symbols: Symbols::new(),
        diagnostics: Vec::new(),
        proctypes: HashMap::new(),
        labels: HashMap::new(),
        used_labels: HashSet::new(),
        run: HashSet::new(),
        called: HashSet::new(),
        max_fields: 0,
        context: Context::None,
        exclusive_seen: false,
        enabled: None,
        rendezvous: false,
    };
    checker.survey(tree);
    checker.walk(tree);
    // What is missing after an error need not be missing without it.
    if !checker.diagnostics.iter().any(Diagnostic::is_error) {
        checker.unused(tree);
    }
    checker.diagnostics
}

/// What kind of body the walk is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Context {
    None,
    Process,
    Never,
    Trace,
    Ltl,
}

struct Checker<'a> {
    sources: &'a SourceMap,
    symbols: Symbols,
    diagnostics: Vec<Diagnostic>,
    /// All proctypes, those further down too.
    proctypes: HashMap<Name, &'a Proctype>,
    /// The labels of each proctype.
    labels: HashMap<Name, HashSet<Name>>,
    /// Labels that remote references use, with their proctypes.
    used_labels: HashSet<(Name, Name)>,
    /// The proctypes that some `run` starts.
    run: HashSet<Name>,
    /// The inlines that are called.
    called: HashSet<Name>,
    /// The most fields that any channel's messages have.
    max_fields: usize,
    context: Context,
    /// Whether an `xr` or `xs` has come by.
    exclusive_seen: bool,
    /// The first `enabled()`.
    enabled: Option<Span>,
    /// Whether a channel without capacity is declared.
    rendezvous: bool,
}

impl<'a> Checker<'a> {
    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(span, message));
    }

    /// What can be known before the walk.
    fn survey(&mut self, tree: &'a Tree) {
        for item in &tree.items {
            if let Item::Proctype(proctype) = item {
                let name = proctype.name.name.clone();
                self.labels.insert(name.clone(), flow::labels_of(&proctype.body));
                self.proctypes.entry(name).or_insert(proctype);
            }
        }
        self.max_fields = decls::most_fields(tree);
    }
}
