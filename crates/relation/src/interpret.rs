//! States one by one: which are initial, and what follows a state. This is the definition of what
//! a relation means; it is written for clarity and is fast enough for small systems only.

mod evaluate;
mod lasso;
mod solve;

pub use evaluate::Evaluator;
pub use lasso::Lasso;

use std::collections::HashMap;
use std::ops::ControlFlow;

use crate::{ExprId, Kind, Mention, Obligation, Relation, Value, VarId};
use solve::Solver;

/// The values of all variables; inputs are 0 in a state.
pub type State = Vec<Value>;

/// A transition: the inputs beside what they are chosen in, and the state that is reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transition {
    /// The state that is left, with the inputs.
    pub from: State,
    /// The state that is reached.
    pub to: State,
}

/// Steps a relation.
#[derive(Debug)]
pub struct Interpreter<'r> {
    relation: &'r Relation,
    initial: Solver<'r>,
    step: Solver<'r>,
    invariant: Vec<Evaluator>,
    transition: Vec<Evaluator>,
    init: Vec<Evaluator>,
}

impl<'r> Interpreter<'r> {
    /// An interpreter.
    pub fn new(relation: &'r Relation) -> Self {
        let evaluators = |parts: &[crate::Part]| -> Vec<Evaluator> {
            parts.iter().map(|p| Evaluator::new(&relation.expressions, p.expr)).collect()
        };
        let states = || relation.numbered().filter(|(_, v)| v.kind != Kind::Input);
        let now: Vec<Mention> = states().map(|(id, _)| Mention::Current(id)).collect();
        let first = relation.init.iter().chain(&relation.invariants);
        let initial = Solver::new(relation, now, first.map(|p| (p.expr, false)).collect(), &[]);
        let inputs = relation.numbered().filter(|(_, v)| v.kind == Kind::Input);
        let mut cells: Vec<Mention> = inputs.map(|(id, _)| Mention::Current(id)).collect();
        cells.extend(states().map(|(id, _)| Mention::Next(id)));
        let known: Vec<Mention> = states().map(|(id, _)| Mention::Current(id)).collect();
        let mut constraints: Vec<(ExprId, bool)> =
            relation.transitions.iter().map(|p| (p.expr, false)).collect();
        constraints.extend(relation.invariants.iter().map(|p| (p.expr, true)));
        let step = Solver::new(relation, cells, constraints, &known);
        Interpreter {
            relation,
            initial,
            step,
            invariant: evaluators(&relation.invariants),
            transition: evaluators(&relation.transitions),
            init: evaluators(&relation.init),
        }
    }

    /// Hands over every initial state, each once.
    pub fn initial<B>(&self, mut each: impl FnMut(State) -> ControlFlow<B>) -> ControlFlow<B> {
        let nothing = vec![0; self.relation.variables.len()];
        self.initial.solve(&nothing, &nothing, &mut |now, _| each(now.to_vec()))
    }

    /// Hands over every transition from a state; the same state may be reached with several inputs.
    pub fn transitions<B>(
        &self,
        state: &[Value],
        mut each: impl FnMut(Transition) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let nothing = vec![0; self.relation.variables.len()];
        self.step.solve(state, &nothing, &mut |now, next| {
            let mut to = next.to_vec();
            for (id, variable) in self.relation.numbered() {
                match variable.kind {
                    Kind::Frozen => to[id.index()] = now[id.index()],
                    Kind::Input => to[id.index()] = 0,
                    Kind::State => {}
                }
            }
            each(Transition { from: now.to_vec(), to })
        })
    }

    /// The states that can follow, each once.
    pub fn successors(&self, state: &[Value]) -> Vec<State> {
        let mut found = std::collections::BTreeSet::new();
        let _: ControlFlow<()> = self.transitions(state, |transition| {
            found.insert(transition.to);
            ControlFlow::Continue(())
        });
        found.into_iter().collect()
    }

