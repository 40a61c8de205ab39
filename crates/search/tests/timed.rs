//! What time does, on the smallest models that show it. Each is explored completely, with and
//! without jumps and reduction, and every violation is replayed on the model as written.

mod common;

use std::sync::Arc;

use common::promela::model_of;
use common::replay::replay;
use isospin_analysis::facts::Facts;
use isospin_analysis::optimize::{optimize, Optimizations};
use isospin_machine::Interpreter;
use isospin_model::Model;
use isospin_search::{check_safety, Options};

/// Whether something is wrong with the model: the same in every way of looking.
fn violated(text: &str) -> bool {
    let model = Arc::new(model_of(text).unwrap_or_else(|why| panic!("{why}: {text}")));
    let mut optimized = Model::clone(&model);
    optimize(&mut optimized, &[], Optimizations::ALL);
    let optimized = Arc::new(optimized);
    let mut verdict = None;
    for searched in [&model, &optimized] {
        let facts = Arc::new(Facts::of(searched, &[]));
        let reductions = [None, Some(facts).filter(|f| f.obstacle.is_none())];
        for reduction in reductions {
            let machines = || Interpreter::new(Arc::clone(searched));
            let options = Options { errors: 0, reduction, ..Options::default() };
            let result = check_safety(machines, &options, &mut |_| {});
            assert!(result.exhausted, "{text}");
            for violation in &result.violations {
                replay(&model, violation).unwrap_or_else(|why| panic!("{text}: {why}"));
            }
            let found = result.errors > 0;
            assert_eq!(*verdict.get_or_insert(found), found, "{text}");
        }
    }
    verdict == Some(true)
}

fn holds(text: &str) {
    assert!(!violated(text), "this should hold:\n{text}");
}

fn fails(text: &str) {
    assert!(violated(text), "this should be violated:\n{text}");
}

#[test]
fn a_timer_starts_off_wherever_it_is() {
    holds(
        "typedef T { timer t; byte x; timer u[2] };
         timer a, b[3]; T c, d[2];
         proctype Q(timer p) { assert(p < 0); timer late; assert(late < 0) }
         active proctype P() {
           timer e; T f;
           assert(a < 0 && b[2] < 0 && c.t < 0 && d[1].u[1] < 0 && e < 0 && f.u[0] < 0);
           run Q(-1)
         }
         active proctype R(timer p) { assert(p < 0) }",
    );
}

#[test]
fn without_a_timer_that_runs_nothing_happens_at_the_end() {
    fails("timer t; active proctype P() { expire(t) }");
    holds("timer t; active proctype P() { end: expire(t) }");
    holds("timer t; active proctype P() { set(t, 3); expire(t) }");
}

#[test]
fn a_timer_that_nobody_waits_for_is_off_one_unit_after_it_expires() {
    fails("timer t, u; active proctype P() { set(t, 1); set(u, 2); expire(u); expire(t) }");
    holds("timer t, u; active proctype P() { set(t, 2); set(u, 2); expire(u); expire(t) }");
    holds("timer t, u; active proctype P() { set(t, 1); set(u, 2); expire(u); assert(t == -1) }");
}

#[test]
fn time_passes_only_when_nobody_can_move() {
    // Q has everything done before the first tick.
    holds(
        "timer t; byte x;
         active proctype P() { delay(t, 1); assert(x == 3) }
         active proctype Q() { x++; x++; x++ }",
    );
    // Somebody who can always move keeps time from passing.
    holds(
        "timer t; bit x;
         active proctype P() { delay(t, 1); assert(false) }
         active proctype Q() { do :: x = 1 - x od }",
    );
}

#[test]
fn what_waits_for_a_timeout_waits_for_time() {
    holds("timer t; active proctype P() { set(t, 4); timeout; assert(t < 0) }");
    fails(
        "timer t; byte x;
         active proctype P() { delay(t, 2); x = 1 }
         active proctype Q() { timeout; assert(x == 0) }",
    );
}

#[test]
fn timers_count_together() {
    holds(
        "timer t, u; byte x;
         active proctype P() { delay(t, 3); x = 1 }
         active proctype Q() { delay(u, 2); assert(x == 0); delay(u, 2); assert(x == 1) }",
    );
    // In one time slice the order is open.
    fails(
        "timer t, u; byte x;
         active proctype P() { delay(t, 2); x = 1 }
         active proctype Q() { delay(u, 2); assert(x == 0) }",
    );
    fails(
        "timer t, u; byte x;
         active proctype P() { delay(t, 2); x = 1 }
         active proctype Q() { delay(u, 2); assert(x == 1) }",
    );
}

