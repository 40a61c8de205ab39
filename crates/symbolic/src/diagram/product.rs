//! The next-state product in one walk: the conjunction of two functions with bits quantified, in
//! which the first may be read with other bits than its own (states now as states next) and the
//! result written with others (states next as states now). `oxidd` has conjunction with
//! quantification, which looks at both branches even where the first is true already, and a
//! substitution that builds everything once more; this is written on the traits of its core and
//! keeps its results in its cache.

use std::cell::RefCell;
use std::rc::Rc;

use oxidd::{BooleanFunction, Function, HasLevel, LevelNo, Manager, ManagerRef, Node};
use oxidd_core::util::{AllocResult, EdgeDropGuard, Own, Ref};
use oxidd_core::{ApplyCache, DiagramRules, HasApplyCache};
use oxidd_rules_bdd::complement_edge::{BCDDOp, EdgeTag};

use super::{Diagram, Diagrams, Result, Stop};
use crate::encode::Pair;

pub(super) type ManagerOf<'id> = <Diagram as Function>::Manager<'id>;
pub(super) type EdgeOf<'id> = <ManagerOf<'id> as Manager>::Edge;
pub(super) type Rules<'id> = <ManagerOf<'id> as Manager>::Rules;

/// Which of its operands a product sees with other bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shift {
    /// None.
    None,
    /// The first operand's bits now are read as bits next.
    In,
    /// The result's bits next are written as bits now.
    Out,
}

/// A kind of product, with what was found out about it in the cache of results.
pub(crate) struct Product {
    quantified: Vec<u32>,
    shift: Shift,
    shifted: Vec<Pair>,
    number: u32,
    /// The same by levels, and for which order of bits that is.
    levels: RefCell<Option<(u64, Rc<Levels>)>>,
}

/// What happens at each level.
struct Levels {
    number: u32,
    shift: Shift,
    quantified: Vec<bool>,
    /// The level as which the first operand's bits are read.
    read: Vec<LevelNo>,
    /// The level at which the result's bits are written.
    write: Vec<LevelNo>,
    /// Where nothing but the conjunction is left to do.
    end: LevelNo,
}

impl Diagrams {
    /// A product that quantifies bits.
    pub(crate) fn product_over(&self, quantified: impl IntoIterator<Item = u32>) -> Product {
        self.shifting_product(quantified, Shift::None, &[])
    }

    /// A product that quantifies bits and takes bits of pairs for each other.
    pub(crate) fn shifting_product(
        &self,
        quantified: impl IntoIterator<Item = u32>,
        shift: Shift,
        shifted: &[Pair],
    ) -> Product {
        let number = self.products.get();
        self.products.set(number + 1);
        let quantified = quantified.into_iter().collect();
        Product { quantified, shift, shifted: shifted.to_vec(), number, levels: RefCell::default() }
    }

    /// The product of two functions.
    pub(crate) fn multiply(&self, f: &Diagram, g: &Diagram, product: &Product) -> Result<Diagram> {
        let levels = self.levels_of(product)?;
        self.tried(|| {
            f.with_manager_shared(|manager, edge| {
                let yes = EdgeDropGuard::new(manager, Diagram::t_edge(manager));
                let walk = Walk { manager, levels: &levels, yes: yes.borrowed() };
                let found = walk.product(edge, g.as_edge(manager))?;
                Ok(Diagram::from_edge(manager, found))
            })
        })
    }

    /// A function with bits quantified, and bits taken for others.
    pub(crate) fn reduced(&self, f: &Diagram, product: &Product) -> Result<Diagram> {
        if product.quantified.is_empty() && product.shift == Shift::None {
            return Ok(f.clone());
        }
        self.multiply(f, &self.yes, product)
    }

    /// What a product does at each level, in the order in which bits stand at the moment.
    fn levels_of(&self, product: &Product) -> Result<Rc<Levels>> {
        let order = self.manager.with_manager_shared(|m| m.reorder_count());
        if let Some((made_for, levels)) = &*product.levels.borrow() {
            if *made_for == order {
                return Ok(Rc::clone(levels));
            }
        }
        let levels = self.manager.with_manager_shared(|m| {
            let count = m.num_levels();
            let mut levels = Levels {
                number: product.number,
                shift: product.shift,
                quantified: vec![false; count as usize],
                read: (0..count).collect(),
                write: (0..count).collect(),
                end: 0,
            };
            for bit in &product.quantified {
                let level = m.var_to_level(*bit);
                levels.quantified[level as usize] = true;
                levels.end = levels.end.max(level + 1);
            }
            for pair in &product.shifted {
                let (now, next) = (m.var_to_level(pair.now), m.var_to_level(pair.next));
                // Neighbours keep their place among all others, so that nothing has to be sorted.
                if next != now + 1 {
                    return Err(Stop::Nodes);
                }
                match product.shift {
                    Shift::None => {}
                    Shift::In => levels.read[now as usize] = next,
                    Shift::Out => levels.write[next as usize] = now,
                }
                levels.end = levels.end.max(next + 1);
            }
            Ok(levels)
        })?;
        let levels = Rc::new(levels);
        *product.levels.borrow_mut() = Some((order, Rc::clone(&levels)));
        Ok(levels)
    }
}

/// One walk through two functions.
struct Walk<'w, 'id: 'w> {
    manager: &'w ManagerOf<'id>,
    levels: &'w Levels,
    yes: Ref<'w, EdgeOf<'id>>,
}

