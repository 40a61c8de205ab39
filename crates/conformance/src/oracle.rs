//! Whether a model has an execution that an automaton accepts and that is fair, by brute force on
//! a [`Space`]. Components are found as slowly as it gets; strong fairness by trying every set of
//! processes that may move for ever.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use isospin_machine::Interpreter;
use isospin_model::{Model, Pid};
use isospin_search::liveness::{Fairness, PropertyAutomaton};

use crate::brute::{locations, Pids, Space, State};

/// A node: a state of the model, and one of the automaton that is about to read it. States inside
/// atomic sequences that go round for ever are numbered behind the others.
type Node = (usize, u32);

struct Edge {
    to: usize,
    marks: u64,
    movers: Pids,
}

/// The product of a model and an automaton.
pub struct Oracle<'s> {
    space: &'s Space,
    nodes: Vec<Node>,
    edges: Vec<Vec<Edge>>,
    all: u64,
    /// Whether the automaton can come to an end.
    ends: bool,
    /// Whether what the automaton asks somewhere cannot be evaluated there.
    unreadable: bool,
}

impl<'s> Oracle<'s> {
    /// The product; `None` beyond `limit` nodes.
    pub fn new(
        model: &Arc<Model>,
        space: &'s Space,
        automaton: &PropertyAutomaton,
        limit: usize,
    ) -> Option<Oracle<'s>> {
        let mut machine = Interpreter::new(Arc::clone(model));
        let mut nodes: Vec<Node> = vec![(0, automaton.initial)];
        let mut index: HashMap<Node, usize> = HashMap::from([(nodes[0], 0)]);
        let mut edges = Vec::new();
        let mut ends = automaton.states[automaton.initial as usize].end.is_some();
        let outside = space.states.len();
        let mut unreadable = false;
        let mut at = 0;
        while at < nodes.len() {
            let (state, q) = nodes[at];
            let here = state_of(space, state);
            let bytes = &here.bytes;
            let label = if automaton.accept_labels && at_accept(model, bytes) {
                automaton.label_mark()
            } else {
                0
            };
            let values: Vec<Option<bool>> = automaton
                .atoms
                .iter()
                .map(|atom| machine.eval(bytes, None, here.quiet, atom).ok().map(|v| v != 0))
                .collect();
            let guards = automaton.states[q as usize].edges.iter().flat_map(|e| &e.guard);
            let asked = guards.flatten().map(|&(atom, _)| values[atom as usize]);
            let mut out = Vec::new();
            // Inside of sequences nobody reports it.
            if asked.clone().any(|v| v.is_none()) && state < outside {
                unreadable = true;
                edges.push(out);
                at += 1;
                continue;
            }
            let onward = if state < outside { 0 } else { outside };
            let arcs = here.arcs.iter().map(|a| (a.to + onward, &a.movers));
            let diverging = here.diverging.iter().map(|a| (a.to + outside, &a.movers));
            let arcs: Vec<(usize, &Pids)> = arcs.chain(diverging).collect();
            for edge in &automaton.states[q as usize].edges {
                let open = |(atom, value): &(u16, bool)| values[*atom as usize] == Some(*value);
                if !edge.guard.iter().any(|cube| cube.iter().all(open)) {
                    continue;
                }
                ends |= automaton.states[edge.to as usize].end.is_some();
                for &(to, movers) in &arcs {
                    // Nobody moves where the execution is over.
                    let over = movers.is_empty() && to == state;
                    if over && automaton.states[q as usize].endless {
                        continue;
                    }
                    let node = (to, edge.to);
                    let to = *index.entry(node).or_insert_with(|| {
                        nodes.push(node);
                        nodes.len() - 1
                    });
                    out.push(Edge { to, marks: edge.marks | label, movers: movers.clone() });
                }
            }
            edges.push(out);
            at += 1;
            if nodes.len() > limit {
                return None;
            }
        }
        let all = (0..automaton.sets).fold(0, |all, set| all | 1 << set);
        Some(Oracle { space, nodes, edges, all, ends, unreadable })
    }

    /// Whether some execution that counts is accepted.
    pub fn violated(&self, fairness: Fairness) -> bool {
        self.ends || self.unreadable || self.accepts(fairness)
    }

    /// Whether what the automaton asks somewhere cannot be evaluated there.
    pub fn unreadable(&self) -> bool {
        self.unreadable
    }

    fn accepts(&self, fairness: Fairness) -> bool {
        match fairness {
            Fairness::None => self.some_component(|_| true, |_| true, |_| true),
            Fairness::Weak => self.some_component(
                |_| true,
                |_| true,
                |c| {
                    (0..self.space.processes()).map(Pid).all(|p| {
                        c.moved.contains(&p)
                            || c.nodes.iter().any(|&n| !self.enabled(n).contains(&p))
                    })
                },
            ),
            Fairness::Strong => {
                // The processes that move for ever are exactly those of `set`, and no other one
                // can ever move.
                let count = self.space.processes();
                (0..1u32 << count).any(|bits| {
                    let set: Pids = (0..count).filter(|p| bits & 1 << p != 0).map(Pid).collect();
                    self.some_component(
                        |n| self.enabled(n).is_subset(&set),
                        |e| e.movers.is_subset(&set),
                        |c| c.moved == set,
                    )
                })
            }
        }
    }

    fn enabled(&self, node: usize) -> &Pids {
        &state_of(self.space, self.nodes[node].0).enabled
    }

    /// Whether some component of the part that is kept has an accepting cycle and is good.
    fn some_component(
        &self,
        keep: impl Fn(usize) -> bool,
        follow: impl Fn(&Edge) -> bool,
        good: impl Fn(&Component) -> bool,
    ) -> bool {
        let kept: HashSet<usize> = (0..self.nodes.len()).filter(|&n| keep(n)).collect();
        let out = |n: usize| {
            self.edges[n].iter().filter(|e| kept.contains(&e.to) && follow(e)).collect::<Vec<_>>()
        };
        let forward: HashMap<usize, Vec<usize>> =
            kept.iter().map(|&n| (n, out(n).iter().map(|e| e.to).collect())).collect();
        components(&forward).into_iter().any(|nodes| {
            let mut c = Component { nodes, moved: Pids::new() };
            let (mut marks, mut cyclic) = (0, false);
            for &n in &c.nodes {
                for e in out(n).into_iter().filter(|e| c.nodes.contains(&e.to)) {
                    cyclic = true;
                    marks |= e.marks;
                    c.moved.extend(&e.movers);
                }
            }
            cyclic && marks & self.all == self.all && good(&c)
        })
    }
}

