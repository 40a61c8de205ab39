//! Atomic sequences that go round for ever.
//!
//! An atomic sequence counts as one step, and its states are nobody's business, because it comes to
//! an end. One that does not is an infinite execution of the model all the same: from where it
//! starts, each of its states is read. Nobody but those who take part in it can move meanwhile, so
//! that it is fair.

use std::collections::{HashMap, HashSet, VecDeque};

use isospin_machine::{Fault, Machine, Step, Successors};
use isospin_model::{Action, Model, Pid};

use super::property::{components, End, PropertyAutomaton};
use super::reading::Reading;
use crate::expand::{Expander, Reducer};
use crate::limits::Incomplete;
use crate::trail::all_steps;

/// How many nodes pass between two looks at the clock.
const POLL_INTERVAL: usize = 256;
/// More nodes than this are not looked at.
const MAX_NODES: usize = 1 << 20;

/// What happens from a node on: steps, of which those from position `cycle` on repeat for ever.
#[derive(Debug)]
pub(super) struct Divergence {
    pub steps: Vec<Step>,
    pub cycle: usize,
}

/// Whether some sequence may go round without control being given up, as far as the edges tell.
pub fn may_diverge(model: &Model) -> bool {
    let handshakes = model.channel_types.iter().any(|c| c.capacity == 0);
    model.proctypes.iter().any(|proctype| {
        let automaton = &proctype.automaton;
        let kept: Vec<_> = (automaton.edges.iter())
            .filter(|e| {
                // Who sends in a rendez-vous hands control on to who receives.
                e.atomic || handshakes && matches!(e.action, Action::Send { .. })
            })
            .collect();
        if !kept.iter().any(|e| e.atomic) {
            return false;
        }
        let mut next = vec![Vec::new(); automaton.locations.len()];
        for edge in kept {
            next[edge.from.index()].push(edge.target.index());
        }
        let all: Vec<usize> = (0..next.len()).collect();
        let parts = components(&all, |n, k| next[n].get(k).copied());
        parts.iter().any(|part| part.len() > 1 || next[part[0]].contains(&part[0]))
    })
}

/// A state inside a sequence, who is in control, and the automaton's state that is about to read
/// it.
type Node = (Vec<u8>, Pid, u32);

#[derive(Clone, Copy)]
struct Arc {
    to: usize,
    step: Step,
    marks: u64,
}

#[derive(Default)]
struct Graph {
    nodes: Vec<Node>,
    numbers: HashMap<Node, usize>,
    /// For each node what leads on from it; first of all, from where the sequences start.
    arcs: Vec<Vec<Arc>>,
}

impl Graph {
    /// Adds what follows from the steps in `out` and from where the automaton can go.
    fn extend(&mut self, out: &Successors, edges: &[(u32, u64)]) {
        let mut arcs = Vec::new();
        for successor in out.list() {
            let Some(pid) = successor.control else { continue };
            if matches!(successor.fault, Some(Fault::Runtime(_))) {
                continue;
            }
            for &(q, marks) in edges {
                let node = (out.state(successor).to_vec(), pid, q);
                let to = match self.numbers.get(&node) {
                    Some(&known) => known,
                    None => {
                        self.nodes.push(node.clone());
                        self.numbers.insert(node, self.nodes.len() - 1);
                        self.nodes.len() - 1
                    }
                };
                arcs.push(Arc { to, step: successor.step, marks });
            }
        }
        self.arcs.push(arcs);
    }

    /// What leads on from a node.
    fn after(&self, node: usize) -> &[Arc] {
        &self.arcs[node + 1]
    }

    /// The shortest way along `first` and what follows to an arc that is wanted, through nodes that
    /// are `inside`.
    fn way(
        &self,
        first: &[Arc],
        inside: impl Fn(usize) -> bool,
        wanted: impl Fn(&Arc) -> bool,
    ) -> Option<Vec<Arc>> {
        let mut seen = HashSet::new();
        // Each arc with the position of the one before it.
        let mut reached: Vec<(Arc, Option<usize>)> = Vec::new();
        let mut queue = VecDeque::from([(first, None)]);
        while let Some((arcs, before)) = queue.pop_front() {
            for arc in arcs.iter().filter(|a| inside(a.to)) {
                reached.push((*arc, before));
                let here = reached.len() - 1;
                if wanted(arc) {
                    let mut way = Vec::new();
                    let mut last = Some(here);
                    while let Some(k) = last {
                        way.push(reached[k].0);
                        last = reached[k].1;
                    }
                    way.reverse();
                    return Some(way);
                }
                if seen.insert(arc.to) {
                    queue.push_back((self.after(arc.to), Some(here)));
                }
            }
        }
        None
    }

