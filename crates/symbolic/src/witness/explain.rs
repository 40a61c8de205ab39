//! Why a formula of branching time holds in a state or not, as far as paths can show it.

use isospin_relation::{Formula, FormulaId, Operator};

use super::{Path, Point};
use crate::ctl::Space;
use crate::diagram::{Diagram, Result};
use crate::encode::Encoding;
use crate::report::Trace;

/// Formulas are followed at most so far.
const MAX_OPERATORS: usize = 10_000;

impl Space<'_> {
    /// An execution from a state that shows why a formula is true or false in it.
    pub(crate) fn explain(
        &self,
        relation: &isospin_relation::Relation,
        encoding: &Encoding,
        formula: &Formula,
        sets: &[Diagram],
        start: &Point,
        wanted: bool,
    ) -> Result<Trace> {
        let mut path = Path { points: vec![start.clone()], ..Path::default() };
        let mut todo = vec![(formula.root(), wanted, 0usize)];
        let mut partial = false;
        let mut branches = Vec::new();
        for _ in 0..MAX_OPERATORS {
            let Some((f, wanted, at)) = todo.pop() else { break };
            let is_last = at + 1 == path.points.len() && path.back.is_none();
            match (formula.operator(f), wanted) {
                (Operator::True | Operator::Atom(_), _) => {}
                (Operator::Not(g), _) => todo.push((g, !wanted, at)),
                (Operator::And(g, h), true) | (Operator::Or(g, h), false) => {
                    todo.extend([(h, wanted, at), (g, wanted, at)]);
                }
                (Operator::And(g, h), false) | (Operator::Or(g, h), true) => {
                    let first = self.holds(sets, g, &path.points[at])? == wanted;
                    todo.push((if first { g } else { h }, wanted, at));
                }
                (Operator::Iff(g, h), _) => {
                    for f in [h, g] {
                        let value = self.holds(sets, f, &path.points[at])?;
                        todo.push((f, value, at));
                    }
                }
                (Operator::Ex(_) | Operator::Eu(..) | Operator::Eg(_), true) if !is_last => {
                    // The path goes another way: this is shown beside it.
                    let mut beside =
                        Path { points: vec![path.points[at].clone()], ..Path::default() };
                    self.extend(formula, f, sets, &mut beside)?;
                    branches.push((at, beside.trace(relation, encoding)));
                }
                (Operator::Ex(g), true) => {
                    self.extend(formula, f, sets, &mut path)?;
                    todo.push((g, true, path.points.len() - 1));
                }
                (Operator::Eu(_, g), true) => {
                    self.extend(formula, f, sets, &mut path)?;
                    todo.push((g, true, path.points.len() - 1));
                }
                (Operator::Eg(_), true) => self.extend(formula, f, sets, &mut path)?,
                _ => partial = true,
            }
        }
        let mut trace = path.trace(relation, encoding);
        trace.partial = partial;
        trace.branches = branches;
        Ok(trace)
    }

    fn holds(&self, sets: &[Diagram], f: FormulaId, point: &Point) -> Result<bool> {
        let d = &self.system.diagrams;
        Ok(!d.is_no(&d.and(&sets[f.index()], &self.system.only(point)?)?))
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
