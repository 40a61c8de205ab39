//! Executions that go on forever: whether they are fair, and what linear time says of them.

use super::{Evaluator, State};
use crate::{ExprId, Formula, Operator, Relation};

/// States, each with the inputs of the transition that leaves it; the last one is followed by one
/// that came before.
#[derive(Debug)]
pub struct Lasso<'l> {
    relation: &'l Relation,
    states: &'l [State],
    back: usize,
}

impl<'l> Lasso<'l> {
    /// An execution whose last state is followed by the one with the number `back`.
    pub fn new(relation: &'l Relation, states: &'l [State], back: usize) -> Self {
        Lasso { relation, states, back }
    }

    fn length(&self) -> usize {
        self.states.len() - self.back
    }

    /// The state at a position of the endless execution.
    fn at(&self, position: usize) -> &State {
        let inside = position.checked_sub(self.states.len()).map(|k| self.back + k % self.length());
        &self.states[inside.unwrap_or(position)]
    }

    fn truth(&self, evaluator: &Evaluator, position: usize) -> bool {
        let table = &self.relation.expressions;
        evaluator.value(table, self.at(position), self.at(position + 1)) != 0
    }

    fn sometimes(&self, expr: ExprId) -> bool {
        let evaluator = Evaluator::new(&self.relation.expressions, expr);
        (self.back..self.states.len()).any(|k| self.truth(&evaluator, k))
    }

    /// Whether every condition is met on the loop.
    pub fn is_fair(&self) -> bool {
        let compassion = &self.relation.compassion;
        self.relation.justice.iter().all(|part| self.sometimes(part.expr))
            && compassion.iter().all(|(p, q)| !self.sometimes(p.expr) || self.sometimes(q.expr))
    }

    /// Whether a formula of linear time is true at the beginning.
    pub fn satisfies(&self, formula: &Formula) -> bool {
        let operators = formula.operators();
        // What an operator of the past says of the loop may change with each time round, but once
        // for every such operator at most: after so many rounds everything repeats.
        let past = |o: &&Operator| matches!(o, Operator::Previous(_) | Operator::Since(..));
        let rounds = operators.iter().filter(past).count() + 1;
        let count = self.states.len() + rounds * self.length();
        let home = count - self.length();
        let mut values: Vec<Vec<bool>> = Vec::new();
        for operator in operators {
            let of = |f: crate::FormulaId, k: usize| values[f.index()][k];
            let all = 0..count;
            let value: Vec<bool> = match *operator {
                Operator::True => vec![true; count],
                Operator::Atom(expr) => {
                    let evaluator = Evaluator::new(&self.relation.expressions, expr);
                    all.map(|k| self.truth(&evaluator, k)).collect()
                }
                Operator::Not(f) => all.map(|k| !of(f, k)).collect(),
                Operator::And(f, g) => all.map(|k| of(f, k) && of(g, k)).collect(),
                Operator::Or(f, g) => all.map(|k| of(f, k) || of(g, k)).collect(),
                Operator::Iff(f, g) => all.map(|k| of(f, k) == of(g, k)).collect(),
                Operator::Next(f) => {
                    all.map(|k| of(f, if k + 1 < count { k + 1 } else { home })).collect()
                }
                Operator::Previous(f) => all.map(|k| k > 0 && of(f, k - 1)).collect(),
                Operator::Since(f, g) => {
                    let mut since = false;
                    all.map(|k| {
                        since = of(g, k) || of(f, k) && since;
                        since
                    })
                    .collect()
                }
                Operator::Until(f, g) => {
                    let mut until = vec![false; count];
                    let mut later = false;
                    // Once round the loop to know what is at its beginning, then all the way.
                    for k in (home..count).rev() {
                        later = of(g, k) || of(f, k) && later;
                    }
                    for k in (0..count).rev() {
                        later = of(g, k) || of(f, k) && later;
                        until[k] = later;
                    }
                    until
                }
                _ => vec![false; count],
            };
            values.push(value);
        }
        values[formula.root().index()][0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Domain, Kind, VarId, Variable};

    /// The values of one variable `x`, a formula about `x`, and whether it is true.
    fn check(
        values: &[i64],
        back: usize,
        make: impl Fn(&mut Formula, crate::FormulaId),
        expected: bool,
    ) {
        let mut relation = Relation::default();
        let domain = Domain::Boolean;
        relation.variables.push(Variable { name: "x".into(), domain, kind: Kind::State });
        let x = relation.current(VarId(0));
        let mut formula = Formula::default();
        let atom = formula.add(Operator::Atom(x));
        make(&mut formula, atom);
        let states: Vec<State> = values.iter().map(|v| vec![*v]).collect();
        assert_eq!(Lasso::new(&relation, &states, back).satisfies(&formula), expected);
    }

    #[test]
    fn the_future_goes_round_the_loop() {
        let finally = |f: &mut Formula, x| {
            let all = f.add(Operator::True);
            let root = f.add(Operator::Until(all, x));
            f.set_root(root);
        };
        check(&[0, 0, 1], 1, finally, true);
        check(&[0, 0, 0], 1, finally, false);
    }

    #[test]
    fn the_past_of_a_loop_is_remembered() {
        // F (!x & Y !x): two zeros in a row appear only when the loop has gone round.
        let twice = |f: &mut Formula, x| {
            let not = f.not(x);
            let before = f.add(Operator::Previous(not));
            let both = f.add(Operator::And(not, before));
            let all = f.add(Operator::True);
            let root = f.add(Operator::Until(all, both));
            f.set_root(root);
        };
        check(&[1, 0, 1, 0], 1, twice, true);
        check(&[1, 0, 1], 1, twice, false);
    }
}
