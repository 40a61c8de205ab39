//! Graphs, their strongly connected components, and which of them are fair.

/// A graph with conditions on edges that fair paths meet infinitely often, and with pairs of sets
/// of nodes: who meets the first infinitely often meets the second so.
pub(super) struct Graph {
    pub(super) edges: Vec<Vec<usize>>,
    pub(super) justice: Vec<Vec<Vec<bool>>>,
    pub(super) compassion: Vec<(Vec<bool>, Vec<bool>)>,
}

impl Graph {
    pub(super) fn new(nodes: usize) -> Graph {
        Graph { edges: vec![Vec::new(); nodes], justice: Vec::new(), compassion: Vec::new() }
    }

    /// The nodes from which a set can be reached inside another.
    pub(super) fn until(&self, within: &[bool], target: &[bool]) -> Vec<bool> {
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); self.edges.len()];
        for (from, edges) in self.edges.iter().enumerate() {
            edges.iter().for_each(|to| before[*to].push(from));
        }
        let mut found = target.to_vec();
        let mut stack: Vec<usize> = (0..target.len()).filter(|k| target[*k]).collect();
        while let Some(node) = stack.pop() {
            for &from in &before[node] {
                if within[from] && !found[from] {
                    found[from] = true;
                    stack.push(from);
                }
            }
        }
        found
    }

    /// The nodes of a set from which a fair path stays inside it.
    pub(super) fn fair(&self, within: &[bool]) -> Vec<bool> {
        let mut target = vec![false; within.len()];
        let mut todo: Vec<Vec<bool>> = vec![within.to_vec()];
        while let Some(part) = todo.pop() {
            for component in self.components(&part) {
                let mut inside = vec![false; within.len()];
                component.iter().for_each(|k| inside[*k] = true);
                if !self.meets_justice(&component, &inside) {
                    continue;
                }
                let broken: Vec<&(Vec<bool>, Vec<bool>)> = self
                    .compassion
                    .iter()
                    .filter(|(p, q)| {
                        component.iter().any(|k| p[*k]) && !component.iter().any(|k| q[*k])
                    })
                    .collect();
                if broken.is_empty() {
                    component.iter().for_each(|k| target[*k] = true);
                } else {
                    // Perhaps a part of it that stays away from what breaks it.
                    for k in &component {
                        inside[*k] = !broken.iter().any(|(p, _)| p[*k]);
                    }
                    todo.push(inside);
                }
            }
        }
        self.until(within, &target)
    }

    fn meets_justice(&self, component: &[usize], inside: &[bool]) -> bool {
        let edge_inside = |mark: Option<&Vec<Vec<bool>>>| {
            component.iter().any(|&from| {
                let edges = self.edges[from].iter().enumerate();
                edges.into_iter().any(|(k, to)| inside[*to] && mark.is_none_or(|m| m[from][k]))
            })
        };
        edge_inside(None) && self.justice.iter().all(|mark| edge_inside(Some(mark)))
    }

    /// The strongly connected components of a part (Tarjan 1972).
    fn components(&self, part: &[bool]) -> Vec<Vec<usize>> {
        const NEW: usize = usize::MAX;
        let count = part.len();
        let (mut index, mut low) = (vec![NEW; count], vec![0; count]);
        let (mut on_stack, mut stack) = (vec![false; count], Vec::new());
        let (mut next, mut found) = (0, Vec::new());
        for root in (0..count).filter(|k| part[*k]) {
            if index[root] != NEW {
                continue;
            }
            // Nodes on the way, each with the number of the edge that is looked at next.
            let mut calls: Vec<(usize, usize)> = Vec::new();
            let mut enter = Some(root);
            loop {
                if let Some(node) = enter.take() {
                    (index[node], low[node]) = (next, next);
                    next += 1;
                    stack.push(node);
                    on_stack[node] = true;
                    calls.push((node, 0));
                }
                let Some((node, at)) = calls.last_mut() else { break };
                let node = *node;
                if let Some(&to) = self.edges[node].get(*at) {
                    *at += 1;
                    if part[to] && index[to] == NEW {
                        enter = Some(to);
                    } else if part[to] && on_stack[to] {
                        low[node] = low[node].min(index[to]);
                    }
                    continue;
                }
                calls.pop();
                if let Some((parent, _)) = calls.last() {
                    low[*parent] = low[*parent].min(low[node]);
                }
                if low[node] == index[node] {
                    let mut component = Vec::new();
                    while let Some(member) = stack.pop() {
                        on_stack[member] = false;
                        component.push(member);
                        if member == node {
                            break;
                        }
                    }
                    found.push(component);
                }
            }
        }
        found
    }
}
