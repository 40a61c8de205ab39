//! From the syntax tree to the model.
//!
//! | file | what it does |
//! | --- | --- |
//! | `types.rs`, `storage.rs` | types, and where variables live |
//! | `decl.rs`, `initial.rs` | declarations, and what variables start with |
//! | `channel.rs` | channels |
//! | `expr.rs`, `reference.rs` | expressions, and the places that references mean |
//! | `temporal.rs` | temporal formulas |
//! | `stmt.rs`, `loops.rs` | statements into elements |
//! | `timer.rs` | what is done with timers |
//! | `cluster.rs`, `trace.rs` | clusters of processes, trace assertions |
//! | `graph.rs` | elements and sequences |
//! | `automaton.rs`, `det_step.rs` | elements into automata |
//!
//! What a name means is asked of the [`Symbols`] that the checks have made, and of nobody else.
//!
//! A tree is lowered twice. The first time finds out how many locations each process type has,
//! where its labels are and where its variables live; the second time knows it, so that remote
//! references have their places whatever the order of the text.

mod automaton;
mod channel;
mod cluster;
mod decl;
mod det_step;
mod expr;
mod graph;
mod initial;
mod loops;
mod reference;
mod stmt;
mod storage;
mod temporal;
mod timer;
mod trace;
mod types;

use std::collections::HashMap;

use isospin_model::{
    Activation, Automaton, Formula, FrameLayout, LocationId, Model, ProcKind, ProcType, ProcTypeId,
    SourceRef,
};
use isospin_source::{visible, Diagnostic, Name, SourceMap, Span};

use crate::symbols::{ScalarsetId, Symbols};
use crate::syntax::ast::*;
use automaton::Flow;
use decl::FrameBuilder;
use graph::Graph;
use storage::Storage;
use types::Types;

/// What a pass finds out about the body of a process type.
#[derive(Default)]
struct Body {
    /// Of several labels of one name, a remote reference means the first that control can come
    /// to; which that is only the automaton tells, so they are found by name here.
    labels: HashMap<Name, LocationId>,
    locations: usize,
}

impl Body {
    /// How many bytes it takes to say where a process is.
    fn location_width(&self) -> u32 {
        if self.locations > 256 {
            2
        } else {
            1
        }
    }
}

/// What a pass finds out that the next one needs.
#[derive(Default)]
struct Known {
    /// By process type.
    bodies: Vec<Body>,
    /// By variable.
    storage: Vec<Option<Storage>>,
}

/// Lowers a checked tree. A tree without errors gives a model; diagnostics are given for what the
/// checks let through and the model cannot express.
pub fn lower(
    sources: &SourceMap,
    tree: &Tree,
    symbols: &Symbols,
) -> Result<Model, Vec<Diagnostic>> {
    let (_, known) = Lowering::new(sources, tree, symbols, Known::default()).run()?;
    let (model, _) = Lowering::new(sources, tree, symbols, known).run()?;
    Ok(model)
}

struct Lowering<'t> {
    sources: &'t SourceMap,
    tree: &'t Tree,
    symbols: &'t Symbols,
    /// What the first pass found; empty during it.
    known: Known,
    bodies: Vec<Body>,
    model: Model,
    types: Types,
    /// The scalarsets as the model numbers them.
    scalarsets: Vec<ScalarsetId>,
    /// Where the variables live that have been come by.
    storage: Vec<Option<Storage>>,
    frame: FrameBuilder,
    graph: Graph,
    /// Loops that are open, innermost last.
    loops: Vec<usize>,
    /// Whether a declaration here is initialised when the process starts.
    at_start: bool,
    in_claim: bool,
    in_trace: bool,
    /// The operations of the trace assertion, those included that cannot be come to.
    events: Vec<isospin_model::Action>,
    diagnostics: Vec<Diagnostic>,
}

