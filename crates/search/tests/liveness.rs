//! Searches for cycles: with another set, and where a model turns out not to be symmetric.

mod common;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use common::promela::model_of;
use isospin_machine::{Interpreter, Machine, RuntimeError, Successors, Truth};
use isospin_model::{BinaryOp, Expr, Model, Pid, Place, Region, Scalar, Temporal};
use isospin_search::liveness::{
    check_liveness, check_liveness_in, Emptiness, Fairness, PropertyAutomaton,
};
use isospin_search::{check_safety, Options, Verdict};
use isospin_store::Reference;
use isospin_symmetry::{prepare, Strategy};
use proptest::prelude::*;

/// What violates `<> [] (x == 1)`, where `x` is the first variable of a random model.
fn not_stable(generalized: bool) -> PropertyAutomaton {
    let ty = Scalar::unsigned(2);
    let place = Place { region: Region::Global, offset: 1, indices: Vec::new(), ty };
    let expr = Expr::binary(BinaryOp::Equal, Expr::Load(place), Expr::Const(1));
    let atom = Temporal::Atom { expr, text: "x == 1".to_owned() };
    let formula = Temporal::Eventually(Box::new(Temporal::Always(Box::new(atom))));
    PropertyAutomaton::violating(&formula, generalized).expect("a small formula")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn every_search_does_the_same_with_a_reference_set(model in common::random::models()) {
        let properties = [PropertyAutomaton::non_progress(), not_stable(false), not_stable(true)];
        for automaton in properties {
            for fairness in [Fairness::None, Fairness::Weak, Fairness::Strong] {
                for emptiness in [Emptiness::Auto, Emptiness::Nested, Emptiness::Components] {
                    let options = Options::default();
                    let machine = || Interpreter::new(Arc::clone(&model));
                    let expected = check_liveness(
                        machine(), automaton.clone(), fairness, emptiness, &options, &mut |_| {},
                    );
                    let result = check_liveness_in::<Reference, _>(
                        machine(), automaton.clone(), fairness, emptiness, &options, &mut |_| {},
                    );
                    prop_assert_eq!(
                        (result.verdict, result.states, result.transitions, result.depth),
                        (expected.verdict, expected.states, expected.transitions, expected.depth)
                    );
                    prop_assert_eq!(result.counterexample, expected.counterexample);
                }
            }
        }
    }
}

/// Three processes that fill three channels, one after the other: whoever finds one full stays
/// half way.
const BLOCKED: &str = "chan b[3] = [1] of { byte }; byte n;
    proctype P(byte me) { byte i;
      do :: atomic { n < 2 -> n++; for (i : 0 .. 2) { b[i]!me } i = 0 }
         :: b[me]?_ -> n = n od }
    init { atomic { run P(0); run P(1); run P(2) } }";

fn without_symmetry(options: &Options) -> Options {
    Options { symmetry: None, ..options.clone() }
}

#[test]
fn what_is_not_symmetric_after_all_is_searched_again_without_symmetry() {
    let model: Model = model_of(BLOCKED).expect("a model");
    let automaton = PropertyAutomaton::non_progress();
    let prepared = prepare(&model, &automaton.atoms, None);
    let symmetry = prepared.detection.symmetry.expect("it looks symmetric");
    let options =
        Options { symmetry: Some((symmetry, Strategy::Full)), errors: 0, ..Options::default() };
    let machine = || Interpreter::new(Arc::clone(&prepared.model));

    let safe = check_safety(machine, &options, &mut |_| {});
    let plain = check_safety(machine, &without_symmetry(&options), &mut |_| {});
    assert_eq!((safe.symmetry, safe.verdict, safe.states), (false, plain.verdict, plain.states));

    let search = |options: &Options| {
        let (fair, way) = (Fairness::None, Emptiness::Auto);
        check_liveness(machine(), automaton.clone(), fair, way, options, &mut |_| {})
    };
    let (live, plain) = (search(&options), search(&without_symmetry(&options)));
    assert_eq!((live.symmetry, live.incomplete), (None, None));
    assert_eq!((live.verdict, live.states), (plain.verdict, plain.states));
}

#[test]
fn nodes_are_counted_up_to_symmetry_under_fairness() {
    let text = "byte n; active [3] proctype P() { do :: n < 2 -> n++ :: n > 0 -> n-- od }";
    let model: Model = model_of(text).expect("a model");
    let automaton = PropertyAutomaton::acceptance();
    let prepared = prepare(&model, &automaton.atoms, None);
    let symmetry = prepared.detection.symmetry.expect("it is symmetric");
    let options = Options { symmetry: Some((symmetry, Strategy::Sorted)), ..Options::default() };
    let used = Some(Strategy::Segmented);
    for (fairness, emptiness, expected) in [
        (Fairness::None, Emptiness::Auto, used),
        (Fairness::None, Emptiness::Components, used),
        (Fairness::Weak, Emptiness::Auto, used),
        (Fairness::Strong, Emptiness::Auto, used),
    ] {
        let machine = Interpreter::new(Arc::clone(&prepared.model));
        let result =
            check_liveness(machine, automaton.clone(), fairness, emptiness, &options, &mut |_| {});
        assert_eq!((result.symmetry, result.verdict), (expected, Verdict::Holds), "{fairness:?}");
    }
}

/// An interpreter that has the search interrupted once it has been asked often enough.
struct Interrupting {
    interpreter: Interpreter,
    asked: u32,
    interrupt: Arc<AtomicBool>,
}

impl Machine for Interrupting {
    fn model(&self) -> &Model {
        self.interpreter.model()
    }

    fn initial(&mut self, state: &mut Vec<u8>) -> Result<(), RuntimeError> {
        self.interpreter.initial(state)
    }

    fn steps(&mut self, state: &[u8], pid: Pid, timeout: bool, out: &mut Successors) {
        self.asked += 1;
        self.interrupt.store(self.asked > 8_000, Ordering::Relaxed);
        self.interpreter.steps(state, pid, timeout, out);
    }

    fn watch(&mut self, atoms: &[Expr]) {
        self.interpreter.watch(atoms);
    }

    fn watched(&mut self, state: &[u8], timeout: bool) -> &[Truth] {
        self.interpreter.watched(state, timeout)
    }
}

#[test]
fn a_limit_in_the_middle_of_an_atomic_sequence_makes_no_execution_up() {
    // The search is interrupted while the sequence is walked. Taken for a state in which nothing
    // can happen, the one before it would be a counterexample.
    let text = "byte x; short i;
        active proctype P() {
            skip; skip; skip;
            atomic { do :: i < 20000 -> i++ :: else -> break od };
            x = 1 }
        ltl p { <> (x == 1) }";
    let model = Arc::new(model_of(text).expect("a model"));
    for generalized in [false, true] {
        let automaton = PropertyAutomaton::violating(&model.formulas[0].temporal, generalized);
        for fairness in [Fairness::None, Fairness::Weak, Fairness::Strong] {
            for emptiness in [Emptiness::Nested, Emptiness::Components] {
                let interrupt = Arc::new(AtomicBool::new(false));
                let machine = Interrupting {
                    interpreter: Interpreter::new(Arc::clone(&model)),
                    asked: 0,
                    interrupt: Arc::clone(&interrupt),
                };
                let options = Options { interrupt: Some(interrupt), ..Options::default() };
                let result = check_liveness(
                    machine,
                    automaton.clone().expect("a small formula"),
                    fairness,
                    emptiness,
                    &options,
                    &mut |_| {},
                );
                assert_eq!(result.verdict, Verdict::Incomplete, "{fairness:?} {emptiness:?}");
            }
        }
    }
}
