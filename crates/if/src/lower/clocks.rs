//! Where clocks are cut off: above the largest number that they are compared with, no value means
//! anything else [Alur and Dill 1994]. A clock whose value is asked for is counted exactly up to
//! there; asking for more is a run-time error.

use std::collections::HashMap;

use isospin_model::Scalar;
use isospin_source::{Diagnostic, Span};

use crate::system::{
    Access, Base, Binary, Expr, ExprKind, Place, Statement, StatementKind, System, Type,
};

/// Greater numbers are refused.
const MAX_VALUE: i32 = 30_000;

/// A clock: whose it is, and which variable.
pub(super) type Key = (Option<usize>, usize);

/// What is known of the values of a clock.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Values {
    /// The largest number that it is compared with.
    bound: i32,
    /// The least number that it is set to, 0 or less.
    least: i32,
}

impl Values {
    /// The type of the clock.
    pub fn scalar(self) -> Scalar {
        let base = 1 - self.least;
        Scalar::clock(base as u16, (base + self.bound + 1) as u16)
    }
}

/// The variable that a place is part of, as a process sees it.
pub(super) fn key(place: &Place, process: Option<usize>) -> Key {
    match &place.base {
        Base::Global(variable) => (None, *variable),
        Base::Local(variable) => (process, *variable),
        Base::Remote(process, _, variable) => (Some(*process), *variable),
    }
}

/// What is known of all clocks.
pub(super) fn find(
    system: &System,
    least_bound: u16,
    errors: &mut Vec<Diagnostic>,
) -> HashMap<Key, Values> {
    let mut finder = Finder { found: HashMap::new(), process: None, errors };
    for (number, process) in system.processes.iter().enumerate() {
        finder.process = Some(number);
        for state in &process.states {
            state.tpc.iter().for_each(|e| finder.guard(e));
            for transition in &state.transitions {
                transition.provided.iter().for_each(|e| finder.guard(e));
                transition.when.iter().for_each(|e| finder.guard(e));
                finder.statements(&transition.body);
            }
        }
    }
    let mut found = finder.found;
    for values in found.values_mut() {
        values.bound = values.bound.max(i32::from(least_bound));
    }
    let all = system.processes.iter().enumerate().map(|(k, p)| (Some(k), &p.variables));
    for (owner, variables) in all.chain([(None, &system.globals)]) {
        for number in 0..variables.len() {
            let usual = Values { bound: i32::from(least_bound), least: 0 };
            found.entry((owner, number)).or_insert(usual);
        }
    }
    found
}

struct Finder<'d> {
    found: HashMap<Key, Values>,
    process: Option<usize>,
    errors: &'d mut Vec<Diagnostic>,
}

