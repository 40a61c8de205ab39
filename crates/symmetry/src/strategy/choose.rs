//! Which strategy suits a model.
//!
//! All that can be chosen are canonical; what differs is the work. With two permutations, to try
//! both is least. Where program counters, or the main array, tell nearly all names apart, to sort
//! by them and to try what is tied is cheap; how many permutations that would be is counted in
//! a few states. Everywhere else refinement is never dear. Work is counted and not
//! timed, so that the choice is always the same.

use super::{main_value, pc_value, Strategy};
use crate::symmetry::Symmetry;

/// So many permutations a state are no more work than to refine.
const AS_CHEAP_AS_REFINING: f64 = 2.0;

pub(super) fn choose(symmetry: &Symmetry, samples: &[Vec<u8>]) -> Strategy {
    if symmetry.group.order() <= 2.0 || symmetry.group.blocks.is_empty() {
        return Strategy::Full;
    }
    let states: Vec<&Vec<u8>> = samples.iter().filter(|s| symmetry.is_settled(s)).collect();
    if states.is_empty() {
        return Strategy::Refined;
    }
    let mean = |strategy| {
        let work: f64 = states.iter().map(|s| permutations(symmetry, strategy, s)).sum();
        work / states.len() as f64
    };
    let (pc, main) = (mean(Strategy::PcSegmented), mean(Strategy::Segmented));
    match (pc <= AS_CHEAP_AS_REFINING && pc <= main, main <= AS_CHEAP_AS_REFINING) {
        (true, _) => Strategy::PcSegmented,
        (false, true) => Strategy::Segmented,
        (false, false) => Strategy::Refined,
    }
}

/// How many permutations a segmented strategy would try in a state.
fn permutations(symmetry: &Symmetry, strategy: Strategy, state: &[u8]) -> f64 {
    let mut all = 1.0;
    for block in &symmetry.group.blocks {
        let mut keys: Vec<u64> = Vec::new();
        for &m in &block.members {
            isospin_limits::check_many(8);
            keys.push(match strategy {
                Strategy::Segmented => main_value(symmetry, block, m, state),
                _ => pc_value(symmetry, block, m, state),
            });
        }
        keys.sort_unstable();
        for tied in keys.chunk_by(|a, b| a == b) {
            all *= (1..=tied.len()).map(|k| k as f64).product::<f64>();
        }
    }
    all
}
