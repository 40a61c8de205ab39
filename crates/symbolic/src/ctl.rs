//! Branching time: which states satisfy which subformula.

use isospin_relation::{Formula, FormulaId, Operator};

use crate::diagram::{Diagram, Result};
use crate::fair::System;
use crate::translate::Translator;

/// What is looked at: the states of interest, and which of them begin fair paths.
pub(crate) struct Space<'s> {
    pub(crate) system: &'s System,
    pub(crate) within: Diagram,
    pub(crate) fair: Diagram,
}

impl Space<'_> {
    /// For every subformula the states that satisfy it. Quantifiers range over fair paths.
    pub(crate) fn satisfying(
        &self,
        translator: &mut Translator,
        formula: &Formula,
    ) -> Result<Vec<Diagram>> {
        self.satisfying_up_to(translator, formula, formula.root())
    }

    /// The same for what a subformula needs only.
    pub(crate) fn satisfying_up_to(
        &self,
        translator: &mut Translator,
        formula: &Formula,
        last: FormulaId,
    ) -> Result<Vec<Diagram>> {
        let (system, d) = (self.system, &self.system.diagrams);
        let mut sets: Vec<Diagram> = Vec::new();
        for operator in &formula.operators()[..=last.index()] {
            let of = |f: FormulaId| &sets[f.index()];
            let set = match *operator {
                Operator::True => self.within.clone(),
                Operator::Atom(expr) => d.and(&translator.truth(expr)?, &self.within)?,
                Operator::Not(f) => d.minus(&self.within, of(f))?,
                Operator::And(f, g) => d.and(of(f), of(g))?,
                Operator::Or(f, g) => d.or(of(f), of(g))?,
                Operator::Iff(f, g) => d.and(&d.same(of(f), of(g))?, &self.within)?,
                Operator::Ex(f) => system.before(&d.and(of(f), &self.fair)?, &self.within)?,
                Operator::Eg(f) => system.fair_forever(of(f))?,
                Operator::Eu(f, g) => system.until(of(f), &d.and(of(g), &self.fair)?)?,
                Operator::Next(_)
                | Operator::Until(..)
                | Operator::Previous(_)
                | Operator::Since(..) => d.no(),
            };
            sets.push(set);
        }
        Ok(sets)
    }
}
