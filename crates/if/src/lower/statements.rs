//! Statements: one edge each.

use isospin_model::{Action, BinaryOp, Expr as Value, Failure, Kind, Place as Cell};
use isospin_source::Span;

use super::builder::{Draft, Exit, Sequence, Spot};
use super::clocks::interval;
use super::expressions::{base_of, binary, both};
use super::layout::Cell as Known;
use super::processes::Body;
use super::Lowering;
use crate::labels::Part;
use crate::system::{Expr, ExprKind, Place, Statement, StatementKind, Type};

impl Lowering<'_> {
    /// Statements that lead to an exit: where they begin.
    pub(super) fn block(&mut self, statements: &[Statement], exit: Exit, body: &mut Body) -> Exit {
        let mut exit = exit;
        for statement in statements.iter().rev() {
            isospin_limits::check();
            if matches!(statement.kind, StatementKind::Skip) {
                continue;
            }
            let spot = body.builder.between(self.source(statement.span));
            self.statement(statement, spot, exit, body);
            exit = Exit { to: spot, atomic: true };
        }
        exit
    }

    fn statement(&mut self, statement: &Statement, spot: Spot, exit: Exit, body: &mut Body) {
        let (source, text) = (self.source(statement.span), self.text(statement.span));
        let mut label = Vec::new();
        let action = match &statement.kind {
            StatementKind::Skip => Action::Skip,
            StatementKind::Informal(words) => {
                label.push(Part::Words(words.clone()));
                Action::Skip
            }
            StatementKind::Assign(place, value) => {
                let mut sequence = Sequence::new(source, &text);
                self.ensure_clocks(&[value], &mut sequence);
                self.assign(place, value, &mut sequence);
                sequence.action()
            }
            StatementKind::Set(place, value) => {
                let mut sequence = Sequence::new(source, &text);
                self.ensure_clocks(&[value], &mut sequence);
                self.set(place, value, &mut sequence);
                sequence.action()
            }
            StatementKind::Reset(place) => {
                let mut sequence = Sequence::new(source, &text);
                for (cell, known) in self.cells(place) {
                    sequence.then(Action::Assign(Some(cell), Value::Const(known.initial)));
                }
                sequence.action()
            }
            StatementKind::Release(resources) => {
                let mut sequence = Sequence::new(source, &text);
                for resource in resources {
                    let cell = self.resource(*resource);
                    sequence.then(Action::Assign(Some(cell), Value::Const(0)));
                }
                sequence.action()
            }
            StatementKind::Output { signal, args, via, to } => {
                let mut read = Vec::new();
                let types = self.system.signals[*signal].parameters.iter().enumerate();
                for (arg, (k, ty)) in args.iter().zip(types) {
                    if !self.live.parameter(*signal, k) {
                        continue;
                    }
                    read.extend(self.parts(arg).into_iter().map(|value| (value, ty.clone())));
                }
                label.push(Part::Output(*signal, read));
                let mut sequence = Sequence::new(source, &text);
                self.ensure_clocks(&args.iter().collect::<Vec<_>>(), &mut sequence);
                self.output(*signal, args, via.as_ref(), to.as_ref(), &mut sequence);
                if sequence.next() == 0 {
                    Action::Skip
                } else {
                    sequence.action()
                }
            }
            StatementKind::Fork { place, process, args } => {
                label.push(Part::Fork(*process));
                let mut sequence = Sequence::new(source, &text);
                self.ensure_clocks(&args.iter().collect::<Vec<_>>(), &mut sequence);
                self.fork(place.as_ref(), *process, args, &mut sequence);
                sequence.action()
            }
            StatementKind::Kill(pid) => {
                self.error(pid.span, "`kill` is not supported: let the process stop itself");
                Action::Skip
            }
            StatementKind::If { condition, then, otherwise } => {
                let source = self.source(condition.span);
                let text = format!("if {}", self.text(condition.span));
                let then = self.block(then, exit, body);
                let otherwise = self.block(otherwise, exit, body);
                let holds = Action::Condition(self.truth(condition));
                let holds = self.draft(holds, then, source, &text);
                let number = holds.statement;
                body.builder.edge(spot, holds);
                let other = self.draft(Action::Else, otherwise, source, "else");
                body.builder.edge(spot, Draft { statement: number, ..other });
                return;
            }
            StatementKind::While { condition, body: inner } => {
                let source = self.source(condition.span);
                let text = format!("while {}", self.text(condition.span));
                let again = self.block(inner, Exit { to: spot, atomic: true }, body);
                let holds = Action::Condition(self.truth(condition));
                let holds = self.draft(holds, again, source, &text);
                let number = holds.statement;
                body.builder.edge(spot, holds);
                let other = self.draft(Action::Else, exit, source, "endwhile");
                body.builder.edge(spot, Draft { statement: number, ..other });
                return;
            }
        };
        let statement = self.numbered(std::ptr::from_ref(statement) as usize);
        let draft = Draft { label, statement, ..self.draft(action, exit, source, &text) };
        body.builder.edge(spot, draft);
    }

    /// Sees to it that clocks whose values are asked for have not been cut off.
    fn ensure_clocks(&mut self, exprs: &[&Expr], sequence: &mut Sequence) {
        let mut places = Vec::new();
        exprs.iter().for_each(|e| clocks_asked(e, &mut places));
        for place in places {
            let cell = self.single(place);
            let Kind::Clock { base, top } = cell.ty.kind else { continue };
            let below = binary(BinaryOp::Less, Value::Load(cell), Value::Const(top.into()));
            sequence.ensure(below, Failure::ClockCut(top - base - 1));
        }
    }

    /// Sees to it that a value fits where it goes.
    pub(super) fn ensure_range(
        &mut self,
        value: &Value,
        expr: Option<&Expr>,
        known: &Known,
        sequence: &mut Sequence,
    ) {
        let Some((low, high)) = known.range else { return };
        let inside = |(a, b): (i32, i32)| low <= a && b <= high;
        if expr.and_then(interval).is_some_and(inside) {
            return;
        }
        let least = binary(BinaryOp::GreaterEqual, value.clone(), Value::Const(low));
        let most = binary(BinaryOp::LessEqual, value.clone(), Value::Const(high));
        sequence.ensure(both(least, most), Failure::Range);
    }

    fn assign(&mut self, place: &Place, value: &Expr, sequence: &mut Sequence) {
        let cells = self.cells(place);
        let values = self.parts(value);
        let single = cells.len() == 1;
        for ((cell, known), part) in cells.into_iter().zip(values) {
            self.ensure_range(&part, Some(value).filter(|_| single), &known, sequence);
            sequence.then(Action::Assign(Some(cell), part));
        }
    }

    fn set(&mut self, place: &Place, value: &Expr, sequence: &mut Sequence) {
        let cell = self.single(place);
        let Kind::Clock { top, .. } = cell.ty.kind else { return };
        let base = base_of(cell.ty);
        let stored = binary(BinaryOp::Add, self.value(value), Value::Const(base));
        let top = Value::Const(i32::from(top));
        let stored = match stored {
            Value::Const(c) => Value::Const(c.clamp(
                1,
                match top {
                    Value::Const(top) => top,
                    _ => c,
                },
            )),
            stored => {
                let least = binary(BinaryOp::Greater, stored.clone(), Value::Const(0));
                sequence.ensure(least, Failure::Range);
                let below = Value::binary(BinaryOp::Less, stored.clone(), top.clone());
                Value::Conditional(Box::new(below), Box::new(stored), Box::new(top))
            }
        };
        sequence.then(Action::Assign(Some(cell), stored));
    }

    /// Starts an instance: the first that is free.
    fn fork(
        &mut self,
        place: Option<&Place>,
        process: usize,
        args: &[Expr],
        sequence: &mut Sequence,
    ) {
        let (first, most) = self.plan.pids[process];
        let mut values = Vec::new();
        for arg in args {
            values.push((self.parts(arg), arg));
        }
        // The parameters fit, whoever gets them.
        let parameters = self.parameter_cells(process, first);
        for (cells, (parts, arg)) in parameters.iter().zip(&values) {
            let single = cells.len() == 1;
            for ((_, known), part) in cells.iter().zip(parts) {
                self.ensure_range(part, Some(*arg).filter(|_| single), known, sequence);
            }
        }
        let target = place.map(|place| self.single(place));
        let length = 1
            + parameters.iter().map(|cells| cells.len() as u32).sum::<u32>()
            + u32::from(target.is_some());
        let choose = sequence.next();
        let mut edges = Vec::new();
        for k in 0..most {
            let alive = self.alive(&Value::Const((first + k) as i32));
            let free = super::expressions::not(alive);
            edges.push((Action::Condition(free), Some(choose + 1 + k * length)));
        }
        edges.push((Action::Fail(Failure::NoInstance(most as u16)), None));
        sequence.node(edges);
        let end = choose + 1 + most * length;
        for k in 0..most {
            let pid = first + k;
            let mut steps = Vec::new();
            for (cells, (parts, _)) in self.parameter_cells(process, pid).iter().zip(&values) {
                for ((cell, _), part) in cells.iter().zip(parts) {
                    steps.push(Action::Assign(Some(cell.clone()), part.clone()));
                }
            }
            if let Some(target) = &target {
                steps.push(Action::Assign(Some(target.clone()), Value::Const(pid as i32)));
            }
            if let Value::Load(alive) = self.alive(&Value::Const(pid as i32)) {
                steps.push(Action::Assign(Some(alive), Value::Const(1)));
            }
            let last = steps.len() - 1;
            for (n, step) in steps.into_iter().enumerate() {
                let next = if n == last { end } else { sequence.next() + 1 };
                sequence.node(vec![(step, Some(next))]);
            }
        }
    }

    /// Where the parameters of an instance are.
    fn parameter_cells(&mut self, process: usize, pid: u32) -> Vec<Vec<(Cell, Known)>> {
        let system = self.system;
        let of = &system.processes[process];
        let span = Span::NONE;
        let owner = crate::system::Owner::Process(process);
        let number = Expr {
            kind: ExprKind::Const((pid - self.plan.pids[process].0) as i32),
            ty: Type::Integer,
            span,
        };
        let pid = Expr { kind: ExprKind::Instance(owner, Box::new(number)), ty: Type::Pid, span };
        (0..of.parameters)
            .map(|v| {
                let base = crate::system::Base::Remote(process, Box::new(pid.clone()), v);
                let ty = of.variables[v].ty.clone();
                self.cells(&Place { base, path: Vec::new(), ty, span })
            })
            .collect()
    }
}

/// The clocks whose values an expression asks for.
fn clocks_asked<'e>(expr: &'e Expr, found: &mut Vec<&'e Place>) {
    match &expr.kind {
        ExprKind::TimeValue(place) => found.push(place),
        ExprKind::Instance(_, e) | ExprKind::Not(e) | ExprKind::Negate(e) => clocks_asked(e, found),
        ExprKind::Binary(_, a, b) => {
            clocks_asked(a, found);
            clocks_asked(b, found);
        }
        ExprKind::Conditional(a, b, c) => {
            [a, b, c].into_iter().for_each(|e| clocks_asked(e, found));
        }
        _ => {}
    }
}

/// Whether a signal is sent by one of these statements.
pub(super) fn sends(statements: &[Statement], wanted: usize) -> bool {
    statements.iter().any(|statement| match &statement.kind {
        StatementKind::Output { signal, .. } => *signal == wanted,
        StatementKind::If { then, otherwise, .. } => {
            sends(then, wanted) || sends(otherwise, wanted)
        }
        StatementKind::While { body, .. } => sends(body, wanted),
        _ => false,
    })
}
