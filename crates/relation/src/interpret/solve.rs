//! All values of some variables that make constraints true: one variable after the other, each
//! constraint tested as soon as everything that it mentions is known.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use super::Evaluator;
use crate::{
    Binary, Domain, ExprId, Expressions, Kind, Mention, Node, Relation, Sort, Support, Value,
};

/// What is called with the values now and next.
type Each<'e, B> = &'e mut dyn FnMut(&[Value], &[Value]) -> ControlFlow<B>;

#[derive(Debug)]
pub(super) struct Solver<'r> {
    relation: &'r Relation,
    /// The cells in the order in which they get values.
    cells: Vec<Mention>,
    /// The constraints that can be tested before any cell has a value.
    given: Vec<Constraint>,
    /// The constraints that can be tested when a cell has one.
    tests: Vec<Vec<Constraint>>,
}

/// Values that are to be tried: a few, or a whole domain, which may be too large for a list.
enum Choice<'d> {
    Few(std::collections::btree_set::IntoIter<Value>),
    All(&'d Domain, std::ops::Range<u64>),
}

impl Choice<'_> {
    fn next(&mut self) -> Option<Value> {
        match self {
            Choice::Few(values) => values.next(),
            Choice::All(domain, codes) => codes.next().map(|code| domain.value(code)),
        }
    }
}

#[derive(Debug)]
struct Constraint {
    expr: ExprId,
    evaluator: Evaluator,
    /// Whether it speaks about the next state in the words of the current one.
    shifted: bool,
}

impl<'r> Solver<'r> {
    pub(super) fn new(
        relation: &'r Relation,
        cells: Vec<Mention>,
        constraints: Vec<(ExprId, bool)>,
        known: &[Mention],
    ) -> Self {
        let table = &relation.expressions;
        let mut waiting: Vec<(Constraint, BTreeSet<Mention>)> = Vec::new();
        let mut done: BTreeSet<Mention> = known.iter().copied().collect();
        for (expr, shifted) in constraints {
            let mut mentions = Support::of(table, expr).0;
            if shifted {
                mentions = mentions.into_iter().map(|m| next_of(relation, m)).collect();
            }
            let open: BTreeSet<Mention> =
                mentions.into_iter().map(|m| frozen_now(relation, m, known)).collect();
            let open = open.difference(&done).copied().collect();
            let evaluator = Evaluator::new(table, expr);
            waiting.push((Constraint { expr, evaluator, shifted }, open));
        }
        let take = |waiting: &mut Vec<(Constraint, BTreeSet<Mention>)>| {
            let (ready, rest) = waiting.drain(..).partition(|(_, open)| open.is_empty());
            *waiting = rest;
            let ready: Vec<(Constraint, BTreeSet<Mention>)> = ready;
            ready.into_iter().map(|(c, _)| c).collect::<Vec<_>>()
        };
        let given = take(&mut waiting);
        let mut left: Vec<Mention> =
            cells.into_iter().filter(|m| frozen_now(relation, *m, known) == *m).collect();
        let (mut ordered, mut tests) = (Vec::new(), Vec::new());
        while !left.is_empty() {
            // A cell that is the only one open in some constraint is the most constrained.
            let single = waiting.iter().filter(|(_, open)| open.len() == 1);
            let best = single.filter_map(|(_, open)| open.first()).next().copied();
            let at = best.and_then(|m| left.iter().position(|l| *l == m)).unwrap_or(0);
            let cell = left.remove(at);
            done.insert(cell);
            for (_, open) in &mut waiting {
                open.remove(&cell);
            }
            ordered.push(cell);
            tests.push(take(&mut waiting));
        }
        Solver { relation, cells: ordered, given, tests }
    }

