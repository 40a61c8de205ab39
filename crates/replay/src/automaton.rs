//! Never claims, automata and labels on an execution: is there a run that accepts it?
//!
//! A run reads a state at each position and goes on to the next one. The pairs of a position and
//! of where the run stands are a finite graph; the execution is accepted if a cycle of that graph,
//! reachable from its start, has every acceptance mark.

use std::collections::HashMap;

use isospin_logic::GeneralizedBuchi;
use isospin_machine::Interpreter;
use isospin_model::{Action, Expr, LocationId, Model, ProcType, Shape};

use crate::lasso::{observe, Walked};

/// More ways through the atomic sequences of a claim than this are not looked at, at one position.
const MAX_WAYS: usize = 10_000;

/// Something that reads states, one after the other, and may go on in several ways.
pub trait Reader {
    /// Where every run starts.
    fn initial(&self) -> u32;
    /// The acceptance marks that a run must come by again and again.
    fn all_marks(&self) -> u64;
    /// Where it can go on to from `at` when it reads `state`, and with which marks.
    fn read(&self, machine: &mut Interpreter, state: &[u8], at: u32) -> Vec<(u32, u64)>;
    /// Whether to come here is a violation by itself.
    fn is_end(&self, _: u32) -> bool {
        false
    }
}

/// Whether some run of the reader accepts the execution, or comes to its end on it.
pub fn accepts(machine: &mut Interpreter, reader: &dyn Reader, word: &Walked) -> bool {
    let mut graph = Graph::default();
    graph.node((0, reader.initial()));
    let mut at = 0;
    while at < graph.nodes.len() {
        let (k, q) = graph.nodes[at];
        if reader.is_end(q) {
            return true;
        }
        let mut arcs = Vec::new();
        if let Some(next) = word.next(k) {
            for (to, marks) in reader.read(machine, &word.states[k], q) {
                arcs.push((graph.node((next, to)), marks));
            }
        }
        graph.arcs.push(arcs);
        at += 1;
    }
    graph.has_cycle_with(reader.all_marks())
}

/// Pairs of positions and of where a run stands there.
#[derive(Default)]
struct Graph {
    nodes: Vec<(usize, u32)>,
    numbers: HashMap<(usize, u32), usize>,
    arcs: Vec<Vec<(usize, u64)>>,
}

impl Graph {
    fn node(&mut self, node: (usize, u32)) -> usize {
        *self.numbers.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            self.nodes.len() - 1
        })
    }

    /// Whether the arcs within some strongly connected component have all these marks. Components
    /// by Kosaraju's algorithm: the order in which nodes are left, then backwards.
    fn has_cycle_with(&self, all: u64) -> bool {
        let mut order = Vec::new();
        let mut seen = vec![false; self.nodes.len()];
        for root in 0..self.nodes.len() {
            let mut stack = vec![(root, false)];
            while let Some((n, left)) = stack.pop() {
                if left {
                    order.push(n);
                } else if !std::mem::replace(&mut seen[n], true) {
                    stack.push((n, true));
                    stack.extend(self.arcs[n].iter().map(|&(to, _)| (to, false)));
                }
            }
        }
        let mut backward = vec![Vec::new(); self.nodes.len()];
        for (from, arcs) in self.arcs.iter().enumerate() {
            arcs.iter().for_each(|&(to, _)| backward[to].push(from));
        }
        let mut component = vec![usize::MAX; self.nodes.len()];
        for &root in order.iter().rev() {
            let mut stack = vec![root];
            while let Some(n) = stack.pop() {
                if component[n] == usize::MAX {
                    component[n] = root;
                    stack.extend(&backward[n]);
                }
            }
        }
        let mut marks: HashMap<usize, u64> = HashMap::new();
        for (from, arcs) in self.arcs.iter().enumerate() {
            for &(to, mark) in arcs.iter().filter(|(to, _)| component[*to] == component[from]) {
                *marks.entry(component[to]).or_default() |= mark;
            }
        }
        marks.values().any(|found| found & all == all)
    }
}

fn value(machine: &mut Interpreter, state: &[u8], expr: &Expr) -> bool {
    observe(machine, state, expr).is_ok_and(|v| v != 0)
}

/// An automaton with acceptance sets, whose propositions are these expressions.
pub struct Automaton<'a> {
    /// The automaton.
    pub automaton: &'a GeneralizedBuchi,
    /// Its propositions.
    pub atoms: &'a [Expr],
}

