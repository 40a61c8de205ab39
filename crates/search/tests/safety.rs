//! Searches on models built by hand and at random.

mod common;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::Duration;

use common::brute_force::explore;
use common::*;
use isospin_machine::{Interpreter, RuntimeError};
use isospin_model::*;
use isospin_search::*;
use proptest::prelude::*;

fn bfs(options: Options) -> Options {
    Options { order: Order::BreadthFirst, ..options }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_search_agrees_with_brute_force(model in common::random::models()) {
        let expected = explore(&model);
        let threads = Options { threads: 3, ..everything() };
        for options in [everything(), bfs(everything()), threads] {
            let result = check(&model, &options);
            prop_assert_eq!(
                (result.states, result.transitions, result.errors),
                (expected.states, expected.transitions, expected.errors),
                "{:?}", options
            );
            prop_assert!(result.exhausted && result.incomplete.is_none());
        }
    }

    #[test]
    fn one_error_is_enough_to_be_violated(model in common::random::models()) {
        let expected = explore(&model);
        let threads = Options { threads: 2, ..Options::default() };
        let shorten = Options { shorten: true, ..Options::default() };
        let mut found = Vec::new();
        for options in [Options::default(), bfs(Options::default()), threads, shorten] {
            let result = check(&model, &options);
            prop_assert_eq!(result.errors, expected.errors.min(1));
            prop_assert_eq!(result.violations.len() as u64, result.errors);
            found.extend(result.violations.first().map(|v| v.steps.len()));
        }
        if let [first, _, _, shortened] = found[..] {
            prop_assert!(shortened <= first);
        }
    }

    #[test]
    fn one_thread_does_the_same_thing_every_time(model in common::random::models()) {
        let (a, b) = (check(&model, &everything()), check(&model, &everything()));
        prop_assert_eq!(a.violations, b.violations);
        prop_assert_eq!((a.depth, a.reached), (b.depth, b.reached));
    }
}

#[test]
fn a_failed_assertion_is_found_at_the_end_of_the_shortest_path() {
    // Two ways to x == 3: one by one, or at once and then one step.
    let mut b = Builder::new(0);
    let x = b.global(Scalar::BYTE);
    let jump = Action::Assign(Some(x.clone()), number(2));
    let fine = op(BinaryOp::Less, load(&x), number(3));
    let ty = b.proctype(
        4,
        &[0],
        vec![edge(0, 1, jump), edge(0, 1, increment(&x)), edge(1, 0, Action::Assert(fine))],
    );
    b.active(ty);
    let model = b.build();
    let result = check(&model, &bfs(Options::default()));
    assert_eq!(result.violations[0].kind, ViolationKind::Assertion);
    assert_eq!(result.violations[0].steps.len(), 4);
    let shortened = Options { shorten: true, ..Options::default() };
    assert_eq!(check(&model, &shortened).violations[0].steps.len(), 4);
}

#[test]
fn a_search_a_million_steps_deep_ends_and_replays() {
    let mut b = Builder::new(0);
    let x = b.global(Scalar::INT);
    let fine = op(BinaryOp::Less, load(&x), number(1_000_000));
    let ty = b.proctype(2, &[], vec![edge(0, 0, increment(&x)), edge(0, 1, Action::Assert(fine))]);
    b.active(ty);
    let model = b.build();
    let options = Options { end_states: false, ..Options::default() };
    let result = check(&model, &options);
    assert!(result.depth >= 1_000_000, "{}", result.depth);
    assert_eq!(result.violations[0].steps.len(), 1_000_001);
}

#[test]
fn an_endless_atomic_loop_is_cut() {
    let mut b = Builder::new(0);
    let x = b.global(Scalar::unsigned(2));
    let ty = b.proctype(2, &[1], vec![atomic(0, 0, increment(&x)), edge(0, 1, Action::Skip)]);
    b.active(ty);
    let result = check(&b.build(), &everything());
    assert_eq!(result.verdict, Verdict::Holds);
    assert_eq!(result.states, 1 + 4);
}

#[test]
fn an_atomic_chain_that_never_repeats_stops_at_a_limit() {
    let mut b = Builder::new(0);
    let x = b.global(Scalar::INT);
    let ty = b.proctype(1, &[0], vec![atomic(0, 0, increment(&x))]);
    b.active(ty);
    let model = b.build();
    let memory = Options { memory: Some(20 << 20), ..everything() };
    assert_eq!(check(&model, &memory).incomplete, Some(Incomplete::Memory));
    let time = Options { time: Some(Duration::from_millis(50)), ..everything() };
    assert_eq!(check(&model, &time).incomplete, Some(Incomplete::Time));
    let depth = Options { depth: Some(1000), ..everything() };
    assert_eq!(check(&model, &depth).incomplete, Some(Incomplete::Depth));
}

