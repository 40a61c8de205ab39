//! From the syntax tree to the model.
//!
//! | file | what it does |
//! | --- | --- |
//! | `names.rs` | what must be known of the whole tree beforehand |
//! | `types.rs`, `scope.rs` | types, variables, scopes |
//! | `decl.rs` | declarations: where variables live and what they start with |
//! | `expr.rs` | expressions, places, temporal formulas |
//! | `stmt.rs` | statements into elements |
//! | `timer.rs` | what is done with timers |
//! | `cluster.rs` | clusters of processes |
//! | `graph.rs` | elements and sequences |
//! | `automaton.rs`, `det_step.rs` | elements into automata |
//!
//! A tree is lowered twice. The first time finds out how many locations each process type has,
//! where its labels are and where its variables live; the second time knows it, so that remote
//! references can be resolved whatever the order of the text.

mod automaton;
mod cluster;
mod decl;
mod det_step;
mod expr;
mod graph;
mod names;
mod scope;
mod stmt;
mod timer;
mod types;

use std::collections::{HashMap, HashSet};

use isospin_model::{
    Action, Activation, Automaton, Formula, FrameLayout, LocationId, Model, ProcKind, ProcType,
    ProcTypeId, SourceRef, TraceEdge,
};

use crate::diagnostics::Diagnostic;
use crate::source::{Name, SourceMap, Span};
use crate::syntax::ast::*;
use decl::Frame;
use graph::Graph;
use names::Names;
use scope::{Scopes, Variable};
use types::Types;

/// What a first pass has found out about a process type.
#[derive(Clone, Default)]
struct Body {
    variables: HashMap<Name, Variable>,
    labels: HashMap<Name, LocationId>,
    locations: usize,
}

/// Lowers a checked tree. A tree without errors gives a model; diagnostics are given for what the
/// checks let through and the model cannot express.
pub fn lower(sources: &SourceMap, tree: &Tree) -> Result<Model, Vec<Diagnostic>> {
    let names = Names::of(tree);
    let first = Lowering::new(sources, tree, &names, HashMap::new()).run()?;
    let second = Lowering::new(sources, tree, &names, first.bodies).run()?;
    Ok(second.model)
}

struct Lowering<'t> {
    sources: &'t SourceMap,
    tree: &'t Tree,
    names: &'t Names,
    /// What the first pass found; empty during it.
    known: HashMap<Name, Body>,
    bodies: HashMap<Name, Body>,
    model: Model,
    types: Types,
    type_names: HashMap<Name, usize>,
    mtype_constants: HashMap<Name, (i32, u16)>,
    proctypes: HashMap<Name, ProcTypeId>,
    /// The values of global variables that were initialised with a constant: Spin lets them stand
    /// for it in array bounds.
    constants: HashMap<Name, i32>,
    scopes: Scopes,
    frame: Frame,
    graph: Graph,
    /// Loops that are open, innermost last.
    loops: Vec<usize>,
    /// Whether a declaration here is initialised when the process starts.
    at_start: bool,
    /// Labels of the current body that are looked at from outside.
    remote_labels: HashSet<Name>,
    in_claim: bool,
    in_trace: bool,
    diagnostics: Vec<Diagnostic>,
}

struct Lowered {
    model: Model,
    bodies: HashMap<Name, Body>,
}

