//! Executions judged by the definition: whether they are the model's, and whether they show what
//! they are said to show. Nothing here knows how they were found.

use isospin_relation::interpret::{Evaluator, Interpreter, Lasso};
use isospin_relation::{Formula, FormulaId, Kind, Operator, Property, Relation};

use crate::report::Trace;

/// Whether an execution is one of the model and violates a property, as far as one execution can;
/// otherwise why not. Inputs of a last state are not looked at.
pub fn judge(relation: &Relation, property: &Property, trace: &Trace) -> Result<(), String> {
    is_execution(relation, trace)?;
    if shows(relation, property, trace) {
        Ok(())
    } else {
        Err("it does not violate the specification".into())
    }
}

/// Whether an execution is one of the model; otherwise why not.
pub fn is_execution(relation: &Relation, trace: &Trace) -> Result<(), String> {
    let interpreter = Interpreter::new(relation);
    let Some(first) = trace.states.first() else { return Err("it has no states".into()) };
    if !interpreter.is_initial(first) {
        return Err("its first state is not initial".into());
    }
    follows(relation, &interpreter, trace)
}

fn follows(
    relation: &Relation,
    interpreter: &Interpreter<'_>,
    trace: &Trace,
) -> Result<(), String> {
    let mut last = trace.states.len().saturating_sub(1);
    for (k, pair) in trace.states.windows(2).enumerate() {
        if !interpreter.is_transition(&pair[0], &pair[1]) {
            return Err(format!("there is no transition from state {} to the next", k + 1));
        }
    }
    if let Some(back) = trace.back {
        let ends = trace.states.last().zip(trace.states.get(back));
        let Some((from, to)) = ends else { return Err("it goes back to no state".into()) };
        if !interpreter.is_transition(from, to) {
            return Err(format!("there is no transition back to state {}", back + 1));
        }
        last = usize::MAX;
    }
    for (at, branch) in &trace.branches {
        let (Some(state), Some(first)) = (trace.states.get(*at), branch.states.first()) else {
            return Err("a branch begins nowhere".into());
        };
        let same = relation
            .numbered()
            .all(|(id, v)| v.kind == Kind::Input || state[id.index()] == first[id.index()]);
        if !same || *at > last {
            return Err(format!("a branch does not begin in state {}", at + 1));
        }
        follows(relation, interpreter, branch)?;
    }
    Ok(())
}

/// Whether an execution violates what it is said to violate.
fn shows(relation: &Relation, property: &Property, trace: &Trace) -> bool {
    match (property, trace.back) {
        (Property::Ltl(formula), Some(back)) => {
            let lasso = Lasso::new(relation, &trace.states, back);
            lasso.is_fair() && !lasso.satisfies(formula)
        }
        (Property::Ltl(_), None) => false,
        (Property::Invariant(expr), _) => {
            let interpreter = Interpreter::new(relation);
            let of_states = relation.is_of_states(*expr);
            match trace.states.as_slice() {
                [.., last] if of_states => interpreter.value(*expr, last, last) == 0,
                [.., before, last] => interpreter.value(*expr, before, last) == 0,
                _ => false,
            }
        }
        (Property::Ctl(formula), _) => {
            let value = Known::new(relation, formula, trace).at(formula.root(), 0);
            match value {
                Some(holds) => !holds,
                // Paths cannot show that something is true of all paths.
                None => trace.partial || !is_simple(formula),
            }
        }
        (Property::Compute { .. }, _) => true,
    }
}

/// Whether what has to stay true along a path is about its states only, so that the path shows it.
fn is_simple(formula: &Formula) -> bool {
    let mut temporal = Vec::new();
    for operator in formula.operators() {
        let of = |f: FormulaId| temporal[f.index()];
        let (is_temporal, along) = match *operator {
            Operator::True | Operator::Atom(_) => (false, false),
            Operator::Not(f) => (of(f), false),
            Operator::And(f, g) | Operator::Or(f, g) | Operator::Iff(f, g) => {
                (of(f) || of(g), false)
            }
            Operator::Ex(_) => (true, false),
            Operator::Eg(f) | Operator::Eu(f, _) => (true, of(f)),
            _ => (true, true),
        };
        if along {
            return false;
        }
        temporal.push(is_temporal);
    }
    true
}

/// What an execution with its branches tells about subformulas in its states.
struct Known(Vec<Vec<Option<bool>>>);

impl Known {
    fn new(relation: &Relation, formula: &Formula, trace: &Trace) -> Known {
        let branches: Vec<(usize, Known)> = trace
            .branches
            .iter()
            .map(|(at, branch)| (*at, Known::new(relation, formula, branch)))
            .collect();
        let count = trace.states.len();
        let fair =
            trace.back.is_some_and(|back| Lasso::new(relation, &trace.states, back).is_fair());
        let next = |k: usize| if k + 1 < count { Some(k + 1) } else { trace.back };
        let mut values: Vec<Vec<Option<bool>>> = Vec::new();
        for (index, operator) in formula.operators().iter().enumerate() {
            let of = |f: FormulaId, k: usize| values[f.index()][k];
            let mut value: Vec<Option<bool>> = match *operator {
                Operator::True => vec![Some(true); count],
                Operator::Atom(expr) => {
                    let evaluator = Evaluator::new(&relation.expressions, expr);
                    let truth = |s: &Vec<i64>| evaluator.value(&relation.expressions, s, s) != 0;
                    trace.states.iter().map(|s| Some(truth(s))).collect()
                }
                Operator::Not(f) => (0..count).map(|k| of(f, k).map(|v| !v)).collect(),
                Operator::And(f, g) => {
                    (0..count).map(|k| either(of(f, k), of(g, k), false)).collect()
                }
                Operator::Or(f, g) => {
                    (0..count).map(|k| either(of(f, k), of(g, k), true)).collect()
                }
                Operator::Iff(f, g) => {
                    let same = |k| of(f, k).zip(of(g, k)).map(|(a, b)| a == b);
                    (0..count).map(same).collect()
                }
                Operator::Ex(f) => {
                    let shown = |k| next(k).and_then(|n| of(f, n)) == Some(true);
                    (0..count).map(|k| shown(k).then_some(true)).collect()
                }
                Operator::Eu(f, g) => {
                    let mut shown = vec![None; count];
                    // Twice: what is true at the beginning of the loop is true for its end.
                    for k in (0..count).rev().chain((0..count).rev()) {
                        let later = next(k).is_some_and(|n| shown[n] == Some(true));
                        if of(g, k) == Some(true) || of(f, k) == Some(true) && later {
                            shown[k] = Some(true);
                        }
                    }
                    shown
                }
                Operator::Eg(f) => {
                    let holds = |k: usize| fair && (k..count).all(|j| of(f, j) == Some(true));
                    (0..count).map(|k| holds(k).then_some(true)).collect()
                }
                _ => vec![None; count],
            };
            for (at, branch) in &branches {
                let shown = branch.at(FormulaId(index as u32), 0) == Some(true);
                if shown && value.get(*at) == Some(&None) {
                    value[*at] = Some(true);
                }
            }
            values.push(value);
        }
        Known(values)
    }

    fn at(&self, formula: FormulaId, position: usize) -> Option<bool> {
        self.0[formula.index()].get(position).copied().flatten()
    }
}

/// A disjunction (if one true operand settles it) or a conjunction, as far as it is known.
fn either(a: Option<bool>, b: Option<bool>, settles: bool) -> Option<bool> {
    if a == Some(settles) || b == Some(settles) {
        Some(settles)
    } else {
        a.and(b).map(|_| !settles)
    }
}
