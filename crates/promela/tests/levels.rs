//! Warnings can be silenced and turned into errors, and long lists are cut.

mod common;

use common::check_text;
use isospin_promela::lints::LINTS;
use isospin_source::{render, Level, LintLevels, Style, MAX_SHOWN};

const MODEL: &str = "int unused;\ninit { lonely: skip }\n";

#[test]
fn a_warning_is_silenced_by_name() {
    let mut outcome = check_text(MODEL);
    let mut levels = LintLevels::new(LINTS);
    assert!(levels.set_by_name("unused-variable", Level::Allow));
    levels.apply(&mut outcome.diagnostics);
    let names: Vec<_> =
        outcome.diagnostics.iter().filter_map(|d| d.lint).map(|l| l.name()).collect();
    assert_eq!(names, ["unused-label"]);
}

#[test]
fn a_warning_is_made_an_error_by_name_and_all_of_them_together() {
    let mut levels = LintLevels::new(LINTS);
    assert!(levels.set_by_name("warnings", Level::Deny));
    assert!(levels.set_by_name("unused-label", Level::Warn));
    let mut outcome = check_text(MODEL);
    levels.apply(&mut outcome.diagnostics);
    assert!(outcome.text().starts_with("error[unused-variable]: variable `unused` is never used"));
    assert!(outcome.text().contains("warning[unused-label]"));
}

#[test]
fn a_name_that_is_no_warnings_is_refused() {
    assert!(!LintLevels::new(LINTS).set_by_name("unused-varable", Level::Allow));
}

#[test]
fn a_long_list_is_cut_and_counted() {
    let uses: String = (0..80).map(|i| format!("x{i} = 1;\n")).collect();
    let outcome = check_text(format!("init {{ {uses} skip }}\n"));
    let text = outcome.text();
    assert_eq!(text.matches("error: ").count(), MAX_SHOWN);
    assert!(text.ends_with("... and 30 more\n\n80 errors\n"), "{text}");
}

#[test]
fn colours_are_only_where_they_are_asked_for() {
    let outcome = check_text(MODEL);
    let coloured = render(&outcome.sources, &outcome.diagnostics, Style::Coloured);
    assert!(coloured.contains("\x1b[1m\x1b[33mwarning[unused-variable]\x1b[0m"));
    assert!(!outcome.text().contains('\x1b'));
}
