//! Numbers that are added, compared or copied, with their bits woven: the highest of all, the next
//! of all, and so on. A sum of two numbers that stand one after the other needs a node for each
//! value of the first; woven, a few for each bit.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use isospin_relation::{Binary, Domain, ExprId, Node, Relation, VarId};

/// Numbers with fewer bits are left as they are.
const NARROW: u32 = 3;

/// An order of bits in which families of numbers are woven where their first member stands;
/// nothing if there are none.
pub(super) fn woven(relation: &Relation, order: &[VarId]) -> Option<Vec<(VarId, u32)>> {
    let family = families(relation);
    if family.is_empty() {
        return None;
    }
    let mut members: BTreeMap<VarId, Vec<VarId>> = BTreeMap::new();
    for id in order {
        if let Some(root) = family.get(id) {
            members.entry(*root).or_default().push(*id);
        }
    }
    let bits = |id: &VarId| relation.variable(*id).domain.bits();
    let mut placed = Vec::new();
    for id in order {
        match family.get(id) {
            None => placed.extend((0..bits(id)).rev().map(|bit| (*id, bit))),
            // A family that was placed already is gone.
            Some(root) => {
                let family = members.remove(root).unwrap_or_default();
                let widest = family.iter().map(bits).max().unwrap_or(0);
                for bit in (0..widest).rev() {
                    placed.extend(family.iter().filter(|v| bit < bits(v)).map(|v| (*v, bit)));
                }
            }
        }
    }
    Some(placed)
}

/// For each number that occurs with others, one of them that stands for all.
fn families(relation: &Relation) -> HashMap<VarId, VarId> {
    let table = &relation.expressions;
    let mut seen: BTreeSet<ExprId> = BTreeSet::new();
    let parts = relation.transitions.iter().chain(&relation.invariants);
    let mut stack: Vec<ExprId> = parts.map(|part| part.expr).collect();
    let mut leader: HashMap<VarId, VarId> = HashMap::new();
    while let Some(id) = stack.pop() {
        if !seen.insert(id) {
            continue;
        }
        stack.extend(table.operands(id));
        let together = match table.node(id) {
            Node::Binary(operator, ..) => matches!(
                operator,
                Binary::Equal | Binary::Less | Binary::LessEqual | Binary::Add | Binary::Subtract
            ),
            _ => false,
        };
        if !together {
            continue;
        }
        let numbers = values(relation, id);
        let mut roots = numbers.iter().map(|v| root(&leader, *v));
        let Some(first) = roots.next() else { continue };
        let others: Vec<VarId> = roots.collect();
        for other in others {
            if other != first {
                leader.insert(other, first);
            }
        }
        if numbers.len() > 1 {
            leader.entry(first).or_insert(first);
        }
    }
    let known: Vec<VarId> = leader.keys().copied().collect();
    known.into_iter().map(|v| (v, root(&leader, v))).collect()
}

fn root(leader: &HashMap<VarId, VarId>, mut v: VarId) -> VarId {
    while let Some(next) = leader.get(&v) {
        if *next == v {
            break;
        }
        v = *next;
    }
    v
}

/// The numbers whose values an operation combines: not those of conditions.
fn values(relation: &Relation, operation: ExprId) -> BTreeSet<VarId> {
    let table = &relation.expressions;
    let is_number = |v: VarId| {
        let domain = &relation.variable(v).domain;
        let number = matches!(domain, Domain::Range(..) | Domain::Word { .. });
        number && domain.bits() >= NARROW
    };
    let (mut seen, mut found) = (BTreeSet::new(), BTreeSet::new());
    let mut stack: Vec<ExprId> = table.operands(operation).collect();
    while let Some(id) = stack.pop() {
        if !seen.insert(id) {
            continue;
        }
        match table.node(id) {
            Node::Current(v) | Node::Next(v) if is_number(v) => {
                found.insert(v);
            }
            Node::Choose(_, a, b) => stack.extend([a, b]),
            Node::Binary(Binary::Add | Binary::Subtract, a, b) => stack.extend([a, b]),
            Node::Unary(_, a) => stack.push(a),
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn what_is_added_is_woven() {
        let text = "MODULE main VAR a : 0..15; p : boolean; b : 0..7; c : 0..3;\n\
                    ASSIGN next(a) := case p & a + b < 16 : a + b; TRUE : a; esac;";
        let path = Path::new("m.smv");
        let reading = isospin_smv::read(path, text.as_bytes().to_vec(), &Default::default());
        let relation = reading.relation.expect("a model");
        let ids: Vec<VarId> = relation.numbered().map(|(id, _)| id).collect();
        let order = woven(&relation, &ids).expect("a family");
        let names: Vec<String> =
            order.iter().map(|(v, bit)| format!("{}{bit}", relation.variable(*v).name)).collect();
        assert_eq!(names.join(" "), "a3 a2 b2 a1 b1 a0 b0 p0 c1 c0");
    }
}
