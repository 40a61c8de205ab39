//! Temporal formulas, written with the few operators that relations have.

use isospin_relation::{Formula, FormulaId, Operator};
use isospin_source::{Diagnostic, Span};

use crate::flatten::{Flattener, Result, ScopeId};
use crate::syntax::{Expr, ExprKind};

/// Bounds in formulas are at most this.
const MAX_BOUND: i64 = 100_000;

/// Which time a formula is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Time {
    Branching,
    Linear,
}

impl Flattener<'_> {
    /// A formula of branching or linear time.
    pub(crate) fn formula(&mut self, expr: Expr, scope: ScopeId, time: Time) -> Result<Formula> {
        let mut formula = Formula::default();
        let root = self.subformula(expr, scope, time, &mut formula)?;
        formula.set_root(root);
        Ok(formula)
    }

    fn subformula(
        &mut self,
        expr: Expr,
        scope: ScopeId,
        time: Time,
        f: &mut Formula,
    ) -> Result<FormulaId> {
        let tree = self.tree;
        let node = tree.node(expr);
        let foreign = match time {
            Time::Branching => node.temporal.linear,
            Time::Linear => node.temporal.branching,
        };
        if !foreign && !node.temporal.linear && !node.temporal.branching {
            let atom = self.truth(expr, scope)?;
            return Ok(f.add(Operator::Atom(atom)));
        }
        match &node.kind {
            ExprKind::Unary("!", operand) => {
                let g = self.subformula(*operand, scope, time, f)?;
                Ok(f.not(g))
            }
            ExprKind::Binary(operator @ ("&" | "|" | "->" | "<->" | "xor" | "xnor"), a, b) => {
                let left = self.subformula(*a, scope, time, f)?;
                let right = self.subformula(*b, scope, time, f)?;
                Ok(match *operator {
                    "&" => f.add(Operator::And(left, right)),
                    "|" => f.add(Operator::Or(left, right)),
                    "->" => {
                        let not = f.not(left);
                        f.add(Operator::Or(not, right))
                    }
                    "xor" => {
                        let same = f.add(Operator::Iff(left, right));
                        f.not(same)
                    }
                    _ => f.add(Operator::Iff(left, right)),
                })
            }
            ExprKind::Temporal(operator, operands, bounds) => {
                let linear = matches!(
                    *operator,
                    "X" | "F" | "G" | "U" | "V" | "Y" | "Z" | "H" | "O" | "S" | "T"
                );
                if linear != (time == Time::Linear) {
                    let (is, other) = match time {
                        Time::Branching => ("branching", "linear"),
                        Time::Linear => ("linear", "branching"),
                    };
                    let message = format!(
                        "`{operator}` is an operator of {other} time in a formula of {is} time"
                    );
                    return self.report(Diagnostic::error(node.span, message));
                }
                let bounds = match bounds {
                    Some((low, high)) => Some(self.bound(*low, *high, scope, node.span)?),
                    None => None,
                };
                let mut of = Vec::new();
                for &operand in operands {
                    of.push(self.subformula(operand, scope, time, f)?);
                }
                Ok(temporal(f, operator, &of, bounds))
            }
            _ => {
                let message = "a temporal operator stands inside something that is no formula";
                self.error(node.span, message)
            }
        }
    }

    fn bound(&mut self, low: Expr, high: Expr, scope: ScopeId, span: Span) -> Result<(i64, i64)> {
        let (low, high) = (self.constant(low, scope)?, self.constant(high, scope)?);
        if low < 0 || low > high || high > MAX_BOUND {
            let message = format!("bounds are numbers from 0 to {MAX_BOUND} in ascending order");
            return self.error(span, message);
        }
        Ok((low, high))
    }
}

