//! Control flow in one body: where jumps go, what they may not cross, what is
//! never reached.

mod dsteps;
mod graph;

use crate::lints;
use crate::symbols::{LabelId, Meaning, Symbols};
use crate::syntax::ast::{Block, ExprKind, Ident, Stmt, StmtKind};
use isospin_source::{Diagnostic, Name, SourceMap, Span};
use std::collections::{HashMap, HashSet};

/// Calls `f` on every statement, those in calls of inlines too.
pub(super) fn each_stmt<'a>(stmts: &'a [Stmt], f: &mut impl FnMut(&'a Stmt)) {
    for stmt in stmts {
        f(stmt);
        match &stmt.kind {
            StmtKind::If(branches) | StmtKind::Do(branches) => {
                for branch in branches {
                    each_stmt(&branch.stmts, f);
                }
            }
            StmtKind::Atomic(b) | StmtKind::DStep(b) | StmtKind::Block(b) => each_stmt(&b.stmts, f),
            StmtKind::For(l) => each_stmt(&l.body.stmts, f),
            StmtKind::InlineCall(c) => each_stmt(&c.body.stmts, f),
            StmtKind::Unless { body, escape } => {
                each_stmt(std::slice::from_ref(body), f);
                each_stmt(std::slice::from_ref(escape), f);
            }
            _ => {}
        }
    }
}

/// The labels of a body.
pub(super) fn labels_of(body: &Block) -> HashSet<Name> {
    let mut labels = HashSet::new();
    each_stmt(&body.stmts, &mut |stmt| {
        labels.extend(stmt.labels.iter().map(|l| l.name.clone()));
    });
    labels
}

/// Checks the control flow of one body, and says which labels its jumps mean.
pub(super) fn check(
    sources: &SourceMap,
    body: &Block,
    symbols: &mut Symbols,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut collector = Collector {
        symbols,
        diagnostics,
        labels: Labels::default(),
        gotos: Vec::new(),
        scope: vec![0],
        scopes: 1,
        regions: Vec::new(),
        d_step: None,
        breaks: Vec::new(),
    };
    collector.stmts(&body.stmts);
    let Collector { labels, gotos, .. } = collector;
    jumps(&labels, &gotos, symbols, diagnostics);
    graph::check(sources, body, symbols, diagnostics);
    dsteps::check(&body.stmts, diagnostics);
}

/// An atomic or d_step sequence.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Region {
    id: usize,
    span: Span,
}

/// A label with its place in the nesting.
struct Label<'a> {
    id: LabelId,
    ident: &'a Ident,
    /// The blocks around it, outermost first.
    scope: Vec<usize>,
    atomics: Vec<Region>,
    d_step: Option<usize>,
}

/// A goto with its place in the nesting.
struct Goto<'a> {
    label: &'a Ident,
    scope: Vec<usize>,
    atomics: Vec<Region>,
    d_step: Option<usize>,
}

struct Collector<'a, 'd> {
    symbols: &'d mut Symbols,
    diagnostics: &'d mut Vec<Diagnostic>,
    labels: Labels<'a>,
    gotos: Vec<Goto<'a>>,
    scope: Vec<usize>,
    scopes: usize,
    /// The atomic sequences around this place.
    regions: Vec<Region>,
    /// The innermost d_step around this place.
    d_step: Option<usize>,
    /// The loops around this place, each with the d_step that it is in.
    breaks: Vec<Option<usize>>,
}

