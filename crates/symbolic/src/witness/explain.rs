//! Why a formula of branching time holds in a state or not, as far as paths can show it.

use isospin_relation::{Formula, FormulaId, Operator, Relation};

use super::{Path, Point};
use crate::ctl::Space;
use crate::diagram::{Diagram, Result};
use crate::encode::Encoding;
use crate::report::Trace;

/// So many operators are followed, in all branches together.
const MAX_OPERATORS: usize = 10_000;
/// Branches of branches are told so deep (files of executions nest three times as deep, and their
/// reader allows 128).
const MAX_DEPTH: usize = 30;

/// A formula with the states that satisfy each of its subformulas, to be told in executions.
struct Teller<'s, 'a> {
    space: &'s Space<'a>,
    relation: &'s Relation,
    encoding: &'s Encoding,
    formula: &'s Formula,
    sets: &'s [Diagram],
    /// How deep temporal operators are nested in each subformula.
    depths: Vec<usize>,
    /// The operators that may still be followed.
    left: usize,
}

impl Space<'_> {
    /// An execution from a state that shows why a formula is true or false in it.
    pub(crate) fn explain(
        &self,
        relation: &Relation,
        encoding: &Encoding,
        formula: &Formula,
        sets: &[Diagram],
        start: &Point,
        wanted: bool,
    ) -> Result<Trace> {
        let (depths, left) = (depths(formula), MAX_OPERATORS);
        let mut teller = Teller { space: self, relation, encoding, formula, sets, depths, left };
        teller.tell(formula.root(), wanted, start, MAX_DEPTH)
    }

    /// Extends a path so that it shows a formula that holds in its last state.
    fn extend(
        &self,
        formula: &Formula,
        f: FormulaId,
        sets: &[Diagram],
        path: &mut Path,
    ) -> Result<()> {
        let (system, d) = (self.system, &self.system.diagrams);
        let Some(from) = path.points.last().cloned() else { return Ok(()) };
        match formula.operator(f) {
            Operator::Ex(g) => {
                let next = system.image(&system.only(&from)?)?;
                let target = d.and(&d.and(&next, &sets[g.index()])?, &self.fair)?;
                if let Some(point) = system.point(&target) {
                    system.steps(path, &[point])?;
                }
            }
            Operator::Eu(g, h) => {
                let target = d.and(&sets[h.index()], &self.fair)?;
                if let Some(points) = system.walk(&from, &sets[g.index()], &target)? {
                    system.steps(path, &points)?;
                }
            }
            Operator::Eg(g) => {
                let hull = system.hull_of(&sets[g.index()], &sets[f.index()])?;
                system.end_in_lasso(path, &sets[g.index()], &hull)?;
            }
            _ => {}
        }
        Ok(())
    }
}

impl Teller<'_, '_> {
    /// The longest of what has to be shown is told along the execution, the rest in branches.
    fn tell(&mut self, f: FormulaId, wanted: bool, start: &Point, deeper: usize) -> Result<Trace> {
        let formula = self.formula;
        let mut path = Path { points: vec![start.clone()], ..Path::default() };
        let mut todo = vec![(f, wanted, 0usize)];
        let mut partial = false;
        let mut branches = Vec::new();
        while let Some((f, wanted, at)) = todo.pop() {
            if self.left == 0 {
                partial = true;
                break;
            }
            self.left -= 1;
            let is_last = at + 1 == path.points.len() && path.back.is_none();
            match (formula.operator(f), wanted) {
                (Operator::True | Operator::Atom(_), _) => {}
                (Operator::Not(g), _) => todo.push((g, !wanted, at)),
                (Operator::And(g, h), true) | (Operator::Or(g, h), false) => {
                    let (first, second) = self.deeper_first(g, h);
                    todo.extend([(second, wanted, at), (first, wanted, at)]);
                }
                (Operator::And(g, h), false) | (Operator::Or(g, h), true) => {
                    let first = self.holds(g, &path.points[at])? == wanted;
                    todo.push((if first { g } else { h }, wanted, at));
                }
                (Operator::Iff(g, h), _) => {
                    let (first, second) = self.deeper_first(g, h);
                    for f in [second, first] {
                        todo.push((f, self.holds(f, &path.points[at])?, at));
                    }
                }
                (Operator::Ex(_) | Operator::Eu(..) | Operator::Eg(_), true) if !is_last => {
                    // The path goes another way: this is shown beside it.
                    if deeper == 0 {
                        partial = true;
                        continue;
                    }
                    let start = path.points[at].clone();
                    let branch = self.tell(f, true, &start, deeper - 1)?;
                    partial |= branch.partial;
                    // Where it is seen at once, nothing is to be told.
                    if branch.states.len() > 1 || branch.back.is_some() {
                        branches.push((at, branch));
                    }
                }
                (Operator::Ex(g) | Operator::Eu(_, g), true) => {
                    self.space.extend(formula, f, self.sets, &mut path)?;
                    todo.push((g, true, path.points.len() - 1));
                }
                (Operator::Eg(_), true) => self.space.extend(formula, f, self.sets, &mut path)?,
                _ => partial = true,
            }
        }
        let mut trace = path.trace(self.relation, self.encoding);
        trace.partial = partial;
        trace.branches = branches;
        Ok(trace)
    }

    fn deeper_first(&self, g: FormulaId, h: FormulaId) -> (FormulaId, FormulaId) {
        if self.depths[g.index()] >= self.depths[h.index()] {
            (g, h)
        } else {
            (h, g)
        }
    }

    fn holds(&self, f: FormulaId, point: &Point) -> Result<bool> {
        let system = self.space.system;
        let d = &system.diagrams;
        Ok(!d.is_no(&d.and(&self.sets[f.index()], &system.only(point)?)?))
    }
}

/// How deep temporal operators are nested in each subformula.
fn depths(formula: &Formula) -> Vec<usize> {
    let mut depths: Vec<usize> = Vec::new();
    for operator in formula.operators() {
        let of = |f: FormulaId| depths[f.index()];
        let depth = match *operator {
            Operator::True | Operator::Atom(_) => 0,
            Operator::Not(f) => of(f),
            Operator::And(f, g) | Operator::Or(f, g) | Operator::Iff(f, g) => of(f).max(of(g)),
            Operator::Ex(f) | Operator::Eg(f) | Operator::Next(f) | Operator::Previous(f) => {
                of(f) + 1
            }
            Operator::Eu(f, g) | Operator::Until(f, g) | Operator::Since(f, g) => {
                of(f).max(of(g)) + 1
            }
        };
        depths.push(depth);
    }
    depths
}
