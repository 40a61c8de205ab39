//! The graph of all states, by walking: for people, and to be compared with others' graphs. It
//! shares nothing with the searches.

use std::collections::HashMap;
use std::sync::Arc;

use isospin_machine::{Interpreter, Machine, RuntimeError, Step, Successors};
use isospin_model::{Model, Pid};

/// A graph of states with words on its edges.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// How many states there are. The first is the initial one.
    pub states: usize,
    /// From where, with which words, to where.
    pub edges: Vec<(usize, String, usize)>,
    /// States in which nothing can happen any more.
    pub ends: Vec<usize>,
    /// Whether something is missing: there are more states than were asked for.
    pub cut: bool,
}

/// Names the steps of a graph.
pub trait Naming {
    /// The words for one step of a process, which may be one of several of an atomic sequence.
    fn step(
        &mut self,
        machine: &mut Interpreter,
        before: &[u8],
        step: Step,
        after: &[u8],
    ) -> String;
    /// The words for a whole sequence, from those of its steps.
    fn whole(&mut self, words: &str, step: Step) -> String;
}

/// All states of a model, up to so many, with one edge for a whole atomic sequence.
pub fn graph(
    model: &Arc<Model>,
    most: usize,
    naming: &mut dyn Naming,
) -> Result<Graph, RuntimeError> {
    let mut walk = Walk {
        machine: Interpreter::new(Arc::clone(model)),
        numbers: HashMap::new(),
        states: Vec::new(),
        graph: Graph::default(),
        most,
        naming,
    };
    let mut state = Vec::new();
    walk.machine.initial(&mut state)?;
    walk.number(state);
    let mut next = 0;
    while next < walk.states.len() {
        isospin_limits::check();
        walk.expand(next);
        next += 1;
    }
    walk.graph.states = walk.states.len();
    Ok(walk.graph)
}

struct Walk<'n> {
    machine: Interpreter,
    numbers: HashMap<Vec<u8>, usize>,
    states: Vec<Vec<u8>>,
    graph: Graph,
    most: usize,
    naming: &'n mut dyn Naming,
}

impl Walk<'_> {
    fn number(&mut self, state: Vec<u8>) -> Option<usize> {
        if let Some(&known) = self.numbers.get(&state) {
            return Some(known);
        }
        if self.states.len() >= self.most {
            self.graph.cut = true;
            return None;
        }
        self.numbers.insert(state.clone(), self.states.len());
        self.states.push(state);
        Some(self.states.len() - 1)
    }

    fn expand(&mut self, from: usize) {
        let state = self.states[from].clone();
        let mut out = Successors::default();
        let open = self.machine.model().time.as_ref().is_some_and(|t| t.open);
        self.machine.all_steps(&state, false, &mut out);
        if out.is_empty() || open {
            self.machine.tick(&state, &mut out);
        }
        if out.is_empty() {
            self.machine.all_steps(&state, true, &mut out);
        }
        if out.is_empty() {
            self.graph.ends.push(from);
        }
        for successor in out.list() {
            let (step, control) = (successor.step, successor.control);
            if successor.fault.is_some() {
                let words = self.naming.step(&mut self.machine, &state, step, &state);
                let words = self.naming.whole(&words, step);
                self.graph.edges.push((from, format!("{words}error "), from));
                continue;
            }
            let after = out.state(successor).to_vec();
            let words = self.naming.step(&mut self.machine, &state, step, &after);
            self.follow(from, step, words, after, control);
        }
    }

    /// Follows an atomic sequence to where it gives up control.
    fn follow(
        &mut self,
        from: usize,
        first: Step,
        words: String,
        state: Vec<u8>,
        control: Option<Pid>,
    ) {
        let mut todo = vec![(words, state, control)];
        let mut seen = std::collections::HashSet::new();
        while let Some((words, state, control)) = todo.pop() {
            isospin_limits::check();
            let mut out = Successors::default();
            if let Some(pid) = control {
                if seen.insert((words.clone(), state.clone())) {
                    self.machine.steps(&state, pid, false, &mut out);
                } else {
                    continue;
                }
            }
            if out.is_empty() {
                let words = self.naming.whole(&words, first);
                if let Some(to) = self.number(state) {
                    self.graph.edges.push((from, words, to));
                }
                continue;
            }
            for successor in out.list().iter().rev() {
                let (step, next) = (successor.step, out.state(successor).to_vec());
                let after = if successor.fault.is_some() { state.clone() } else { next };
                let more = self.naming.step(&mut self.machine, &state, step, &after);
                let words = format!("{words}{more}");
                if successor.fault.is_some() {
                    let words = self.naming.whole(&words, first);
                    self.graph.edges.push((from, format!("{words}error "), from));
                } else {
                    todo.push((words, after, successor.control));
                }
            }
        }
    }
}
