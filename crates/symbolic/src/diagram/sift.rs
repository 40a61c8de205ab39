//! Bits that are moved to where the diagrams are smallest (Rudell 1993), in groups that stay
//! together (Panda 1995), by exchanging neighbouring levels.

use std::collections::HashMap;

use oxidd::{HasLevel, Manager, ManagerRef};
use oxidd_core::LevelView;
use oxidd_reorder::set_var_order_seq;

use super::Diagrams;

/// With fewer nodes in use than this moving bits gains nothing.
const WORTH: usize = 20_000;

/// The most nodes on levels that are exchanged in one go: a few seconds.
pub(crate) const WORK: usize = 10_000_000;

/// A group is not moved on where everything has become larger than this times the best.
const GROWTH: f64 = 1.2;

/// `oxidd` gives up the whole program where an exchange of levels finds no room. Where a group of
/// two bits passes another of two, each of its nodes makes at most two on every level that it
/// passes: six in all with those that these make, before any are dropped.
const MADE: usize = 6;

/// Nodes that may be kept ready for others.
const SLACK: usize = 1 << 12;

impl Diagrams {
    /// Says which bits stay together when bits are moved; until then none is.
    pub(crate) fn move_together(&self, groups: Vec<Vec<u32>>, always: bool) {
        *self.groups.borrow_mut() = groups;
        if always {
            self.large.set(0);
        }
    }

    /// Moves bits where there are many nodes: less often where it did not help.
    pub(super) fn move_when_large(&self) {
        let few = self.nodes() <= self.large.get();
        if few || self.still.get() || self.groups.borrow().is_empty() {
            return;
        }
        if self.large.get() == 0 {
            return self.sift(WORK);
        }
        self.manager.with_manager_shared(|m| m.gc());
        let before = self.nodes();
        let mut next = self.large.get();
        if before > WORTH {
            self.sift(WORK);
            if 4 * self.nodes() > 3 * before {
                next *= 4;
            }
        }
        self.large.set(next.max(4 * self.nodes()));
    }

    /// Puts groups of bits into the order in which their first bits stand in a list, as far as
    /// there is room for what it takes to get there.
    pub(crate) fn set_order(&self, order: &[u32]) {
        let place: HashMap<u32, usize> = order.iter().enumerate().map(|(k, b)| (*b, k)).collect();
        let groups = self.groups.borrow();
        self.manager.with_manager_exclusive(|manager| {
            manager.reorder(|manager| {
                manager.gc();
                let mut sifting = Sifting::new(manager, &groups, usize::MAX, self.room);
                let wanted = |group: &Vec<u32>| place.get(&group[0]).copied();
                for end in 1..sifting.order.len() {
                    let mut at = end;
                    while at > 0 && wanted(&sifting.order[at]) < wanted(&sifting.order[at - 1]) {
                        let Some(moved) = sifting.exchange(manager, at, false) else { return };
                        at = moved;
                    }
                }
            });
        });
    }

    /// Moves each group of bits to its best place, the largest first, as long as the work (nodes on
    /// levels that are exchanged) is not more than asked for. Diagrams keep their meaning.
    pub(crate) fn sift(&self, work: usize) {
        let groups = self.groups.borrow();
        if groups.len() < 2 {
            return;
        }
        self.manager.with_manager_exclusive(|manager| {
            manager.reorder(|manager| {
                manager.gc();
                Sifting::new(manager, &groups, work, self.room).run(manager);
            });
        });
    }

    /// A bit's place from the top.
    pub(crate) fn place(&self, bit: u32) -> u32 {
        self.manager.with_manager_shared(|m| m.var_to_level(bit))
    }

    /// The bits from the top to the bottom.
    pub(crate) fn order(&self) -> Vec<u32> {
        self.manager
            .with_manager_shared(|m| (0..m.num_levels()).map(|l| m.level_to_var(l)).collect())
    }
}

/// Groups from the top to the bottom, and how much may still be done.
struct Sifting {
    order: Vec<Vec<u32>>,
    left: usize,
    /// The most nodes that there can be.
    room: usize,
}

impl Sifting {
    /// Groups, whose bits are neighbours.
    fn new<M: Manager>(manager: &M, groups: &[Vec<u32>], left: usize, room: usize) -> Sifting {
        let mut order = groups.to_vec();
        order.sort_by_key(|group| group.iter().map(|b| manager.var_to_level(*b)).min());
        Sifting { order, left, room }
    }

