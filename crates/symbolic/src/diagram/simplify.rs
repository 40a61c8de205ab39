//! Functions that may be anything outside a care set, made smaller (Coudert 1990): `oxidd` has no
//! such operation, so it is written here on the traits of its core.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use oxidd::util::FxHasher;
use oxidd::{BooleanFunction, Function, HasLevel, LevelNo, Manager, Node, NodeID};
use oxidd_core::util::{AllocResult, Own, Ref};
use oxidd_core::{Countable, DiagramRules};

use super::{Diagram, Diagrams, Result};

type ManagerOf<'id> = <Diagram as Function>::Manager<'id>;
type EdgeOf<'id> = <ManagerOf<'id> as Manager>::Edge;

/// A node, and whether it is read negated.
type Key = (NodeID, usize);

/// What was found for a function and a care set.
#[derive(Default)]
struct Known {
    found: HashMap<(Key, Key), Diagram, BuildHasherDefault<FxHasher>>,
    /// Care sets that were made on the way: as long as they live, their nodes' names are theirs.
    made: Vec<Diagram>,
}

impl Diagrams {
    /// A function that is the same wherever the second is true, and smaller if that is possible.
    pub(crate) fn simplify(&self, f: &Diagram, care: &Diagram) -> Result<Diagram> {
        if self.is_no(care) {
            return Ok(self.no());
        }
        if self.is_yes(care) {
            return Ok(f.clone());
        }
        let smaller = f.with_manager_shared(|manager, edge| -> AllocResult<Diagram> {
            let mut known = Known::default();
            let found = restrict(manager, edge, care.as_edge(manager), &mut known)?;
            Ok(Diagram::from_edge(manager, found))
        })?;
        if self.size(&smaller) < self.size(f) {
            Ok(smaller)
        } else {
            Ok(f.clone())
        }
    }
}

fn level_of<'id>(manager: &ManagerOf<'id>, edge: Ref<'_, EdgeOf<'id>>) -> LevelNo {
    match manager.get_node(edge) {
        Node::Inner(node) => node.level(),
        Node::Terminal(_) => LevelNo::MAX,
    }
}

/// Sibling substitution: where the care set leaves one branch only, that branch is taken.
fn restrict<'id>(
    manager: &ManagerOf<'id>,
    f: Ref<'_, EdgeOf<'id>>,
    care: Ref<'_, EdgeOf<'id>>,
    known: &mut Known,
) -> AllocResult<Own<EdgeOf<'id>>> {
    let (level, care_level) = (level_of(manager, f), level_of(manager, care));
    if level == LevelNo::MAX || care_level == LevelNo::MAX {
        return Ok(manager.clone_edge(f));
    }
    let key = ((f.node_id(), f.tag().as_usize()), (care.node_id(), care.tag().as_usize()));
    if let Some(found) = known.found.get(&key) {
        return Ok(manager.clone_edge(found.as_edge(manager)));
    }
    let cofactors = |edge| Diagram::cofactors_edge(manager, edge);
    let result = match cofactors(care) {
        Some((yes, no)) if care_level < level => {
            // The function does not read this bit: whatever matters with either value matters.
            let either = Diagram::or_edge(manager, yes, no)?;
            let either = Diagram::from_edge(manager, either);
            known.made.push(either.clone());
            restrict(manager, f, either.as_edge(manager), known)?
        }
        split => {
            let Some((f_yes, f_no)) = cofactors(f) else { return Ok(manager.clone_edge(f)) };
            let (yes, no) = match split {
                Some(both) if care_level == level => both,
                _ => (care, care),
            };
            let is_empty = |edge: Ref<'_, EdgeOf<'id>>| {
                let nothing = Diagram::f(manager);
                edge == nothing.as_edge(manager)
            };
            if is_empty(yes) {
                restrict(manager, f_no, no, known)?
            } else if is_empty(no) {
                restrict(manager, f_yes, yes, known)?
            } else {
                let t = Diagram::from_edge(manager, restrict(manager, f_yes, yes, known)?);
                let e = Diagram::from_edge(manager, restrict(manager, f_no, no, known)?);
                let children = [t.into_edge(manager), e.into_edge(manager)];
                <<ManagerOf<'id> as Manager>::Rules as DiagramRules<_, _, _>>::reduce(
                    manager, level, children,
                )
                .then_insert(manager, level)?
            }
        }
    };
    let result = Diagram::from_edge(manager, result);
    let edge = manager.clone_edge(result.as_edge(manager));
    known.found.insert(key, result);
    Ok(edge)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_simplified_is_the_same_where_it_matters() {
        let d = Diagrams::new(1 << 14, 1 << 10, 6).expect("room");
        let mut state = 12345u64;
        let mut random = |n: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % n
        };
        for _ in 0..300 {
            let mut make = || {
                let mut f = d.bit(random(6) as u32);
                for _ in 0..random(8) {
                    let g = d.bit(random(6) as u32);
                    let g = if random(2) == 0 { d.not(&g).unwrap() } else { g };
                    f = match random(3) {
                        0 => d.and(&f, &g),
                        1 => d.or(&f, &g),
                        _ => d.differ(&f, &g),
                    }
                    .unwrap();
                }
                f
            };
            let (f, care) = (make(), make());
            let simple = d.simplify(&f, &care).unwrap();
            assert!(d.size(&simple) <= d.size(&f));
            let (a, b) = (d.and(&f, &care).unwrap(), d.and(&simple, &care).unwrap());
            assert!(a == b);
        }
    }
}
