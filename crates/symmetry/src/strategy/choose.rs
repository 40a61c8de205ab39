//! Which strategy suits a model.
//!
//! All that can be chosen are canonical; what differs is the work. With two permutations, to try
//! both is least. Where program counters, or the main array, tell nearly all names apart, to sort
//! by them and to try what is tied is cheap; how many permutations that would be is counted in
//! states from a few walks. Everywhere else refinement is never dear. Work is counted and not
//! timed, so that the choice is always the same.

use std::sync::Arc;

use isospin_machine::{Interpreter, Machine, Successors};

use super::{main_value, pc_value, Strategy};
use crate::detect::Symmetry;

const WALKS: u64 = 24;
const STEPS: u64 = 96;
/// So many permutations a state are no more work than to refine.
const FEW: f64 = 2.0;

pub(super) fn choose(symmetry: &Symmetry) -> Strategy {
    if symmetry.group.order() <= 2.0 || symmetry.group.blocks.is_empty() {
        return Strategy::Full;
    }
    let states = samples(symmetry);
    if states.is_empty() {
        return Strategy::Refined;
    }
    let mean = |strategy| {
        let work: f64 = states.iter().map(|s| permutations(symmetry, strategy, s)).sum();
        work / states.len() as f64
    };
    let (pc, main) = (mean(Strategy::PcSegmented), mean(Strategy::Segmented));
    match (pc <= FEW && pc <= main, main <= FEW) {
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

/// States of a few walks, always the same ones.
fn samples(symmetry: &Symmetry) -> Vec<Vec<u8>> {
    let mut machine = Interpreter::new(Arc::clone(symmetry.model()));
    let mut samples = Vec::new();
    let mut random = 0x9E37_79B9_7F4A_7C15_u64;
    for _ in 0..WALKS {
        let mut state = Vec::new();
        if machine.initial(&mut state).is_err() {
            break;
        }
        let mut control = None;
        for _ in 0..STEPS {
            if control.is_none() && symmetry.is_settled(&state) {
                samples.push(state.clone());
            }
            let mut steps = Successors::default();
            match control {
                Some(pid) => machine.steps(&state, usize::from(pid), false, &mut steps),
                None => machine.all_steps(&state, false, &mut steps),
            }
            if steps.is_empty() {
                machine.all_steps(&state, false, &mut steps);
            }
            if steps.is_empty() {
                machine.tick(&state, &mut steps);
            }
            if steps.is_empty() {
                machine.all_steps(&state, true, &mut steps);
            }
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let good: Vec<_> = steps.list().iter().filter(|s| s.fault.is_none()).collect();
            let Some(chosen) = good.get((random >> 33) as usize % good.len().max(1)) else { break };
            state = steps.state(chosen).to_vec();
            control = chosen.control;
        }
    }
    samples
}
