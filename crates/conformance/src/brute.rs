//! The states of a model as a graph, by brute force: the interpreter, maps, and nothing of the
//! searches. Liveness is decided on it in [`oracle`](crate::oracle).

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use isospin_machine::{Fault, Interpreter, Machine, Successors};
use isospin_model::{Location, Model, Pid, ProcTypeId, Shape};

use crate::divergent::Inside;
use crate::time::{runs, tick};

/// A set of processes, by number.
pub type Pids = BTreeSet<Pid>;

/// A way from one state to the next: a step, or an atomic sequence.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Transition {
    /// The state that it leads to.
    pub to: usize,
    /// Who moves; nobody where time passes, or where the model stays for ever.
    pub movers: Pids,
}

/// A state and what follows it.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// The vector.
    pub bytes: Vec<u8>,
    /// What follows.
    pub arcs: Vec<Transition>,
    /// Who can move.
    pub enabled: Pids,
    /// What leads into atomic sequences that go round for ever, to [`Space::inside`].
    pub diverging: Vec<Transition>,
    /// Nobody can move but by waiting for `timeout`, and no time passes.
    pub quiet: bool,
    /// Nothing can happen, and somebody may not end where he stands.
    pub invalid_end: bool,
}

/// All states of a model; the first is the initial one.
#[derive(Clone, Debug, Default)]
pub struct Space {
    /// The states.
    pub states: Vec<State>,
    /// The states inside atomic sequences from which one can go on for ever without coming out;
    /// their arcs lead to each other.
    pub inside: Vec<State>,
    /// Whether a step fails an assertion.
    pub assertion: bool,
    /// Whether a step cannot be completed.
    pub runtime: bool,
}

impl Space {
    /// Explores `model`; `None` beyond `limit` states, where an atomic sequence has more than so
    /// many states inside, or where there is no initial state.
    pub fn explore(model: &Arc<Model>, limit: usize) -> Option<Space> {
        let mut machine = Interpreter::new(Arc::clone(model));
        let hidden = model.layout.hidden as usize;
        let mut initial = Vec::new();
        machine.initial(&mut initial).ok()?;
        let mut space = Space::default();
        let mut index: HashMap<Vec<u8>, usize> = HashMap::new();
        let mut todo = vec![initial.clone()];
        index.insert(initial[hidden..].to_vec(), 0);
        let mut inside = Inside::default();
        let mut at = 0;
        while at < todo.len() {
            let bytes = todo[at].clone();
            let expanded = expand(model, &mut machine, &bytes, limit)?;
            let diverging = inside.enter(&mut machine, &expanded.first, limit)?;
            space.assertion |= expanded.assertion;
            space.runtime |= expanded.runtime;
            let mut arcs = Vec::new();
            for (next, movers) in expanded.arrivals {
                let key = next[hidden..].to_vec();
                let to = *index.entry(key).or_insert_with(|| {
                    todo.push(next.clone());
                    todo.len() - 1
                });
                let arc = Transition { to, movers };
                if !arcs.contains(&arc) {
                    arcs.push(arc);
                }
            }
            if arcs.is_empty() && !expanded.runtime && diverging.is_empty() {
                arcs.push(Transition { to: at, movers: Pids::new() });
            }
            let dead = expanded.enabled.is_empty();
            let invalid_end = dead && !runs(model, &bytes) && !may_end(model, &bytes);
            let (enabled, quiet) = (expanded.enabled, expanded.quiet);
            space.states.push(State { bytes, arcs, enabled, diverging, quiet, invalid_end });
            at += 1;
            if todo.len() > limit {
                return None;
            }
        }
        space.inside = inside.states;
        Some(space)
    }

