//! The automaton that constructions and reductions work on.

use std::collections::BTreeMap;

use super::alphabet::Letters;

/// Sets of acceptance marks, one bit each.
pub(crate) type Marks = u64;

/// The marks of a number of sets.
pub(crate) fn all_marks(sets: u32) -> Marks {
    Marks::MAX.checked_shr(Marks::BITS - sets).unwrap_or(0)
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Edge {
    pub to: usize,
    pub marks: Marks,
    pub letters: Letters,
}

/// A generalised Büchi automaton with marks on its edges: a run is accepting if it meets every
/// mark below `sets` infinitely often.
///
/// Where `state_based` is set there is one mark, and a state's outgoing edges agree about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Graph {
    pub initial: usize,
    pub sets: u32,
    pub state_based: bool,
    pub edges: Vec<Vec<Edge>>,
}

/// The most edges of one state that are compared with each other.
const MAX_COMPARED: usize = 500;

/// The strongly connected components of a graph, numbered from the bottom up: an edge never leads
/// to a component with a higher number.
pub(crate) struct Components {
    pub of: Vec<usize>,
    /// For each, whether an edge stays inside it.
    pub cyclic: Vec<bool>,
    /// For each, the marks on the edges inside it.
    pub marks: Vec<Marks>,
}

impl Components {
    pub fn inside(&self, from: usize, to: usize) -> bool {
        self.of[from] == self.of[to]
    }
}

impl Graph {
    pub fn states(&self) -> usize {
        self.edges.len()
    }

    pub fn edge_count(&self) -> usize {
        self.edges.iter().map(Vec::len).sum()
    }

    pub fn all_marks(&self) -> Marks {
        all_marks(self.sets)
    }

    /// Whether a state of a state-based automaton is accepting.
    pub fn accepting(&self, state: usize) -> bool {
        self.edges[state].first().is_some_and(|edge| edge.marks & 1 == 1)
    }

    pub fn set_accepting(&mut self, state: usize, accepting: bool) {
        for edge in &mut self.edges[state] {
            edge.marks = accepting.into();
        }
    }

    /// Whether no state has two edges that share a letter; false too if that takes long to see.
    pub fn is_deterministic(&self) -> bool {
        self.edges.iter().all(|edges| {
            edges.len() <= MAX_COMPARED
                && edges.iter().enumerate().all(|(index, edge)| {
                    edges[..index].iter().all(|other| !other.letters.intersects(&edge.letters))
                })
        })
    }

    pub fn components(&self) -> Components {
        self.components_where(|_, _| true)
    }

    /// The components of the graph that has only some of the edges [Tarjan 1972].
    pub fn components_where(&self, keep: impl Fn(usize, &Edge) -> bool) -> Components {
        const NEW: usize = usize::MAX;
        let count = self.states();
        let mut order = vec![NEW; count];
        let mut low = vec![0; count];
        let mut of = vec![NEW; count];
        let mut stack = Vec::new();
        let mut path: Vec<(usize, usize)> = Vec::new();
        let mut clock = 0;
        let mut components = 0;
        for root in 0..count {
            if order[root] != NEW {
                continue;
            }
            path.push((root, 0));
            while let Some(&mut (state, ref mut next)) = path.last_mut() {
                if *next == 0 {
                    order[state] = clock;
                    low[state] = clock;
                    clock += 1;
                    stack.push(state);
                }
                if let Some(edge) = self.edges[state].get(*next) {
                    *next += 1;
                    if keep(state, edge) {
                        if order[edge.to] == NEW {
                            path.push((edge.to, 0));
                        } else if of[edge.to] == NEW {
                            low[state] = low[state].min(order[edge.to]);
                        }
                    }
                    continue;
                }
                path.pop();
                if let Some(&(parent, _)) = path.last() {
                    low[parent] = low[parent].min(low[state]);
                }
                if low[state] == order[state] {
                    while let Some(member) = stack.pop() {
                        of[member] = components;
                        if member == state {
                            break;
                        }
                    }
                    components += 1;
                }
            }
        }
        let mut result =
            Components { of, cyclic: vec![false; components], marks: vec![0; components] };
        for (state, edges) in self.edges.iter().enumerate() {
            for edge in edges.iter().filter(|edge| keep(state, edge)) {
                if result.inside(state, edge.to) {
                    result.cyclic[result.of[state]] = true;
                    result.marks[result.of[state]] |= edge.marks;
                }
            }
        }
        result
    }

