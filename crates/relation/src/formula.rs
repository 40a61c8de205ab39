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

    /// The operands of an operator.
    pub fn operands(&self, id: FormulaId) -> impl Iterator<Item = FormulaId> {
        let (a, b) = match self.operator(id) {
            Operator::True | Operator::Atom(_) => (None, None),
            Operator::Not(f)
            | Operator::Ex(f)
            | Operator::Eg(f)
            | Operator::Next(f)
            | Operator::Previous(f) => (Some(f), None),
            Operator::And(f, g)
            | Operator::Or(f, g)
            | Operator::Iff(f, g)
            | Operator::Eu(f, g)
            | Operator::Until(f, g)
            | Operator::Since(f, g) => (Some(f), Some(g)),
        };
        [a, b].into_iter().flatten()
    }

    /// Which subformulas the whole is made of.
    pub fn used(&self) -> Vec<bool> {
        let mut used = vec![false; self.operators.len()];
        let mut stack = vec![self.root()];
        while let Some(id) = stack.pop() {
            if !std::mem::replace(&mut used[id.index()], true) {
                stack.extend(self.operands(id));
            }
        }
        used
    }

    /// Formulas whose conjunction this one is, in linear time: what is always true of both is
    /// always true of each.
    pub fn conjuncts(&self) -> Vec<Formula> {
        let mut table = self.clone();
        // What is asked, whether it is negated, and whether of every state.
        let (mut stack, mut found) = (vec![(self.root(), false, false)], Vec::new());
        while let Some((id, negated, always)) = stack.pop() {
            match (table.operator(id), negated) {
                (Operator::Not(f), _) => stack.push((f, !negated, always)),
                (Operator::And(f, g), false) | (Operator::Or(f, g), true) => {
                    stack.extend([(g, negated, always), (f, negated, always)]);
                }
                (Operator::Until(f, g), true) if table.operator(f) == Operator::True => {
                    stack.push((g, true, true));
                }
                _ => {
                    let mut root = if negated { table.not(id) } else { id };
                    if always {
                        let (not, all) = (table.not(root), table.add(Operator::True));
                        let some = table.add(Operator::Until(all, not));
                        root = table.not(some);
                    }
                    found.push(root);
                }
            }
        }
        let whole = |root| {
            let mut formula = table.clone();
            formula.set_root(root);
            formula
        };
        found.into_iter().map(whole).collect()
    }

    /// The expressions that it speaks about.
    pub fn atoms(&self) -> impl Iterator<Item = ExprId> + '_ {
        self.operators.iter().filter_map(|operator| match operator {
            Operator::Atom(expr) => Some(*expr),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_always_true_of_both_is_asked_of_each() {
        let mut f = Formula::default();
        let (p, q) = (f.add(Operator::Atom(ExprId(0))), f.add(Operator::Atom(ExprId(1))));
        let both = f.add(Operator::And(p, q));
        let not = f.not(both);
        let all = f.add(Operator::True);
        let some = f.add(Operator::Until(all, not));
        let root = f.not(some);
        f.set_root(root);
        let parts: Vec<String> = f.conjuncts().iter().map(crate::text::formula).collect();
        assert_eq!(parts, ["(not (U true (not e0)))", "(not (U true (not e1)))"]);
    }
}