    /// A way into a component whose arcs have all marks, and round in it.
    fn accepted(&self, all: u64) -> Option<Divergence> {
        let nodes: Vec<usize> = (0..self.nodes.len()).collect();
        let parts = components(&nodes, |n, k| self.after(n).get(k).map(|a| a.to));
        for part in parts {
            let members: HashSet<usize> = part.iter().copied().collect();
            let inside = |n: usize| members.contains(&n);
            let arcs = part.iter().flat_map(|&n| self.after(n)).filter(|a| inside(a.to));
            let (mut any, mut marks) = (false, 0);
            arcs.for_each(|a| (any, marks) = (true, marks | a.marks));
            if !any || marks & all != all {
                continue;
            }
            let stem = self.way(&self.arcs[0], |_| true, |a| inside(a.to))?;
            let home = stem.last()?.to;
            let (mut here, mut got) = (home, 0);
            let mut cycle: Vec<Arc> = Vec::new();
            while got & all != all {
                let leg = self.way(self.after(here), inside, |a| a.marks & all & !got != 0)?;
                here = leg.last()?.to;
                got = leg.iter().fold(got, |got, arc| got | arc.marks);
                cycle.extend(leg);
            }
            if here != home || cycle.is_empty() {
                cycle.extend(self.way(self.after(here), inside, |a| a.to == home)?);
            }
            let start = stem.len();
            let steps = stem.iter().chain(&cycle).map(|a| a.step).collect();
            return Some(Divergence { steps, cycle: start });
        }
        None
    }
}

/// How a sequence that starts in `state` goes round for ever, in a way that the automaton, which is
/// in state `q` when it reads that state, accepts.
pub(super) fn find<M: Machine, R: Reducer>(
    expander: &mut Expander<'_, M, R>,
    reading: &mut Reading,
    automaton: &PropertyAutomaton,
    state: &[u8],
    q: u32,
) -> Option<Divergence> {
    let mut graph = Graph::default();
    let edges = read(expander, reading, automaton, state, q);
    let mut out = all_steps(expander.machine(), state);
    graph.extend(&out, &edges);
    let mut at = 0;
    while at < graph.nodes.len() {
        let (state, pid, q) = graph.nodes[at].clone();
        out.clear();
        if pid.index() < expander.machine().process_count(&state) {
            expander.machine().steps(&state, pid, false, &mut out);
        }
        let edges = read(expander, reading, automaton, &state, q);
        graph.extend(&out, &edges);
        at += 1;
        let control = expander.control();
        if graph.nodes.len() > MAX_NODES {
            control.stop(Some(Incomplete::Memory));
        }
        if control.stopped() || (at.is_multiple_of(POLL_INTERVAL) && control.poll()) {
            return None;
        }
    }
    graph.accepted(automaton.all_marks())
}

/// Where the automaton goes on to when it reads a state, and with which marks. Inside of a sequence
/// nobody is told of what cannot be evaluated: it goes nowhere.
fn read<M: Machine, R: Reducer>(
    expander: &mut Expander<'_, M, R>,
    reading: &mut Reading,
    automaton: &PropertyAutomaton,
    state: &[u8],
    q: u32,
) -> Vec<(u32, u64)> {
    if automaton.states[q as usize].end == Some(End::Claim) {
        // A claim that has come to its end accepts whatever follows.
        return vec![(q, automaton.all_marks())];
    }
    let labelled = automaton.accept_labels && expander.at_accept(state);
    let label = if labelled { automaton.label_mark() } else { 0 };
    let mut edges = Vec::new();
    let machine = expander.machine();
    let read = reading.edges(machine, automaton, q as usize, state, |edge| {
        edges.push((edge.to, edge.marks | label));
    });
    if read.is_err() {
        edges.clear();
    }
    edges
}
