//! In which order variables' bits stand: as declared, or so that what occurs together stands
//! together (FORCE: Aloul 2003), or as a file says.

use std::collections::HashMap;

use isospin_relation::{Kind, Relation, Support, VarId};

/// An order of bits: variables, each with the number of a bit of its code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Order(pub Vec<(VarId, u32)>);

impl Order {
    /// As declared; the choice of a process first.
    pub fn declared(relation: &Relation) -> Order {
        let mut ids: Vec<VarId> = relation.selector.into_iter().collect();
        ids.extend(
            relation.numbered().map(|(id, _)| id).filter(|id| relation.selector != Some(*id)),
        );
        Order::of(relation, &ids)
    }

    /// Variables in the given order, the highest bit of each first.
    fn of(relation: &Relation, ids: &[VarId]) -> Order {
        let bits = |id: &VarId| {
            let id = *id;
            (0..relation.variable(id).domain.bits()).rev().map(move |bit| (id, bit))
        };
        Order(ids.iter().flat_map(bits).collect())
    }

    /// By the centres of gravity of what occurs together.
    pub fn force(relation: &Relation) -> Order {
        let parts = relation.transitions.iter().chain(&relation.invariants);
        let groups: Vec<Vec<usize>> = parts
            .map(|part| {
                let support = Support::of(&relation.expressions, part.expr);
                let mut ids: Vec<usize> =
                    support.reads().chain(support.writes()).map(VarId::index).collect();
                ids.sort_unstable();
                ids.dedup();
                ids.retain(|v| relation.selector.map(VarId::index) != Some(*v));
                ids
            })
            .filter(|group| group.len() > 1)
            .collect();
        let count = relation.variables.len();
        let mut position: Vec<f64> = (0..count).map(|k| k as f64).collect();
        let mut best = (span(&groups, &position), position.clone());
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
            let now = span(&groups, &position);
            if now >= best.0 {
                break;
            }
            best = (now, position.clone());
        }
        let mut ids: Vec<VarId> = relation.numbered().map(|(id, _)| id).collect();
        ids.sort_by(|a, b| best.1[a.index()].total_cmp(&best.1[b.index()]));
        if let Some(selector) = relation.selector {
            ids.retain(|id| *id != selector);
            ids.insert(0, selector);
        }
        Order::of(relation, &ids)
    }

    /// From a file: a variable's name, or a name and a bit (`x.2`), on each line; what is not
    /// there follows as declared. Says which name is unknown.
    pub fn read(relation: &Relation, text: &str) -> Result<Order, String> {
        let names: HashMap<&str, VarId> =
            relation.numbered().map(|(id, v)| (v.name.as_str(), id)).collect();
        let mut order: Vec<(VarId, u32)> = Vec::new();
        let mut seen = std::collections::HashSet::new();
        let mut place = |id: VarId, bit: u32| {
            if seen.insert((id, bit)) {
                order.push((id, bit));
            }
        };
        for line in text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with("--")) {
            if let Some(&id) = names.get(line) {
                (0..relation.variable(id).domain.bits()).rev().for_each(|bit| place(id, bit));
                continue;
            }
            let bit = line.rsplit_once('.').and_then(|(name, bit)| {
                let (id, bit) = (*names.get(name)?, bit.parse::<u32>().ok()?);
                (bit < relation.variable(id).domain.bits()).then_some((id, bit))
            });
            match bit {
                Some((id, bit)) => place(id, bit),
                None => return Err(format!("there is no variable `{line}` in the model")),
            }
        }
        for (id, bit) in Order::declared(relation).0 {
            place(id, bit);
        }
        Ok(Order(order))
    }

    /// As such a file.
    pub fn write(&self, relation: &Relation) -> String {
        let line = |(id, bit): &(VarId, u32)| {
            let variable = relation.variable(*id);
            if variable.domain.bits() == 1 {
                format!("{}\n", variable.name)
            } else {
                format!("{}.{bit}\n", variable.name)
            }
        };
        let states = self.0.iter();
        states
            .filter(|(id, _)| {
                relation.variable(*id).kind != Kind::Input || relation.selector != Some(*id)
            })
            .map(line)
            .collect()
    }
}

/// How far what occurs together is apart.
fn span(groups: &[Vec<usize>], position: &[f64]) -> f64 {
    let width = |group: &Vec<usize>| {
        let places = group.iter().map(|v| position[*v]);
        let (low, high) = places.fold((f64::MAX, f64::MIN), |(l, h), p| (l.min(p), h.max(p)));
        high - low
    };
    groups.iter().map(width).sum()
}