impl<'id> Walk<'_, 'id> {
    fn product<'a>(
        &'a self,
        mut f: Ref<'a, EdgeOf<'id>>,
        mut g: Ref<'a, EdgeOf<'id>>,
    ) -> AllocResult<Own<EdgeOf<'id>>> {
        let (manager, levels) = (self.manager, self.levels);
        let no = self.yes.with_tag(EdgeTag::Complemented);
        if f == no || g == no {
            return Ok(manager.clone_edge(no));
        }
        if levels.shift != Shift::In {
            // Here the operands may change places.
            if f == g {
                g = self.yes;
            } else if f == g.with_tag(!g.tag()) {
                return Ok(manager.clone_edge(no));
            }
            if g < f {
                std::mem::swap(&mut f, &mut g);
            }
        }
        let f_node = match manager.get_node(f) {
            Node::Inner(node) => Some(node),
            Node::Terminal(_) => None,
        };
        let g_node = match manager.get_node(g) {
            Node::Inner(node) => Some(node),
            Node::Terminal(_) => None,
        };
        let f_level = f_node.map_or(LevelNo::MAX, |node| levels.read[node.level() as usize]);
        let g_level = g_node.map_or(LevelNo::MAX, |node| node.level());
        let level = f_level.min(g_level);
        if level >= levels.end {
            return Diagram::and_edge(manager, f, g);
        }
        let key: (&[_], &[u32]) = (&[f, g], &[levels.number]);
        // `oxidd` has no substitution with two operands.
        let known = manager.apply_cache().get_extended(manager, BCDDOp::Substitute, key);
        if let Some(([found], [])) = known {
            return Ok(found);
        }
        let (f_yes, f_no) = match f_node {
            Some(node) if f_level == level => {
                (Rules::cofactor(f.tag(), node, 0), Rules::cofactor(f.tag(), node, 1))
            }
            _ => (f, f),
        };
        let (g_yes, g_no) = match g_node {
            Some(node) if g_level == level => {
                (Rules::cofactor(g.tag(), node, 0), Rules::cofactor(g.tag(), node, 1))
            }
            _ => (g, g),
        };
        let yes = EdgeDropGuard::new(manager, self.product(f_yes, g_yes)?);
        let result = if levels.quantified[level as usize] {
            if yes.borrowed() == self.yes {
                yes.into_edge()
            } else {
                let no = EdgeDropGuard::new(manager, self.product(f_no, g_no)?);
                Diagram::or_edge(manager, yes.borrowed(), no.borrowed())?
            }
        } else {
            let no = self.product(f_no, g_no)?;
            let at = levels.write[level as usize];
            Rules::reduce(manager, at, [yes.into_edge(), no]).then_insert(manager, at)?
        };
        let value: (&[_], &[u32]) = (&[result.borrowed()], &[]);
        manager.apply_cache().add_extended(manager, BCDDOp::Substitute, key, value);
        Ok(result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Functions of six pairs of bits, and what `oxidd` makes of them step by step.
    #[test]
    fn one_walk_is_what_its_steps_are() {
        let d = Diagrams::new(1 << 16, 1 << 12, 12).expect("room");
        let pairs: Vec<Pair> = (0..6).map(|k| Pair { now: 2 * k, next: 2 * k + 1 }).collect();
        d.move_together(pairs.iter().map(|p| vec![p.now, p.next]).collect(), false);
        let to_now: Vec<(u32, u32)> = pairs.iter().map(|p| (p.next, p.now)).collect();
        let to_next: Vec<(u32, u32)> = pairs.iter().map(|p| (p.now, p.next)).collect();
        let (to_now, to_next) = (d.renaming(&to_now), d.renaming(&to_next));
        let now: Vec<u32> = pairs.iter().map(|p| p.now).collect();
        let next: Vec<u32> = pairs.iter().map(|p| p.next).collect();
        let mut state = 2024u64;
        let mut random = |n: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % n
        };
        for round in 0..300 {
            let mut make = |bits: &[u32]| {
                let mut f = d.bit(bits[random(bits.len() as u64) as usize]);
                for _ in 0..random(14) {
                    let g = d.bit(bits[random(bits.len() as u64) as usize]);
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
            let states = make(&now);
            let relation = make(&(0..12).collect::<Vec<u32>>());
            let forward = d.shifting_product(now.clone(), Shift::Out, &pairs);
            let backward = d.shifting_product(next.clone(), Shift::In, &pairs);
            let plain = d.product_over(now.clone());
            let (now_cube, next_cube) =
                (d.cube(now.clone()).unwrap(), d.cube(next.clone()).unwrap());
            let image = d.and_exists(&states, &relation, &now_cube).unwrap();
            assert!(d.multiply(&states, &relation, &plain).unwrap() == image);
            let image = d.rename(&image, &to_now).unwrap();
            assert!(d.multiply(&states, &relation, &forward).unwrap() == image);
            let there = d.rename(&states, &to_next).unwrap();
            let before = d.and_exists(&there, &relation, &next_cube).unwrap();
            assert!(d.multiply(&states, &relation, &backward).unwrap() == before);
            let some = d.product_over(now[..3].iter().copied());
            let cube = d.cube(now[..3].iter().copied()).unwrap();
            assert!(d.reduced(&relation, &some).unwrap() == d.exists(&relation, &cube).unwrap());
            // The same products once bits stand elsewhere.
            if round % 50 == 49 {
                d.sift(usize::MAX);
                assert!(d.multiply(&states, &relation, &forward).unwrap() == image);
                assert!(d.multiply(&states, &relation, &backward).unwrap() == before);
            }
        }
    }
}
