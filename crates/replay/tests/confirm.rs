//! What the replayer confirms, and what it does not.

use std::path::Path;
use std::sync::Arc;

use isospin_machine::{Interpreter, Machine, RuntimeError, Step, Successors};
use isospin_model::{EdgeId, Model, Pid};
use isospin_promela::Options;
use isospin_replay::lasso::Broken;
use isospin_replay::{confirm, Claim, Counterexample, Fairness, Unconfirmed};

fn model(text: &str) -> Arc<Model> {
    let mut reader = |_: &Path| Ok(text.as_bytes().to_vec());
    let reading = isospin_promela::read(Path::new("m.pml"), &Options::default(), &mut reader);
    Arc::new(reading.into_model().expect("a model"))
}

/// The steps that these processes take, one after the other: the first that each can take.
fn steps(model: &Arc<Model>, pids: &[u8]) -> Vec<Step> {
    let mut machine = Interpreter::new(Arc::clone(model));
    let mut state = Vec::new();
    machine.initial(&mut state).expect("an initial state");
    let mut steps = Vec::new();
    for &pid in pids {
        let mut out = Successors::default();
        machine.steps(&state, Pid(pid), false, &mut out);
        let first = out.list()[0];
        steps.push(first.step);
        state = out.state(&first).to_vec();
    }
    steps
}

fn check(
    model: &Arc<Model>,
    steps: &[Step],
    cycle: Option<usize>,
    claim: Claim,
) -> Result<(), Unconfirmed> {
    fair(model, steps, cycle, Fairness::None, claim)
}

fn fair(
    model: &Arc<Model>,
    steps: &[Step],
    cycle: Option<usize>,
    fairness: Fairness,
    claim: Claim,
) -> Result<(), Unconfirmed> {
    confirm(model, &Counterexample { steps, cycle, renaming: None, fairness, claim }).map(drop)
}

const NO: Result<(), Unconfirmed> = Err(Unconfirmed::NoViolation);

#[test]
fn an_assertion_fails_in_the_last_step_and_nowhere_else() {
    let model = model("byte x; active proctype P() { x = 1; assert(x == 2); x = 3 }");
    let all = steps(&model, &[0, 0, 0]);
    assert_eq!(check(&model, &all[..2], None, Claim::Assertion), Ok(()));
    assert_eq!(check(&model, &all[..1], None, Claim::Assertion), NO);
    assert_eq!(check(&model, &all, None, Claim::Assertion), NO);
    assert_eq!(check(&model, &all[..2], None, Claim::EndState), NO);
}

#[test]
fn a_run_time_error_is_the_one_that_was_named() {
    let model = model("byte z; active proctype P() { z = 1 / z }");
    let all = steps(&model, &[0]);
    let (this, other) = (RuntimeError::DivisionByZero, RuntimeError::TooManyProcesses);
    assert_eq!(check(&model, &all, None, Claim::Runtime(this)), Ok(()));
    assert_eq!(check(&model, &all, None, Claim::Runtime(other)), NO);
}

#[test]
fn a_dead_end_is_one_and_nobody_may_end_there() {
    let stuck = model("byte x; active proctype P() { x = 1; x == 2 }");
    let all = steps(&stuck, &[0]);
    assert_eq!(check(&stuck, &all, None, Claim::EndState), Ok(()));
    assert_eq!(check(&stuck, &[], None, Claim::EndState), NO);
    let fine = model("byte x; active proctype P() { x = 1; end: x == 2 }");
    assert_eq!(check(&fine, &steps(&fine, &[0]), None, Claim::EndState), NO);
}

#[test]
fn steps_that_cannot_be_taken_are_told() {
    let model = model("byte x; active proctype P() { x == 1 }");
    let step = Step::alone(Pid(0), EdgeId(0));
    let misfit = Unconfirmed::Broken(Broken::Misfit(isospin_replay::Misfit { step: 1 }));
    assert_eq!(check(&model, &[step], None, Claim::EndState), Err(misfit));
}