impl<'t> Lowering<'t> {
    fn new(
        sources: &'t SourceMap,
        tree: &'t Tree,
        symbols: &'t Symbols,
        known: Known,
    ) -> Lowering<'t> {
        Lowering {
            sources,
            tree,
            symbols,
            known,
            bodies: Vec::new(),
            model: Model::default(),
            types: Types::default(),
            scalarsets: Vec::new(),
            storage: vec![None; symbols.variables.len()],
            frame: FrameBuilder::default(),
            graph: Graph::default(),
            loops: Vec::new(),
            at_start: false,
            in_claim: false,
            in_trace: false,
            events: Vec::new(),
            diagnostics: Vec::new(),
        }
    }

    fn run(mut self) -> Result<(Model, Known), Vec<Diagnostic>> {
        self.model.files =
            self.sources.files().iter().map(|f| f.path().display().to_string()).collect();
        self.model.features.priorities = self.symbols.uses.priorities;
        self.model.features.enabled = self.symbols.uses.enabled;
        self.model.features.last = self.symbols.uses.last;
        self.declare_types();
        // A type that is too large has a size that means nothing.
        if !self.diagnostics.is_empty() {
            return Err(self.diagnostics);
        }
        if self.symbols.proctypes.len() > 255 {
            self.error(Span::NONE, "more than 255 process types");
        }
        self.declare_globals();
        if self.diagnostics.iter().any(Diagnostic::is_error) {
            return Err(self.diagnostics);
        }
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
                Item::Cluster(c) => self.cluster(c),
                _ => {}
            }
        }
        for formula in tree.all_formulas() {
            self.formula(formula);
        }
        self.model.features.rendezvous = self.model.channel_types.iter().any(|t| t.capacity == 0);
        self.model.features.provided = self.model.proctypes.iter().any(|p| p.provided.is_some());
        self.model.features.escapes =
            self.model.proctypes.iter().any(|p| p.automaton.edges.iter().any(|e| e.escape != 0));
        isospin_model::time::prepare(&mut self.model);
        for file in &mut self.model.files {
            *file = visible(file).into_owned();
        }
        // The model itself is read first.
        self.model.name = self.model.files.first().cloned().unwrap_or_default();
        if self.diagnostics.iter().any(Diagnostic::is_error) {
            return Err(self.diagnostics);
        }
        Ok((self.model, Known { bodies: self.bodies, storage: self.storage }))
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(span, message));
    }

    /// The place that a person wrote, for the model.
    fn source(&self, span: Span) -> SourceRef {
        isospin_limits::check_many(4);
        let span = self.sources.written(span);
        if span == Span::NONE {
            return SourceRef::default();
        }
        let location = self.sources.location(span);
        let file = self.model.files.iter().position(|f| *f == location.file).unwrap_or(0);
        SourceRef { file: file as u32, line: location.line as u32, column: location.column as u32 }
    }

    /// The text that a person wrote, in one line and without control characters.
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
        visible(&line).into_owned()
    }

    /// The checks let a name through that means nothing.
    fn undeclared(&mut self, ident: &Ident) {
        self.error(ident.span, format!("undeclared variable `{}`", ident.name));
    }

    fn proctype(&mut self, p: &Proctype) {
        let count = match &p.active {
            None => 0,
            Some(active) => match &active.count {
                None => 1,
                Some(count) => self.symbols.bound(count).unwrap_or_else(|| {
                    self.error(count.span, "this must be a constant");
                    1
                }),
            },
        };
        let priority = self.priority(p.priority.as_ref());
        for _ in 0..count.clamp(0, 255) {
            let proctype = ProcTypeId(self.model.proctypes.len() as u16);
            self.model.initial.push(Activation { proctype, priority });
        }
        self.start_process();
        let mut parameters = 0;
        for decl in &p.params {
            parameters += self.declare_parameters(decl);
        }
        let provided = p.provided.as_ref().map(|e| self.expr(e));
        let automaton = self.process_body(&p.body);
        let source = self.source(p.name.span);
        let (frame, initializers) = self.finish_frame();
        self.model.proctypes.push(ProcType {
            name: p.name.name.to_string(),
            kind: ProcKind::Process,
            parameters,
            frame,
            initializers,
            provided,
            deterministic: p.deterministic,
            automaton,
            source,
        });
    }

    fn init(&mut self, i: &Init) {
        let priority = self.priority(i.priority.as_ref());
        let proctype = ProcTypeId(self.model.proctypes.len() as u16);
        self.model.initial.push(Activation { proctype, priority });
        self.start_process();
        let automaton = self.process_body(&i.body);
        let source = self.source(i.keyword);
        let (frame, initializers) = self.finish_frame();
        self.model.proctypes.push(ProcType {
            name: "init".to_owned(),
            kind: ProcKind::Init,
            parameters: 0,
            frame,
            initializers,
            provided: None,
            deterministic: false,
            automaton,
            source,
        });
    }

    fn claim(&mut self, name: Name, kind: ProcKind, keyword: Span, body: &Block) {
        self.start_body(1);
        self.in_claim = true;
        let automaton = self.body(body).automaton;
        self.in_claim = false;
        let source = self.source(keyword);
        self.model.claims.push(ProcType {
            name: name.to_string(),
            kind,
            parameters: 0,
            frame: FrameLayout::default(),
            initializers: Vec::new(),
            provided: None,
            deterministic: false,
            automaton,
            source,
        });
    }

    fn formula(&mut self, l: &Ltl) {
        let name = match &l.name {
            Some(name) => name.name.to_string(),
            None => format!("ltl_{}", self.model.formulas.len()),
        };
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
            Some(e) => self.symbols.constant(e).unwrap_or(1).clamp(1, 255) as u8,
            None => 1,
        }
    }

    fn start_body(&mut self, location_width: u32) {
        self.graph = Graph::default();
        self.loops.clear();
        self.frame = FrameBuilder::new(location_width, self.model.features.priorities);
    }

    /// Starts the body of the next process type.
    fn start_process(&mut self) {
        let known = self.known.bodies.get(self.model.proctypes.len());
        self.start_body(known.map_or(1, Body::location_width));
    }

    /// The automaton of a process type whose parameters have been declared.
    fn process_body(&mut self, block: &Block) -> Automaton {
        let Flow { automaton, labels } = self.body(block);
        self.bodies.push(Body { labels, locations: automaton.locations.len() });
        automaton
    }

    /// The automaton of a body.
    fn body(&mut self, block: &Block) -> Flow {
        self.at_start = true;
        let seq = self.graph.open();
        self.stmts(&block.stmts);
        let source = self.source(Span { start: block.span.end.saturating_sub(1), ..block.span });
        let end = graph::ElementKind::Basic(isospin_model::Action::End);
        let end = self.graph.element(end, source, "-end-");
        self.graph.add(end);
        self.graph.close();
        let base = self.model.statements;
        let flow = match automaton::build(&mut self.graph, seq, base) {
            Ok(flow) => flow,
            Err(error) => {
                let at = &self.graph.elements[error.element];
                let (line, text) = (at.source.line, at.text.clone());
                self.error(block.span, format!("{} (line {line}: `{text}`)", error.message));
                return Flow::default();
            }
        };
        self.model.statements += self.graph.elements.len() as u32;
        flow
    }
}