    /// Whether processes can go on for ever while no time passes: a cycle of arcs along which
    /// somebody moves.
    pub fn has_zero_cycle(&self) -> bool {
        if self.states.iter().any(|s| !s.diverging.is_empty()) {
            return true;
        }
        // States are taken away from which every way ends, or leads to time that passes.
        let mut left: Vec<usize> = self.states.iter().map(|s| moves(s).count()).collect();
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); self.states.len()];
        for (from, state) in self.states.iter().enumerate() {
            moves(state).for_each(|to| before[to].push(from));
        }
        let mut done: Vec<usize> = (0..left.len()).filter(|&s| left[s] == 0).collect();
        let mut at = 0;
        while at < done.len() {
            for &from in &before[done[at]] {
                left[from] -= 1;
                if left[from] == 0 {
                    done.push(from);
                }
            }
            at += 1;
        }
        done.len() < self.states.len()
    }

    /// The highest number that a process ever has, plus one.
    pub fn processes(&self) -> u8 {
        let most = self.states.iter().flat_map(|s| &s.enabled).max();
        most.map_or(0, |p| p.0 + 1)
    }
}

/// Where the arcs lead along which somebody moves.
fn moves(state: &State) -> impl Iterator<Item = usize> + '_ {
    state.arcs.iter().filter(|a| !a.movers.is_empty()).map(|a| a.to)
}

/// What can happen in a state.
#[derive(Default)]
pub(crate) struct Expanded {
    /// The states that follow, and who moves on the way there.
    pub arrivals: Vec<(Vec<u8>, Pids)>,
    /// Who can move.
    pub enabled: Pids,
    /// Whether an assertion fails on the way.
    pub assertion: bool,
    /// Whether a step cannot be completed.
    pub runtime: bool,
    /// The first steps of everything.
    pub first: Successors,
    /// Nobody can move but by waiting for `timeout`, and no time passes.
    pub quiet: bool,
}

/// What follows a state; `None` where an atomic sequence has more than `limit` states inside.
pub(crate) fn expand(
    model: &Model,
    machine: &mut Interpreter,
    state: &[u8],
    limit: usize,
) -> Option<Expanded> {
    let mut found = Expanded::default();
    let mut out = Successors::default();
    machine.all_steps(state, false, &mut out);
    if out.is_empty() {
        if let Some(next) = tick(model, state) {
            found.arrivals.push((next, Pids::new()));
            return Some(found);
        }
        found.quiet = true;
        machine.all_steps(state, true, &mut out);
    }
    for s in out.list() {
        found.enabled.extend(s.step.pid());
        found.enabled.extend(s.step.partner().map(|p| p.pid));
    }
    let mut seen: HashSet<(Vec<u8>, Option<Pid>, Pids)> = HashSet::new();
    let mut work = Vec::new();
    collect(&out, &Pids::new(), &mut found, &mut work);
    let first = std::mem::take(&mut out);
    while let Some((state, control, movers)) = work.pop() {
        if !seen.insert((state.clone(), control, movers.clone())) {
            continue;
        }
        if seen.len() > limit {
            return None;
        }
        if let Some(pid) = control {
            out.clear();
            if pid.index() < machine.process_count(&state) {
                machine.steps(&state, pid, false, &mut out);
            }
            if !out.is_empty() {
                collect(&out, &movers, &mut found, &mut work);
                continue;
            }
        }
        found.arrivals.push((state, movers));
    }
    found.first = first;
    Some(found)
}

type Way = (Vec<u8>, Option<Pid>, Pids);

fn collect(out: &Successors, movers: &Pids, found: &mut Expanded, work: &mut Vec<Way>) {
    for s in out.list() {
        match s.fault {
            Some(Fault::Runtime(_)) => {
                found.runtime = true;
                continue;
            }
            Some(Fault::Assertion) => found.assertion = true,
            None => {}
        }
        let mut movers = movers.clone();
        movers.extend(s.step.pid());
        movers.extend(s.step.partner().map(|p| p.pid));
        work.push((out.state(s).to_vec(), s.control, movers));
    }
}

/// Where the processes of a state stand.
pub(crate) fn locations<'m>(model: &'m Model, state: &[u8]) -> Vec<&'m Location> {
    let mut shape = Shape::default();
    shape.read(model, state);
    let location = |&(ty, frame): &(ProcTypeId, u32)| {
        let proctype = &model.proctypes[ty.index()];
        let at = proctype.frame.location(state, frame as usize);
        &proctype.automaton.locations[at.index()]
    };
    shape.frames.iter().map(location).collect()
}

fn may_end(model: &Model, state: &[u8]) -> bool {
    locations(model, state).iter().all(|l| l.end)
}
