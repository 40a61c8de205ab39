//! Variables in an order in which what occurs together stands together.

use std::collections::BTreeSet;

use isospin_relation::clauses::{clauses, mentions};
use isospin_relation::{Mention, Relation, VarId};

/// Which variables occur together.
pub(super) struct Together {
    count: usize,
    /// Each at most once, sorted.
    groups: Vec<Vec<usize>>,
}

impl Together {
    /// What occurs together in a part of a transition or an invariant.
    pub(super) fn new(relation: &Relation) -> Together {
        let table = &relation.expressions;
        let mut groups = BTreeSet::new();
        for part in relation.transitions.iter().chain(&relation.invariants) {
            for clause in clauses(table, part.expr) {
                let variable = |mention| match mention {
                    Mention::Current(v) | Mention::Next(v) => v,
                };
                let ids: BTreeSet<usize> = mentions(table, &clause)
                    .into_iter()
                    .map(variable)
                    .filter(|v| relation.selector != Some(*v))
                    .map(VarId::index)
                    .collect();
                if ids.len() > 1 {
                    groups.insert(ids.into_iter().collect());
                }
            }
        }
        Together { count: relation.variables.len(), groups: groups.into_iter().collect() }
    }

    /// By the centres of gravity of groups (FORCE: Aloul 2003).
    pub(super) fn force(&self) -> Vec<usize> {
        let (count, groups) = (self.count, &self.groups);
        let mut position: Vec<f64> = (0..count).map(|k| k as f64).collect();
        let mut best = (self.span(&position), position.clone());
        for _ in 0..50 {
            let centre = |group: &Vec<usize>| {
                group.iter().map(|v| position[*v]).sum::<f64>() / group.len() as f64
            };
            let centres: Vec<f64> = groups.iter().map(centre).collect();
            let mut sums = vec![(0.0, 0.0); count];
            for (group, centre) in groups.iter().zip(&centres) {
                for v in group {
                    sums[*v].0 += centre;
                    sums[*v].1 += 1.0;
                }
            }
            let target: Vec<f64> = sums
                .iter()
                .enumerate()
                .map(|(v, (sum, n))| if *n > 0.0 { sum / n } else { position[v] })
                .collect();
            let mut order: Vec<usize> = (0..count).collect();
            order.sort_by(|a, b| target[*a].total_cmp(&target[*b]).then(a.cmp(b)));
            for (k, v) in order.iter().enumerate() {
                position[*v] = k as f64;
            }
            let now = self.span(&position);
            if now >= best.0 {
                break;
            }
            best = (now, position.clone());
        }
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by(|a, b| best.1[*a].total_cmp(&best.1[*b]));
        order
    }

    /// How far what occurs together is apart.
    fn span(&self, position: &[f64]) -> f64 {
        let width = |group: &Vec<usize>| {
            let places = group.iter().map(|v| position[*v]);
            let (low, high) = places.fold((f64::MAX, f64::MIN), |(l, h), p| (l.min(p), h.max(p)));
            high - low
        };
        self.groups.iter().map(width).sum()
    }

    /// For every variable those that it occurs with, the most often first.
    fn neighbours(&self) -> Vec<Vec<usize>> {
        let mut weights: Vec<std::collections::BTreeMap<usize, f64>> =
            vec![Default::default(); self.count];
        for group in &self.groups {
            // In a large group everything is with everything, which says little.
            let weight = 1.0 / (group.len() - 1) as f64;
            for a in group {
                for b in group.iter().filter(|b| *b != a) {
                    *weights[*a].entry(*b).or_default() += weight;
                }
            }
        }
        let sorted = |weights: std::collections::BTreeMap<usize, f64>| {
            let mut all: Vec<(usize, f64)> = weights.into_iter().collect();
            all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            all.into_iter().map(|(v, _)| v).collect()
        };
        weights.into_iter().map(sorted).collect()
    }

    /// From one variable to what it occurs with most often, depth first.
    pub(super) fn depth_first(&self) -> Vec<usize> {
        let neighbours = self.neighbours();
        let mut seen = vec![false; self.count];
        let mut order = Vec::new();
        for start in 0..self.count {
            let mut stack = vec![start];
            while let Some(v) = stack.pop() {
                if !std::mem::replace(&mut seen[v], true) {
                    order.push(v);
                    stack.extend(neighbours[v].iter().rev().filter(|w| !seen[**w]));
                }
            }
        }
        order
    }

    /// So that few variables are open at any place: those that have come, or stand beside one that
    /// has, are preferred, and among them those far from the end (Sloan 1986).
    pub(super) fn sloan(&self) -> Vec<usize> {
        let neighbours = self.neighbours();
        let mut placed = vec![false; self.count];
        let mut order = Vec::new();
        for seed in 0..self.count {
            if placed[seed] {
                continue;
            }
            let far = self.distances(&neighbours, seed);
            let end = (0..self.count).filter(|v| far[*v].is_some()).max_by_key(|v| far[*v]);
            let distance = self.distances(&neighbours, end.unwrap_or(seed));
            // Begin where the end is farthest away.
            let start = (0..self.count).filter(|v| distance[*v].is_some() && !placed[*v]);
            let Some(start) = start.max_by_key(|v| distance[*v]) else { continue };
            let mut open = BTreeSet::from([start]);
            while !open.is_empty() {
                let growth =
                    |v: usize| neighbours[v].iter().filter(|w| !placed[**w] && !open.contains(w));
                let priority = |v: &usize| {
                    2 * distance[*v].unwrap_or(0) as i64 - 3 * growth(*v).count() as i64
                };
                let Some(best) = open.iter().copied().max_by_key(priority) else { break };
                open.remove(&best);
                placed[best] = true;
                order.push(best);
                open.extend(neighbours[best].iter().filter(|w| !placed[**w]));
            }
        }
        order
    }

    /// How many steps every variable is from one, if it can be reached.
    fn distances(&self, neighbours: &[Vec<usize>], from: usize) -> Vec<Option<usize>> {
        let mut distance = vec![None; self.count];
        distance[from] = Some(0);
        let mut queue = std::collections::VecDeque::from([(from, 0)]);
        while let Some((v, steps)) = queue.pop_front() {
            for w in &neighbours[v] {
                if distance[*w].is_none() {
                    distance[*w] = Some(steps + 1);
                    queue.push_back((*w, steps + 1));
                }
            }
        }
        distance
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chain 0 - 3 - 1 - 4 - 2.
    fn chain() -> Together {
        let groups = vec![vec![0, 3], vec![1, 3], vec![1, 4], vec![2, 4]];
        Together { count: 5, groups }
    }

    #[test]
    fn a_chain_is_followed_from_one_end_to_the_other() {
        let along = [vec![0, 3, 1, 4, 2], vec![2, 4, 1, 3, 0]];
        assert!(along.contains(&chain().sloan()), "{:?}", chain().sloan());
        assert!(along.contains(&chain().depth_first()));
    }

    #[test]
    fn every_order_has_every_variable_once() {
        for groups in [vec![], vec![vec![0, 1, 2, 3]], vec![vec![4, 5], vec![0, 5]]] {
            let together = Together { count: 6, groups };
            for mut order in [together.force(), together.depth_first(), together.sloan()] {
                order.sort_unstable();
                assert_eq!(order, (0..6).collect::<Vec<_>>());
            }
        }
    }
}
