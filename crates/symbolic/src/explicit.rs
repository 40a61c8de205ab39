//! The same questions answered state by state, with the interpreter: for small models, and what
//! the diagrams are compared with. It shares no algorithm with them: fair paths are found by
//! strongly connected components, one after the other.

mod components;
mod linear;

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use isospin_relation::interpret::{Evaluator, Interpreter, State, Transition};
use isospin_relation::{ExprId, Formula, Operator, Property, Relation};

use crate::check::{Event, Options};
use crate::count::Count;
use crate::order::Order;
use crate::report::{Found, Length, Report, Status, Trace, Verdict};
use components::Graph;

/// More states than this are not looked at one by one.
const MOST: usize = 2_000_000;

/// Reachable states with all transitions between them.
pub(crate) struct Space<'r> {
    relation: &'r Relation,
    states: Vec<State>,
    /// For each state the transitions: the state with its inputs, and the number of what follows.
    edges: Vec<Vec<(State, usize)>>,
    /// The state from which each was reached first.
    parents: Vec<Option<usize>>,
    /// How many initial states there are; they come first.
    initial: usize,
    diameter: usize,
}

/// Checks all specifications, state by state.
pub fn explicit(
    relation: &Arc<Relation>,
    options: &Options,
    watch: &mut dyn FnMut(Option<&Event>) -> bool,
) -> Report {
    let mut report = Report::new(relation, Order::declared(relation));
    let Some(space) = explore(relation, watch) else {
        report.status = Status::Stopped;
        return report;
    };
    report.reachable = Some(Count::from(space.states.len() as u32));
    report.diameter = Some(space.diameter);
    report.rings = space.diameter;
    report.has_initial = space.initial > 0;
    report.deadlock =
        (0..space.states.len()).find(|k| space.edges[*k].is_empty()).map(|k| space.path_to(k));
    for (index, specification) in relation.specifications.iter().enumerate() {
        if options.only.as_ref().is_some_and(|only| !only.contains(&index)) {
            continue;
        }
        if !watch(None) {
            report.status = Status::Stopped;
            return report;
        }
        let start = Instant::now();
        let (verdict, trace) = space.decide(&specification.property);
        report.found[index] = Found { verdict, trace, vacuous: false, time: start.elapsed() };
    }
    report
}

