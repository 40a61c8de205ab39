//! Where reductions plug into an expansion. There is one that does nothing and costs nothing.

use isospin_machine::Successors;
use isospin_model::Model;

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

/// How often a reduction applied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReductionCounts {
    /// States in which some steps were put off.
    pub reduced: u64,
    /// States that had to be expanded fully because of C3.
    pub revoked: u64,
    /// States in which every closed set contains every process that can move.
    pub no_closed_set: u64,
    /// States in which the only closed sets are visible to the property (C2).
    pub visible: u64,
    /// States in which one process or none could move.
    pub trivial: u64,
    /// States in which nothing was looked for, because it is seldom found.
    pub unsought: u64,
}

impl ReductionCounts {
    /// Adds the counts of another search.
    pub fn add(&mut self, other: &ReductionCounts) {
        self.reduced += other.reduced;
        self.revoked += other.revoked;
        self.no_closed_set += other.no_closed_set;
        self.visible += other.visible;
        self.trivial += other.trivial;
        self.unsought += other.unsought;
    }
}
