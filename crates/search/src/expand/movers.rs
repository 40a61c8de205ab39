//! Sets of processes.

use isospin_machine::Step;
/// Stands for nobody, whose steps are those in which time passes. No process has this number.
pub(super) const NOBODY: usize = 255;

/// A set of processes, by their numbers: of as many as there can be, or of the first `64 * W`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Movers<const W: usize = 4>([u64; W]);

impl<const W: usize> Default for Movers<W> {
    fn default() -> Self {
        Movers([0; W])
    }
}

impl<const W: usize> Movers<W> {
    /// Adds a process.
    #[inline]
    pub fn insert(&mut self, pid: usize) {
        self.0[pid / 64] |= 1 << (pid % 64);
    }

    /// Adds everybody who takes part in a step. A step in which time passes is nobody's, who counts
    /// as a process here: such a step is taken wherever it can be, so it is no reason to call an
    /// execution unfair.
    #[inline]
    pub fn insert_step(&mut self, step: &Step) {
        let Step::Process(by) = step else { return self.insert(NOBODY) };
        self.insert(by.pid.index());
        if let Some(partner) = by.partner {
            self.insert(partner.pid.index());
        }
    }

    /// Adds the processes of another set.
    #[inline]
    pub fn add(&mut self, other: &Movers<W>) {
        for (mine, theirs) in self.0.iter_mut().zip(other.0) {
            *mine |= theirs;
        }
    }

    /// Takes out the processes of another set.
    #[inline]
    pub fn remove(&mut self, other: &Movers<W>) {
        for (mine, theirs) in self.0.iter_mut().zip(other.0) {
            *mine &= !theirs;
        }
    }

    /// Takes out the processes that are not in another set.
    #[inline]
    pub fn keep(&mut self, other: &Movers<W>) {
        for (mine, theirs) in self.0.iter_mut().zip(other.0) {
            *mine &= theirs;
        }
    }

    /// Takes out the process with the least number.
    #[inline]
    pub fn pop(&mut self) -> Option<usize> {
        let word = self.0.iter().position(|&word| word != 0)?;
        let bit = self.0[word].trailing_zeros() as usize;
        self.0[word] &= self.0[word] - 1;
        Some(64 * word + bit)
    }

    /// The processes, by their numbers.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        let mut left = *self;
        std::iter::from_fn(move || left.pop())
    }

    /// Whether nobody is in it.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0 == [0; W]
    }

    /// Whether some process is in both sets.
    #[inline]
    pub fn meets(&self, other: &Movers<W>) -> bool {
        self.0.iter().zip(other.0).any(|(mine, theirs)| mine & theirs != 0)
    }

    /// Makes it the set of all other processes.
    #[inline]
    pub fn invert(&mut self) {
        for word in &mut self.0 {
            *word = !*word;
        }
    }

    /// Whether time passes.
    #[inline]
    pub fn has_tick(&self) -> bool {
        self.has(NOBODY)
    }

    /// Whether a process is in it.
    #[inline]
    pub fn has(&self, pid: usize) -> bool {
        self.0[pid / 64] & 1 << (pid % 64) != 0
    }

    /// Whether every process of another set is in it.
    #[inline]
    pub fn contains(&self, other: &Movers<W>) -> bool {
        self.0.iter().zip(other.0).all(|(mine, theirs)| mine & theirs == theirs)
    }

    /// How many processes of another set are not in it.
    #[inline]
    pub fn missing(&self, other: &Movers<W>) -> u32 {
        self.0.iter().zip(other.0).map(|(mine, theirs)| (theirs & !mine).count_ones()).sum()
    }
}

impl<const W: usize> FromIterator<usize> for Movers<W> {
    fn from_iter<I: IntoIterator<Item = usize>>(pids: I) -> Self {
        let mut movers = Movers::default();
        pids.into_iter().for_each(|pid| movers.insert(pid));
        movers
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn set(pids: &BTreeSet<usize>) -> Movers {
        pids.iter().copied().collect()
    }

    fn pids() -> impl Strategy<Value = BTreeSet<usize>> {
        proptest::collection::btree_set(0usize..256, 0..20)
    }

    proptest! {
        #[test]
        fn sets_of_processes_are_sets(a in pids(), b in pids()) {
            let (x, y) = (set(&a), set(&b));
            prop_assert_eq!(x.iter().collect::<BTreeSet<_>>(), a.clone());
            prop_assert_eq!(x.is_empty(), a.is_empty());
            prop_assert_eq!(x.meets(&y), !a.is_disjoint(&b));
            prop_assert_eq!(x.contains(&y), a.is_superset(&b));
            prop_assert_eq!(x.missing(&y) as usize, b.difference(&a).count());
            let (mut sum, mut rest, mut both, mut others) = (x, x, x, x);
            sum.add(&y);
            rest.remove(&y);
            both.keep(&y);
            others.invert();
            prop_assert_eq!(sum, set(&a.union(&b).copied().collect()));
            prop_assert_eq!(rest, set(&a.difference(&b).copied().collect()));
            prop_assert_eq!(both, set(&a.intersection(&b).copied().collect()));
            prop_assert!((0..256).all(|pid| others.has(pid) != a.contains(&pid)));
        }
    }

    #[test]
    fn time_passing_is_nobodys_step() {
        let mut movers: Movers = Movers::default();
        movers.insert_step(&Step::units(3));
        assert!(movers.has_tick() && !movers.is_empty());
    }
}
