//! The order in which clusters are multiplied, and what is quantified after each.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagram::{Diagram, Diagrams, Product, Result, Shift};
use crate::encode::Pair;

/// Clusters in an order, each with the product that quantifies the bits that no later one reads.
struct Steps {
    /// Quantifies the bits that no cluster reads.
    first: Product,
    steps: Vec<(Diagram, Product)>,
}

impl Steps {
    fn apply(&self, diagrams: &Diagrams, states: &Diagram) -> Result<Diagram> {
        let product = diagrams.reduced(states, &self.first)?;
        multiplied(diagrams, product, &self.steps)
    }
}

/// Bits that no cluster reads, and clusters in an order, each with those that no later one does.
struct Planned {
    unread: Vec<u32>,
    steps: Vec<(Diagram, Vec<u32>)>,
}

impl Planned {
    /// Orders clusters for the quantification of some bits.
    fn new(diagrams: &Diagrams, clusters: &[Diagram], quantified: &BTreeSet<u32>) -> Planned {
        let supports: Vec<BTreeSet<u32>> =
            clusters.iter().map(|c| diagrams.support(c).into_iter().collect()).collect();
        let order = ordered(&supports, quantified);
        let mut last: BTreeMap<u32, usize> = BTreeMap::new();
        for (at, &cluster) in order.iter().enumerate() {
            for bit in supports[cluster].intersection(quantified) {
                last.insert(*bit, at);
            }
        }
        let unread = quantified.iter().filter(|bit| !last.contains_key(bit)).copied().collect();
        let done = |at: usize| last.iter().filter(move |(_, k)| **k == at).map(|(bit, _)| *bit);
        let steps = order.iter().enumerate();
        let steps = steps.map(|(at, &cluster)| (clusters[cluster].clone(), done(at).collect()));
        Planned { unread, steps: steps.collect() }
    }
}

fn multiplied(
    diagrams: &Diagrams,
    states: Diagram,
    steps: &[(Diagram, Product)],
) -> Result<Diagram> {
    let mut product = states;
    for (cluster, kind) in steps {
        if diagrams.is_no(&product) {
            break;
        }
        product = diagrams.multiply(&product, cluster, kind)?;
    }
    Ok(product)
}

/// What can follow a set of states: everything now is quantified, and what is next is written as
/// now by the last product.
pub(super) struct Forward(Steps);

impl Forward {
    pub(super) fn new(
        diagrams: &Diagrams,
        clusters: &[Diagram],
        changed: &[Pair],
        inputs: &[u32],
    ) -> Forward {
        let now = changed.iter().map(|p| p.now).chain(inputs.iter().copied()).collect();
        let plan = Planned::new(diagrams, clusters, &now);
        let last = plan.steps.len().saturating_sub(1);
        let step = |(at, (cluster, bits)): (usize, (Diagram, Vec<u32>))| {
            let product = if at == last {
                diagrams.shifting_product(bits, Shift::Out, changed)
            } else {
                diagrams.product_over(bits)
            };
            (cluster, product)
        };
        let steps = plan.steps.into_iter().enumerate().map(step).collect();
        Forward(Steps { first: diagrams.product_over(plan.unread), steps })
    }

    pub(super) fn apply(&self, diagrams: &Diagrams, states: &Diagram) -> Result<Diagram> {
        self.0.apply(diagrams, states)
    }
}

/// What can come before a set of states, which the first product reads as what is next.
pub(super) struct Backward {
    straight: Steps,
    /// With a condition about states and inputs: its product with the set, and all others.
    condition: Product,
    conditional: Steps,
}

impl Backward {
    pub(super) fn new(
        diagrams: &Diagrams,
        clusters: &[Diagram],
        changed: &[Pair],
        inputs: &[u32],
    ) -> Backward {
        let next = changed.iter().map(|p| p.next).chain(inputs.iter().copied()).collect();
        let plan = Planned::new(diagrams, clusters, &next);
        let now: BTreeMap<u32, u32> = changed.iter().map(|p| (p.next, p.now)).collect();
        let unread = plan.unread.iter().map(|bit| now.get(bit).unwrap_or(bit)).copied();
        let straight = |(at, (cluster, bits)): (usize, &(Diagram, Vec<u32>))| {
            let bits = bits.iter().copied();
            let product = if at == 0 {
                diagrams.shifting_product(bits, Shift::In, changed)
            } else {
                diagrams.product_over(bits)
            };
            (cluster.clone(), product)
        };
        Backward {
            straight: Steps {
                first: diagrams.product_over(unread),
                steps: plan.steps.iter().enumerate().map(straight).collect(),
            },
            condition: diagrams.shifting_product([], Shift::In, changed),
            conditional: Steps {
                first: diagrams.product_over(plan.unread),
                steps: plan.steps.into_iter().map(|(c, b)| (c, diagrams.product_over(b))).collect(),
            },
        }
    }

    pub(super) fn apply(
        &self,
        diagrams: &Diagrams,
        states: &Diagram,
        when: Option<&Diagram>,
    ) -> Result<Diagram> {
        match when {
            None => self.straight.apply(diagrams, states),
            Some(when) => {
                let both = diagrams.multiply(states, when, &self.condition)?;
                self.conditional.apply(diagrams, &both)
            }
        }
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
