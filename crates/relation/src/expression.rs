//! Expressions: a table in which each is written once, operands before what they occur in.

use std::collections::HashMap;

use crate::operators::{binary, unary, Binary, Unary};
use crate::{Value, VarId};

/// What kind of value an expression has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
    /// A truth value.
    Boolean,
    /// An integer or a symbolic constant.
    Scalar,
    /// A word of so many bits, at most 64.
    Word {
        /// Whether it is read in two's complement.
        signed: bool,
        /// The number of bits.
        width: u32,
    },
}

/// The number of an expression in its table. Operands have smaller numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ExprId(pub u32);

impl ExprId {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One expression over others.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A constant.
    Constant(Value),
    /// A variable in the state that a transition leaves, or an input of the transition.
    Current(VarId),
    /// A variable in the state that a transition reaches.
    Next(VarId),
    /// No value: it must never be needed. The number says why.
    Undefined(u32),
    /// An operator and its operand.
    Unary(Unary, ExprId),
    /// An operator and its operands.
    Binary(Binary, ExprId, ExprId),
    /// The second where the first is true, otherwise the third.
    Choose(ExprId, ExprId, ExprId),
}

/// The table.
#[derive(Clone, Debug, Default)]
pub struct Expressions {
    nodes: Vec<(Node, Sort)>,
    known: HashMap<(Node, Sort), ExprId>,
}

impl Expressions {
    /// The number of expressions.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// An expression.
    pub fn node(&self, id: ExprId) -> Node {
        self.nodes[id.index()].0
    }

    /// Its sort.
    pub fn sort(&self, id: ExprId) -> Sort {
        self.nodes[id.index()].1
    }

