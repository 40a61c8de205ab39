//! Functions that may be anything outside a care set, made smaller (Coudert 1990): `oxidd` has no
//! such operation, so it is written here on the traits of its core.

use oxidd::{BooleanFunction, Function, HasLevel, InnerNode, LevelNo, Manager, Node};
use oxidd_core::util::{AllocResult, EdgeDropGuard, Own, Ref};
use oxidd_core::{ApplyCache, DiagramRules, HasApplyCache};
use oxidd_rules_bdd::complement_edge::{BCDDOp, EdgeTag};

use super::product::{EdgeOf, ManagerOf, Rules};
use super::{Diagram, Diagrams, Result};

impl Diagrams {
    /// A function that is the same wherever the second is true, and smaller if that is possible.
    pub(crate) fn simplify(&self, f: &Diagram, care: &Diagram) -> Result<Diagram> {
        if self.is_no(care) {
            return Ok(self.no());
        }
        if self.is_yes(care) {
            return Ok(f.clone());
        }
        let smaller = self.tried(|| {
            f.with_manager_shared(|manager, edge| {
                let found = restrict(manager, edge, care.as_edge(manager))?;
                Ok(Diagram::from_edge(manager, found))
            })
        })?;
        if self.size(&smaller) < self.size(f) {
            Ok(smaller)
        } else {
            Ok(f.clone())
        }
    }
}

/// Sibling substitution: where the care set leaves one branch only, that branch is taken.
fn restrict<'id>(
    manager: &ManagerOf<'id>,
    f: Ref<'_, EdgeOf<'id>>,
    care: Ref<'_, EdgeOf<'id>>,
) -> AllocResult<Own<EdgeOf<'id>>> {
    let (Node::Inner(f_node), Node::Inner(care_node)) =
        (manager.get_node(f), manager.get_node(care))
    else {
        return Ok(manager.clone_edge(f));
    };
    // A function and its negation are simplified alike.
    let (tag, f) = (f.tag(), f.with_tag(EdgeTag::None));
    let tagged = |edge: Own<EdgeOf<'id>>| {
        let own = edge.tag();
        edge.with_tag(own ^ tag)
    };
    // `oxidd` has no restriction with a number.
    let key: (&[_], &[u32]) = (&[f, care], &[0]);
    let known = manager.apply_cache().get_extended(manager, BCDDOp::Restrict, key);
    if let Some(([found], [])) = known {
        return Ok(tagged(found));
    }
    let (level, care_level): (LevelNo, LevelNo) = (f_node.level(), care_node.level());
    let is_no = |edge: Ref<'_, EdgeOf<'id>>| {
        edge.tag() == EdgeTag::Complemented && manager.get_node(edge).is_any_terminal()
    };
    let (yes, no) = if care_level <= level {
        (Rules::cofactor(care.tag(), care_node, 0), Rules::cofactor(care.tag(), care_node, 1))
    } else {
        (care, care)
    };
    let (f_yes, f_no) = (f_node.child(0), f_node.child(1));
    let result = if care_level < level {
        // The function does not read this bit: whatever matters with either value matters.
        let either = EdgeDropGuard::new(manager, Diagram::or_edge(manager, yes, no)?);
        restrict(manager, f, either.borrowed())?
    } else if is_no(yes) {
        restrict(manager, f_no, no)?
    } else if is_no(no) {
        restrict(manager, f_yes, yes)?
    } else {
        let yes = EdgeDropGuard::new(manager, restrict(manager, f_yes, yes)?);
        let no = restrict(manager, f_no, no)?;
        Rules::reduce(manager, level, [yes.into_edge(), no]).then_insert(manager, level)?
    };
    let value: (&[_], &[u32]) = (&[result.borrowed()], &[]);
    manager.apply_cache().add_extended(manager, BCDDOp::Restrict, key, value);
    Ok(tagged(result))
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
