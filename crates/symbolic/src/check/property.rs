//! One specification after the other.

use std::rc::Rc;
use std::time::Instant;

use isospin_relation::{ExprId, Formula, Operator, Property};

use crate::ctl::Space;
use crate::diagram::{Diagram, Result};
use crate::engine::Engine;
use crate::ltl::{product, Violations};
use crate::reach::{Reached, Strategy};
use crate::report::{Found, Trace, Verdict};
use crate::witness::{judge, Path};

/// Decides specifications of a system whose reachable states are known.
pub(super) struct Decider<'e> {
    engine: &'e mut Engine,
    reached: Reached,
    /// Whether every reachable state has a successor.
    total: bool,
    traces: bool,
    /// The reachable states from which fair paths start, once somebody needs them.
    fair: Option<Diagram>,
}

impl<'e> Decider<'e> {
    pub(super) fn new(engine: &'e mut Engine, reached: Reached, total: bool, traces: bool) -> Self {
        Decider { engine, reached, total, traces, fair: None }
    }

    /// What is found out, and whether the interpreter confirms it.
    pub(super) fn decide(&mut self, property: &Property) -> Result<(Found, bool)> {
        let start = Instant::now();
        let (verdict, trace) = match property {
            Property::Ctl(formula) => self.ctl(formula)?,
            Property::Ltl(formula) => self.ltl(formula)?,
            Property::Invariant(expr) => self.invariant(*expr)?,
            Property::Compute { longest, from, to } => {
                (Verdict::Length(self.compute(*longest, from, to)?), None)
            }
        };
        let relation = &self.engine.relation;
        let sound = trace.as_ref().is_none_or(|trace| judge(relation, property, trace).is_ok());
        let vacuous = verdict == Verdict::Holds && self.is_vacuous(property)?;
        Ok((Found { verdict, trace, vacuous, time: start.elapsed() }, sound))
    }

    /// Whether a temporal property holds for want of paths: states without successor are reached
    /// from every initial state, and nothing else.
    fn is_vacuous(&mut self, property: &Property) -> Result<bool> {
        if self.total || !matches!(property, Property::Ctl(_) | Property::Ltl(_)) {
            return Ok(false);
        }
        let fair = self.fair()?;
        let system = &self.engine.system;
        let begins = system.diagrams.and(&system.init, &fair)?;
        Ok(system.diagrams.is_no(&begins))
    }

    fn fair(&mut self) -> Result<Diagram> {
        if let Some(fair) = &self.fair {
            return Ok(fair.clone());
        }
        let system = &self.engine.system;
        let free = system.justice.is_empty() && system.compassion.is_empty();
        let fair = if free && self.total {
            self.reached.states.clone()
        } else {
            system.fair_forever(&self.reached.states)?
        };
        self.fair = Some(fair.clone());
        Ok(fair)
    }

    fn ctl(&mut self, formula: &Formula) -> Result<(Verdict, Option<Trace>)> {
        let fair = self.fair()?;
        let engine = &mut *self.engine;
        let space = Space {
            system: &engine.system,
            within: self.reached.states.clone(),
            fair: fair.clone(),
        };
        let d = Rc::clone(&engine.system.diagrams);
        // `AG p`: whether some reachable state that begins a fair path is bad.
        if let Operator::Not(f) = formula.operator(formula.root()) {
            if let Operator::Eu(always, bad) = formula.operator(f) {
                if formula.operator(always) == Operator::True {
                    let mut part = formula.clone();
                    part.set_root(bad);
                    let sets = space.satisfying_up_to(&mut engine.translator, formula, bad)?;
                    let bad_states = d.and(&sets[bad.index()], &fair)?;
                    if d.is_no(&bad_states) {
                        return Ok((Verdict::Holds, None));
                    }
                    if !self.traces {
                        return Ok((Verdict::Violated, None));
                    }
                    let path = engine.system.path_to(&self.reached.layers, &bad_states)?;
                    let Some(mut path) = path else { return Ok((Verdict::Violated, None)) };
                    let Some(last) = path.points.pop() else {
                        return Ok((Verdict::Violated, None));
                    };
                    let mut trace = path.trace(&engine.relation, &engine.encoding);
                    let rest = space.explain(
                        &engine.relation,
                        &engine.encoding,
                        &part,
                        &sets,
                        &last,
                        true,
                    )?;
                    append(&mut trace, rest);
                    return Ok((Verdict::Violated, Some(trace)));
                }
            }
        }
        let sets = space.satisfying(&mut engine.translator, formula)?;
        let first = d.and(&engine.system.init, &fair)?;
        let bad = d.minus(&first, &sets[formula.root().index()])?;
        let Some(point) = d.pick(&bad) else { return Ok((Verdict::Holds, None)) };
        if !self.traces {
            return Ok((Verdict::Violated, None));
        }
        let trace =
            space.explain(&engine.relation, &engine.encoding, formula, &sets, &point, false)?;
        Ok((Verdict::Violated, Some(trace)))
    }