    /// Whether values are a state: inside the domains, and all invariants true.
    pub fn is_state(&self, state: &[Value]) -> bool {
        let inside = |(id, v): (VarId, &crate::Variable)| {
            v.kind == Kind::Input || v.domain.contains(state[id.index()])
        };
        self.relation.numbered().all(inside) && all(&self.invariant, self.relation, state, state)
    }

    /// Whether values are an initial state.
    pub fn is_initial(&self, state: &[Value]) -> bool {
        self.is_state(state) && all(&self.init, self.relation, state, state)
    }

    /// Whether there is a transition with these inputs (in `from`) between two states.
    pub fn is_transition(&self, from: &[Value], to: &[Value]) -> bool {
        let kept = |(id, v): (VarId, &crate::Variable)| match v.kind {
            Kind::Frozen => from[id.index()] == to[id.index()],
            Kind::Input => v.domain.contains(from[id.index()]),
            Kind::State => true,
        };
        self.relation.numbered().all(kept)
            && self.is_state(from)
            && self.is_state(to)
            && all(&self.transition, self.relation, from, to)
    }

    /// The value of an expression in a state or on a transition.
    pub fn value(&self, expr: ExprId, now: &[Value], next: &[Value]) -> Value {
        Evaluator::new(&self.relation.expressions, expr).value(
            &self.relation.expressions,
            now,
            next,
        )
    }

    /// The first obligation that fails on a transition.
    pub fn trouble(&self, now: &[Value], next: &[Value]) -> Option<Obligation> {
        let fails = |o: &&Obligation| self.value(o.expr, now, next) == 0;
        self.relation.obligations.iter().find(fails).copied()
    }

    /// All reachable states with their distance from the initial ones, or nothing if there are
    /// more than `limit`.
    pub fn reachable(&self, limit: usize) -> Option<Vec<(State, u32)>> {
        let mut found: Vec<(State, u32)> = Vec::new();
        let mut known: HashMap<State, ()> = HashMap::new();
        let mut full = false;
        let _: ControlFlow<()> = self.initial(|state| {
            if known.insert(state.clone(), ()).is_none() {
                found.push((state, 0));
            }
            full = found.len() > limit;
            if full {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        let mut at = 0;
        while at < found.len() && !full {
            let (state, distance) = found[at].clone();
            for next in self.successors(&state) {
                if known.insert(next.clone(), ()).is_none() {
                    found.push((next, distance + 1));
                }
            }
            full = found.len() > limit;
            at += 1;
        }
        (!full).then_some(found)
    }
}

fn all(parts: &[Evaluator], relation: &Relation, now: &[Value], next: &[Value]) -> bool {
    parts.iter().all(|p| p.value(&relation.expressions, now, next) != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Binary, Domain, Part, Variable};

    /// A counter from 0 to 4 that may stop, and stays at 4.
    fn counter() -> Relation {
        let mut r = Relation::default();
        let domain = Domain::Range(0, 4);
        r.variables.push(Variable { name: "x".into(), domain, kind: Kind::State });
        let (x, next) = (r.current(VarId(0)), r.next(VarId(0)));
        let e = &mut r.expressions;
        let (zero, one, four) = (e.integer(0), e.integer(1), e.integer(4));
        let init = e.equal(x, zero);
        let more = e.binary(Binary::Add, x, one);
        let less = e.binary(Binary::Less, x, four);
        let step = e.equal(next, more);
        let stay = e.equal(next, x);
        let either = e.or(step, stay);
        let transition = e.choose(less, either, stay);
        r.init.push(Part { expr: init, place: None });
        r.transitions.push(Part { expr: transition, place: None });
        r
    }

    #[test]
    fn a_counter_reaches_every_value_once() {
        let relation = counter();
        let interpreter = Interpreter::new(&relation);
        let states = interpreter.reachable(100).unwrap();
        assert_eq!(states, (0..5).map(|k| (vec![k], k as u32)).collect::<Vec<_>>());
        assert_eq!(interpreter.successors(&[4]), [[4]]);
        assert!(interpreter.is_transition(&[1], &[2]) && !interpreter.is_transition(&[1], &[3]));
        assert!(interpreter.reachable(3).is_none());
    }
}
