//! Where reductions and properties plug into an expansion. Both have versions that do nothing and
//! cost nothing.

use isospin_machine::{Machine, Step, Successors};

/// The steps of one process among those of a state: `from..to` in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// The process.
    pub pid: usize,
    /// Its first step.
    pub from: usize,
    /// One past its last step.
    pub to: usize,
}

/// Which steps of a state are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// All of them.
    All,
    /// Those of one process, by its position among the groups.
    Group(usize),
}

/// Chooses among a state's steps: where partial-order reduction plugs in.
pub trait Reducer<M: Machine> {
    /// Which steps are taken in `state`. `steps` is never empty.
    fn choose(
        &mut self,
        machine: &mut M,
        state: &[u8],
        steps: &Successors,
        groups: &[Group],
    ) -> Choice;
}

/// Every step is taken.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoReduction;

impl<M: Machine> Reducer<M> for NoReduction {
    #[inline(always)]
    fn choose(&mut self, _: &mut M, _: &[u8], _: &Successors, _: &[Group]) -> Choice {
        Choice::All
    }
}

/// Moves along with every step, inside atomic sequences too: where properties plug in.
pub trait Observer {
    /// `step` led from `before` to `after`; `settled` says whether control was given up. Says
    /// whether the execution is still of interest.
    fn observe(&mut self, before: &[u8], step: &Step, after: &[u8], settled: bool) -> bool;
}

/// Nobody looks.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl Observer for NoObserver {
    #[inline(always)]
    fn observe(&mut self, _: &[u8], _: &Step, _: &[u8], _: bool) -> bool {
        true
    }
}
