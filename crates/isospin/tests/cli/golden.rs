//! Whole commands against their expected output.

use super::support::{expect, Folder};

/// Runs a command line and compares everything that it says.
fn check(name: &str, args: &[&str]) {
    expect(name, &Folder::new().run(args).text());
}

#[test]
fn a_deadlock_is_explained() {
    check("deadlock", &["check", "deadlock.pml"]);
}

#[test]
fn a_violated_assertion_is_shown_with_its_steps() {
    check("assertion", &["check", "assertion.pml", "--search", "bfs"]);
}

#[test]
fn a_run_time_error_is_a_counterexample() {
    check("runtime", &["check", "runtime.pml", "--last", "3"]);
}

#[test]
fn a_broken_promise_is_a_run_time_error() {
    check("promise", &["check", "promise.pml", "--search", "bfs"]);
}

#[test]
fn a_correct_model_holds_and_its_unreached_code_is_listed() {
    check("correct", &["check", "correct.pml", "--safety"]);
}

#[test]
fn json_is_one_object_and_nothing_else() {
    check("json", &["check", "--json", "assertion.pml"]);
}

#[test]
fn a_formula_of_the_model_is_checked_with_everything_else() {
    check("formula", &["check", "formula.pml"]);
}

#[test]
fn a_violation_in_an_included_file_names_that_file() {
    check("include", &["check", "include.pml"]);
}

#[test]
fn a_typo_gets_a_suggestion() {
    check("typo", &["check", "typo.pml"]);
}

#[test]
fn a_missing_file_is_a_sentence() {
    check("missing", &["check", "nowhere.pml"]);
}

#[test]
fn a_wrong_size_is_a_sentence() {
    check("size", &["check", "--memory", "12Q", "correct.pml"]);
}

#[test]
fn no_threads_and_too_many_are_a_sentence() {
    check("threads", &["check", "--threads", "0", "correct.pml"]);
    assert_eq!(Folder::new().run(&["check", "--threads", "40000", "correct.pml"]).status, 2);
}

#[test]
fn a_main_array_that_cannot_be_sorted_is_a_sentence() {
    check("main-array", &["check", "--main-array", "nosuch", "assertion.pml"]);
}

#[test]
fn an_unknown_property_is_a_sentence() {
    check("property", &["check", "--property", "x", "formula.pml"]);
}

#[test]
fn an_unknown_warning_is_a_sentence() {
    check("warning", &["check", "--deny", "nothing", "correct.pml"]);
}

#[test]
fn automata_have_a_text_and_a_graph() {
    check("model", &["show", "model", "correct.pml"]);
    check("automata", &["show", "automata", "correct.pml"]);
    check("automata-dot", &["show", "automata", "--dot", "deadlock.pml"]);
}

#[test]
fn automata_and_layout_have_json() {
    check("automata-json", &["show", "automata", "--json", "runtime.pml"]);
    check("layout-json", &["show", "layout", "--json", "runtime.pml"]);
}

#[test]
fn the_layout_has_a_text_and_a_graph() {
    check("layout", &["show", "layout", "correct.pml"]);
    check("layout-dot", &["show", "layout", "--dot", "deadlock.pml"]);
}

#[test]
fn each_waiting_process_says_what_it_waits_for() {
    check("waiting", &["sim", "waiting.pml", "--seed", "1", "-q"]);
}

#[test]
fn a_simulation_shows_its_steps() {
    check("sim-steps", &["sim", "correct.pml", "-q", "--seed", "5", "-p"]);
}

#[test]
fn a_simulation_shows_messages_and_values() {
    check("sim-values", &["sim", "correct.pml", "-q", "--seed", "5", "-g", "-l", "-m"]);
}

#[test]
fn a_simulation_draws_a_chart() {
    check("sim-chart", &["sim", "correct.pml", "-q", "--seed", "5", "--msc"]);
}

#[test]
fn a_simulation_that_is_cut_says_who_can_move_and_who_waits() {
    check("sim-cut", &["sim", "deadlock.pml", "--seed", "2", "--steps", "1"]);
}
