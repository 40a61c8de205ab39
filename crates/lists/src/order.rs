//! The order of slots: what is touched together stands together.
//!
//! A short look at the model, state by state, says which processes there will be; its groups say
//! what they touch. The order is found as FORCE does it [Aloul 2003]: each slot moves to the middle
//! of the groups that touch it, again and again, and the order in which groups span the fewest
//! levels is kept.

use std::collections::HashSet;

use isospin_machine::Machine;

use crate::engine::{Engine, Halt};
use crate::space::{Key, Ranks, Space};

/// So many states are looked at.
const LOOKS: usize = 2000;
/// So many of one space tell what groups there are.
const SAMPLES: usize = 24;
const ROUNDS: usize = 60;

impl<M: Machine> Engine<'_, M> {
    /// An order for the slots of the largest space that is met soon.
    pub(crate) fn good_order(&mut self, initial: &[u8]) -> Result<Ranks, Halt> {
        let mut samples: Vec<Vec<u8>> = Vec::new();
        let mut most = 0;
        let mut seen: HashSet<Vec<u8>> = HashSet::from([initial.to_vec()]);
        let mut todo = std::collections::VecDeque::from([initial.to_vec()]);
        while let Some(state) = todo.pop_front() {
            self.look_around()?;
            // The largest space, and of those as large the one that is met last.
            if state.len() >= most {
                most = state.len();
                samples.push(state.clone());
            }
            if seen.len() >= LOOKS {
                continue;
            }
            for next in self.some_after(&state)? {
                if seen.insert(next.clone()) {
                    todo.push_back(next);
                }
            }
        }
        let Some(last) = samples.last().cloned() else { return Ok(Ranks::default()) };
        let types = Space::types_of(&self.model, &last);
        samples.retain(|s| Space::types_of(&self.model, s) == types);
        let stride = samples.len().div_ceil(SAMPLES).max(1);
        self.anywhere = true;
        let mut sum = Vec::new();
        for state in samples.iter().step_by(stride) {
            let (s, list) = self.single(state)?;
            self.add(&mut sum, s, list)?;
        }
        let s = self.space(types);
        self.discover_all(s, sum[s])?;
        self.anywhere = false;
        let touched = |g: &crate::group::Group| g.touched.iter().map(|(slot, _)| *slot).collect();
        let edges: HashSet<Vec<usize>> = self.groups[s].groups.iter().map(touched).collect();
        let mut edges: Vec<Vec<usize>> = edges.into_iter().filter(|e| e.len() > 1).collect();
        edges.sort_unstable();
        let space = &self.spaces[s];
        let order = force(space.levels(), &edges);
        let keys: Vec<Key> = order.iter().map(|&slot| space.slots[slot].key).collect();
        Ok(Ranks::new(keys))
    }
}

/// The slots in an order in which edges are short; those that no edge touches come first.
fn force(slots: usize, edges: &[Vec<usize>]) -> Vec<usize> {
    let mut used = vec![false; slots];
    edges.iter().flatten().for_each(|&slot| used[slot] = true);
    let mut order: Vec<usize> = (0..slots).collect();
    order.sort_by_key(|&slot| used[slot]);
    let (mut best, mut least) = (order.clone(), span(&order, edges));
    let mut worse = 0;
    for _ in 0..ROUNDS {
        let mut place = vec![0.0; slots];
        order.iter().enumerate().for_each(|(k, &slot)| place[slot] = k as f64);
        let (mut sum, mut count) = (vec![0.0; slots], vec![0u32; slots]);
        for edge in edges {
            let middle = edge.iter().map(|&s| place[s]).sum::<f64>() / edge.len() as f64;
            for &slot in edge {
                sum[slot] += middle;
                count[slot] += 1;
            }
        }
        let aim = |slot: usize| match count[slot] {
            0 => -1.0,
            n => sum[slot] / f64::from(n),
        };
        order.sort_by(|&a, &b| aim(a).total_cmp(&aim(b)));
        let now = span(&order, edges);
        if now < least {
            (best, least, worse) = (order.clone(), now, 0);
        } else {
            worse += 1;
            if worse > 8 {
                break;
            }
        }
    }
    best
}

/// How many levels all edges span together.
fn span(order: &[usize], edges: &[Vec<usize>]) -> usize {
    let mut place = vec![0; order.len()];
    order.iter().enumerate().for_each(|(k, &slot)| place[slot] = k);
    let span = |edge: &Vec<usize>| {
        let (low, high) = edge.iter().fold((usize::MAX, 0), |(low, high), &slot| {
            (low.min(place[slot]), high.max(place[slot]))
        });
        high - low
    };
    edges.iter().map(span).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_touched_together_comes_together() {
        // A line whose neighbours stand far apart, and a slot that nobody touches.
        let edges: Vec<Vec<usize>> = (0..15).map(|k| vec![k * 7 % 16, (k + 1) * 7 % 16]).collect();
        let order = force(17, &edges);
        assert_eq!(order[0], 16);
        let as_declared: Vec<usize> = (0..17).collect();
        assert!(span(&order, &edges) < span(&as_declared, &edges), "{order:?}");
        let mut all = order.clone();
        all.sort_unstable();
        assert_eq!(all, (0..17).collect::<Vec<_>>());
    }
}