    /// For each component, whether an accepting run can stay in it.
    pub fn accepting_components(&self, components: &Components) -> Vec<bool> {
        let all = self.all_marks();
        (0..components.cyclic.len())
            .map(|index| components.cyclic[index] && components.marks[index] == all)
            .collect()
    }

    /// For each state, whether an accepting run starts there.
    pub fn useful(&self) -> Vec<bool> {
        let components = self.components();
        self.useful_in(&components, self.accepting_components(&components))
    }

    fn useful_in(&self, components: &Components, mut useful: Vec<bool>) -> Vec<bool> {
        // Bottom up, so that the components below are known.
        let mut by_component: Vec<usize> = (0..self.states()).collect();
        by_component.sort_by_key(|&state| components.of[state]);
        for &state in &by_component {
            if self.edges[state].iter().any(|edge| useful[components.of[edge.to]]) {
                useful[components.of[state]] = true;
            }
        }
        (0..self.states()).map(|state| useful[components.of[state]]).collect()
    }

    /// Drops the states that no accepting run visits and the marks that no accepting run needs,
    /// and joins parallel edges.
    pub fn trim(&mut self) {
        self.normalize();
        let components = self.components();
        let accepting = self.accepting_components(&components);
        let useful = self.useful_in(&components, accepting.clone());
        for state in 0..self.states() {
            let component = components.of[state];
            let was_accepting = self.accepting(state);
            self.edges[state].retain(|edge| useful[edge.to]);
            if self.state_based {
                self.set_accepting(state, was_accepting && accepting[component]);
                continue;
            }
            for edge in &mut self.edges[state] {
                if !accepting[component] || components.of[edge.to] != component {
                    edge.marks = 0;
                }
            }
        }
        self.normalize();
        self.drop_unreachable();
    }

    /// Joins edges between the same states, and gives each letter to the edge with the most marks.
    pub fn normalize(&mut self) {
        for edges in &mut self.edges {
            let mut joined: BTreeMap<(usize, Marks), Letters> = BTreeMap::new();
            for edge in edges.drain(..) {
                joined
                    .entry((edge.to, edge.marks))
                    .and_modify(|letters| letters.add(&edge.letters))
                    .or_insert(edge.letters);
            }
            edges.extend(joined.into_iter().map(|((to, marks), letters)| Edge {
                to,
                marks,
                letters,
            }));
            if edges.len() <= MAX_COMPARED {
                for index in 0..edges.len() {
                    let (mut edge, rest) = (edges[index].clone(), &edges[..]);
                    let better = |other: &&Edge| {
                        other.to == edge.to
                            && other.marks != edge.marks
                            && edge.marks & !other.marks == 0
                    };
                    let covered: Vec<&Edge> = rest.iter().filter(better).collect();
                    if covered.is_empty() {
                        continue;
                    }
                    for other in covered {
                        edge.letters.remove(&other.letters);
                    }
                    edges[index] = edge;
                }
            }
            edges.retain(|edge| !edge.letters.is_empty());
        }
    }

    /// Keeps the states that can be reached, numbered in the order of a breadth-first search.
    pub fn drop_unreachable(&mut self) {
        const NEW: usize = usize::MAX;
        let mut number = vec![NEW; self.states()];
        let mut order = vec![self.initial];
        number[self.initial] = 0;
        let mut next = 0;
        while next < order.len() {
            for edge in &self.edges[order[next]] {
                if number[edge.to] == NEW {
                    number[edge.to] = order.len();
                    order.push(edge.to);
                }
            }
            next += 1;
        }
        let mut edges = Vec::with_capacity(order.len());
        for &state in &order {
            let mut kept = std::mem::take(&mut self.edges[state]);
            for edge in &mut kept {
                edge.to = number[edge.to];
            }
            kept.sort_unstable();
            edges.push(kept);
        }
        self.edges = edges;
        self.initial = 0;
    }

    /// Maps every state to a representative, which gets the edges of all its class.
    pub fn quotient(&mut self, class: &[usize]) {
        for state in 0..self.states() {
            let edges = std::mem::take(&mut self.edges[state]);
            for mut edge in edges {
                edge.to = class[edge.to];
                self.edges[class[state]].push(edge);
            }
        }
        self.initial = class[self.initial];
        self.normalize();
        self.drop_unreachable();
    }
}
