//! Instances of modules, and what each name means in each of them.

mod declare;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use isospin_relation::{ExprId, Place, Relation, SYMBOL_BASE};
use isospin_source::{nearest, Diagnostic, SourceMap, Span};

use crate::elaborate::SetNode;
use crate::syntax::{Element, Expr, Tree};
use crate::types::Ty;
use crate::Options;

/// An error that was reported.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reported;

pub(crate) type Result<T> = std::result::Result<T, Reported>;

/// An instance's number.
pub(crate) type ScopeId = usize;

/// What an expression stands for.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    Value(Ty, ExprId),
    /// A choice of values: the number of a set.
    Set(Ty, usize),
    /// Elements, the first one's index first.
    Array(i64, Rc<Vec<Item>>),
    Instance(ScopeId),
}

/// What a name stands for.
#[derive(Clone, Debug)]
pub(crate) enum Binding {
    Item(Item),
    /// An expression of the instance that the definition is in.
    Define(Expr, ScopeId),
    /// An expression of the instance that this one was made in.
    Parameter(Expr, ScopeId),
}

/// An instance of a module.
#[derive(Debug)]
pub(crate) struct Scope<'t> {
    /// Its name, empty for `main`.
    pub(crate) path: String,
    /// The sections, with those of modules that it inherits.
    pub(crate) elements: Vec<&'t Element>,
    pub(crate) names: HashMap<String, (Binding, Span)>,
    /// Whether names are declared that look like elements or something in an instance.
    pub(crate) complex: bool,
    /// The process that it belongs to.
    pub(crate) process: usize,
}

/// What is known while a model is made into a relation.
pub(crate) struct Flattener<'t> {
    pub(crate) tree: &'t Tree,
    pub(crate) sources: &'t SourceMap,
    pub(crate) options: &'t Options,
    pub(crate) relation: Relation,
    pub(crate) scopes: Vec<Scope<'t>>,
    pub(crate) places: Vec<Span>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) symbols: HashMap<String, (u32, Span)>,
    pub(crate) sets: Vec<SetNode>,
    /// What definitions and parameters stand for, where that is known.
    pub(crate) known: HashMap<(ScopeId, String), Result<Item>>,
    /// The definitions that are being understood.
    pub(crate) open: HashSet<(ScopeId, String)>,
    /// The names of processes; the first is `main`.
    pub(crate) processes: Vec<String>,
    /// The number of calls that are under way, so that definitions cannot use up the stack.
    pub(crate) depth: u32,
}

impl<'t> Flattener<'t> {
    pub(crate) fn new(tree: &'t Tree, sources: &'t SourceMap, options: &'t Options) -> Self {
        Flattener {
            tree,
            sources,
            options,
            relation: Relation::default(),
            scopes: Vec::new(),
            places: Vec::new(),
            diagnostics: Vec::new(),
            symbols: HashMap::new(),
            sets: Vec::new(),
            known: HashMap::new(),
            open: HashSet::new(),
            processes: vec!["main".into()],
            depth: 0,
        }
    }

    pub(crate) fn error<T>(&mut self, span: Span, message: impl Into<String>) -> Result<T> {
        self.report(Diagnostic::error(span, message))
    }

    pub(crate) fn report<T>(&mut self, diagnostic: Diagnostic) -> Result<T> {
        self.diagnostics.push(diagnostic);
        Err(Reported)
    }

    pub(crate) fn place(&mut self, span: Span) -> Option<Place> {
        self.places.push(span);
        Some(Place(self.places.len() as u32 - 1))
    }

    /// The number of a symbolic constant, which may be new.
    pub(crate) fn symbol(&mut self, name: &str, span: Span) -> i64 {
        if let Some((number, _)) = self.symbols.get(name) {
            return SYMBOL_BASE + *number as i64;
        }
        let number = self.relation.symbols.len() as u32;
        self.relation.symbols.push(name.to_owned());
        self.symbols.insert(name.to_owned(), (number, span));
        SYMBOL_BASE + number as i64
    }

    /// What a name stands for in an instance.
    pub(crate) fn lookup(&mut self, scope: ScopeId, name: &str, span: Span) -> Result<Item> {
        match self.scopes[scope].names.get(name).map(|(b, _)| b.clone()) {
            Some(Binding::Item(item)) => Ok(item),
            Some(Binding::Define(body, inside) | Binding::Parameter(body, inside)) => {
                self.body(scope, name, body, inside, span)
            }
            None => self.global(scope, name, span),
        }
    }

    /// What is neither declared in an instance nor a parameter: `running`, symbolic constants.
    fn global(&mut self, scope: ScopeId, name: &str, span: Span) -> Result<Item> {
        if let Some((number, _)) = self.symbols.get(name) {
            let value = SYMBOL_BASE + *number as i64;
            let sort = Ty::Symbolic.sort();
            return Ok(Item::Value(Ty::Symbolic, self.relation.expressions.constant(value, sort)));
        }
        if name == "running" {
            let process = self.scopes[scope].process;
            let runs = self.runs(process);
            return Ok(Item::Value(Ty::Boolean, runs));
        }
        let known = self.scopes[scope].names.keys().map(String::as_str);
        let known: Vec<&str> = known.chain(self.symbols.keys().map(String::as_str)).collect();
        let mut diagnostic = Diagnostic::error(span, format!("nothing here is called `{name}`"));
        if let Some(near) = nearest(name, known.into_iter()) {
            diagnostic = diagnostic.help(format!("there is `{near}`"));
        }
        self.report(diagnostic)
    }

    /// Whether a process moves.
    pub(crate) fn runs(&mut self, process: usize) -> ExprId {
        let Some(selector) = self.relation.selector else {
            return self.relation.expressions.truth(true);
        };
        let domain = &self.relation.variable(selector).domain;
        let value = domain.value(process as u64);
        let chosen = self.relation.current(selector);
        let constant = self.relation.expressions.constant(value, Ty::Symbolic.sort());
        self.relation.expressions.equal(chosen, constant)
    }

    /// What a definition or parameter stands for.
    fn body(
        &mut self,
        scope: ScopeId,
        name: &str,
        body: Expr,
        inside: ScopeId,
        span: Span,
    ) -> Result<Item> {
        let key = (scope, name.to_owned());
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        if !self.open.insert(key.clone()) {
            return self.error(span, format!("`{name}` is defined by itself"));
        }
        let item = self.item(body, inside);
        self.open.remove(&key);
        self.known.insert(key, item.clone());
        item
    }

    /// The instance that a declared name belongs to, and what it is called there: `left.ack` is
    /// `ack` in what `left` stands for, if that is an instance.
    pub(crate) fn owner(&mut self, scope: ScopeId, name: &str) -> (ScopeId, String) {
        let (mut inside, mut rest) = (scope, name);
        while let Some((first, last)) = rest.split_once('.') {
            let binding = self.scopes[inside].names.get(first).map(|(b, _)| b.clone());
            let item = match binding {
                Some(Binding::Item(item)) => Ok(item),
                Some(Binding::Parameter(actual, caller)) => self.item(actual, caller),
                _ => Err(Reported),
            };
            let Ok(Item::Instance(next)) = item else { return (scope, name.to_owned()) };
            (inside, rest) = (next, last);
        }
        (inside, rest.to_owned())
    }

    /// The name of something in an instance, from outside.
    pub(crate) fn qualified(&self, scope: ScopeId, name: &str) -> String {
        match self.scopes[scope].path.as_str() {
            "" => name.to_owned(),
            path => format!("{path}.{name}"),
        }
    }
}