#[test]
fn a_formula_is_evaluated_on_the_lasso_itself() {
    let text = "byte x; active proctype P() { do :: x = 1; x = 0 od } ltl p { <> [] (x == 0) }";
    let model = model(text);
    let formula = Claim::Formula(&model.formulas[0].temporal);
    let all = steps(&model, &[0, 0, 0, 0]);
    assert_eq!(check(&model, &all[..2], Some(0), formula), Ok(()));
    assert_eq!(check(&model, &all, Some(2), formula), Ok(()));
    let open = Err(Unconfirmed::Broken(Broken::Open));
    assert_eq!(check(&model, &all[..3], Some(0), formula), open);
    let goes_on = Err(Unconfirmed::Broken(Broken::GoesOn));
    assert_eq!(check(&model, &all[..2], Some(2), formula), goes_on);
}

#[test]
fn a_last_state_that_stays_is_a_lasso() {
    let model = model(
        "byte x; active proctype P() { x = 1; x = 2 } ltl p { [] (x < 2) } ltl q { <> (x == 2) }",
    );
    let all = steps(&model, &[0, 0, 0]);
    let [p, q] = [0, 1].map(|k| Claim::Formula(&model.formulas[k].temporal));
    assert_eq!(check(&model, &all, Some(3), p), Ok(()));
    assert_eq!(check(&model, &all, Some(3), q), NO);
    assert_eq!(check(&model, &all, Some(3), Claim::Progress), NO);
}

#[test]
fn unfair_cycles_do_not_count_under_fairness() {
    let text = "byte x; active proctype P() { do :: x = 1 - x od } \
                active proctype Q() { do :: x == 0 -> skip od } ltl p { <> [] (x == 9) }";
    let model = model(text);
    let formula = Claim::Formula(&model.formulas[0].temporal);
    // Only P moves, and Q can move in every other state.
    let all = steps(&model, &[0, 0]);
    assert_eq!(fair(&model, &all, Some(0), Fairness::Weak, formula), Ok(()));
    let unfair = Err(Unconfirmed::Broken(Broken::Unfair(Pid(1))));
    assert_eq!(fair(&model, &all, Some(0), Fairness::Strong, formula), unfair);
    // Only Q moves, and P always can.
    let all = steps(&model, &[1, 1]);
    let unfair = Err(Unconfirmed::Broken(Broken::Unfair(Pid(0))));
    assert_eq!(fair(&model, &all, Some(0), Fairness::Weak, formula), unfair);
}

#[test]
fn claims_run_along_with_the_model() {
    let text = "byte x; active proctype P() { do :: x = 1; x = 0 od } \
                never { T: do :: x == 1 -> goto accept :: else od; accept: do :: true od }";
    let model = model(text);
    let all = steps(&model, &[0, 0]);
    assert_eq!(check(&model, &all, Some(0), Claim::Never(&model.claims[0])), Ok(()));
    let text = text.replace("x == 1 ->", "x == 2 ->");
    let model = self::model(&text);
    let all = steps(&model, &[0, 0]);
    assert_eq!(check(&model, &all, Some(0), Claim::Never(&model.claims[0])), NO);
}

#[test]
fn a_claim_that_comes_to_its_end_needs_no_cycle() {
    let text = "byte x; active proctype P() { x = 1; x = 2 } \
                never { do :: x == 1 -> break :: else od }";
    let model = model(text);
    let all = steps(&model, &[0, 0]);
    assert_eq!(check(&model, &all, None, Claim::Never(&model.claims[0])), Ok(()));
    assert_eq!(check(&model, &[], None, Claim::Never(&model.claims[0])), NO);
}

#[test]
fn labels_are_looked_at_on_the_cycle() {
    let text = "byte x; active proctype P() { accept: x = 1; progress: x = 2; do :: x = 3 od }";
    let model = model(text);
    let all = steps(&model, &[0, 0, 0, 0]);
    assert_eq!(check(&model, &all, Some(3), Claim::Progress), Ok(()));
    assert_eq!(check(&model, &all, Some(3), Claim::Acceptance(None)), NO);
    let model = self::model("byte x; active proctype P() { accept: do :: progress: x = 1 - x od }");
    let all = steps(&model, &[0, 0]);
    assert_eq!(check(&model, &all, Some(0), Claim::Acceptance(None)), Ok(()));
    assert_eq!(check(&model, &all, Some(0), Claim::Time), Ok(()));
}