    /// Its value, where that is a constant.
    pub fn as_constant(&self, id: ExprId) -> Option<Value> {
        match self.node(id) {
            Node::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// An expression as it is written, not made simpler.
    pub(crate) fn push(&mut self, node: Node, sort: Sort) -> ExprId {
        self.add(node, sort)
    }

    fn add(&mut self, node: Node, sort: Sort) -> ExprId {
        let next = ExprId(self.nodes.len() as u32);
        *self.known.entry((node, sort)).or_insert_with(|| {
            self.nodes.push((node, sort));
            next
        })
    }

    /// A constant.
    pub fn constant(&mut self, value: Value, sort: Sort) -> ExprId {
        self.add(Node::Constant(value), sort)
    }

    /// True or false.
    pub fn truth(&mut self, value: bool) -> ExprId {
        self.constant(value as Value, Sort::Boolean)
    }

    /// An integer.
    pub fn integer(&mut self, value: Value) -> ExprId {
        self.constant(value, Sort::Scalar)
    }

    /// A variable of the given sort, now.
    pub fn current(&mut self, variable: VarId, sort: Sort) -> ExprId {
        self.add(Node::Current(variable), sort)
    }

    /// A variable of the given sort, after the transition.
    pub fn next(&mut self, variable: VarId, sort: Sort) -> ExprId {
        self.add(Node::Next(variable), sort)
    }

    /// No value of the given sort, for a reason.
    pub fn undefined(&mut self, reason: u32, sort: Sort) -> ExprId {
        self.add(Node::Undefined(reason), sort)
    }

    /// An operator with one operand.
    pub fn unary(&mut self, operator: Unary, operand: ExprId) -> ExprId {
        let sort = self.sort(operand);
        let result = match operator {
            Unary::Not | Unary::Minus => sort,
            Unary::ToBoolean => Sort::Boolean,
            Unary::ToInteger => Sort::Scalar,
            Unary::Resize { signed, width } => Sort::Word { signed, width },
            Unary::Reinterpret { signed } => match sort {
                Sort::Word { width, .. } => Sort::Word { signed, width },
                other => other,
            },
            Unary::Select { high, low } => Sort::Word { signed: false, width: high - low + 1 },
        };
        if let Some(value) = self.as_constant(operand) {
            return self.constant(unary(operator, (sort, value), result), result);
        }
        if let (Unary::Not, Node::Unary(Unary::Not, inner)) = (operator, self.node(operand)) {
            return inner;
        }
        self.add(Node::Unary(operator, operand), result)
    }

    /// An operator with two operands.
    pub fn binary(&mut self, operator: Binary, left: ExprId, right: ExprId) -> ExprId {
        let (l, r) = (self.sort(left), self.sort(right));
        let result = match operator {
            Binary::Equal | Binary::Less | Binary::LessEqual => Sort::Boolean,
            Binary::Concatenate => match (l, r) {
                (Sort::Word { width: a, .. }, Sort::Word { width: b, .. }) => {
                    Sort::Word { signed: false, width: a + b }
                }
                _ => l,
            },
            _ => l,
        };
        let (a, b) = (self.as_constant(left), self.as_constant(right));
        if let (Some(a), Some(b)) = (a, b) {
            return self.constant(binary(operator, (l, a), (r, b), result), result);
        }
        if l == Sort::Boolean && r == Sort::Boolean {
            if let Some(simple) = self.simple(operator, (left, a), (right, b)) {
                return simple;
            }
        }
        if left == right && matches!(operator, Binary::Equal | Binary::LessEqual) {
            return self.truth(true);
        }
        self.add(Node::Binary(operator, left, right), result)
    }

    /// What an operator on truth values comes to where one operand is known or both are the same.
    fn simple(
        &mut self,
        operator: Binary,
        left: (ExprId, Option<Value>),
        right: (ExprId, Option<Value>),
    ) -> Option<ExprId> {
        let (known, other) = match (left, right) {
            ((_, Some(value)), (other, None)) | ((other, None), (_, Some(value))) => {
                (Some(value != 0), other)
            }
            _ => (None, left.0),
        };
        match (operator, known) {
            (Binary::And, Some(true)) | (Binary::Or, Some(false)) => Some(other),
            (Binary::And, Some(false)) => Some(self.truth(false)),
            (Binary::Or, Some(true)) => Some(self.truth(true)),
            (Binary::Equal, Some(true)) | (Binary::Xor, Some(false)) => Some(other),
            (Binary::Equal, Some(false)) | (Binary::Xor, Some(true)) => Some(self.not(other)),
            (Binary::And | Binary::Or, None) if left.0 == right.0 => Some(other),
            _ => None,
        }
    }

    /// The second where the first is true, otherwise the third.
    pub fn choose(&mut self, condition: ExprId, yes: ExprId, no: ExprId) -> ExprId {
        if yes == no {
            return yes;
        }
        if let Some(value) = self.as_constant(condition) {
            return if value != 0 { yes } else { no };
        }
        let sort = self.sort(yes);
        self.add(Node::Choose(condition, yes, no), sort)
    }

    /// Negation.
    pub fn not(&mut self, operand: ExprId) -> ExprId {
        self.unary(Unary::Not, operand)
    }

    /// Conjunction.
    pub fn and(&mut self, left: ExprId, right: ExprId) -> ExprId {
        self.binary(Binary::And, left, right)
    }

    /// Disjunction.
    pub fn or(&mut self, left: ExprId, right: ExprId) -> ExprId {
        self.binary(Binary::Or, left, right)
    }

    /// Implication.
    pub fn implies(&mut self, left: ExprId, right: ExprId) -> ExprId {
        let not = self.not(left);
        self.or(not, right)
    }

    /// Equality.
    pub fn equal(&mut self, left: ExprId, right: ExprId) -> ExprId {
        self.binary(Binary::Equal, left, right)
    }

    /// What an expression reads, without the expressions that these read.
    pub fn operands(&self, id: ExprId) -> impl Iterator<Item = ExprId> {
        let (a, b, c) = match self.node(id) {
            Node::Constant(_) | Node::Current(_) | Node::Next(_) | Node::Undefined(_) => {
                (None, None, None)
            }
            Node::Unary(_, a) => (Some(a), None, None),
            Node::Binary(_, a, b) => (Some(a), Some(b), None),
            Node::Choose(a, b, c) => (Some(a), Some(b), Some(c)),
        };
        [a, b, c].into_iter().flatten()
    }

    /// The expressions that some roots are made of, operands first, the roots among them.
    pub fn reached(&self, roots: impl IntoIterator<Item = ExprId>) -> Vec<ExprId> {
        let mut stack: Vec<ExprId> = roots.into_iter().collect();
        let mut seen = std::collections::HashSet::new();
        let mut found = Vec::new();
        while let Some(id) = stack.pop() {
            if seen.insert(id) {
                found.push(id);
                stack.extend(self.operands(id));
            }
        }
        found.sort_unstable();
        found
    }

    /// The same expression about the state after the transition.
    pub fn shifted(&mut self, id: ExprId) -> ExprId {
        let mut images: HashMap<ExprId, ExprId> = HashMap::new();
        for old in self.reached([id]) {
            let sort = self.sort(old);
            let image = match self.node(old) {
                Node::Constant(_) | Node::Next(_) | Node::Undefined(_) => old,
                Node::Current(variable) => self.next(variable, sort),
                Node::Unary(operator, a) => self.unary(operator, images[&a]),
                Node::Binary(operator, a, b) => self.binary(operator, images[&a], images[&b]),
                Node::Choose(a, b, c) => self.choose(images[&a], images[&b], images[&c]),
            };
            images.insert(old, image);
        }
        images[&id]
    }

    /// When an expression has a value: nothing undefined is needed for it. A false operand is
    /// enough for a conjunction, a true one for a disjunction, and of a choice one side is needed.
    pub fn defined(&mut self, id: ExprId) -> ExprId {
        let reached = self.reached([id]);
        if !reached.iter().any(|id| matches!(self.node(*id), Node::Undefined(_))) {
            return self.truth(true);
        }
        let mut when: HashMap<ExprId, ExprId> = HashMap::new();
        for old in reached {
            let is_truth = self.sort(old) == Sort::Boolean;
            let defined = match self.node(old) {
                Node::Undefined(_) => self.truth(false),
                Node::Constant(_) | Node::Current(_) | Node::Next(_) => self.truth(true),
                Node::Unary(_, a) => when[&a],
                Node::Binary(operator @ (Binary::And | Binary::Or), a, b) if is_truth => {
                    let both = self.and(when[&a], when[&b]);
                    let mut any = both;
                    for operand in [a, b] {
                        let settled =
                            if operator == Binary::And { self.not(operand) } else { operand };
                        let enough = self.and(when[&operand], settled);
                        any = if self.as_constant(both) == Some(1) {
                            any
                        } else {
                            self.or(any, enough)
                        };
                    }
                    any
                }
                Node::Binary(_, a, b) => self.and(when[&a], when[&b]),
                Node::Choose(a, b, c) => {
                    let chosen = self.choose(a, when[&b], when[&c]);
                    self.and(when[&a], chosen)
                }
            };
            when.insert(old, defined);
        }
        when[&id]
    }

    /// The conjuncts of an expression, each once, in their order.
    pub fn conjuncts(&self, id: ExprId) -> Vec<ExprId> {
        let (mut stack, mut found) = (vec![id], Vec::new());
        let mut seen = std::collections::HashSet::new();
        while let Some(id) = stack.pop() {
            match self.node(id) {
                Node::Binary(Binary::And, a, b) if self.sort(id) == Sort::Boolean => {
                    stack.extend([b, a]);
                }
                Node::Constant(1) => {}
                _ if !seen.insert(id) => {}
                _ => found.push(id),
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_expression_is_written_once_and_constants_are_folded() {
        let mut table = Expressions::default();
        let x = table.current(VarId(0), Sort::Scalar);
        let (two, three) = (table.integer(2), table.integer(3));
        let a = table.binary(Binary::Add, x, two);
        let b = table.binary(Binary::Add, x, two);
        assert_eq!(a, b);
        let sum = table.binary(Binary::Add, two, three);
        assert_eq!(table.as_constant(sum), Some(5));
    }

    #[test]
    fn shifting_speaks_about_the_state_after_the_transition() {
        let mut table = Expressions::default();
        let x = table.current(VarId(0), Sort::Scalar);
        let two = table.integer(2);
        let now = table.equal(x, two);
        let then = table.shifted(now);
        let next = table.next(VarId(0), Sort::Scalar);
        assert_eq!(then, table.equal(next, two));
    }

    #[test]
    fn conjuncts_come_in_their_order() {
        let mut table = Expressions::default();
        let p: Vec<ExprId> = (0..3).map(|k| table.current(VarId(k), Sort::Boolean)).collect();
        let left = table.and(p[0], p[1]);
        let all = table.and(left, p[2]);
        assert_eq!(table.conjuncts(all), p);
    }
}