fn explore<'r>(
    relation: &'r Relation,
    watch: &mut dyn FnMut(Option<&Event>) -> bool,
) -> Option<Space<'r>> {
    let interpreter = Interpreter::new(relation);
    let mut numbers: HashMap<State, usize> = HashMap::new();
    let mut space = Space {
        relation,
        states: Vec::new(),
        edges: Vec::new(),
        parents: Vec::new(),
        initial: 0,
        diameter: 1,
    };
    let full = interpreter.initial(|state| {
        let next = space.states.len();
        numbers.entry(state.clone()).or_insert_with(|| {
            space.states.push(state);
            space.parents.push(None);
            next
        });
        if next > MOST {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    if full.is_break() {
        return None;
    }
    space.initial = space.states.len();
    let (mut at, mut ring_end) = (0, space.initial);
    while at < space.states.len() {
        if at == ring_end {
            space.diameter += 1;
            ring_end = space.states.len();
            let states = Count::from(ring_end as u32);
            if !watch(Some(&Event::Ring(space.diameter, 0, states))) {
                return None;
            }
        }
        if at % 1024 == 0 && !watch(None) || space.states.len() > MOST {
            return None;
        }
        let mut edges = Vec::new();
        let state = space.states[at].clone();
        let full = interpreter.transitions(&state, |Transition { from, to }| {
            let next = space.states.len();
            let number = *numbers.entry(to.clone()).or_insert_with(|| {
                space.states.push(to);
                space.parents.push(Some(at));
                next
            });
            edges.push((from, number));
            if edges.len() > MOST {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        if full.is_break() {
            return None;
        }
        space.edges.push(edges);
        at += 1;
    }
    Some(space)
}

impl Space<'_> {
    fn decide(&self, property: &Property) -> (Verdict, Option<Trace>) {
        let verdict = |holds: bool| if holds { Verdict::Holds } else { Verdict::Violated };
        match property {
            Property::Ctl(formula) => {
                let fair = self.graph().fair(&vec![true; self.states.len()]);
                let sets = self.satisfying(formula, &fair);
                let root = &sets[formula.root().index()];
                (verdict((0..self.initial).all(|k| root[k] || !fair[k])), None)
            }
            Property::Ltl(formula) => match self.linear(formula) {
                Some(holds) => (verdict(holds), None),
                None => (Verdict::Incomplete, None),
            },
            Property::Invariant(expr) => {
                let trace = (0..self.states.len()).find_map(|k| self.breaks(*expr, k));
                (verdict(trace.is_none()), trace)
            }
            Property::Compute { longest, from, to } => {
                let fair = self.graph().fair(&vec![true; self.states.len()]);
                let of = |f: &Formula| self.satisfying(f, &fair)[f.root().index()].clone();
                (Verdict::Length(self.length(*longest, &of(from), &of(to))), None)
            }
        }
    }

    /// How an invariant is broken in a state or on a transition from it.
    fn breaks(&self, expr: ExprId, number: usize) -> Option<Trace> {
        let table = &self.relation.expressions;
        let evaluator = Evaluator::new(table, expr);
        if self.relation.is_of_states(expr) {
            let state = &self.states[number];
            return (evaluator.value(table, state, state) == 0).then(|| self.path_to(number));
        }
        let mut edges = self.edges[number].iter();
        let broken =
            |(from, to): &&(State, usize)| evaluator.value(table, from, &self.states[*to]) == 0;
        let (from, to) = edges.find(broken)?;
        let mut trace = self.path_to(number);
        trace.states.pop();
        trace.states.extend([from.clone(), self.states[*to].clone()]);
        Some(trace)
    }

    /// How a state is reached. Inputs are not told.
    fn path_to(&self, state: usize) -> Trace {
        let (mut path, mut at) = (vec![state], state);
        while let Some(parent) = self.parents[at] {
            path.push(parent);
            at = parent;
        }
        path.reverse();
        let mut states: Vec<State> = Vec::new();
        for (k, &number) in path.iter().enumerate() {
            let next = path.get(k + 1);
            let edge = self.edges[number].iter().find(|(_, to)| Some(to) == next);
            states.push(edge.map_or_else(|| self.states[number].clone(), |(from, _)| from.clone()));
        }
        Trace { states, back: None, branches: Vec::new(), partial: false }
    }

    /// In which states an expression about states is true.
    fn truth(&self, expr: ExprId) -> Vec<bool> {
        let table = &self.relation.expressions;
        let evaluator = Evaluator::new(table, expr);
        self.states.iter().map(|s| evaluator.value(table, s, s) != 0).collect()
    }

    /// The states as a graph with the model's fairness.
    fn graph(&self) -> Graph {
        let table = &self.relation.expressions;
        let mut graph = Graph::new(self.states.len());
        for (k, edges) in self.edges.iter().enumerate() {
            graph.edges[k] = edges.iter().map(|(_, to)| *to).collect();
        }
        for part in &self.relation.justice {
            let evaluator = Evaluator::new(table, part.expr);
            let marks = self.edges.iter().map(|edges| {
                let value = |(from, to): &(State, usize)| {
                    evaluator.value(table, from, &self.states[*to]) != 0
                };
                edges.iter().map(value).collect()
            });
            graph.justice.push(marks.collect());
        }
        for (p, q) in &self.relation.compassion {
            graph.compassion.push((self.truth(p.expr), self.truth(q.expr)));
        }
        graph
    }

    fn satisfying(&self, formula: &Formula, fair: &[bool]) -> Vec<Vec<bool>> {
        let graph = self.graph();
        let mut sets: Vec<Vec<bool>> = Vec::new();
        let count = self.states.len();
        for operator in formula.operators() {
            let of = |f: isospin_relation::FormulaId| &sets[f.index()];
            let each = |f: &dyn Fn(usize) -> bool| (0..count).map(f).collect::<Vec<bool>>();
            let set = match *operator {
                Operator::True => vec![true; count],
                Operator::Atom(expr) => self.truth(expr),
                Operator::Not(f) => each(&|k| !of(f)[k]),
                Operator::And(f, g) => each(&|k| of(f)[k] && of(g)[k]),
                Operator::Or(f, g) => each(&|k| of(f)[k] || of(g)[k]),
                Operator::Iff(f, g) => each(&|k| of(f)[k] == of(g)[k]),
                Operator::Ex(f) => {
                    each(&|k| graph.edges[k].iter().any(|to| of(f)[*to] && fair[*to]))
                }
                Operator::Eu(f, g) => graph.until(of(f), &each(&|k| of(g)[k] && fair[k])),
                Operator::Eg(f) => graph.fair(of(f)),
                _ => vec![false; count],
            };
            sets.push(set);
        }
        sets
    }

    fn length(&self, longest: bool, from: &[bool], to: &[bool]) -> Length {
        let graph = self.graph();
        if !from.contains(&true) {
            return Length::Undefined;
        }
        // The states from which a path of so many steps does not meet the target before its end;
        // or those that can be met after so many.
        let count = self.states.len();
        let mut set: Vec<bool> =
            if longest { to.iter().map(|t| !t).collect() } else { from.to_vec() };
        for steps in 0..=count as u64 + 1 {
            let hit = |k: usize| set[k] && if longest { from[k] } else { to[k] };
            if (0..count).any(hit) != longest {
                return Length::Steps(steps);
            }
            set = if longest {
                let stays = |k: usize| !to[k] && graph.edges[k].iter().any(|t| set[*t]);
                (0..count).map(stays).collect()
            } else {
                let mut next = set.clone();
                for k in (0..count).filter(|k| set[*k]) {
                    graph.edges[k].iter().for_each(|t| next[*t] = true);
                }
                next
            };
        }
        Length::Infinite
    }
}
