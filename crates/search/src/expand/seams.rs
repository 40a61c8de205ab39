//! Where reductions and properties plug into an expansion. Both have versions that do nothing and
//! cost nothing.

use isospin_machine::{Step, Successors};
use isospin_model::Model;

use crate::reduce::ReductionCounts;

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

/// Chooses among a state's steps: where partial-order reduction plugs in.
pub trait Reducer {
    /// Whether it ever chooses; a search need not prepare for one that does not.
    const ACTIVE: bool;

    /// The groups whose steps are enough in `state`, by position; `None` when all are needed.
    /// There is at least one step, and none of them waited for `timeout`.
    fn choose(
        &mut self,
        model: &Model,
        state: &[u8],
        steps: &Successors,
        groups: &[Group],
    ) -> Option<&[usize]>;

    /// More groups for the state chosen for last, which together with those in `taken` are enough
    /// as well; `None` when that would be all.
    fn choose_more(
        &mut self,
        _model: &Model,
        _state: &[u8],
        _steps: &Successors,
        _groups: &[Group],
        _taken: &[usize],
    ) -> Option<&[usize]> {
        None
    }

    /// The choice for the state chosen for last did not stand: all its steps were taken.
    fn revoke(&mut self);

    /// How often it applied.
    fn counts(&self) -> ReductionCounts;
}

/// Every step is taken.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoReduction;

impl Reducer for NoReduction {
    const ACTIVE: bool = false;

    #[inline(always)]
    fn choose(&mut self, _: &Model, _: &[u8], _: &Successors, _: &[Group]) -> Option<&[usize]> {
        None
    }

    fn revoke(&mut self) {}

    fn counts(&self) -> ReductionCounts {
        ReductionCounts::default()
    }
}

/// A reduction that may be off.
impl<R: Reducer> Reducer for Option<R> {
    const ACTIVE: bool = R::ACTIVE;

    fn choose(
        &mut self,
        model: &Model,
        state: &[u8],
        steps: &Successors,
        groups: &[Group],
    ) -> Option<&[usize]> {
        self.as_mut()?.choose(model, state, steps, groups)
    }

    fn revoke(&mut self) {
        if let Some(reducer) = self {
            reducer.revoke();
        }
    }

    fn counts(&self) -> ReductionCounts {
        self.as_ref().map_or(ReductionCounts::default(), R::counts)
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
