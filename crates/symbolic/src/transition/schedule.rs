//! The order in which clusters are multiplied, and what is quantified after each.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagram::{Diagram, Diagrams, Result};
use crate::encode::Pair;

/// Clusters in an order, each with the bits that no later one reads.
pub(super) struct Schedule {
    /// The bits that no cluster reads.
    first: Diagram,
    steps: Vec<(Diagram, Diagram)>,
}

impl Schedule {
    /// Orders clusters for the quantification of some bits.
    pub(super) fn new(
        diagrams: &Diagrams,
        clusters: &[Diagram],
        quantified: &BTreeSet<u32>,
    ) -> Result<Schedule> {
        let supports: Vec<BTreeSet<u32>> =
            clusters.iter().map(|c| diagrams.support(c).into_iter().collect()).collect();
        let order = ordered(&supports, quantified);
        let mut last: BTreeMap<u32, usize> = BTreeMap::new();
        for (at, &cluster) in order.iter().enumerate() {
            for bit in supports[cluster].intersection(quantified) {
                last.insert(*bit, at);
            }
        }
        let unread = quantified.iter().filter(|bit| !last.contains_key(bit)).copied();
        let first = diagrams.cube(unread)?;
        let mut steps = Vec::new();
        for (at, &cluster) in order.iter().enumerate() {
            let done = last.iter().filter(|(_, k)| **k == at).map(|(bit, _)| *bit);
            steps.push((clusters[cluster].clone(), diagrams.cube(done)?));
        }
        Ok(Schedule { first, steps })
    }

    /// The product with a set of states, everything quantified.
    pub(super) fn apply(&self, diagrams: &Diagrams, states: &Diagram) -> Result<Diagram> {
        let mut product = diagrams.exists(states, &self.first)?;
        for (cluster, bits) in &self.steps {
            if diagrams.is_no(&product) {
                break;
            }
            product = diagrams.and_exists(&product, cluster, bits)?;
        }
        Ok(product)
    }
}

/// An order in which bits can be quantified early: next comes what lets most bits go, reads most
/// of those that are left and brings in fewest others.
fn ordered(supports: &[BTreeSet<u32>], quantified: &BTreeSet<u32>) -> Vec<usize> {
    let mut readers: BTreeMap<u32, usize> = BTreeMap::new();
    for support in supports {
        for bit in support {
            *readers.entry(*bit).or_default() += 1;
        }
    }
    let total = |of_quantified: bool| {
        readers.keys().filter(|b| quantified.contains(b) == of_quantified).count().max(1) as f64
    };
    let (all_old, all_new) = (total(true), total(false));
    let highest = readers.keys().last().copied().unwrap_or(1).max(1) as f64;
    let mut left: Vec<usize> = (0..supports.len()).collect();
    let mut brought: BTreeSet<u32> = BTreeSet::new();
    let mut order = Vec::new();
    while !left.is_empty() {
        let score = |cluster: usize| {
            let (mut alone, mut old, mut new, mut deepest) = (0.0, 0.0, 0.0, 0.0f64);
            for bit in &supports[cluster] {
                if quantified.contains(bit) {
                    old += 1.0;
                    deepest = deepest.max(*bit as f64);
                    if readers[bit] == 1 {
                        alone += 1.0;
                    }
                } else if !brought.contains(bit) {
                    new += 1.0;
                }
            }
            let gone = if old > 0.0 { alone / old } else { 1.0 };
            6.0 * gone + old / all_old + deepest / highest - 2.0 * new / all_new
        };
        let mut best = (f64::MIN, 0);
        for (at, &cluster) in left.iter().enumerate() {
            let value = score(cluster);
            if value > best.0 {
                best = (value, at);
            }
        }
        let cluster = left.remove(best.1);
        for bit in &supports[cluster] {
            if let Some(count) = readers.get_mut(bit) {
                *count -= 1;
            }
            brought.insert(*bit);
        }
        order.push(cluster);
    }
    order
}

/// Parts multiplied into clusters of at most so many nodes, in the order in which they would be
/// multiplied with states.
pub(super) fn merged(
    diagrams: &Diagrams,
    parts: Vec<Diagram>,
    changed: &[Pair],
    inputs: &[u32],
    threshold: usize,
) -> Result<Vec<Diagram>> {
    let parts: Vec<Diagram> = parts.into_iter().filter(|p| !diagrams.is_yes(p)).collect();
    let supports: Vec<BTreeSet<u32>> =
        parts.iter().map(|p| diagrams.support(p).into_iter().collect()).collect();
    let now: BTreeSet<u32> = changed.iter().map(|p| p.now).chain(inputs.iter().copied()).collect();
    let mut clusters: Vec<Diagram> = Vec::new();
    let mut open: Option<Diagram> = None;
    for at in ordered(&supports, &now) {
        let part = &parts[at];
        open = Some(match open {
            None => part.clone(),
            Some(cluster) => {
                let product = diagrams.and(&cluster, part)?;
                if diagrams.size(&product) <= threshold {
                    product
                } else {
                    clusters.push(cluster);
                    part.clone()
                }
            }
        });
    }
    clusters.extend(open);
    Ok(clusters)
}