/// The state with this number.
fn state_of(space: &Space, number: usize) -> &State {
    match number.checked_sub(space.states.len()) {
        None => &space.states[number],
        Some(inside) => &space.inside[inside],
    }
}

/// Whether some process stands at an `accept` label.
pub(crate) fn at_accept(model: &Model, state: &[u8]) -> bool {
    locations(model, state).iter().any(|l| l.accept)
}

struct Component {
    nodes: HashSet<usize>,
    moved: Pids,
}

/// Kosaraju's algorithm: the order in which nodes are left, then backwards.
fn components(forward: &HashMap<usize, Vec<usize>>) -> Vec<HashSet<usize>> {
    let mut backward: HashMap<usize, Vec<usize>> = HashMap::new();
    for (&from, to) in forward {
        to.iter().for_each(|&to| backward.entry(to).or_default().push(from));
    }
    let mut order = Vec::new();
    let mut seen: HashSet<usize> = HashSet::new();
    for &root in forward.keys() {
        let mut stack = vec![(root, false)];
        while let Some((n, left)) = stack.pop() {
            if left {
                order.push(n);
            } else if seen.insert(n) {
                stack.push((n, true));
                stack.extend(forward[&n].iter().map(|&to| (to, false)));
            }
        }
    }
    let mut done: HashSet<usize> = HashSet::new();
    let mut found = Vec::new();
    for &root in order.iter().rev() {
        let mut component = HashSet::new();
        let mut stack = vec![root];
        while let Some(n) = stack.pop() {
            if done.insert(n) {
                component.insert(n);
                stack.extend(backward.get(&n).into_iter().flatten());
            }
        }
        if !component.is_empty() {
            found.push(component);
        }
    }
    found
}
