//! A truth value as a conjunction of small ones: what an implication or a choice says about several
//! things at once, it says about each of them.

use std::collections::HashMap;

use crate::{Binary, ExprId, Expressions, Mention, Node, Sort, Support, Unary};

/// An expression, or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Literal {
    /// The expression.
    pub expr: ExprId,
    /// Whether its negation is meant.
    pub negated: bool,
}

/// A disjunction.
pub type Clause = Vec<Literal>;

/// There are no more clauses than this; the last ones are larger instead.
const MOST: usize = 20_000;

/// The conjunction of these clauses is the expression. No clause repeats another's expressions
/// except the conditions that it stands under, so that all of them together are hardly larger.
pub fn clauses(table: &Expressions, expr: ExprId) -> Vec<Clause> {
    let splits = Splits::new(table, expr);
    let mut stack = vec![(Clause::new(), Literal { expr, negated: false })];
    let mut found = Vec::new();
    while let Some((mut under, literal)) = stack.pop() {
        let Literal { expr, negated } = literal;
        let same = |expr| Literal { expr, negated };
        let full = found.len() + stack.len() > MOST;
        let splits_here = !full && splits.of(literal);
        match table.node(expr) {
            Node::Unary(Unary::Not, a) if table.sort(a) == Sort::Boolean => {
                stack.push((under, Literal { expr: a, negated: !negated }));
            }
            Node::Binary(operator, a, b) if splits_here && is_all(operator, negated) => {
                stack.push((under.clone(), same(b)));
                stack.push((under, same(a)));
            }
            Node::Binary(_, a, b) if splits_here => {
                let (inner, outer) = if splits.of(same(b)) { (b, a) } else { (a, b) };
                under.push(same(outer));
                stack.push((under, same(inner)));
            }
            Node::Choose(c, a, b) if splits_here => {
                let mut otherwise = under.clone();
                otherwise.push(Literal { expr: c, negated: false });
                stack.push((otherwise, same(b)));
                under.push(Literal { expr: c, negated: true });
                stack.push((under, same(a)));
            }
            Node::Constant(value) if (value != 0) != negated => {}
            _ => {
                under.push(literal);
                found.push(under);
            }
        }
    }
    found
}

/// What the expressions of a clause mention.
pub fn mentions(table: &Expressions, clause: &Clause) -> std::collections::BTreeSet<Mention> {
    clause.iter().flat_map(|literal| Support::of(table, literal.expr).0).collect()
}

/// Whether an operator, negated or not, says that both operands are true.
fn is_all(operator: Binary, negated: bool) -> bool {
    operator == if negated { Binary::Or } else { Binary::And }
}

/// Which expressions are conjunctions somewhere inside.
struct Splits(HashMap<Literal, bool>);

impl Splits {
    fn new(table: &Expressions, root: ExprId) -> Splits {
        let mut known: HashMap<Literal, bool> = HashMap::new();
        for expr in table.reached([root]) {
            for negated in [false, true] {
                let of = |expr, negated| known.get(&Literal { expr, negated }) == Some(&true);
                let splits = table.sort(expr) == Sort::Boolean
                    && match table.node(expr) {
                        Node::Unary(Unary::Not, a) => of(a, !negated),
                        Node::Binary(operator @ (Binary::And | Binary::Or), a, b) => {
                            is_all(operator, negated) || of(a, negated) || of(b, negated)
                        }
                        Node::Choose(_, a, b) => of(a, negated) || of(b, negated),
                        _ => false,
                    };
                known.insert(Literal { expr, negated }, splits);
            }
        }
        Splits(known)
    }

    fn of(&self, literal: Literal) -> bool {
        self.0.get(&literal) == Some(&true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interpret::Evaluator;
    use crate::VarId;

    #[test]
    fn an_implication_says_each_thing_on_its_own() {
        let mut e = Expressions::default();
        let v: Vec<ExprId> = (0..4).map(|k| e.current(VarId(k), Sort::Boolean)).collect();
        let both = e.and(v[1], v[2]);
        let not = e.not(v[0]);
        let implies = e.or(not, both);
        let chosen = e.choose(v[3], implies, v[0]);
        let parts = clauses(&e, chosen);
        assert_eq!(parts.len(), 3);
        for code in 0..16 {
            let now: Vec<i64> = (0..4).map(|k| code >> k & 1).collect();
            let value = |id| Evaluator::new(&e, id).value(&e, &now, &now) != 0;
            let all = parts.iter().all(|c| c.iter().any(|l| value(l.expr) != l.negated));
            assert_eq!(all, value(chosen), "{now:?}");
        }
    }
}
