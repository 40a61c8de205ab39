//! Which reductions are sound together, for which search: the one place where that is decided.
//!
//! Whether a reduction applies depends on the search that is planned and on nothing else here; that
//! it is wanted, and that the model gives it something to work on, is looked at elsewhere. Each row
//! of [`RULES`] rules out reductions under a condition and says why. What no row rules out applies.

use isospin_search::liveness::Fairness;

/// A kind of search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchKind {
    /// For what needs no cycle.
    Safety,
    /// For several invariants in one go.
    Invariants,
    /// Nested depth-first search.
    Nested,
    /// By components.
    Components,
    /// For cycles without progress, without an automaton.
    Direct,
    /// For what needs no cycle, in sets of states.
    Sets,
}

/// What a property notices of steps that change nothing it looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stuttering {
    /// Nothing, and its automaton can follow whatever is put off.
    Unnoticed,
    /// Nothing, but its automaton may have to know what comes.
    LooksAhead,
    /// It may count steps.
    Counted,
}

/// A search that is planned, as far as soundness conditions look at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job {
    /// Which search.
    pub search: SearchKind,
    /// Which executions count.
    pub fairness: Fairness,
    /// What the property notices.
    pub stuttering: Stuttering,
}

/// A reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// Dead variables are reset, and nothing is stored that nobody reads.
    Variables,
    /// Steps that concern only their process follow the step before them at once.
    Merge,
    /// Ticks in which nothing can happen are taken in one step.
    Jumps,
    /// Partial-order reduction.
    PartialOrder,
    /// Symmetry reduction.
    Symmetry,
    /// Symmetry reduction with several representatives an orbit.
    Representatives,
}

/// Why a reduction does not apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The property may count steps.
    CountsSteps,
    /// The property's automaton may have to know what comes.
    LooksAhead,
    /// Fairness looks at moments that would be passed over.
    FairnessLooksBetween,
    /// The search comes to states a second time.
    ComesAgain,
    /// What is on the stack differs between the copies of a node.
    Copies,
    /// The search has no cycle condition.
    NoCycleCondition,
    /// The search does not know symmetry.
    NoOrbits,
    /// Sets of states are followed whole.
    WholeSets,
}

struct Rule {
    rules_out: &'static [Reduction],
    when: fn(&Job) -> bool,
    because: Reason,
}

use Reduction::{Jumps, Merge, PartialOrder, Representatives, Symmetry, Variables};

const RULES: [Rule; 8] = [
    // What is merged, jumped over or put off is a step more or less. Dead variables are left alone,
    // too: the model is searched as written.
    Rule {
        rules_out: &[Variables, Merge, Jumps, PartialOrder],
        when: |job| job.stuttering == Stuttering::Counted,
        because: Reason::CountsSteps,
    },
    // That a language is closed under stuttering does not keep an automaton for it from choosing by
    // what comes [Siegel 2019].
    Rule {
        rules_out: &[PartialOrder],
        when: |job| job.stuttering == Stuttering::LooksAhead,
        because: Reason::LooksAhead,
    },
    // A merged step passes over the moment in which a process cannot move for want of a partner,
    // and such a moment may be what makes an execution fair.
    Rule {
        rules_out: &[Merge],
        when: |job| job.search != SearchKind::Safety && job.fairness != Fairness::None,
        because: Reason::FairnessLooksBetween,
    },
    // The copies of a node for weak fairness are entered at different times, so that the stack, on
    // which the cycle condition looks, says something else for each.
    Rule {
        rules_out: &[PartialOrder],
        when: |job| job.search == SearchKind::Nested && job.fairness != Fairness::None,
        because: Reason::Copies,
    },
    Rule {
        rules_out: &[PartialOrder],
        when: |job| job.search == SearchKind::Direct,
        because: Reason::NoCycleCondition,
    },
    Rule {
        rules_out: &[Symmetry],
        when: |job| job.search == SearchKind::Direct,
        because: Reason::NoOrbits,
    },
    // It may come with another state of the orbit, whose successors are stored as others than those
    // that were stored the first time: lemma 5 of [Bosnacki 2002] fails, and cycles are lost. A
    // search by components comes again to tell a cycle.
    Rule {
        rules_out: &[Representatives],
        when: |job| matches!(job.search, SearchKind::Nested | SearchKind::Components),
        because: Reason::ComesAgain,
    },
    // A reduction chooses for each state by itself, and so does a jump, which looks whether anybody
    // can move: sets of states would have to be taken apart.
    Rule {
        rules_out: &[Jumps, PartialOrder, Symmetry, Representatives],
        when: |job| job.search == SearchKind::Sets,
        because: Reason::WholeSets,
    },
];

/// The reductions that are sound together for a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Applicable {
    ruled_out: Vec<(Reduction, Reason)>,
}

impl Applicable {
    /// Whether a reduction may be used.
    pub fn allows(&self, reduction: Reduction) -> bool {
        self.why_not(reduction).is_none()
    }

    /// Why a reduction may not be used: the first reason there is.
    pub fn why_not(&self, reduction: Reduction) -> Option<Reason> {
        self.ruled_out.iter().find(|(r, _)| *r == reduction).map(|(_, reason)| *reason)
    }
}

/// Goes through the [rules](RULES) for a search.
pub fn applicable(job: &Job) -> Applicable {
    let broken = RULES.iter().filter(|rule| (rule.when)(job));
    let ruled_out = broken.flat_map(|rule| rule.rules_out.iter().map(|r| (*r, rule.because)));
    Applicable { ruled_out: ruled_out.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(search: SearchKind, fairness: Fairness, stuttering: Stuttering) -> Applicable {
        applicable(&Job { search, fairness, stuttering })
    }

    #[test]
    fn everything_applies_to_safety_and_nearly_to_a_nested_search_without_fairness() {
        let nested = job(SearchKind::Nested, Fairness::None, Stuttering::Unnoticed);
        assert_eq!(nested.ruled_out, [(Representatives, Reason::ComesAgain)]);
        for search in [SearchKind::Safety, SearchKind::Invariants] {
            let all = job(search, Fairness::None, Stuttering::Unnoticed);
            assert_eq!(all, Applicable::default());
        }
    }

    #[test]
    fn what_counts_steps_leaves_symmetry_alone() {
        let left = job(SearchKind::Nested, Fairness::None, Stuttering::Counted);
        assert!(left.allows(Symmetry));
        for reduction in [Variables, Merge, Jumps, PartialOrder] {
            assert_eq!(left.why_not(reduction), Some(Reason::CountsSteps));
        }
    }

    #[test]
    fn fairness_keeps_partial_order_reduction_in_components_only() {
        let nested = job(SearchKind::Nested, Fairness::Weak, Stuttering::Unnoticed);
        assert_eq!(nested.why_not(PartialOrder), Some(Reason::Copies));
        let components = job(SearchKind::Components, Fairness::Strong, Stuttering::Unnoticed);
        assert!(components.allows(PartialOrder) && !components.allows(Merge));
        assert!(components.allows(Symmetry) && nested.allows(Symmetry));
    }
}
