//! The graph of a body's statements: what is reached, and loops of gotos.

use super::is_bare_label;
use crate::lints;
use crate::symbols::{LabelId, Symbols};
use crate::syntax::ast::{Block, Stmt, StmtKind};
use isospin_source::{Diagnostic, SourceMap, Span};
use std::collections::HashMap;

/// Warns of what is never reached; loops of nothing but gotos are errors.
pub(super) fn check(
    sources: &SourceMap,
    body: &Block,
    symbols: &Symbols,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut builder = Builder {
        symbols,
        points: vec![Point::default()],
        gotos: Vec::new(),
        entries: HashMap::new(),
        order: Vec::new(),
    };
    let end = 0;
    let start = builder.sequence(&body.stmts, end, None);
    builder.link();
    let reached = builder.reach(start);
    goto_loops(&builder, diagnostics);
    for (point, previous) in &builder.order {
        if !reached[*point] && reached[*previous] {
            let span = builder.points[*point].span;
            if sources.text(span).is_empty() {
                continue;
            }
            let message = "this is never reached";
            diagnostics.push(
                Diagnostic::warning(lints::UNREACHABLE_CODE, span, message)
                    .label("unreachable")
                    .note_at(builder.points[*previous].span, "nothing gets past this"),
            );
        }
    }
}

#[derive(Default)]
struct Point {
    span: Span,
    next: Vec<usize>,
    /// For a goto that a jump to it goes straight through.
    through: bool,
}

struct Builder<'a> {
    symbols: &'a Symbols,
    points: Vec<Point>,
    /// Gotos that wait for their labels' points: point, label.
    gotos: Vec<(usize, LabelId)>,
    /// The points at which labels stand.
    entries: HashMap<LabelId, usize>,
    /// Each statement with the one before it in its sequence.
    order: Vec<(usize, usize)>,
}

impl Builder<'_> {
    fn point(&mut self, span: Span, next: Vec<usize>) -> usize {
        self.points.push(Point { span, next, through: false });
        self.points.len() - 1
    }

    fn sequence(&mut self, stmts: &[Stmt], next: usize, leave: Option<usize>) -> usize {
        // One joint before each statement, made first.
        let joints: Vec<usize> = stmts.iter().map(|s| self.point(s.span, Vec::new())).collect();
        for (i, stmt) in stmts.iter().enumerate() {
            let after = joints.get(i + 1).copied().unwrap_or(next);
            let joint = joints[i];
            for label in stmt.labels.iter().filter_map(|l| self.symbols.label_of(l)) {
                self.entries.insert(label, joint);
            }
            self.stmt(stmt, joint, after, leave);
            if i > 0 && !is_bare_label(stmt) && !matches!(stmt.kind, StmtKind::Decl(_)) {
                self.order.push((joint, joints[i - 1]));
            }
        }
        joints.first().copied().unwrap_or(next)
    }

    fn block(&mut self, block: &Block, joint: usize, after: usize, leave: Option<usize>) {
        let first = self.sequence(&block.stmts, after, leave);
        self.points[joint].next.push(first);
    }

    fn stmt(&mut self, stmt: &Stmt, joint: usize, after: usize, leave: Option<usize>) {
        match &stmt.kind {
            StmtKind::Goto(label) => {
                // A label with a meaning of its own makes a step of its own.
                let special = stmt
                    .labels
                    .iter()
                    .any(|l| ["end", "accept", "progress"].iter().any(|p| l.name.starts_with(p)));
                self.points[joint].through = !special;
                if let Some(target) = self.symbols.label_of(label) {
                    self.gotos.push((joint, target));
                }
            }
            StmtKind::Break => self.points[joint].next.extend(leave),
            StmtKind::If(branches) => {
                for branch in branches {
                    let first = self.sequence(&branch.stmts, after, leave);
                    self.points[joint].next.push(first);
                }
            }
            StmtKind::Do(branches) => {
                for branch in branches {
                    let first = self.sequence(&branch.stmts, joint, Some(after));
                    self.points[joint].next.push(first);
                }
            }
            StmtKind::For(for_loop) => {
                self.block(&for_loop.body, joint, joint, Some(after));
                self.points[joint].next.push(after);
            }
            StmtKind::Atomic(b) | StmtKind::DStep(b) | StmtKind::Block(b) => {
                self.block(b, joint, after, leave);
            }
            StmtKind::InlineCall(call) => self.block(&call.body, joint, after, leave),
            StmtKind::Unless { body, escape } => {
                for part in [body, escape] {
                    let first = self.sequence(std::slice::from_ref(part), after, leave);
                    self.points[joint].next.push(first);
                }
            }
            _ => self.points[joint].next.push(after),
        }
    }

    fn link(&mut self) {
        for (point, label) in &self.gotos {
            if let Some(target) = self.entries.get(label) {
                self.points[*point].next.push(*target);
            }
        }
    }

    fn reach(&self, start: usize) -> Vec<bool> {
        let mut reached = vec![false; self.points.len()];
        let mut todo = vec![start];
        while let Some(point) = todo.pop() {
            if !std::mem::replace(&mut reached[point], true) {
                todo.extend(&self.points[point].next);
            }
        }
        reached
    }
}

fn goto_loops(builder: &Builder<'_>, diagnostics: &mut Vec<Diagnostic>) {
    // 0: not looked at; otherwise the walk in which it was.
    let mut seen = vec![0usize; builder.points.len()];
    for (walk, (start, _)) in builder.gotos.iter().enumerate() {
        let mut at = *start;
        while builder.points[at].through && seen[at] == 0 {
            seen[at] = walk + 1;
            match builder.points[at].next.first() {
                Some(next) => at = *next,
                None => break,
            }
        }
        if builder.points[at].through && seen[at] == walk + 1 && !builder.points[at].next.is_empty()
        {
            diagnostics.push(
                Diagnostic::error(builder.points[at].span, "this goto leads back to itself")
                    .note("a loop of gotos alone takes no step"),
            );
        }
    }
}