    fn run<M: Manager>(&mut self, manager: &mut M)
    where
        M::InnerNode: HasLevel,
    {
        let size = |group: &Vec<u32>| group.iter().map(|b| nodes_of(manager, *b)).sum::<usize>();
        let mut sizes: Vec<(usize, Vec<u32>)> =
            self.order.iter().map(|group| (size(group), group.clone())).collect();
        sizes.sort_by_key(|(size, _)| std::cmp::Reverse(*size));
        for (_, group) in sizes {
            if self.left == 0 {
                break;
            }
            if let Some(at) = self.order.iter().position(|g| *g == group) {
                self.place(manager, at);
            }
        }
    }

    /// Tries every place for a group, the nearer end first, and leaves it at the best.
    fn place<M: Manager>(&mut self, manager: &mut M, start: usize)
    where
        M::InnerNode: HasLevel,
    {
        let last = self.order.len() - 1;
        let mut at = start;
        let mut best = (manager.num_inner_nodes(), start);
        let down_first = last - start < start;
        for down in [down_first, !down_first] {
            while at != if down { last } else { 0 } {
                let Some(moved) = self.exchange(manager, at, down) else { return };
                at = moved;
                let size = manager.num_inner_nodes();
                if size < best.0 {
                    best = (size, at);
                }
                if size as f64 > GROWTH * best.0 as f64 {
                    break;
                }
            }
            // Back to the best so far, from where the other way is tried.
            while at != best.1 {
                let Some(moved) = self.exchange(manager, at, at < best.1) else { return };
                at = moved;
            }
        }
    }

    /// Exchanges a group with its neighbour; the group's new place, or nothing if there is no room.
    fn exchange<M: Manager>(&mut self, manager: &mut M, at: usize, down: bool) -> Option<usize>
    where
        M::InnerNode: HasLevel,
    {
        let other = if down { at + 1 } else { at - 1 };
        let upper = at.min(other);
        let above: usize = self.order[upper].iter().map(|bit| nodes_of(manager, *bit)).sum();
        if manager.num_inner_nodes() + MADE * above + SLACK > self.room {
            self.left = 0;
            return None;
        }
        self.order.swap(at, other);
        let both = self.order[upper..upper + 2].concat();
        let work: usize = both.iter().map(|bit| nodes_of(manager, *bit)).sum();
        self.left = self.left.saturating_sub(work + both.len());
        set_var_order_seq(manager, &both);
        Some(other)
    }
}

fn nodes_of<M: Manager>(manager: &M, bit: u32) -> usize {
    manager.level(manager.var_to_level(bit)).len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_that_are_compared_come_together() {
        // (0 = 4) & (1 = 5) & (2 = 6) & (3 = 7): exponential in this order, linear in pairs.
        let d = Diagrams::new(1 << 16, 1 << 10, 16).expect("room");
        let mut all = d.yes();
        for k in 0..8 {
            all = d.and(&all, &d.same(&d.bit(k), &d.bit(k + 8)).unwrap()).unwrap();
        }
        let (before, count) = (d.size(&all), d.count(&all, 16));
        d.move_together((0..16).map(|k| vec![k]).collect(), false);
        d.sift(usize::MAX);
        assert!(d.size(&all) < before / 8, "{} of {before}", d.size(&all));
        assert_eq!(d.count(&all, 16), count);
        let mut again = d.yes();
        for k in 0..8 {
            again = d.and(&again, &d.same(&d.bit(k), &d.bit(k + 8)).unwrap()).unwrap();
        }
        assert!(again == all);
    }

    #[test]
    fn a_group_stays_together() {
        let d = Diagrams::new(1 << 14, 1 << 10, 8).expect("room");
        let f = d.same(&d.bit(0), &d.bit(7)).unwrap();
        d.move_together((0..4).map(|k| vec![2 * k, 2 * k + 1]).collect(), false);
        d.sift(usize::MAX);
        let order = d.order();
        for pair in order.chunks(2) {
            assert_eq!(pair[0] / 2, pair[1] / 2, "{order:?}");
        }
        assert!(f == d.same(&d.bit(0), &d.bit(7)).unwrap());
    }

    #[test]
    fn without_room_bits_stay_where_they_are() {
        for room in [SLACK, SLACK + 600, SLACK + 3000] {
            let d = Diagrams::new(room, 1 << 10, 16).expect("room");
            let mut all = d.yes();
            for k in 0..8 {
                all = d.and(&all, &d.same(&d.bit(k), &d.bit(k + 8)).unwrap()).unwrap();
            }
            let count = d.count(&all, 16);
            d.move_together((0..8).map(|k| vec![2 * k, 2 * k + 1]).collect(), false);
            let before = d.order();
            d.sift(usize::MAX);
            assert_eq!(d.count(&all, 16), count);
            d.set_order(&before);
            assert_eq!(d.order(), before);
            assert_eq!(d.count(&all, 16), count);
        }
    }
}