impl Finder<'_> {
    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            match &statement.kind {
                StatementKind::Skip
                | StatementKind::Informal(_)
                | StatementKind::Release(_)
                | StatementKind::Reset(_) => {}
                StatementKind::Assign(place, value) => {
                    self.place(place);
                    self.expr(value);
                }
                StatementKind::Set(place, value) => {
                    self.place(place);
                    self.expr(value);
                    let least = interval(value).map_or(0, |(low, _)| low).min(0);
                    self.within(least, value.span);
                    let values = self.found.entry(key(place, self.process)).or_default();
                    values.least = values.least.min(least.max(-MAX_VALUE));
                }
                StatementKind::Output { args, via, to, .. } => {
                    args.iter().chain(via).chain(to).for_each(|e| self.expr(e));
                }
                StatementKind::Fork { place, args, .. } => {
                    place.iter().for_each(|p| self.place(p));
                    args.iter().for_each(|e| self.expr(e));
                }
                StatementKind::Kill(e) => self.expr(e),
                StatementKind::If { condition, then, otherwise } => {
                    self.guard(condition);
                    self.statements(then);
                    self.statements(otherwise);
                }
                StatementKind::While { condition, body } => {
                    self.guard(condition);
                    self.statements(body);
                }
            }
        }
    }

    fn place(&mut self, place: &Place) {
        for access in &place.path {
            if let Access::Index(index) = access {
                self.expr(index);
            }
        }
        if let Base::Remote(_, pid, _) = &place.base {
            self.expr(pid);
        }
    }

    fn within(&mut self, value: i32, span: Span) {
        if !(-MAX_VALUE..=MAX_VALUE).contains(&value) {
            let message = format!("a clock cannot be compared with {value}: at most {MAX_VALUE}");
            self.errors.push(Diagnostic::error(span, message));
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Const(_) | ExprKind::Nil | ExprKind::SelfPid | ExprKind::Bound(_) => {}
            ExprKind::Read(place) | ExprKind::Active(place) | ExprKind::TimeValue(place) => {
                self.place(place);
            }
            ExprKind::Instance(_, e)
            | ExprKind::Not(e)
            | ExprKind::Negate(e)
            | ExprKind::At(_, e, _)
            | ExprKind::Waiting(_, e) => self.expr(e),
            ExprKind::Binary(op, a, b) => {
                if comparison(*op) {
                    self.compared(a, b);
                    self.compared(b, a);
                }
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Conditional(a, b, c) => [a, b, c].into_iter().for_each(|e| self.expr(e)),
            ExprKind::Quantified { body, .. } => self.expr(body),
        }
    }

    /// What decides whether something can be done must not depend on what was cut off: the value of
    /// a clock may be compared there, and not be computed with.
    fn guard(&mut self, expr: &Expr) {
        self.expr(expr);
        let mut todo = vec![(expr, false)];
        while let Some((expr, compared)) = todo.pop() {
            match &expr.kind {
                ExprKind::TimeValue(_) if !compared => {
                    let message = "the value of a clock can only be compared here";
                    self.errors.push(Diagnostic::error(expr.span, message));
                }
                ExprKind::Binary(op, a, b) => {
                    todo.extend([(&**a, comparison(*op)), (&**b, comparison(*op))]);
                }
                ExprKind::Not(e) | ExprKind::Negate(e) | ExprKind::Instance(_, e) => {
                    todo.push((e, false));
                }
                ExprKind::Conditional(a, b, c) => {
                    todo.extend([a, b, c].map(|e| (&**e, false)));
                }
                ExprKind::Quantified { body, .. } => todo.push((body, false)),
                _ => {}
            }
        }
    }

    fn compared(&mut self, clock: &Expr, with: &Expr) {
        let place = match &clock.kind {
            ExprKind::Read(place) if clock.ty == Type::Clock => place,
            ExprKind::TimeValue(place) => place,
            _ => return,
        };
        let Some((_, high)) = interval(with) else {
            let error = Diagnostic::error(
                with.span,
                "a clock is compared with a number that has no bound, so it cannot be cut off",
            );
            self.errors.push(error.help("declare the variable with a range: `range 0 .. 10`"));
            return;
        };
        self.within(high, with.span);
        let values = self.found.entry(key(place, self.process)).or_default();
        values.bound = values.bound.max(high.clamp(0, MAX_VALUE));
    }
}

fn comparison(op: Binary) -> bool {
    use Binary::*;
    matches!(op, Less | LessEqual | Greater | GreaterEqual | Equal | NotEqual)
}

/// The least and the greatest value that an expression can have, where that is known.
pub(super) fn interval(expr: &Expr) -> Option<(i32, i32)> {
    let wide = match &expr.kind {
        ExprKind::Const(c) => (i64::from(*c), i64::from(*c)),
        ExprKind::Negate(e) => {
            let (low, high) = interval(e)?;
            (-i64::from(high), -i64::from(low))
        }
        ExprKind::Binary(op, a, b) => {
            let ((a, b), (c, d)) = (interval(a)?, interval(b)?);
            let (a, b, c, d) = (i64::from(a), i64::from(b), i64::from(c), i64::from(d));
            match op {
                Binary::Add => (a + c, b + d),
                Binary::Subtract => (a - d, b - c),
                Binary::Multiply => {
                    let all = [a * c, a * d, b * c, b * d];
                    (*all.iter().min()?, *all.iter().max()?)
                }
                _ => return None,
            }
        }
        ExprKind::Conditional(_, a, b) => {
            let ((a, b), (c, d)) = (interval(a)?, interval(b)?);
            (i64::from(a.min(c)), i64::from(b.max(d)))
        }
        _ => return expr.ty.bounds(),
    };
    Some((i32::try_from(wide.0).ok()?, i32::try_from(wide.1).ok()?))
}