/// An operator over formulas.
fn temporal(
    f: &mut Formula,
    operator: &str,
    of: &[FormulaId],
    bounds: Option<(i64, i64)>,
) -> FormulaId {
    let a = of[0];
    let b = of.get(1).copied().unwrap_or(a);
    match (operator, bounds) {
        ("EX", _) => f.add(Operator::Ex(a)),
        ("AX", _) => dual(f, a, Operator::Ex),
        ("EG", _) => f.add(Operator::Eg(a)),
        ("AF", _) => dual(f, a, Operator::Eg),
        ("EF", _) => exists_finally(f, a),
        ("AG", _) => {
            let not = f.not(a);
            let finally = exists_finally(f, not);
            f.not(finally)
        }
        ("EU", _) => f.add(Operator::Eu(a, b)),
        ("AU", _) => {
            // Not: b never, or a and b false before b is true.
            let (not_a, not_b) = (f.not(a), f.not(b));
            let neither = f.add(Operator::And(not_a, not_b));
            let fails = f.add(Operator::Eu(not_b, neither));
            let never = f.add(Operator::Eg(not_b));
            let either = f.add(Operator::Or(fails, never));
            f.not(either)
        }
        ("EBF" | "EBG" | "ABF" | "ABG" | "EBU" | "ABU", Some((low, high))) => {
            within(f, operator, a, b, low, high)
        }
        ("X", _) => f.add(Operator::Next(a)),
        ("Y", _) => f.add(Operator::Previous(a)),
        ("Z", _) => dual(f, a, Operator::Previous),
        ("F", None) => finally(f, a, Operator::Until),
        ("O", None) => finally(f, a, Operator::Since),
        ("G", None) => globally(f, a, Operator::Until),
        ("H", None) => globally(f, a, Operator::Since),
        ("F", Some((low, high))) => steps(f, a, low, high, Operator::Next),
        ("O", Some((low, high))) => steps(f, a, low, high, Operator::Previous),
        ("G", Some((low, high))) => {
            let not = f.not(a);
            let some = steps(f, not, low, high, Operator::Next);
            f.not(some)
        }
        ("H", Some((low, high))) => {
            let not = f.not(a);
            let some = steps(f, not, low, high, Operator::Previous);
            f.not(some)
        }
        ("U", _) => f.add(Operator::Until(a, b)),
        ("S", _) => f.add(Operator::Since(a, b)),
        ("V", _) => release(f, a, b, Operator::Until),
        _ => release(f, a, b, Operator::Since),
    }
}

type One = fn(FormulaId) -> Operator;
type Two = fn(FormulaId, FormulaId) -> Operator;

fn dual(f: &mut Formula, a: FormulaId, operator: One) -> FormulaId {
    let not = f.not(a);
    let inner = f.add(operator(not));
    f.not(inner)
}

fn exists_finally(f: &mut Formula, a: FormulaId) -> FormulaId {
    finally(f, a, Operator::Eu)
}

fn finally(f: &mut Formula, a: FormulaId, operator: Two) -> FormulaId {
    let always = f.add(Operator::True);
    f.add(operator(always, a))
}

fn globally(f: &mut Formula, a: FormulaId, operator: Two) -> FormulaId {
    let not = f.not(a);
    let some = finally(f, not, operator);
    f.not(some)
}

fn release(f: &mut Formula, a: FormulaId, b: FormulaId, operator: Two) -> FormulaId {
    let (a, b) = (f.not(a), f.not(b));
    let until = f.add(operator(a, b));
    f.not(until)
}

/// Within the bounds, counted in steps of the operator.
fn steps(f: &mut Formula, a: FormulaId, low: i64, high: i64, operator: One) -> FormulaId {
    let mut whole = a;
    for _ in low..high {
        let later = f.add(operator(whole));
        whole = f.add(Operator::Or(a, later));
    }
    for _ in 0..low {
        whole = f.add(operator(whole));
    }
    whole
}

/// The bounded operators of branching time.
fn within(
    f: &mut Formula,
    operator: &str,
    a: FormulaId,
    b: FormulaId,
    low: i64,
    high: i64,
) -> FormulaId {
    let next = |f: &mut Formula, g: FormulaId| {
        if operator.starts_with('A') {
            dual(f, g, Operator::Ex)
        } else {
            f.add(Operator::Ex(g))
        }
    };
    let target = if operator.ends_with('U') { b } else { a };
    let mut whole = target;
    for _ in low..high {
        let later = next(f, whole);
        whole = match operator.as_bytes()[2] {
            b'F' => f.add(Operator::Or(a, later)),
            b'G' => f.add(Operator::And(a, later)),
            _ => {
                let held = f.add(Operator::And(a, later));
                f.add(Operator::Or(b, held))
            }
        };
    }
    for _ in 0..low {
        let later = next(f, whole);
        whole = if operator.ends_with('U') { f.add(Operator::And(a, later)) } else { later };
    }
    whole
}
