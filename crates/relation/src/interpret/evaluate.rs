//! The value of one expression.

use std::collections::HashMap;

use crate::operators::{binary, unary};
use crate::{Binary, ExprId, Expressions, Node, Sort, Value};

/// Evaluates one expression: what it is made of, operands first, each with where its operands'
/// values are.
#[derive(Clone, Debug)]
pub struct Evaluator {
    steps: Vec<(ExprId, [usize; 3])>,
}

impl Evaluator {
    /// Prepares an expression.
    pub fn new(expressions: &Expressions, root: ExprId) -> Evaluator {
        let mut position: HashMap<ExprId, usize> = HashMap::new();
        let mut steps = Vec::new();
        for (k, id) in expressions.reached([root]).into_iter().enumerate() {
            let mut operands = [0; 3];
            for (slot, operand) in operands.iter_mut().zip(expressions.operands(id)) {
                *slot = position[&operand];
            }
            position.insert(id, k);
            steps.push((id, operands));
        }
        Evaluator { steps }
    }

    /// Its value where variables have these values now and next.
    pub fn value(&self, expressions: &Expressions, now: &[Value], next: &[Value]) -> Value {
        self.values(expressions, now, next).last().copied().unwrap_or(0)
    }

    /// Why it has no value there, if it has none: the reason of what was undefined and needed.
    pub fn blame(&self, expressions: &Expressions, now: &[Value], next: &[Value]) -> Option<u32> {
        let values = self.values(expressions, now, next);
        let mut reasons: Vec<Option<u32>> = Vec::with_capacity(values.len());
        for &(id, [a, b, c]) in &self.steps {
            let is_truth = expressions.sort(id) == Sort::Boolean;
            let settles = |at: usize, by: bool, reasons: &[Option<u32>]| {
                reasons[at].is_none() && (values[at] != 0) == by
            };
            let reason = match expressions.node(id) {
                Node::Undefined(reason) => Some(reason),
                Node::Constant(_) | Node::Current(_) | Node::Next(_) => None,
                Node::Unary(..) => reasons[a],
                Node::Binary(operator @ (Binary::And | Binary::Or), ..)
                    if is_truth
                        && [a, b].iter().any(|k| settles(*k, operator == Binary::Or, &reasons)) =>
                {
                    None
                }
                Node::Binary(..) => reasons[a].or(reasons[b]),
                Node::Choose(..) => reasons[a].or(reasons[if values[a] != 0 { b } else { c }]),
            };
            reasons.push(reason);
        }
        reasons.last().copied().flatten()
    }

    /// The values of everything that it is made of.
    fn values(&self, expressions: &Expressions, now: &[Value], next: &[Value]) -> Vec<Value> {
        let mut values: Vec<Value> = Vec::with_capacity(self.steps.len());
        for &(id, [a, b, c]) in &self.steps {
            let sort = expressions.sort(id);
            let value = match expressions.node(id) {
                Node::Constant(value) => value,
                Node::Undefined(_) => 0,
                Node::Current(variable) => now[variable.index()],
                Node::Next(variable) => next[variable.index()],
                Node::Unary(operator, x) => unary(operator, (expressions.sort(x), values[a]), sort),
                Node::Binary(operator, x, y) => {
                    let left = (expressions.sort(x), values[a]);
                    binary(operator, left, (expressions.sort(y), values[b]), sort)
                }
                Node::Choose(..) if values[a] != 0 => values[b],
                Node::Choose(..) => values[c],
            };
            values.push(value);
        }
        values
    }
}
