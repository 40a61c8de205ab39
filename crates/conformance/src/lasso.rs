//! Formulas on single executions: a stem and a cycle, evaluated by the definition of each operator.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use isospin_machine::{Fault, Interpreter, Machine};
use isospin_model::{Model, Pid, Temporal};
use isospin_search::liveness::{Counterexample, Fairness, PropertyAutomaton};

use crate::brute::Pids;
use crate::oracle::at_accept;
use crate::time::runs;

/// Whether a formula holds on the execution whose states are `states`, of which the ones from
/// `back` on repeat for ever.
pub fn holds(model: &Arc<Model>, formula: &Temporal, states: &[Vec<u8>], back: usize) -> bool {
    let mut machine = Interpreter::new(Arc::clone(model));
    values(&mut machine, formula, states, back)[0]
}

/// The value of the formula at each position.
fn values(
    machine: &mut Interpreter,
    formula: &Temporal,
    states: &[Vec<u8>],
    back: usize,
) -> Vec<bool> {
    let len = states.len();
    let next = |k: usize| if k + 1 < len { k + 1 } else { back };
    let mut of = |f: &Temporal| values(machine, f, states, back);
    let both = |a: Vec<bool>, b: Vec<bool>, f: fn(bool, bool) -> bool| -> Vec<bool> {
        a.into_iter().zip(b).map(|(a, b)| f(a, b)).collect()
    };
    // `a U b` is the least, and the rest the greatest, solution of its expansion. Every position
    // sees the whole cycle within `len` rounds.
    let solve = |a: &[bool], b: &[bool], start: bool, f: fn(bool, bool, bool) -> bool| {
        let mut now = vec![start; len];
        for _ in 0..=len {
            for k in (0..len).rev() {
                now[k] = f(a[k], b[k], now[next(k)]);
            }
        }
        now
    };
    match formula {
        Temporal::Const(value) => vec![*value; len],
        Temporal::Atom { expr, .. } => states
            .iter()
            .map(|s| machine.eval(s, None, false, expr).is_ok_and(|v| v != 0))
            .collect(),
        Temporal::Not(f) => of(f).into_iter().map(|v| !v).collect(),
        Temporal::And(a, b) => both(of(a), of(b), |a, b| a && b),
        Temporal::Or(a, b) => both(of(a), of(b), |a, b| a || b),
        Temporal::Implies(a, b) => both(of(a), of(b), |a, b| !a || b),
        Temporal::Equivalent(a, b) => both(of(a), of(b), |a, b| a == b),
        Temporal::Next(f) => {
            let f = of(f);
            (0..len).map(|k| f[next(k)]).collect()
        }
        Temporal::Always(f) => {
            let f = of(f);
            solve(&f, &f, true, |a, _, later| a && later)
        }
        Temporal::Eventually(f) => {
            let f = of(f);
            solve(&f, &f, false, |a, _, later| a || later)
        }
        Temporal::Until(a, b) => solve(&of(a), &of(b), false, |a, b, later| b || (a && later)),
        Temporal::WeakUntil(a, b) => solve(&of(a), &of(b), true, |a, b, later| b || (a && later)),
        Temporal::Release(a, b) => solve(&of(a), &of(b), true, |a, b, later| b && (a || later)),
    }
}

/// A position of an execution, and a state of an automaton that is about to read it.
type Node = (usize, u32);

/// Whether an automaton accepts an execution, or comes to its end on it.
pub fn accepted(
    model: &Arc<Model>,
    automaton: &PropertyAutomaton,
    found: &Counterexample,
    Executed { states, back }: &Executed,
) -> bool {
    let mut machine = Interpreter::new(Arc::clone(model));
    let len = states.len();
    let mut edges: HashMap<Node, Vec<(Node, u64)>> = HashMap::new();
    let mut todo = vec![(0, automaton.initial)];
    let mut ends = automaton.states[automaton.initial as usize].end;
    while let Some((k, q)) = todo.pop() {
        let mut out = Vec::new();
        let label = match automaton.accept_labels && at_accept(model, &states[k]) {
            true => automaton.label_mark(),
            false => 0,
        };
        for edge in &automaton.states[q as usize].edges {
            let mut open = |&(atom, value): &(u16, bool)| {
                let atom = &automaton.atoms[atom as usize];
                machine.eval(&states[k], None, false, atom).is_ok_and(|v| v != 0) == value
            };
            if edge.guard.iter().any(|cube| cube.iter().all(&mut open)) {
                ends |= automaton.states[edge.to as usize].end;
                let next = if k + 1 < len { k + 1 } else { *back };
                out.push(((next, edge.to), edge.marks | label));
            }
        }
        for &(node, _) in &out {
            if !edges.contains_key(&node) && !todo.contains(&node) {
                todo.push(node);
            }
        }
        edges.insert((k, q), out);
    }
    if found.cycle.is_none() {
        return ends;
    }
    // A node from which a way leads back to it with all marks: sets of marks along the way.
    edges.keys().any(|&home| {
        let mut seen = HashSet::from([(home, 0)]);
        let mut todo = vec![(home, 0)];
        while let Some((node, marks)) = todo.pop() {
            for &(to, more) in &edges[&node] {
                let next = (to, marks | more);
                if next == (home, automaton.all_marks()) {
                    return true;
                }
                if seen.insert(next) {
                    todo.push(next);
                }
            }
        }
        false
    })
}

