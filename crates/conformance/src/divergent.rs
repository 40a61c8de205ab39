//! Atomic sequences that go round for ever, by brute force.
//!
//! Of the states inside atomic sequences those are kept from which one can go on for ever without
//! leaving the sequence; ways among them are the executions that never come out.

use std::collections::HashMap;

use isospin_machine::{Fault, Interpreter, Machine, Successors};
use isospin_model::Pid;

use crate::brute::{Pids, State, Transition};

/// A state inside a sequence, and who is in control.
type Inner = (Vec<u8>, Pid);

/// The states inside sequences that can go round for ever.
#[derive(Default)]
pub(crate) struct Inside {
    /// The states; their arcs lead to each other.
    pub states: Vec<State>,
    numbers: HashMap<Inner, usize>,
}

impl Inside {
    /// Adds the sequences that start with one of these steps; gives what leads into those that can
    /// go round for ever. `None` where there are more than `limit` states.
    pub fn enter(
        &mut self,
        machine: &mut Interpreter,
        first: &Successors,
        limit: usize,
    ) -> Option<Vec<Transition>> {
        let mut nodes: Vec<Inner> = Vec::new();
        let mut numbers: HashMap<Inner, usize> = HashMap::new();
        let start = steps(first, &mut nodes, &mut numbers);
        let mut arcs = Vec::new();
        let mut out = Successors::default();
        while arcs.len() < nodes.len() {
            let (state, pid) = nodes[arcs.len()].clone();
            out.clear();
            if pid.index() < machine.process_count(&state) {
                machine.steps(&state, pid, false, &mut out);
            }
            arcs.push(steps(&out, &mut nodes, &mut numbers));
            if nodes.len() > limit {
                return None;
            }
        }
        // What leads nowhere any more is taken away, again and again.
        let mut endless = vec![true; nodes.len()];
        while let Some(n) = (0..nodes.len())
            .find(|&n| endless[n] && !arcs[n].iter().any(|(to, _): &(usize, Pids)| endless[*to]))
        {
            endless[n] = false;
        }
        let mut known = HashMap::new();
        for n in (0..nodes.len()).filter(|&n| endless[n]) {
            let next = self.states.len();
            let number = *self.numbers.entry(nodes[n].clone()).or_insert(next);
            known.insert(n, number);
            if number == next {
                let (bytes, pid) = nodes[n].clone();
                let enabled = Pids::from([pid]);
                self.states.push(State { bytes, enabled, ..State::default() });
            }
        }
        let kept = |(to, movers): &(usize, Pids)| {
            known.get(to).map(|&to| Transition { to, movers: movers.clone() })
        };
        for (&n, &number) in &known {
            self.states[number].arcs = arcs[n].iter().filter_map(kept).collect();
        }
        Some(start.iter().filter_map(kept).collect())
    }
}

/// The steps after which somebody goes on alone: where they lead, and who moves.
fn steps(
    out: &Successors,
    nodes: &mut Vec<Inner>,
    numbers: &mut HashMap<Inner, usize>,
) -> Vec<(usize, Pids)> {
    let mut arcs = Vec::new();
    for s in out.list().iter().filter(|s| !matches!(s.fault, Some(Fault::Runtime(_)))) {
        let Some(pid) = s.control else { continue };
        let node = (out.state(s).to_vec(), pid);
        let to = *numbers.entry(node.clone()).or_insert_with(|| {
            nodes.push(node);
            nodes.len() - 1
        });
        let movers = [s.step.pid(), s.step.partner().map(|p| p.pid)].into_iter().flatten();
        arcs.push((to, movers.collect()));
    }
    arcs
}