    fn invariant(&mut self, expr: ExprId) -> Result<(Verdict, Option<Trace>)> {
        let engine = &mut *self.engine;
        let (system, relation) = (&engine.system, &engine.relation);
        let d = &system.diagrams;
        let bad = d.not(&engine.translator.truth(expr)?)?;
        let of_states = relation.is_of_states(expr);
        let bad_states = if of_states {
            d.and(&bad, &self.reached.states)?
        } else {
            let next = system.transition.preimage(d, &system.states, Some(&bad))?;
            d.and(&next, &self.reached.states)?
        };
        if d.is_no(&bad_states) {
            return Ok((Verdict::Holds, None));
        }
        if !self.traces {
            return Ok((Verdict::Violated, None));
        }
        let path = system.path_to(&self.reached.layers, &bad_states)?;
        let Some(mut path) = path else { return Ok((Verdict::Violated, None)) };
        if !of_states {
            system.bad_step(&mut path, &bad)?;
        }
        Ok((Verdict::Violated, Some(path.trace(relation, &engine.encoding))))
    }

    /// A formula of linear time: each of its conjuncts.
    fn ltl(&mut self, formula: &Formula) -> Result<(Verdict, Option<Trace>)> {
        for part in formula.conjuncts() {
            let found = match Violations::of(&self.engine.relation, &part) {
                Some(violations) => self.fixpoints(&violations)?,
                None => self.tableau(&part)?,
            };
            if found.0 != Verdict::Holds {
                return Ok(found);
            }
        }
        Ok((Verdict::Holds, None))
    }

    /// A formula whose violations are found without a tableau.
    fn fixpoints(&mut self, violations: &Violations<'_>) -> Result<(Verdict, Option<Trace>)> {
        let fair = self.fair()?;
        let engine = &mut *self.engine;
        let within = &self.reached.states;
        let found = violations.find(&mut engine.system, &mut engine.translator, within, &fair)?;
        let Some((start, goal)) = found else { return Ok((Verdict::Holds, None)) };
        if !self.traces {
            return Ok((Verdict::Violated, None));
        }
        let path = engine.system.path_to(&self.reached.layers, &start)?;
        let Some(mut path) = path else { return Ok((Verdict::Violated, None)) };
        goal.show(&mut engine.system, &mut path, within, &fair)?;
        let trace = path.trace(&engine.relation, &engine.encoding);
        Ok((Verdict::Violated, Some(trace.shortened())))
    }

    fn tableau(&mut self, formula: &Formula) -> Result<(Verdict, Option<Trace>)> {
        let engine = &mut *self.engine;
        let extra = engine.encoding.extra.clone();
        let system = &engine.system;
        let mut product =
            product(system, &engine.relation, &mut engine.translator, formula, &extra)?;
        let d = &product.diagrams;
        if d.is_no(&product.init) {
            return Ok((Verdict::Holds, None));
        }
        let reached = product.reached(&product.init, Strategy::Automatic, &mut |_| Ok(()))?;
        product.transition = product.transition.simplified(&product.diagrams, &reached.states)?;
        let d = &product.diagrams;
        let fair = product.fair_forever(&reached.states)?;
        let bad = d.and(&product.init, &fair)?;
        let Some(point) = d.pick(&bad) else { return Ok((Verdict::Holds, None)) };
        if !self.traces {
            return Ok((Verdict::Violated, None));
        }
        let mut path = Path { points: vec![point], ..Path::default() };
        let hull = product.hull_of(&reached.states, &fair)?;
        product.end_in_lasso(&mut path, &reached.states, &hull)?;
        let trace = path.trace(&engine.relation, &engine.encoding);
        Ok((Verdict::Violated, Some(trace.shortened())))
    }

    fn compute(
        &mut self,
        longest: bool,
        from: &Formula,
        to: &Formula,
    ) -> Result<crate::report::Length> {
        let fair = self.fair()?;
        let engine = &mut *self.engine;
        let within = self.reached.states.clone();
        let space = Space { system: &engine.system, within: within.clone(), fair };
        let sets = space.satisfying(&mut engine.translator, from)?;
        let start = sets[from.root().index()].clone();
        let sets = space.satisfying(&mut engine.translator, to)?;
        let end = sets[to.root().index()].clone();
        if longest {
            engine.system.longest(&start, &end, &within)
        } else {
            engine.system.shortest(&start, &end)
        }
    }
}

/// A trace that goes on where another ends.
fn append(trace: &mut Trace, rest: Trace) {
    let before = trace.states.len();
    trace.states.extend(rest.states);
    trace.back = rest.back.map(|at| at + before);
    trace.branches.extend(rest.branches.into_iter().map(|(at, b)| (at + before, b)));
    trace.partial = rest.partial;
}