#[test]
fn hidden_bytes_do_not_make_a_state_new_and_travel_with_it() {
    let mut b = Builder::new(1);
    let h = b.hidden(0);
    let zero = op(BinaryOp::Equal, load(&h), number(0));
    let ty = b.proctype(3, &[2], vec![edge(0, 1, increment(&h)), edge(1, 2, Action::Assert(zero))]);
    b.active(ty);
    let model = b.build();
    for options in [everything(), bfs(everything())] {
        let result = check(&model, &options);
        assert_eq!((result.states, result.errors), (3, 1));
    }
}

#[test]
fn each_limit_ends_the_search_with_its_reason() {
    let model = counters(4, 40);
    for threads in [1, 2] {
        let memory = Options { memory: Some(8 << 20), threads, ..everything() };
        let result = check(&model, &memory);
        assert_eq!(result.verdict, Verdict::Incomplete);
        assert_eq!(result.incomplete, Some(Incomplete::Memory));
        assert!(result.states > 1000 && !result.exhausted);

        let time = Options { time: Some(Duration::from_millis(30)), threads, ..everything() };
        assert_eq!(check(&model, &time).incomplete, Some(Incomplete::Time));

        let interrupt = Arc::new(AtomicBool::new(false));
        let options = Options { interrupt: Some(Arc::clone(&interrupt)), threads, ..everything() };
        let mut reports = 0;
        let result =
            check_safety(|| Interpreter::new(Arc::clone(&model)), &options, &mut |progress| {
                reports += 1;
                assert!(progress.states > 0 && progress.memory > 0);
                interrupt.store(true, Ordering::Relaxed);
            });
        assert_eq!(result.incomplete, Some(Incomplete::Interrupted));
        assert_eq!(reports, 1);
    }
    let depth = Options { depth: Some(20), ..everything() };
    let result = check(&model, &depth);
    assert_eq!(result.incomplete, Some(Incomplete::Depth));
    assert!(result.depth <= 20 && result.verdict == Verdict::Incomplete);
}

#[test]
fn a_memory_limit_below_the_minimum_is_no_panic() {
    let model = counters(1, 3);
    for memory in [0, 1, 1000, 100_000] {
        for threads in [1, 2] {
            let options = Options { memory: Some(memory), threads, ..everything() };
            assert_eq!(check(&model, &options).verdict, Verdict::Incomplete);
        }
    }
}

#[test]
fn what_cannot_be_taken_is_not_reached() {
    let mut b = Builder::new(0);
    let x = b.global(Scalar::BYTE);
    let never = Action::Condition(op(BinaryOp::Equal, load(&x), number(7)));
    let ty = b.proctype(2, &[0, 1], vec![edge(0, 1, Action::Skip), edge(0, 1, never)]);
    b.active(ty);
    let result = check(&b.build(), &everything());
    assert!(result.reached.is_taken(ty, EdgeId(0)) && !result.reached.is_taken(ty, EdgeId(1)));
}

#[test]
fn without_an_initial_state_there_is_a_violation_without_steps() {
    let mut b = Builder::new(0);
    let x = b.global(Scalar::BYTE);
    b.model
        .initializers
        .push(Initializer { place: x, value: op(BinaryOp::Divide, number(1), number(0)) });
    let model = b.build();
    for threads in [1, 2] {
        let options = Options { threads, ..everything() };
        let result = check(&model, &options);
        assert_eq!(result.violations[0].kind, ViolationKind::Runtime(RuntimeError::DivisionByZero));
    }
}

#[test]
fn what_is_ignored_is_not_counted() {
    let mut b = Builder::new(0);
    let ty = b.proctype(2, &[], vec![edge(0, 1, Action::Assert(number(0)))]);
    b.active(ty);
    let model = b.build();
    assert_eq!(check(&model, &everything()).errors, 2);
    let no_ends = Options { end_states: false, ..everything() };
    assert_eq!(check(&model, &no_ends).errors, 1);
    let nothing = Options { assertions: false, ..no_ends };
    assert_eq!(check(&model, &nothing).verdict, Verdict::Holds);
}
