//! Inputs that mean no good: models that are small to write and would take for ever, or all the
//! memory there is, in some part of the program. Each ends with a documented exit status and a
//! sentence, within the limits that it was given.
//!
//! No test asserts a time, but none waits for ever either: what is not over long after its time
//! was up is ended and counts as a failure.

mod inputs;
mod run;

use inputs::Input;
use run::run;

/// Runs all of these, and says which of them went wrong, all at once.
fn check(inputs: Vec<Input>) {
    let wrong: Vec<String> = inputs.iter().filter_map(|input| run(input).err()).collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), inputs.len(), wrong.join("\n"));
}

#[test]
fn huge_types_are_refused() {
    check(inputs::types());
}

#[test]
fn macros_and_inlines_without_end_are_refused() {
    check(inputs::macros());
}

#[test]
fn text_without_end_is_refused() {
    check(inputs::texts());
}

#[test]
fn deep_nesting_is_refused() {
    check(inputs::nesting());
}

#[test]
fn many_options_and_statements_stay_within_the_limits() {
    check(inputs::sizes());
}

#[test]
fn formulas_stay_within_the_limits() {
    check(inputs::formulas());
}

#[test]
fn searches_stay_within_the_limits() {
    check(inputs::searches());
}

#[test]
fn files_that_are_no_models_are_refused() {
    check(inputs::files());
}

#[cfg(unix)]
#[test]
fn an_interrupt_is_obeyed_before_the_first_search() {
    let input = inputs::slow_to_analyse();
    let (status, said) = run::interrupted(&input).expect("it ends");
    assert_eq!(status, 3, "{said}");
    assert!(said.contains("interrupted while"), "{said}");
}