    /// Hands over every solution that extends the given values.
    pub(super) fn solve<B>(
        &self,
        now: &[Value],
        next: &[Value],
        each: Each<'_, B>,
    ) -> ControlFlow<B> {
        let (mut now, mut next) = (now.to_vec(), next.to_vec());
        for (id, variable) in self.relation.numbered() {
            if variable.kind == Kind::Frozen {
                next[id.index()] = now[id.index()];
            }
        }
        if !self.given.iter().all(|c| self.holds(c, &now, &next)) {
            return ControlFlow::Continue(());
        }
        // For every cell the values that are still to be tried.
        let mut choices: Vec<Choice<'_>> = Vec::new();
        loop {
            if choices.len() == self.cells.len() {
                each(&now, &next)?;
            } else {
                let candidates = self.candidates(choices.len(), &now, &next);
                choices.push(candidates);
            }
            loop {
                let Some(values) = choices.last_mut() else { return ControlFlow::Continue(()) };
                let Some(value) = values.next() else {
                    choices.pop();
                    continue;
                };
                let at = choices.len() - 1;
                match self.cells[at] {
                    Mention::Current(v) => now[v.index()] = value,
                    Mention::Next(v) => next[v.index()] = value,
                }
                if self.tests[at].iter().all(|c| self.holds(c, &now, &next)) {
                    break;
                }
            }
        }
    }

    fn holds(&self, constraint: &Constraint, now: &[Value], next: &[Value]) -> bool {
        let table = &self.relation.expressions;
        let now = if constraint.shifted { next } else { now };
        constraint.evaluator.value(table, now, next) != 0
    }

    /// The values that a cell may have.
    fn candidates(&self, at: usize, now: &[Value], next: &[Value]) -> Choice<'_> {
        let cell = self.cells[at];
        let (Mention::Current(variable) | Mention::Next(variable)) = cell;
        let domain = &self.relation.variable(variable).domain;
        for constraint in &self.tests[at] {
            let (cell, now) = match cell {
                Mention::Next(v) if constraint.shifted => (Mention::Current(v), next),
                other => (other, now),
            };
            let found = few(&self.relation.expressions, constraint.expr, cell, now, next);
            if let Some(mut values) = found {
                values.retain(|v| domain.contains(*v));
                return Choice::Few(values.into_iter());
            }
        }
        Choice::All(domain, 0..domain.size())
    }
}

fn next_of(relation: &Relation, mention: Mention) -> Mention {
    match mention {
        Mention::Current(v) if relation.variable(v).kind != Kind::Input => Mention::Next(v),
        other => other,
    }
}

/// A frozen variable's next value is its value now, where that is known.
fn frozen_now(relation: &Relation, mention: Mention, known: &[Mention]) -> Mention {
    match mention {
        Mention::Next(v)
            if relation.variable(v).kind == Kind::Frozen
                && known.contains(&Mention::Current(v)) =>
        {
            Mention::Current(v)
        }
        other => other,
    }
}

/// The values of a cell among which a constraint leaves a choice, where its form shows them:
/// equations with the cell, joined by disjunctions and choices. Everything else must be known.
fn few(
    table: &Expressions,
    expr: ExprId,
    cell: Mention,
    now: &[Value],
    next: &[Value],
) -> Option<BTreeSet<Value>> {
    let is_cell = |id: ExprId| match table.node(id) {
        Node::Current(v) => cell == Mention::Current(v),
        Node::Next(v) => cell == Mention::Next(v),
        _ => false,
    };
    let known = |id: ExprId| !Support::of(table, id).0.contains(&cell);
    let value = |id: ExprId| Evaluator::new(table, id).value(table, now, next);
    let (mut stack, mut found) = (vec![expr], BTreeSet::new());
    while let Some(id) = stack.pop() {
        match table.node(id) {
            Node::Binary(Binary::Equal, a, b) if is_cell(a) && known(b) => {
                found.insert(value(b));
            }
            Node::Binary(Binary::Equal, a, b) if is_cell(b) && known(a) => {
                found.insert(value(a));
            }
            Node::Binary(Binary::Or, a, b) if table.sort(id) == Sort::Boolean => {
                stack.extend([a, b]);
            }
            Node::Choose(c, a, b) if known(c) => {
                stack.push(if value(c) != 0 { a } else { b });
            }
            Node::Constant(0) => {}
            _ => return None,
        }
    }
    Some(found)
}
