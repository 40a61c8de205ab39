//! Sets of processes.

use isospin_machine::Step;

/// A set of processes, by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Hash)]
pub struct Movers([u64; 4]);

impl Movers {
    /// Adds a process.
    #[inline]
    pub fn insert(&mut self, pid: u8) {
        self.0[pid as usize / 64] |= 1 << (pid % 64);
    }

    /// Adds everybody who takes part in a step. A step in which time passes is
    /// [nobody's](Step::NOBODY), who counts as a process here: such a step is taken wherever it
    /// can be, so it is no reason to call an execution unfair.
    #[inline]
    pub fn insert_step(&mut self, step: &Step) {
        self.insert(step.pid);
        if let Some(partner) = step.partner {
            self.insert(partner.pid);
        }
    }

    /// Adds the processes of another set.
    pub fn add(&mut self, other: &Movers) {
        for (mine, theirs) in self.0.iter_mut().zip(other.0) {
            *mine |= theirs;
        }
    }

    /// Makes it the set of all other processes.
    pub fn invert(&mut self) {
        for word in &mut self.0 {
            *word = !*word;
        }
    }

    /// Whether time passes.
    pub fn has_tick(&self) -> bool {
        self.has(Step::NOBODY)
    }

    /// Whether a process is in it.
    pub fn has(&self, pid: u8) -> bool {
        self.0[pid as usize / 64] & 1 << (pid % 64) != 0
    }

    /// Whether every process of another set is in it.
    pub fn contains(&self, other: &Movers) -> bool {
        self.0.iter().zip(other.0).all(|(mine, theirs)| mine & theirs == theirs)
    }

    /// How many processes of another set are not in it.
    pub fn missing(&self, other: &Movers) -> u32 {
        self.0.iter().zip(other.0).map(|(mine, theirs)| (theirs & !mine).count_ones()).sum()
    }
}
