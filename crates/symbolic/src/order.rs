//! In which order variables' bits stand: as declared, or so that what occurs together stands
//! together, or as a file says.

mod graph;
mod woven;

use std::collections::HashMap;

use isospin_relation::{Kind, Relation, VarId};

use crate::encode::Encoding;
use graph::Together;

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
        Order::by(relation, &Together::new(relation).force())
    }

    /// From each variable to what it occurs with, depth first.
    pub fn depth_first(relation: &Relation) -> Order {
        Order::by(relation, &Together::new(relation).depth_first())
    }

    /// So that few variables are open at any place (Sloan 1986).
    pub fn sloan(relation: &Relation) -> Order {
        Order::by(relation, &Together::new(relation).sloan())
    }

    /// By the centres of gravity, with the bits of numbers that are added or compared woven; if
    /// there are such numbers.
    pub fn woven(relation: &Relation) -> Option<Order> {
        let ids = Order::variables(relation, &Together::new(relation).force());
        woven::woven(relation, &ids).map(Order)
    }

    /// The orders that are tried, as declared first, each once.
    pub(crate) fn candidates(relation: &Relation) -> Vec<Order> {
        let together = Together::new(relation);
        let force = together.force();
        let mut orders = vec![Order::declared(relation)];
        let woven = woven::woven(relation, &Order::variables(relation, &force)).map(Order);
        let others = [force, together.sloan(), together.depth_first()];
        for order in woven.into_iter().chain(others.map(|order| Order::by(relation, &order))) {
            if !orders.contains(&order) {
                orders.push(order);
            }
        }
        orders
    }

    /// Variables in an order, the choice of a process first.
    fn by(relation: &Relation, order: &[usize]) -> Order {
        Order::of(relation, &Order::variables(relation, order))
    }

    fn variables(relation: &Relation, order: &[usize]) -> Vec<VarId> {
        let mut ids: Vec<VarId> = relation.selector.into_iter().collect();
        let others = order.iter().map(|v| VarId(*v as u32));
        ids.extend(others.filter(|id| relation.selector != Some(*id)));
        ids
    }

    /// The order in which bits of an encoding stand.
    pub(crate) fn of_bits(relation: &Relation, encoding: &Encoding, bits: &[u32]) -> Order {
        let mut owner = HashMap::new();
        for (id, _) in relation.numbered() {
            for (k, pair) in encoding.variables[id.index()].iter().enumerate() {
                owner.insert(pair.now, (id, k as u32));
            }
        }
        Order(bits.iter().filter_map(|bit| owner.get(bit).copied()).collect())
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
