//! Direct simulation, forward and backward: equivalent states become one, and edges that another
//! edge makes superfluous go [Somenzi 2000; Bustan 2003].

use isospin_limits::check_many;

use crate::construct::alphabet::Letters;
use crate::construct::graph::{Edge, Graph};

/// The most comparisons of edges, times the words of their sets of letters, for one relation.
const MAX_WORK: usize = 1_000_000;

/// Reduces by both simulations, then trims.
pub(super) fn reduce(graph: &mut Graph) {
    for backward in [false, true] {
        let edges = graph.edge_count();
        let words = graph.edges.iter().flatten().next().map_or(1, |edge| edge.letters.words());
        if edges * edges * words > MAX_WORK {
            graph.trim();
            break;
        }
        let relation = Relation::of(graph, backward);
        if let Some(class) = relation.classes() {
            graph.quotient(&class);
        }
        let relation = Relation::of(graph, backward);
        relation.prune(graph);
        graph.trim();
    }
}

/// Which states can do whatever a state can; backward, can be reached however it can.
struct Relation {
    states: usize,
    backward: bool,
    pairs: Vec<bool>,
}

impl Relation {
    fn of(graph: &Graph, backward: bool) -> Self {
        let states = graph.states();
        let moves = if backward { reversed(graph) } else { graph.edges.clone() };
        let mut relation = Self { states, backward, pairs: vec![true; states * states] };
        for p in 0..states {
            for q in 0..states {
                let initial = !backward || p != graph.initial || q == graph.initial;
                let marked = !graph.state_based || !graph.accepting(p) || graph.accepting(q);
                relation.pairs[p * states + q] = initial && marked;
            }
        }
        for pass in 0.. {
            let mut changed = false;
            for k in 0..states {
                // Most is settled when those come first that moves lead to. They have mostly higher
                // numbers or mostly lower ones: each way is tried in turn.
                let p = if (pass % 2 == 0) == backward { k } else { states - 1 - k };
                for q in 0..states {
                    check_many(moves[p].len() as u32);
                    if p != q
                        && relation.holds(p, q)
                        && !moves[p].iter().all(|edge| relation.matched(edge, &moves[q]))
                    {
                        relation.pairs[p * states + q] = false;
                        changed = true;
                    }
                }
            }
            if !changed {
                break;
            }
        }
        relation
    }

    fn holds(&self, p: usize, q: usize) -> bool {
        self.pairs[p * self.states + q]
    }

    /// Whether, for every letter of an edge, one of the others answers it.
    fn matched(&self, edge: &Edge, answers: &[Edge]) -> bool {
        let fits =
            |answer: &Edge| edge.marks & !answer.marks == 0 && self.holds(edge.to, answer.to);
        if answers.iter().any(|answer| answer.letters.covers(&edge.letters) && fits(answer)) {
            return true;
        }
        let mut open: Letters = edge.letters.clone();
        for answer in answers {
            if fits(answer) {
                open.remove(&answer.letters);
                if open.is_empty() {
                    return true;
                }
            }
        }
        open.is_empty()
    }

    /// For each state the least equivalent one; none if all are different.
    fn classes(&self) -> Option<Vec<usize>> {
        let class: Vec<usize> = (0..self.states)
            .map(|p| (0..=p).find(|&q| self.holds(p, q) && self.holds(q, p)).unwrap_or(p))
            .collect();
        class.iter().enumerate().any(|(state, &class)| state != class).then_some(class)
    }

    /// Takes from each edge the letters for which a better edge leaves the same state (or, of a
    /// backward simulation, enters it). The relation must be a partial order.
    fn prune(&self, graph: &mut Graph) {
        let mut moves =
            if self.backward { reversed(graph) } else { std::mem::take(&mut graph.edges) };
        for edges in &mut moves {
            for index in 0..edges.len() {
                for other in 0..edges.len() {
                    let (edge, better) = (&edges[index], &edges[other]);
                    if edge.to != better.to
                        && edge.marks & !better.marks == 0
                        && self.holds(edge.to, better.to)
                        && !self.holds(better.to, edge.to)
                    {
                        let letters = better.letters.clone();
                        edges[index].letters.remove(&letters);
                    }
                }
            }
            edges.retain(|edge| !edge.letters.is_empty());
        }
        graph.edges = moves;
        if self.backward {
            graph.edges = reversed(graph);
        }
    }
}

/// The edges into each state, as edges that lead to where they came from.
fn reversed(graph: &Graph) -> Vec<Vec<Edge>> {
    let mut edges = vec![Vec::new(); graph.states()];
    for (from, out) in graph.edges.iter().enumerate() {
        for edge in out {
            edges[edge.to].push(Edge { to: from, ..edge.clone() });
        }
    }
    edges
}
