//! Formulas on a lasso, by the definition of each operator.

use std::sync::Arc;

use isospin_machine::Interpreter;
use isospin_model::{Model, Temporal};

use crate::lasso::{observe, Walked};

/// Whether a formula holds on the execution whose states are `states`, of which the ones from
/// `back` on repeat for ever.
pub fn holds(model: &Arc<Model>, formula: &Temporal, states: Vec<Vec<u8>>, back: usize) -> bool {
    let mut machine = Interpreter::new(Arc::clone(model));
    holds_on(&mut machine, formula, &Walked::of_states(states, back))
}

/// Whether the formula holds on an execution that goes on for ever. What cannot be evaluated may be
/// either: it holds if it does with one or with the other.
pub(crate) fn holds_on(machine: &mut Interpreter, formula: &Temporal, word: &Walked) -> bool {
    let mut first = |unknown| values(machine, formula, word, unknown).first() == Some(&true);
    first(false) || first(true)
}

/// The value of the formula at each position. The depth of formulas is bounded by their parser.
fn values(
    machine: &mut Interpreter,
    formula: &Temporal,
    word: &Walked,
    unknown: bool,
) -> Vec<bool> {
    let len = word.states.len();
    let mut of = |f: &Temporal| values(machine, f, word, unknown);
    let both = |a: Vec<bool>, b: Vec<bool>, f: fn(bool, bool) -> bool| -> Vec<bool> {
        a.into_iter().zip(b).map(|(a, b)| f(a, b)).collect()
    };
    // `a U b` is the least, and the rest the greatest, solution of its expansion. A first round
    // backwards sees everything up to the last position, a second one all of the cycle.
    let solve = |a: &[bool], b: &[bool], start: bool, f: fn(bool, bool, bool) -> bool| {
        let mut now = vec![start; len];
        for _ in 0..2 {
            for k in (0..len).rev() {
                now[k] = f(a[k], b[k], word.next(k).is_some_and(|n| now[n]));
            }
        }
        now
    };
    match formula {
        Temporal::Const(value) => vec![*value; len],
        Temporal::Atom { expr, .. } => {
            let holds = |s: &Vec<u8>| observe(machine, s, expr).map_or(unknown, |v| v != 0);
            word.states.iter().map(holds).collect()
        }
        Temporal::Not(f) => of(f).into_iter().map(|v| !v).collect(),
        Temporal::And(a, b) => both(of(a), of(b), |a, b| a && b),
        Temporal::Or(a, b) => both(of(a), of(b), |a, b| a || b),
        Temporal::Implies(a, b) => both(of(a), of(b), |a, b| !a || b),
        Temporal::Equivalent(a, b) => both(of(a), of(b), |a, b| a == b),
        Temporal::Next(f) => {
            let f = of(f);
            (0..len).map(|k| word.next(k).is_some_and(|n| f[n])).collect()
        }
        Temporal::Always(f) => {
            let f = of(f);
            solve(&f, &f, true, |a, _, later| a && later)
        }
        Temporal::Eventually(f) => {
            let f = of(f);
            solve(&f, &f, false, |a, _, later| a || later)
        }
        Temporal::Until(a, b) => solve(&of(a), &of(b), false, |a, b, later| b || (a && later)),
        Temporal::WeakUntil(a, b) => solve(&of(a), &of(b), true, |a, b, later| b || (a && later)),
        Temporal::Release(a, b) => solve(&of(a), &of(b), true, |a, b, later| b && (a || later)),
    }
}