impl Reader for Automaton<'_> {
    fn initial(&self) -> u32 {
        self.automaton.initial as u32
    }

    fn all_marks(&self) -> u64 {
        (1u64 << self.automaton.sets) - 1
    }

    fn read(&self, machine: &mut Interpreter, state: &[u8], at: u32) -> Vec<(u32, u64)> {
        let values: Vec<bool> = self.atoms.iter().map(|a| value(machine, state, a)).collect();
        let edges = self.automaton.edges[at as usize].iter();
        let open = edges.filter(|e| {
            let mut cubes = e.label.cubes.iter();
            cubes.any(|c| c.literals().all(|(atom, wanted)| values[atom] == wanted))
        });
        open.map(|e| (e.to as u32, e.marks)).collect()
    }
}

/// A never claim, and whether `accept` labels of processes count as its own.
pub struct NeverClaim<'a> {
    /// The claim.
    pub claim: &'a ProcType,
    /// The model whose processes' labels count.
    pub labels: Option<&'a Model>,
}

impl NeverClaim<'_> {
    /// Behind all locations: an assertion has failed.
    fn failed(&self) -> u32 {
        self.claim.automaton.locations.len() as u32
    }

    fn ends(&self, location: LocationId) -> bool {
        self.claim.automaton.edges_of(location).iter().any(|e| e.action == Action::End)
    }

    /// Whether an edge can be taken; `None` where it is an assertion that fails.
    fn open(&self, machine: &mut Interpreter, state: &[u8], action: &Action) -> Option<bool> {
        match action {
            Action::Skip | Action::Print { .. } | Action::PrintSymbol(_) => Some(true),
            Action::Condition(e) => Some(value(machine, state, e)),
            Action::Assert(e) => value(machine, state, e).then_some(true),
            _ => Some(false),
        }
    }
}

impl Reader for NeverClaim<'_> {
    fn initial(&self) -> u32 {
        self.claim.automaton.initial.0
    }

    fn all_marks(&self) -> u64 {
        1
    }

    fn is_end(&self, at: u32) -> bool {
        // Where nothing is asked any more on the way to the end, it has come.
        let automaton = &self.claim.automaton;
        let mut seen = vec![at];
        let mut k = 0;
        while k < seen.len() {
            let here = seen[k];
            if here == self.failed() || self.ends(LocationId(here)) {
                return true;
            }
            for edge in automaton.edges_of(LocationId(here)) {
                let free = match &edge.action {
                    Action::Skip | Action::Print { .. } | Action::PrintSymbol(_) => true,
                    Action::Condition(Expr::Const(c)) => *c != 0,
                    _ => false,
                };
                if free && !seen.contains(&edge.target.0) {
                    seen.push(edge.target.0);
                }
            }
            k += 1;
        }
        false
    }

    fn read(&self, machine: &mut Interpreter, state: &[u8], at: u32) -> Vec<(u32, u64)> {
        let automaton = &self.claim.automaton;
        let labelled = self.labels.is_some_and(|model| at_label(model, state));
        let accepting = automaton.locations[at as usize].accept || labelled;
        let marks = u64::from(accepting);
        let mut out = Vec::new();
        // An atomic sequence of the claim is one step of it: all of it reads the same state.
        let mut todo = vec![vec![LocationId(at)]];
        let mut ways = 0;
        while let Some(way) = todo.pop() {
            ways += 1;
            let Some(&here) = way.last().filter(|_| ways <= MAX_WAYS) else { break };
            let edges = automaton.edges_of(here);
            let mut taken = false;
            for edge in edges {
                let open = match &edge.action {
                    Action::Else => Some(false),
                    action => self.open(machine, state, action),
                };
                taken |= open != Some(false);
            }
            for edge in edges {
                let open = match &edge.action {
                    Action::Else => Some(!taken),
                    action => self.open(machine, state, action),
                };
                match open {
                    None => out.push((self.failed(), marks)),
                    Some(false) => {}
                    Some(true) if !edge.atomic || self.ends(edge.target) => {
                        out.push((edge.target.0, marks));
                    }
                    Some(true) if way.contains(&edge.target) => {}
                    Some(true) => {
                        todo.push(way.iter().copied().chain([edge.target]).collect());
                    }
                }
            }
        }
        out
    }
}

/// The `accept` labels of the processes of a model, alone.
pub struct Labels<'a>(pub &'a Model);

impl Reader for Labels<'_> {
    fn initial(&self) -> u32 {
        0
    }

    fn all_marks(&self) -> u64 {
        1
    }

    fn read(&self, _: &mut Interpreter, state: &[u8], _: u32) -> Vec<(u32, u64)> {
        vec![(0, u64::from(at_label(self.0, state)))]
    }
}

/// Whether some process stands at an `accept` label.
pub fn at_label(model: &Model, state: &[u8]) -> bool {
    let mut shape = Shape::default();
    shape.read(model, state);
    shape.frames.iter().any(|&(ty, frame)| {
        let proctype = model.proctype(ty);
        let at = proctype.frame.location(state, frame as usize);
        proctype.automaton.locations[at.index()].accept
    })
}