/// An execution as a search hands it out, executed once more.
#[derive(Clone, Debug, Default)]
pub struct Executed {
    /// The storable states on the way.
    pub states: Vec<Vec<u8>>,
    /// Where the cycle starts.
    pub back: usize,
}

/// Executes the steps on the interpreter, sees whether the cycle closes, and whether it is fair. Where
/// there is no cycle, the last state is the one behind the last step.
pub fn execute(
    model: &Arc<Model>,
    found: &Counterexample,
    fairness: Fairness,
) -> Result<Executed, String> {
    let start = found.cycle.unwrap_or(found.steps.len());
    let mut machine = Interpreter::new(Arc::clone(model));
    let hidden = model.layout.hidden as usize;
    let mut state = Vec::new();
    machine.initial(&mut state).map_err(|e| format!("{e:?}"))?;
    let mut states = vec![state.clone()];
    let mut back = (start == 0).then_some(0);
    // On the cycle: who can move, in how many states; who moves; how many states there are.
    let (mut enabled, mut moved) = (HashMap::<Pid, usize>::new(), Pids::new());
    let mut looked = 0;
    let mut open = false;
    for (k, step) in found.steps.iter().enumerate() {
        let can = enabled_in(model, &mut machine, &state);
        if k >= start && !open {
            looked += 1;
            can.iter().for_each(|p| *enabled.entry(*p).or_default() += 1);
        }
        let quiet = !(0..machine.process_count(&state))
            .any(|p| machine.can_move(&state, Pid::at(p), false));
        if step.is_time() && !quiet {
            return Err(format!("step {k} lets time pass, and somebody can move"));
        }
        let timeout = quiet && !runs(model, &state);
        let taken = machine.take(&mut state, *step, timeout && !open);
        match taken {
            None => return Err(format!("step {k} cannot be taken")),
            Some((Some(Fault::Runtime(e)), _)) => return Err(format!("step {k} fails: {e:?}")),
            Some(_) => {}
        }
        if k >= start {
            moved.extend(step.pid());
            moved.extend(step.partner().map(|p| p.pid));
        }
        open = goes_on(model, &mut machine, &state, step);
        if open {
            let who = step.partner().map(|p| p.pid).or(step.pid());
            if found.steps.get(k + 1).is_some_and(|next| next.pid() != who) {
                return Err(format!("step {} interrupts an atomic sequence", k + 1));
            }
        } else {
            states.push(state.clone());
            if k + 1 == start {
                back = Some(states.len() - 1);
            }
        }
    }
    let back = back.ok_or("the cycle starts inside an atomic sequence")?;
    if open {
        return Err("the execution ends inside an atomic sequence".to_owned());
    }
    if found.cycle.is_none() {
        return Ok(Executed { states, back });
    }
    if found.steps.len() == start {
        let can = enabled_in(model, &mut machine, &state);
        return match can.is_empty() && !runs(model, &state) {
            true => Ok(Executed { states, back }),
            false => Err("the last state is no dead end".to_owned()),
        };
    }
    let last = states.pop().unwrap_or_default();
    if last[hidden..] != states[back][hidden..] {
        return Err("the cycle does not close".to_owned());
    }
    for (pid, times) in enabled {
        let unfair = match fairness {
            Fairness::None => false,
            Fairness::Weak => times == looked && !moved.contains(&pid),
            Fairness::Strong => !moved.contains(&pid),
        };
        if unfair {
            return Err(format!("the cycle is unfair to process {pid}"));
        }
    }
    Ok(Executed { states, back })
}

fn enabled_in(model: &Model, machine: &mut Interpreter, state: &[u8]) -> Pids {
    let mut out = isospin_machine::Successors::default();
    machine.all_steps(state, false, &mut out);
    if out.is_empty() && !runs(model, state) {
        machine.all_steps(state, true, &mut out);
    }
    let list = out.list().iter();
    list.flat_map(|s| [s.step.pid(), s.step.partner().map(|p| p.pid)]).flatten().collect()
}

/// Whether whoever made the last move is inside an atomic sequence and can go on.
fn goes_on(
    model: &Model,
    machine: &mut Interpreter,
    state: &[u8],
    step: &isospin_machine::Step,
) -> bool {
    let isospin_machine::Step::Process(by) = step else { return false };
    let (pid, edge) = by.partner.map_or((by.pid, by.edge), |p| (p.pid, p.edge));
    let mut shape = isospin_model::Shape::default();
    shape.read(model, state);
    let Some(&(ty, _)) = shape.frames.get(pid.index()) else { return false };
    let edges = &model.proctypes[ty.index()].automaton.edges;
    edges.get(edge.index()).is_some_and(|e| e.atomic) && machine.can_move(state, pid, false)
}
