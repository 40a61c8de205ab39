//! Small models go through several threads only here: from outside, one thread is done with them
//! before others join in.

#[path = "../../../tests/common/mod.rs"]
mod common;

use std::sync::Arc;

use isospin_machine::Interpreter;
use isospin_model::Model;
use isospin_store::{Exact, Marks, Parents, Reference};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

use super::{search, Run};
use crate::expand::NoReduction;
use crate::options::Options;
use common::replay::replay;

fn run<S: Marks + Parents + Sync>(model: &Arc<Model>, options: &Options) -> Run {
    let control = options.control();
    let machines = || Interpreter::new(Arc::clone(model));
    search::<S, _, _, _>(&machines, &|| NoReduction, options, &control, &mut |_| {})
}

fn agrees_with_brute_force<S: Marks + Parents + Sync>(
    model: &Arc<Model>,
    threads: usize,
) -> Result<(), TestCaseError> {
    let expected = common::brute_force::explore(model);
    let run = run::<S>(model, &Options { threads, ..common::everything() });
    prop_assert_eq!(
        (run.stats.states, run.stats.transitions, run.found.errors),
        (expected.states, expected.transitions, expected.errors)
    );
    prop_assert!(run.exhausted);
    for (_, violation) in run.found.violations {
        prop_assert_eq!(replay(model, &violation).err(), None);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn threads_agree_with_brute_force(model in common::random::models(), threads in 1usize..5) {
        agrees_with_brute_force::<Exact<true>>(&model, threads)?;
        agrees_with_brute_force::<Reference>(&model, threads)?;
    }

    #[test]
    fn the_first_violation_stops_every_thread(model in common::random::models()) {
        let expected = common::brute_force::explore(&model);
        let run = run::<Exact<true>>(&model, &Options { threads: 3, ..Options::default() });
        prop_assert_eq!(run.found.errors, expected.errors.min(1));
        for (_, violation) in run.found.violations {
            prop_assert_eq!(replay(&model, &violation).err(), None);
        }
    }
}

#[test]
fn threads_share_a_large_model() {
    let model = common::counters(3, 20);
    let options = |threads| Options { threads, ..common::everything() };
    let [one, four] = [1, 4].map(|threads| run::<Exact<true>>(&model, &options(threads)).stats);
    assert_eq!((one.states, one.transitions), (four.states, four.transitions));
    // Each counter: 21 values at the start of its loop, 20 inside, and its end.
    assert_eq!(one.states, 42 * 42 * 42);
}