impl<'t> Lowering<'t> {
    fn new(
        sources: &'t SourceMap,
        tree: &'t Tree,
        names: &'t Names,
        known: HashMap<Name, Body>,
    ) -> Lowering<'t> {
        Lowering {
            sources,
            tree,
            names,
            known,
            bodies: HashMap::new(),
            model: Model::default(),
            types: Types::default(),
            type_names: HashMap::new(),
            mtype_constants: HashMap::new(),
            proctypes: HashMap::new(),
            constants: HashMap::new(),
            scopes: Scopes::default(),
            frame: Frame::default(),
            graph: Graph::default(),
            loops: Vec::new(),
            at_start: false,
            remote_labels: HashSet::new(),
            in_claim: false,
            in_trace: false,
            diagnostics: Vec::new(),
        }
    }

    fn run(mut self) -> Result<Lowered, Vec<Diagnostic>> {
        self.model.files =
            self.sources.files().iter().map(|f| f.path().display().to_string()).collect();
        // What the command line adds comes in files of its own, `<command line>` and `<formula>`.
        let root = self.model.files.iter().find(|f| !f.starts_with('<'));
        self.model.name = root.cloned().unwrap_or_default();
        self.model.features.priorities = self.names.priorities;
        self.model.features.enabled = self.names.enabled;
        self.model.features.last = self.names.predefined.contains("_last");
        self.declare_types();
        self.declare_proctypes();
        self.declare_globals();
        let tree = self.tree;
        let mut claims = 0;
        for item in &tree.items {
            match item {
                Item::Proctype(p) => self.proctype(p),
                Item::Init(i) => self.init(i),
                Item::Never(n) => {
                    let name = match &n.name {
                        Some(name) => name.name.clone(),
                        None => Name::from(format!("never_{claims}")),
                    };
                    claims += 1;
                    self.claim(name, ProcKind::NeverClaim, n.keyword, &n.body);
                }
                Item::Trace(t) => self.trace(t),
                Item::Ltl(l) => self.formula(l),
                Item::Cluster(c) => self.cluster(c),
                _ => {}
            }
        }
        self.model.features.rendezvous = self.model.channel_types.iter().any(|t| t.capacity == 0);
        self.model.features.provided = self.model.proctypes.iter().any(|p| p.provided.is_some());
        self.model.features.escapes =
            self.model.proctypes.iter().any(|p| p.automaton.edges.iter().any(|e| e.escape != 0));
        isospin_model::time::prepare(&mut self.model);
        match self.diagnostics.iter().any(Diagnostic::is_error) {
            true => Err(self.diagnostics),
            false => Ok(Lowered { model: self.model, bodies: self.bodies }),
        }
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(span, message));
    }

    /// The place that a person wrote, for the model.
    fn source(&self, span: Span) -> SourceRef {
        let span = self.sources.written(span);
        if span == Span::NONE {
            return SourceRef::default();
        }
        let location = self.sources.location(span);
        let file = self.model.files.iter().position(|f| *f == location.file).unwrap_or(0);
        SourceRef { file: file as u32, line: location.line as u32, column: location.column as u32 }
    }

    /// The text that a person wrote, in one line.
    fn text(&self, span: Span) -> String {
        let text = self.sources.text(self.sources.written(span));
        let mut line = String::new();
        for word in text.split_whitespace() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
            if line.len() > 120 {
                line.push_str(" ...");
                break;
            }
        }
        line
    }

    fn declare_proctypes(&mut self) {
        for item in &self.tree.items {
            let name = match item {
                Item::Proctype(p) => p.name.name.clone(),
                Item::Init(_) => Name::from("init"),
                _ => continue,
            };
            let id = ProcTypeId(self.proctypes.len() as u16);
            self.proctypes.entry(name).or_insert(id);
        }
        if self.proctypes.len() > 255 {
            self.error(Span::NONE, "more than 255 process types");
        }
    }

    fn proctype(&mut self, p: &Proctype) {
        let count = match &p.active {
            None => 0,
            Some(active) => match &active.count {
                None => 1,
                Some(count) => self.size(count),
            },
        };
        let priority = self.priority(p.priority.as_ref());
        for _ in 0..count.clamp(0, 255) {
            let proctype = ProcTypeId(self.model.proctypes.len() as u16);
            self.model.initial.push(Activation { proctype, priority });
        }
        self.start_body(&p.name.name);
        let mut parameters = 0;
        for decl in &p.params {
            parameters += self.declare_parameters(decl);
        }
        let provided = p.provided.as_ref().map(|e| self.expr(e));
        let automaton = self.body(&p.name.name, &p.body);
        let source = self.source(p.name.span);
        let (frame, initializers) = self.finish_frame();
        self.model.proctypes.push(ProcType {
            name: p.name.name.to_string(),
            kind: ProcKind::Process,
            parameters,
            frame,
            initializers,
            provided,
            automaton,
            source,
        });
    }

    fn init(&mut self, i: &Init) {
        let priority = self.priority(i.priority.as_ref());
        let proctype = ProcTypeId(self.model.proctypes.len() as u16);
        self.model.initial.push(Activation { proctype, priority });
        let name = Name::from("init");
        self.start_body(&name);
        let automaton = self.body(&name, &i.body);
        let source = self.source(i.keyword);
        let (frame, initializers) = self.finish_frame();
        self.model.proctypes.push(ProcType {
            name: name.to_string(),
            kind: ProcKind::Init,
            parameters: 0,
            frame,
            initializers,
            provided: None,
            automaton,
            source,
        });
    }

    fn claim(&mut self, name: Name, kind: ProcKind, keyword: Span, body: &Block) {
        self.start_body(&name);
        self.in_claim = true;
        let automaton = self.body(&name, body);
        self.in_claim = false;
        let source = self.source(keyword);
        self.model.claims.push(ProcType {
            name: name.to_string(),
            kind,
            parameters: 0,
            frame: FrameLayout::default(),
            initializers: Vec::new(),
            provided: None,
            automaton,
            source,
        });
    }

    /// A trace assertion: its sends and receives are patterns, and nothing else stands in it.
    fn trace(&mut self, t: &Trace) {
        let name = Name::from("trace");
        self.start_body(&name);
        self.in_claim = true;
        self.in_trace = true;
        let automaton = self.body(&name, &t.body);
        self.in_trace = false;
        self.in_claim = false;
        let source = self.source(t.keyword);
        // What control passes through without an operation is skipped over.
        let locations = automaton.location_ids().map(|l| trace_edges(&automaton, l)).collect();
        let ends = automaton.location_ids().map(|l| passes_to_end(&automaton, l)).collect();
        self.model.trace =
            Some(isospin_model::Trace { negated: t.negated, locations, ends, source });
    }

    fn formula(&mut self, l: &Ltl) {
        let name = match &l.name {
            Some(name) => name.name.to_string(),
            None => format!("ltl_{}", self.model.formulas.len()),
        };
        self.scopes.reset();
        let formula = Formula {
            name,
            text: self.text(l.formula.span),
            source: self.source(l.span),
            temporal: self.temporal(&l.formula),
        };
        self.model.formulas.push(formula);
    }

    fn priority(&mut self, priority: Option<&Expr>) -> u8 {
        match priority {
            Some(e) => self.constant(e).unwrap_or(1).clamp(1, 255) as u8,
            None => 1,
        }
    }

    fn start_body(&mut self, name: &Name) {
        self.scopes.reset();
        self.scopes.enter();
        self.graph = Graph::default();
        self.loops.clear();
        let wide = self.known.get(name).is_some_and(|b| b.locations > 256);
        self.frame = Frame::new(if wide { 2 } else { 1 }, self.model.features.priorities);
        self.remote_labels = self
            .names
            .remote_labels
            .iter()
            .filter(|(proctype, _)| proctype == name)
            .map(|(_, label)| label.clone())
            .collect();
    }

    /// The automaton of a body whose parameters have been declared.
    fn body(&mut self, name: &Name, block: &Block) -> Automaton {
        self.at_start = true;
        let seq = self.graph.open();
        self.stmts(&block.stmts);
        let source = self.source(Span { start: block.span.end.saturating_sub(1), ..block.span });
        let end = graph::Node::Basic(isospin_model::Action::End);
        let end = self.graph.element(end, source, "-end-");
        self.graph.add(end);
        self.graph.close();
        self.scopes.leave();
        let base = self.model.statements;
        let flow = match automaton::build(&mut self.graph, seq, base) {
            Ok(flow) => flow,
            Err(error) => {
                let at = &self.graph.elements[error.element];
                let (line, text) = (at.source.line, at.text.clone());
                self.error(block.span, format!("{} (line {line}: `{text}`)", error.message));
                return Automaton::default();
            }
        };
        self.model.statements += self.graph.elements.len() as u32;
        if flow.automaton.locations.len() > 1 << 16 {
            self.error(block.span, "a process type with more than 65536 locations");
        }
        let body = Body {
            variables: std::mem::take(&mut self.frame.variables),
            labels: flow.labels,
            locations: flow.automaton.locations.len(),
        };
        self.bodies.insert(name.clone(), body);
        flow.automaton
    }
}

