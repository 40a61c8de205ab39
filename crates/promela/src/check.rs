//! The checks that need the whole tree: names, types, control flow, and the
//! warnings.
//!
//! An error is something that Spin rejects too (or the compiler of its
//! verifiers); whatever Spin lets pass is a warning with a name. Names are
//! declared before they are used, so one walk in source order resolves them.

mod clusters;
mod constants;
mod decls;
mod exprs;
mod flow;
mod formulas;
mod items;
mod messages;
mod most_fields;
mod references;
mod remote;
mod scopes;
mod stmts;
mod timers;
mod unused;

use crate::symbols::{
    ClusterId, Meaning, MtypeId, ProctypeId, ProctypeSymbol, Symbols, VariableId,
};
use crate::syntax::ast::{Ident, Item, Proctype, Tree, TypeKind};
use isospin_source::{Diagnostic, Name, SourceMap, Span};
use scopes::Scopes;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// What the checks found out.
#[derive(Debug)]
pub struct Checked {
    /// What every name means.
    pub symbols: Symbols,
    /// What is wrong and what looks wrong, not sorted.
    pub diagnostics: Vec<Diagnostic>,
}

/// Checks a tree. After errors of the parser the symbols are still good for something; what is
/// said then may come from those errors.
pub fn check(sources: &SourceMap, tree: &Tree) -> Checked {
    let symbols = Symbols::new();
    let mut checker = Checker {
        sources,
        scopes: Scopes::new(&symbols),
        symbols,
        diagnostics: Vec::new(),
        proctypes: HashMap::new(),
        labels: HashMap::new(),
        remote_labels: Vec::new(),
        waiting: Vec::new(),
        held: HashMap::new(),
        clusters: HashMap::new(),
        claims: HashMap::new(),
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
    checker.remote_labels();
    // What is missing after an error need not be missing without it.
    if !checker.diagnostics.iter().any(Diagnostic::is_error) {
        checker.unused(tree);
    }
    Checked { symbols: checker.symbols, diagnostics: checker.diagnostics }
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

/// The labels of a proctype.
struct Labels {
    /// All their names, known beforehand.
    names: HashSet<Name>,
    /// Their numbers, once the body has been read.
    ids: Range<usize>,
}

struct Checker<'a> {
    sources: &'a SourceMap,
    symbols: Symbols,
    scopes: Scopes,
    diagnostics: Vec<Diagnostic>,
    /// All proctypes, those further down too.
    proctypes: HashMap<Name, (ProctypeId, &'a Proctype)>,
    /// The labels of each proctype.
    labels: HashMap<ProctypeId, Labels>,
    /// The remote references to labels.
    remote_labels: Vec<(ProctypeId, &'a Ident)>,
    /// The remote references to variables of the proctype whose body is being read.
    waiting: Vec<(ProctypeId, &'a Ident)>,
    /// The mtypes whose constants have been assigned to variables.
    held: HashMap<VariableId, MtypeId>,
    clusters: HashMap<Name, ClusterId>,
    /// Who has promised `xr` (false) and `xs` (true) of a channel.
    claims: HashMap<(VariableId, bool), Name>,
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
            match item {
                Item::Proctype(proctype) => {
                    let id = self.survey_proctype(&proctype.name.name, proctype.name.span);
                    let names = flow::labels_of(&proctype.body);
                    self.labels.insert(id, Labels { names, ids: 0..0 });
                    self.symbols.set_meaning(&proctype.name, Meaning::Proctype(id));
                    let name = proctype.name.name.clone();
                    self.proctypes.entry(name).or_insert((id, proctype));
                }
                Item::Init(init) => {
                    self.survey_proctype(&"init".into(), init.keyword);
                }
                // Mtypes are numbered as they are declared.
                Item::Mtype(decl) => {
                    self.symbols.intern_mtype(decl.subtype.as_ref().map_or("", |s| &s.name));
                }
                Item::Typedef(typedef) => {
                    for decl in &typedef.fields {
                        if let TypeKind::Mtype(Some(name)) = &decl.ty.kind {
                            self.symbols.intern_mtype(&name.name);
                        }
                    }
                }
                _ => {}
            }
        }
        self.max_fields = most_fields::most_fields(tree);
    }

    fn survey_proctype(&mut self, name: &Name, span: Span) -> ProctypeId {
        self.symbols.proctypes.push(ProctypeSymbol { name: name.clone(), span, variables: None });
        ProctypeId(self.symbols.proctypes.len() - 1)
    }
}
