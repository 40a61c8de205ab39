//! Temporal formulas over expressions: branching time and linear time, with past.

use std::collections::HashMap;

use crate::ExprId;

/// The number of a formula in its table. Operands have smaller numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FormulaId(pub u32);

impl FormulaId {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One operator over formulas; front ends write the others with these.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operator {
    /// An expression about a state; in linear time it may speak of inputs and the next state.
    Atom(ExprId),
    /// True everywhere.
    True,
    /// Negation.
    Not(FormulaId),
    /// Conjunction.
    And(FormulaId, FormulaId),
    /// Disjunction.
    Or(FormulaId, FormulaId),
    /// Equivalence.
    Iff(FormulaId, FormulaId),
    /// Some successor.
    Ex(FormulaId),
    /// Some path, always.
    Eg(FormulaId),
    /// Some path, the first until the second.
    Eu(FormulaId, FormulaId),
    /// In the next state.
    Next(FormulaId),
    /// The first until the second.
    Until(FormulaId, FormulaId),
    /// The first before, with a state before.
    Previous(FormulaId),
    /// The first since the second.
    Since(FormulaId, FormulaId),
}

/// A formula: a table in which each subformula is written once, and which of them is the whole.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Formula {
    operators: Vec<Operator>,
    known: HashMap<Operator, FormulaId>,
    root: Option<FormulaId>,
}

impl Formula {
    /// The operators, operands before what they occur in.
    pub fn operators(&self) -> &[Operator] {
        &self.operators
    }

    /// The whole formula: what was named as such, otherwise what was added last.
    pub fn root(&self) -> FormulaId {
        self.root.unwrap_or(FormulaId((self.operators.len() as u32).saturating_sub(1)))
    }

    /// Says which formula is the whole.
    pub fn set_root(&mut self, root: FormulaId) {
        self.root = Some(root);
    }

    /// One operator.
    pub fn operator(&self, id: FormulaId) -> Operator {
        self.operators[id.index()]
    }

    /// Adds an operator over formulas that are there.
    pub fn add(&mut self, operator: Operator) -> FormulaId {
        let next = FormulaId(self.operators.len() as u32);
        *self.known.entry(operator).or_insert_with(|| {
            self.operators.push(operator);
            next
        })
    }

    /// Negation; of a negation, what is negated.
    pub fn not(&mut self, f: FormulaId) -> FormulaId {
        match self.operator(f) {
            Operator::Not(inner) => inner,
            _ => self.add(Operator::Not(f)),
        }
    }

    /// The expressions that it speaks about.
    pub fn atoms(&self) -> impl Iterator<Item = ExprId> + '_ {
        self.operators.iter().filter_map(|operator| match operator {
            Operator::Atom(expr) => Some(*expr),
            _ => None,
        })
    }
}
