//! Isospin's side: from text to a model, and the graph of a model by brute force.
//!
//! The explorer knows nothing of the searches: a set of vectors, a list of states to do, and the
//! interpreter. It counts as Spin does.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use isospin_machine::{Fault, Interpreter, Machine, RuntimeError, Successors};
use isospin_model::{Model, Pid, Shape};
use isospin_promela::Options;

use crate::time::tick;

/// Reads a file and lowers it. The error says what is wrong with the text.
pub fn read_model(path: &Path) -> Result<Model, String> {
    read_model_with(path, &Options::default())
}

/// As [`read_model`], with macros and formulas that are not in the file.
pub fn read_model_with(path: &Path, options: &Options) -> Result<Model, String> {
    isospin_promela::read(path, options, &mut |path| std::fs::read(path)).into_model()
}

/// Lowers a model that is given as text.
pub fn model_of(text: &str) -> Result<Model, String> {
    let mut file = |_: &Path| Ok(text.as_bytes().to_vec());
    isospin_promela::read(Path::new("m.pml"), &Options::default(), &mut file).into_model()
}

/// What the whole graph of a model looks like, counted as Spin counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// Distinct storable states.
    pub states: u64,
    /// Arrivals at a storable state, the initial one included.
    pub transitions: u64,
    /// Failed assertions, invalid end states and run-time errors, wherever met.
    pub errors: u64,
    /// The first run-time error. The counts mean nothing to Spin when there is one: its verifier
    /// stops there, or goes on with garbage.
    pub runtime: Option<RuntimeError>,
}

/// Explores `model` completely; `None` when it has more than `limit` states, or arrivals at a
/// state many times that.
pub fn explore(model: &Arc<Model>, limit: u64) -> Option<Graph> {
    Explorer::new(model).run(limit)
}

struct Explorer {
    model: Arc<Model>,
    machine: Interpreter,
    graph: Graph,
    seen: HashSet<Vec<u8>>,
    work: Vec<Vec<u8>>,
}

impl Explorer {
    fn new(model: &Arc<Model>) -> Explorer {
        Explorer {
            model: Arc::clone(model),
            machine: Interpreter::new(Arc::clone(model)),
            graph: Graph::default(),
            seen: HashSet::new(),
            work: Vec::new(),
        }
    }

    fn run(mut self, limit: u64) -> Option<Graph> {
        let mut initial = Vec::new();
        if let Err(error) = self.machine.initial(&mut initial) {
            self.graph.errors = 1;
            self.graph.runtime = Some(error);
            return Some(self.graph);
        }
        self.arrive(initial);
        while let Some(state) = self.work.pop() {
            self.expand(&state, limit)?;
            if self.seen.len() as u64 > limit {
                return None;
            }
        }
        self.graph.states = self.seen.len() as u64;
        Some(self.graph)
    }

    fn arrive(&mut self, state: Vec<u8>) {
        self.graph.transitions += 1;
        let hidden = self.model.layout.hidden as usize;
        if self.seen.insert(state[hidden..].to_vec()) {
            self.work.push(state);
        }
    }

    /// All steps from a stored state, through atomic sequences, to the storable states behind.
    /// `None` when an atomic sequence branches beyond measure.
    fn expand(&mut self, state: &[u8], limit: u64) -> Option<()> {
        let mut out = Successors::default();
        let count = self.machine.process_count(state);
        // Only when nothing can happen otherwise does time pass, and when it cannot either,
        // `timeout` is true.
        for timeout in [false, true] {
            if out.is_empty() && timeout {
                if let Some(next) = tick(&self.model, state) {
                    self.arrive(next);
                    return Some(());
                }
            }
            if out.is_empty() {
                for pid in (0..count).rev() {
                    self.machine.steps(state, Pid::at(pid), timeout, &mut out);
                }
            }
        }
        if out.is_empty() && !self.may_end(state) {
            self.graph.errors += 1;
        }
        let mut chain = Vec::new();
        collect(&out, &mut chain);
        let mut steps = 0;
        while let Some(next) = chain.pop() {
            steps += 1;
            if steps > 50 * limit {
                return None;
            }
            if let Some(fault) = next.fault {
                self.graph.errors += 1;
                if let Fault::Runtime(error) = fault {
                    self.graph.runtime.get_or_insert(error);
                    continue;
                }
            }
            if let Some(pid) = next.control {
                out.clear();
                self.machine.steps(&next.state, pid, false, &mut out);
                if !out.is_empty() {
                    collect(&out, &mut chain);
                    continue;
                }
            }
            self.arrive(next.state);
        }
        Some(())
    }

    fn may_end(&self, state: &[u8]) -> bool {
        let mut shape = Shape::default();
        shape.read(&self.model, state);
        shape.frames.iter().all(|&(ty, frame)| {
            let proctype = &self.model.proctypes[ty.index()];
            let at = proctype.frame.location(state, frame as usize);
            proctype.automaton.locations[at.index()].end
        })
    }
}

struct Next {
    state: Vec<u8>,
    control: Option<Pid>,
    fault: Option<Fault>,
}

fn collect(out: &Successors, chain: &mut Vec<Next>) {
    chain.extend(out.list().iter().map(|s| Next {
        state: out.state(s).to_vec(),
        control: s.control,
        fault: s.fault,
    }));
}
