//! Minimal deterministic weak automata for obligations (Dax, Eisinger and Klaedtke 2007).

use std::collections::{HashMap, VecDeque};

use crate::construct::alphabet::Letters;
use crate::construct::emptiness::{disjoint, is_empty};
use crate::construct::graph::{Edge, Graph};

/// The most sets of states in the powerset construction.
const MAX_SUBSETS: usize = 150;

/// The largest product in the final check.
const MAX_PRODUCT: usize = 20_000;

/// The minimal deterministic weak automaton of a language, if it has one and that is found.
pub(crate) fn minimal_weak(graph: &Graph, negation: &Graph, letters: usize) -> Option<Graph> {
    if letters > 1024 {
        return None;
    }
    let powerset = Powerset::of(graph, letters)?;
    let shape = powerset.as_graph(letters, &[]);
    let components = shape.components();
    let accepting: Vec<bool> = (0..components.cyclic.len())
        .map(|component| {
            let member = components.of.iter().position(|&of| of == component);
            member.is_some_and(|start| {
                let word = powerset.cycle(start, |state| components.of[state] == component);
                components.cyclic[component] && accepts_loop(graph, &powerset.subsets[start], &word)
            })
        })
        .collect();
    // Löding's colours (2001): a state on no cycle takes that of the lowest state below it.
    let top = 2 * components.cyclic.len();
    let mut colour = vec![top; components.cyclic.len()];
    let mut order: Vec<usize> = (0..powerset.subsets.len()).collect();
    order.sort_by_key(|&state| components.of[state]);
    for component in 0..colour.len() {
        for &state in order.iter().filter(|&&state| components.of[state] == component) {
            for &to in &powerset.next[state] {
                if components.of[to] != component {
                    colour[component] = colour[component].min(colour[components.of[to]]);
                }
            }
        }
        if components.cyclic[component] && (colour[component] % 2 == 0) != accepting[component] {
            colour[component] -= 1;
        }
    }
    let accepting: Vec<bool> =
        (0..powerset.subsets.len()).map(|s| colour[components.of[s]] % 2 == 0).collect();
    let class = powerset.minimize(&accepting);
    let accepted = powerset.collapsed(&class, &accepting, letters, false);
    let rejected = powerset.collapsed(&class, &accepting, letters, true);
    let exact =
        disjoint(&accepted, negation, MAX_PRODUCT)? && disjoint(&rejected, graph, MAX_PRODUCT)?;
    exact.then(|| {
        let mut weak = accepted;
        weak.trim();
        weak
    })
}

struct Powerset {
    subsets: Vec<Vec<usize>>,
    /// For each set, its successor under each letter.
    next: Vec<Vec<usize>>,
}

impl Powerset {
    fn of(graph: &Graph, letters: usize) -> Option<Self> {
        let start = vec![graph.initial];
        let mut numbers = HashMap::from([(start.clone(), 0)]);
        let mut subsets = vec![start];
        let mut next: Vec<Vec<usize>> = Vec::new();
        while next.len() < subsets.len() {
            let mut targets = vec![Vec::new(); letters];
            for &state in &subsets[next.len()] {
                for edge in &graph.edges[state] {
                    for letter in edge.letters.iter() {
                        targets[letter].push(edge.to);
                    }
                }
            }
            let mut row = Vec::with_capacity(letters);
            for mut target in targets {
                target.sort_unstable();
                target.dedup();
                row.push(*numbers.entry(target).or_insert_with_key(|target| {
                    subsets.push(target.clone());
                    subsets.len() - 1
                }));
            }
            next.push(row);
            if subsets.len() > MAX_SUBSETS {
                return None;
            }
        }
        Some(Self { subsets, next })
    }

    fn as_graph(&self, letters: usize, accepting: &[bool]) -> Graph {
        let edges = self.next.iter().enumerate().map(|(state, row)| {
            let mut by_target: HashMap<usize, Letters> = HashMap::new();
            for (letter, &to) in row.iter().enumerate() {
                by_target.entry(to).or_insert_with(|| Letters::none(letters)).insert(letter);
            }
            let marks = accepting.get(state).copied().unwrap_or(false).into();
            let mut out: Vec<Edge> =
                by_target.into_iter().map(|(to, letters)| Edge { to, marks, letters }).collect();
            out.sort_unstable();
            out
        });
        Graph { initial: 0, sets: 1, state_based: true, edges: edges.collect() }
    }

    /// The letters of a shortest cycle through a state that stays among some states.
    fn cycle(&self, start: usize, within: impl Fn(usize) -> bool) -> Vec<usize> {
        let mut from: HashMap<usize, (usize, usize)> = HashMap::new();
        let mut queue = VecDeque::from([start]);
        while let Some(state) = queue.pop_front() {
            for (letter, &to) in self.next[state].iter().enumerate() {
                if !within(to) || from.contains_key(&to) {
                    continue;
                }
                from.insert(to, (state, letter));
                if to == start {
                    let mut word = Vec::new();
                    let mut at = start;
                    loop {
                        let (before, letter) = from[&at];
                        word.push(letter);
                        at = before;
                        if at == start {
                            word.reverse();
                            return word;
                        }
                    }
                }
                queue.push_back(to);
            }
        }
        Vec::new()
    }

    /// Moore's partition refinement: for each state the number of its class.
    fn minimize(&self, accepting: &[bool]) -> Vec<usize> {
        let mut class: Vec<usize> = accepting.iter().map(|&flag| flag.into()).collect();
        let mut count = 0;
        loop {
            let mut numbers: HashMap<(usize, Vec<usize>), usize> = HashMap::new();
            let refined: Vec<usize> = (0..class.len())
                .map(|state| {
                    let row = self.next[state].iter().map(|&to| class[to]).collect();
                    let fresh = numbers.len();
                    *numbers.entry((class[state], row)).or_insert(fresh)
                })
                .collect();
            class = refined;
            if numbers.len() == count {
                return class;
            }
            count = numbers.len();
        }
    }

    fn collapsed(&self, class: &[usize], accepting: &[bool], letters: usize, flip: bool) -> Graph {
        let count = class.iter().max().map_or(0, |max| max + 1);
        let mut quotient = Self { subsets: vec![Vec::new(); count], next: vec![Vec::new(); count] };
        let mut flags = vec![false; count];
        for state in 0..class.len() {
            quotient.next[class[state]] = self.next[state].iter().map(|&to| class[to]).collect();
            flags[class[state]] = accepting[state] != flip;
        }
        let mut graph = quotient.as_graph(letters, &flags);
        graph.initial = class[0];
        graph.drop_unreachable();
        graph
    }
}

/// Whether the infinite repetition of a word is accepted from one of some states.
fn accepts_loop(graph: &Graph, from: &[usize], word: &[usize]) -> bool {
    let length = word.len();
    let mut numbers: HashMap<(usize, usize), usize> = HashMap::new();
    let mut order: Vec<(usize, usize)> = Vec::new();
    for &state in from {
        numbers.insert((state, 0), order.len());
        order.push((state, 0));
    }
    let mut edges = Vec::new();
    while edges.len() < order.len() {
        let (state, position) = order[edges.len()];
        let mut out = Vec::new();
        for edge in graph.edges[state].iter().filter(|edge| edge.letters.contains(word[position])) {
            let target = (edge.to, (position + 1) % length);
            let to = *numbers.entry(target).or_insert_with(|| {
                order.push(target);
                order.len() - 1
            });
            out.push(Edge { to, ..edge.clone() });
        }
        edges.push(out);
    }
    !edges.is_empty()
        && !is_empty(&Graph { initial: 0, sets: graph.sets, state_based: false, edges })
}
