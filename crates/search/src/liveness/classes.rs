//! Classes of processes that take each other's places on the way round a component.

use crate::expand::Movers;

/// Classes of process numbers, by union-find: each number points to another of its class, and the
/// least one to itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Classes(Vec<u8>);

impl Classes {
    /// So many processes, each alone.
    pub fn new(processes: usize) -> Classes {
        Classes((0..processes as u8).collect())
    }

    /// The number that stands for the class of a process. Without classes everybody is alone.
    pub fn find(&self, pid: usize) -> usize {
        let mut at = pid;
        while let Some(&next) = self.0.get(at).filter(|&&next| usize::from(next) != at) {
            at = usize::from(next);
        }
        at
    }

    /// Puts two processes into one class.
    pub fn union(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        if a != b {
            self.0[a.max(b)] = a.min(b) as u8;
        }
    }

    /// Puts together what is together in another partition.
    pub fn join(&mut self, other: &Classes) {
        for (k, &to) in other.0.iter().enumerate() {
            self.union(k, usize::from(to));
        }
    }

    /// The members of all classes of which a member is in `set`, and what of the set is beyond all
    /// classes.
    pub fn closure(&self, set: &Movers) -> Movers {
        let mut first = Movers::<4>::default();
        set.iter().for_each(|pid| first.insert(self.find(pid)));
        let mut closure = *set;
        for pid in 0..self.0.len() {
            if first.has(self.find(pid)) {
                closure.insert(pid);
            }
        }
        closure
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_is_closed_under_what_was_put_together() {
        let mut classes = Classes::new(6);
        classes.union(4, 2);
        classes.union(2, 5);
        assert_eq!([4, 2, 5].map(|p| classes.find(p)), [2, 2, 2]);
        assert_eq!(classes.find(3), 3);
        let set: Movers = [5, 0, 200].into_iter().collect();
        let expected: Movers = [0, 2, 4, 5, 200].into_iter().collect();
        assert_eq!(classes.closure(&set), expected);
    }

    #[test]
    fn partitions_are_joined() {
        let (mut one, mut other) = (Classes::new(4), Classes::new(4));
        one.union(0, 1);
        other.union(1, 2);
        one.join(&other);
        assert_eq!((one.find(2), one.find(3)), (0, 3));
    }

    #[test]
    fn without_classes_everybody_is_alone() {
        let classes = Classes::default();
        let set: Movers = [3].into_iter().collect();
        assert_eq!((classes.find(7), classes.closure(&set)), (7, set));
    }
}
