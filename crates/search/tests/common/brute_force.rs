//! An explorer too simple to be wrong: sets of vectors, recursion, no reuse of anything.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use isospin_machine::{Fault, Interpreter, Machine, Successors};
use isospin_model::{Model, Pid, Shape};

#[derive(Debug, Default, PartialEq, Eq)]
pub struct Figures {
    pub states: u64,
    pub transitions: u64,
    pub errors: u64,
    /// How many stored states lie between the initial state and the first violation.
    pub shortest: Option<u64>,
}

struct Explorer {
    machine: Interpreter,
    errors: u64,
}

impl Explorer {
    fn steps(&mut self, state: &[u8], pid: usize, timeout: bool) -> Vec<(Vec<u8>, Option<Pid>)> {
        let mut out = Successors::default();
        self.machine.steps(state, Pid::at(pid), timeout, &mut out);
        let mut list = Vec::new();
        for s in out.list() {
            if s.fault.is_some() {
                self.errors += 1;
            }
            if !matches!(s.fault, Some(Fault::Runtime(_))) {
                list.push((out.state(s).to_vec(), s.control));
            }
        }
        list
    }

    fn moves(&mut self, state: &[u8], pid: usize) -> bool {
        self.machine.can_move(state, Pid::at(pid), false)
    }

    /// The storable states behind a step.
    fn settle(&mut self, state: Vec<u8>, control: Option<Pid>, out: &mut Vec<Vec<u8>>) {
        match control.map(Pid::index) {
            Some(pid) if pid < self.machine.process_count(&state) && self.moves(&state, pid) => {
                for (next, control) in self.steps(&state, pid, false) {
                    self.settle(next, control, out);
                }
            }
            _ => out.push(state),
        }
    }

    fn successors(&mut self, model: &Model, state: &[u8]) -> Vec<Vec<u8>> {
        let count = self.machine.process_count(state);
        let mut out = Vec::new();
        for timeout in [false, true] {
            if timeout {
                let mut ticks = Successors::default();
                self.machine.tick(state, &mut ticks);
                if !ticks.is_empty() {
                    return ticks.list().iter().map(|s| ticks.state(s).to_vec()).collect();
                }
            }
            let moves = (0..count).any(|pid| self.machine.can_move(state, Pid::at(pid), timeout));
            if moves {
                for pid in (0..count).rev() {
                    for (next, control) in self.steps(state, pid, timeout) {
                        self.settle(next, control, &mut out);
                    }
                }
                return out;
            }
        }
        let mut shape = Shape::default();
        shape.read(model, state);
        let ends = shape.frames.iter().all(|&(ty, at)| {
            let proctype = &model.proctypes[ty.index()];
            let location = proctype.frame.location(state, at as usize);
            proctype.automaton.locations[location.index()].end
        });
        if !ends {
            self.errors += 1;
        }
        out
    }
}

pub fn explore(model: &Arc<Model>) -> Figures {
    let mut explorer = Explorer { machine: Interpreter::new(Arc::clone(model)), errors: 0 };
    let hidden = model.layout.hidden as usize;
    let mut initial = Vec::new();
    explorer.machine.initial(&mut initial).unwrap();
    let mut seen = HashSet::from([initial[hidden..].to_vec()]);
    let mut queue = VecDeque::from([(initial, 0)]);
    let mut figures = Figures { states: 1, transitions: 1, ..Figures::default() };
    while let Some((state, level)) = queue.pop_front() {
        for next in explorer.successors(model, &state) {
            figures.transitions += 1;
            if seen.insert(next[hidden..].to_vec()) {
                figures.states += 1;
                queue.push_back((next, level + 1));
            }
        }
        if explorer.errors > 0 && figures.shortest.is_none() {
            figures.shortest = Some(level);
        }
    }
    figures.errors = explorer.errors;
    figures
}