/// The locations that control can pass on to from `location` without an operation, itself first.
fn passed(automaton: &Automaton, location: LocationId) -> Vec<LocationId> {
    let mut seen = vec![location];
    let mut at = 0;
    while at < seen.len() {
        for edge in automaton.edges_of(seen[at]) {
            let operation = matches!(edge.action, Action::Receive { .. } | Action::End);
            if !operation && !seen.contains(&edge.target) {
                seen.push(edge.target);
            }
        }
        at += 1;
    }
    seen
}

fn passes_to_end(automaton: &Automaton, location: LocationId) -> bool {
    let ends = |l: LocationId| automaton.edges_of(l).iter().any(|e| e.action == Action::End);
    passed(automaton, location).into_iter().any(ends)
}

/// What a trace assertion can follow from a location. Its sends were lowered as patterns, too,
/// and are told from receives by `random`.
fn trace_edges(automaton: &Automaton, location: LocationId) -> Vec<TraceEdge> {
    let reached = passed(automaton, location);
    let edges = reached.iter().flat_map(|&l| automaton.edges_of(l));
    edges
        .filter_map(|edge| match &edge.action {
            Action::Receive { channel, pattern, random, .. } => Some(TraceEdge {
                sending: *random,
                channel: channel.clone(),
                pattern: pattern.clone(),
                target: edge.target,
            }),
            _ => None,
        })
        .collect()
}
