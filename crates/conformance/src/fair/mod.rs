//! Fairness under symmetry against brute force: random symmetric models, every strategy, with and
//! without state symmetry, with and without partial-order reduction, for every kind of fairness.
//!
//! What is right is decided by [`Oracle`] on the whole graph; every execution that a search hands
//! out is confirmed by the replayer.

mod counts;
mod models;
mod threaded;

use std::sync::Arc;

use isospin_analysis::optimize::Optimizations;
use isospin_check::{
    AmpleSets, Asked, EmptinessChoice, MachineKind, Options, SymmetryChoice, Wanted,
};
use isospin_model::Model;
use isospin_search::liveness::{Fairness, PropertyAutomaton};

use crate::brute::Space;
use crate::checks::{expect_verdict, run};
use crate::isospin::model_of;
use crate::oracle::Oracle;
use crate::symmetry::STRATEGIES;
pub use counts::{controller, count, Counts, Way, SIMPLIFIED};
pub use models::{fair_model, FairModel};
pub use threaded::threaded;

/// The kinds of fairness.
pub const FAIRNESS: [Fairness; 3] = [Fairness::None, Fairness::Weak, Fairness::Strong];

/// What came out for one property of one model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Whether it is violated without, under weak and under strong fairness.
    pub violated: [bool; 3],
    /// In how many searches symmetry was used.
    pub symmetric: u64,
    /// How many searches there were.
    pub searches: u64,
}

/// How many of all ways to search are gone: one in so many, from one of the first on.
#[derive(Clone, Copy, Debug)]
pub struct Share {
    /// One in so many.
    pub one_in: u64,
    /// Counted from here on.
    pub from: u64,
}

impl Share {
    /// Every way.
    pub const ALL: Share = Share { one_in: 1, from: 0 };

    /// Whether way number `k` is one of them.
    fn has(self, k: u64) -> bool {
        (k + self.from).is_multiple_of(self.one_in)
    }
}

/// Checks the labels and the formulas of a model in every way, or in some. `None` where it is too large or
/// cannot be read; the error says what differs.
pub fn check_fair(text: &str, limit: usize, share: Share) -> Result<Option<Vec<Outcome>>, String> {
    let Ok(model) = model_of(text) else { return Ok(None) };
    let model = Arc::new(model);
    let Some(space) = Space::explore(&model, limit) else { return Ok(None) };
    if space.processes() > 8 || space.runtime {
        return Ok(None);
    }
    let mut outcomes = Vec::new();
    let asked = Asked { acceptance: true, ..Asked::default() };
    let automaton = PropertyAutomaton::acceptance();
    if let Some(oracle) = Oracle::new(&model, &space, &automaton, 20 * limit) {
        let found = in_ways(&model, &asked, &oracle, share);
        outcomes.push(found.map_err(|why| format!("acceptance: {why}"))?);
    }
    for formula in &model.formulas {
        let Ok(automaton) = PropertyAutomaton::violating(&formula.temporal, false) else {
            continue;
        };
        let Some(oracle) = Oracle::new(&model, &space, &automaton, 20 * limit) else { continue };
        let asked = Asked { properties: vec![formula.name.clone()], ..Asked::default() };
        let found = in_ways(&model, &asked, &oracle, share);
        outcomes.push(found.map_err(|why| format!("{}: {why}", formula.name))?);
    }
    Ok(Some(outcomes))
}

fn in_ways(
    model: &Arc<Model>,
    asked: &Asked,
    oracle: &Oracle<'_>,
    share: Share,
) -> Result<Outcome, String> {
    let mut ways = 0;
    let mut outcome = Outcome::default();
    for (k, fairness) in FAIRNESS.into_iter().enumerate() {
        outcome.violated[k] = oracle.violated(fairness);
        for emptiness in [EmptinessChoice::Nested, EmptinessChoice::Components] {
            if emptiness == EmptinessChoice::Nested && fairness == Fairness::Strong {
                continue;
            }
            for (number, strategy) in STRATEGIES.into_iter().enumerate() {
                for way in 0..4 {
                    let por = (way & 1 == 1).then(AmpleSets::default);
                    let optimize = if way < 2 { Optimizations::ALL } else { Optimizations::NONE };
                    for twins in [false, true] {
                        // Such a strategy is replaced, and the search is that of another.
                        let known = !strategy.is_canonical() && (way > 0 || twins);
                        // Without optimisations, each way with twins or without.
                        if known || way >= 2 && twins == ((number + way) % 2 == 0) {
                            continue;
                        }
                        ways += 1;
                        if !share.has(ways) {
                            continue;
                        }
                        let symmetry = SymmetryChoice::Strategy(strategy);
                        let options = Options {
                            fairness,
                            emptiness,
                            twins,
                            machine: Some(MachineKind::Interpreter),
                            wanted: Wanted { optimize, por, symmetry, main_array: None },
                            ..Options::default()
                        };
                        outcome.searches += 1;
                        let used = one(model, asked, &options, outcome.violated[k])?;
                        outcome.symmetric += u64::from(used);
                    }
                }
            }
        }
    }
    Ok(outcome)
}

/// Compares one search with what is right; says whether it used symmetry.
fn one(
    model: &Arc<Model>,
    asked: &Asked,
    options: &Options,
    expected: bool,
) -> Result<bool, String> {
    let how = || {
        let Options { fairness, emptiness, twins, wanted, .. } = options;
        format!("{fairness:?}, {emptiness:?}, twins {twins}, {wanted:?}")
    };
    let report = run(model, asked, options).map_err(|why| format!("{}: {why}", how()))?;
    expect_verdict(&report, expected).map_err(|why| format!("{}: {why}", how()))?;
    Ok(report.applied.symmetry.is_some())
}