impl<'a> Collector<'a, '_> {
    fn stmts(&mut self, stmts: &'a [Stmt]) {
        for stmt in stmts {
            self.stmt(stmt);
        }
    }

    fn block(&mut self, block: &'a Block) {
        self.first_label(block);
        self.scoped(block);
    }

    fn scoped(&mut self, block: &'a Block) {
        self.scope.push(self.scopes);
        self.scopes += 1;
        self.stmts(&block.stmts);
        self.scope.pop();
    }

    /// A label cannot be the first thing in a block: the block has its place.
    fn first_label(&mut self, block: &Block) {
        let first = block.stmts.iter().find(|s| !matches!(s.kind, StmtKind::Exclusive { .. }));
        let Some(stmt) = first else { return };
        // A loop starts with a step of its own, which the label goes before.
        let own_start = matches!(stmt.kind, StmtKind::Do(_) | StmtKind::For(_));
        let literal = matches!(&stmt.kind, StmtKind::Select(s) if !s.literal);
        if let (Some(label), false) = (stmt.labels.first(), own_start || literal) {
            let message = format!("label `{}` cannot stand at the start of a block", label.name);
            self.diagnostics.push(
                Diagnostic::error(label.span, message)
                    .help(format!("put it before the block: `{}: {{ ... }}`", label.name)),
            );
        }
    }

    fn label(&mut self, ident: &'a Ident, d_step: Option<usize>) {
        let twice = self.labels.named(&ident.name).find(|l| l.scope == self.scope);
        if let Some(first) = twice {
            let message = format!("label `{}` is already used in this block", ident.name);
            let first = first.ident.span;
            self.diagnostics
                .push(Diagnostic::error(ident.span, message).note_at(first, "used first here"));
        }
        let label = Label {
            id: self.symbols.add_label(ident),
            ident,
            scope: self.scope.clone(),
            atomics: self.regions.clone(),
            d_step,
        };
        self.labels.0.entry(&ident.name).or_default().push(label);
    }

    /// A statement and its labels. As in Spin, those come after the labels inside the statement,
    /// which matters where a jump could mean either.
    fn stmt(&mut self, stmt: &'a Stmt) {
        isospin_limits::check();
        let d_step = self.entered_with(stmt);
        self.inside(stmt);
        self.labels(stmt, d_step);
    }

    /// The d_step that the statement's labels are in: a d_step is entered with its first
    /// statement, and so is its label.
    fn entered_with(&self, stmt: &Stmt) -> Option<usize> {
        let own = matches!(stmt.kind, StmtKind::DStep(_)).then_some(self.scopes);
        own.or(self.d_step)
    }

    fn labels(&mut self, stmt: &'a Stmt, d_step: Option<usize>) {
        for label in &stmt.labels {
            self.label(label, d_step);
        }
    }

    fn inside(&mut self, stmt: &'a Stmt) {
        match &stmt.kind {
            StmtKind::Goto(label) => self.gotos.push(Goto {
                label,
                scope: self.scope.clone(),
                atomics: self.regions.clone(),
                d_step: self.d_step,
            }),
            StmtKind::Break => match self.breaks.last() {
                None => {
                    self.diagnostics.push(Diagnostic::error(stmt.span, "`break` outside a loop"))
                }
                Some(target) if *target != self.d_step => {
                    self.diagnostics
                        .push(Diagnostic::error(stmt.span, "`break` cannot leave a d_step"));
                }
                Some(_) => {}
            },
            StmtKind::If(branches) => {
                for branch in branches {
                    self.stmts(&branch.stmts);
                }
            }
            StmtKind::Do(branches) => {
                self.breaks.push(self.d_step);
                for branch in branches {
                    self.stmts(&branch.stmts);
                }
                self.breaks.pop();
            }
            StmtKind::For(for_loop) => {
                self.breaks.push(self.d_step);
                self.scoped(&for_loop.body);
                self.breaks.pop();
            }
            StmtKind::Atomic(block) => {
                let id = self.scopes;
                let span = stmt.span;
                self.regions.push(Region { id, span });
                self.block(block);
                self.regions.pop();
            }
            StmtKind::DStep(block) => {
                let outer = self.d_step.replace(self.scopes);
                self.block(block);
                self.d_step = outer;
            }
            StmtKind::Block(block) => self.block(block),
            StmtKind::InlineCall(call) => self.block(&call.body),
            StmtKind::Unless { body, escape } => {
                self.unless_labels(body, escape);
                // What `break` leaves when the body is a loop is the loop around.
                let around = [self.entered_with(body), self.entered_with(escape)];
                self.inside(body);
                self.inside(escape);
                self.labels(escape, around[1]);
                self.labels(body, around[0]);
            }
            _ => {}
        }
    }

    fn unless_labels(&mut self, body: &Stmt, escape: &Stmt) {
        // Of a loop or a block there is no doubt what the label stands for.
        let whole = |s: &Stmt| {
            use StmtKind::{Atomic, Block, DStep, Do, For};
            matches!(s.kind, Do(_) | For(_) | Block(_) | Atomic(_) | DStep(_))
        };
        if let (Some(label), false) = (body.labels.first(), whole(body)) {
            let message =
                format!("label `{}` cannot stand before a statement with `unless`", label.name);
            self.diagnostics.push(
                Diagnostic::error(label.span, message)
                    .help(format!("write `{}: {{ ... unless ... }}`", label.name)),
            );
        }
        if let Some(label) = escape.labels.first() {
            let message = format!("label `{}` cannot stand after `unless`", label.name);
            self.diagnostics.push(Diagnostic::error(label.span, message));
        }
    }
}

/// The labels of a body by name, each name's in Spin's order.
#[derive(Default)]
struct Labels<'a>(HashMap<&'a Name, Vec<Label<'a>>>);

impl<'a> Labels<'a> {
    fn named(&self, name: &Name) -> impl Iterator<Item = &Label<'a>> {
        self.0.get(name).into_iter().flatten()
    }

    /// The label that a goto in that scope means: one of the same block, or
    /// else the first of a block around, or else the last.
    fn resolve(&self, name: &Name, scope: &[usize]) -> Option<&Label<'a>> {
        self.named(name)
            .find(|l| l.scope == scope)
            .or_else(|| self.named(name).find(|l| scope.starts_with(&l.scope)))
            .or_else(|| self.named(name).last())
    }
}

fn jumps(
    labels: &Labels<'_>,
    gotos: &[Goto<'_>],
    symbols: &mut Symbols,
    diagnostics: &mut Vec<Diagnostic>,
) {
    for goto in gotos {
        let name = &goto.label.name;
        let span = goto.label.span;
        let Some(label) = labels.resolve(name, &goto.scope) else {
            let message = format!("there is no label `{name}` here");
            let names = labels.0.keys().map(|n| n.as_str());
            diagnostics.push(Diagnostic::error(span, message).did_you_mean(name, names));
            continue;
        };
        symbols.set_meaning(goto.label, Meaning::Label(label.id));
        if label.d_step != goto.d_step {
            let message = match label.d_step {
                Some(_) => "this goto jumps into a d_step",
                None => "this goto jumps out of a d_step",
            };
            diagnostics.push(
                Diagnostic::error(span, message).note_at(label.ident.span, "the label is here"),
            );
        } else if let Some(region) = label.atomics.iter().find(|r| !goto.atomics.contains(r)) {
            diagnostics.push(
                Diagnostic::warning(
                    lints::JUMP_INTO_ATOMIC,
                    span,
                    "this goto jumps into the middle of an atomic sequence",
                )
                .note_at(label.ident.span, "the label is here")
                .note_at(region.span, "the atomic sequence starts here"),
            );
        }
    }
}

/// Whether the statement is what a label before nothing stands for.
fn is_bare_label(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Expr(e) => {
            matches!(e.kind, ExprKind::Const(_))
                && stmt.labels.last().is_some_and(|l| l.span == e.span)
        }
        _ => false,
    }
}