#[test]
fn delays_with_bounds_take_any_time_between() {
    for (length, possible) in [(0, false), (1, true), (2, true), (3, true), (4, false)] {
        let text = format!(
            "timer t, u; byte x;
             active proctype P() {{ bdelay(t, 1, 3); x = 1 }}
             active proctype Q() {{
               set(u, {length}); do :: x == 1 -> break :: expire(u) -> break od;
               assert(!(x == 1 && u == 0)) }}"
        );
        assert_eq!(violated(&text), possible, "{text}");
    }
    fails(
        "timer t, u; byte x;
         active proctype P() { udelay(t); x = 1 }
         active proctype Q() { delay(u, 5); assert(x == 1) }",
    );
    fails(
        "timer t, u; byte x;
         active proctype P() { udelay(t); x = 1 }
         active proctype Q() { delay(u, 5); assert(x == 0) }",
    );
}

#[test]
fn an_atomic_sequence_that_waits_for_a_timer_lets_others_in() {
    fails(
        "timer t; byte x;
         active proctype P() { atomic { x = 1; delay(t, 1); assert(x == 1) } }
         active proctype Q() { x == 1; x = 2 }",
    );
    holds(
        "timer t; byte x;
         active proctype P() { atomic { delay(t, 1); x = 1; x = 0 } }
         active proctype Q() { end: x == 1 -> assert(false) }",
    );
}

#[test]
fn a_deterministic_sequence_may_begin_with_a_timer() {
    holds(
        "timer t; active proctype P() { set(t, 2); d_step { expire(t); reset(t) }; assert(t < 0) }",
    );
    fails("timer t; byte x; active proctype P() { d_step { set(t, 1); expire(t) } }");
}

#[test]
fn a_rendezvous_and_an_escape_wait_for_time() {
    holds(
        "timer t; chan c = [0] of { byte };
         active proctype P() { delay(t, 2); c!1 }
         active proctype Q() { byte x; c?x; assert(x == 1 && t <= 0) }",
    );
    fails(
        "timer t; byte x;
         active proctype P() { { x = 1; end: false } unless { expire(t) -> assert(x == 0) } }
         active proctype Q() { set(t, 2) }",
    );
    holds(
        "timer t; byte x;
         active proctype P() { set(t, 2); { x = 1; false } unless { expire(t) } }",
    );
}

#[test]
fn the_timers_of_a_process_end_with_it() {
    // The timer of Q would keep time going; with Q it is gone.
    holds(
        "byte done;
         proctype Q() { timer t; set(t, 9); done = 1 }
         active proctype P() { run Q(); timeout; assert(_nr_pr == 1 && done == 1) }",
    );
}

#[test]
fn a_timer_is_passed_and_copied_with_the_time_that_is_left() {
    holds(
        "timer a;
         proctype Q(timer t) { expire(t); assert(a == 0) }
         active proctype P() { set(a, 3); run Q(a); end: false }",
    );
    holds("timer a, b; active proctype P() { set(a, 3); b = a; expire(b); assert(a == 0) }");
    holds("timer a; byte x; active proctype P() { set(a, x - 5); assert(a == -1) }");
}

#[test]
fn who_waits_for_a_certain_time_is_not_jumped_over() {
    holds("timer t; active proctype P() { set(t, 9); t == 4; assert(t == 4) }");
    fails("timer t; active proctype P() { set(t, 9); t <= 4; assert(t == 3) }");
    fails(
        "timer t; byte x;
         active proctype P() { set(t, 9); expire(t); assert(x == 0) }
         active proctype Q() provided (t < 4) { x = 1 }",
    );
}

#[test]
fn long_times_take_no_longer_with_jumps() {
    let text = "timer t, u;
         active proctype P() { delay(t, 2000000000); assert(u != 100000000) }
         active proctype Q() { set(u, 2100000000); end: expire(u) }";
    let model = Arc::new(model_of(text).expect("a model"));
    let mut jumping = Model::clone(&model);
    optimize(&mut jumping, &[], Optimizations::ALL);
    let jumping = Arc::new(jumping);
    let machines = || Interpreter::new(Arc::clone(&jumping));
    let result = check_safety(machines, &Options::default(), &mut |_| {});
    let violation = result.violations.first().expect("the assertion fails");
    replay(&model, violation).expect("it does so in the model as written");
}
