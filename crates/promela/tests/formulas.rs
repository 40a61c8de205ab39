//! Formulas beside the model: each is one formula, whatever its text.

use isospin_model::Temporal;
use isospin_promela::{read, Options, Reading};
use isospin_source::{render, Style};
use std::path::Path;

const MODEL: &str = "byte x;
#define p (x == 1)
#define same(a, b) (a == b)
active proctype P() { L: x = 1 }
";

fn reading(formulas: &[&str]) -> Reading {
    let formulas = formulas.iter().map(|f| f.to_string()).collect();
    let options = Options { formulas, ..Options::default() };
    read(Path::new("m.pml"), &options, &mut |_| Ok(MODEL.as_bytes().to_vec()))
}

/// The names and texts of the model's formulas.
fn names(formulas: &[&str]) -> Vec<(String, String)> {
    let model = reading(formulas).into_model().expect("a model");
    model.formulas.into_iter().map(|f| (f.name, f.text)).collect()
}

fn temporal(formula: &str) -> Temporal {
    let mut model = reading(&[formula]).into_model().expect("a model");
    model.formulas.remove(0).temporal
}

/// What is wrong with a formula, with its place.
fn wrong(formula: &str) -> String {
    let reading = reading(&[formula]);
    // Whatever the text: no process and no property comes of it.
    assert_eq!(reading.tree.items.len(), 2, "{formula}");
    assert!(reading.tree.formulas.len() <= 1, "{formula}");
    reading.into_model().expect_err(formula)
}

#[test]
fn the_macros_of_the_model_mean_something() {
    let atom = |formula: &str| match temporal(formula) {
        Temporal::Always(atom) => match *atom {
            Temporal::Atom { expr, .. } => expr,
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    };
    assert_eq!(atom("[] p"), atom("[] (x == 1)"));
    assert_eq!(atom("[] same(x, 1)"), atom("[] (x == 1)"));
}

#[test]
fn the_names_of_the_model_mean_something() {
    let Temporal::Eventually(at) = temporal("<> P@L") else { panic!("an eventuality") };
    assert!(matches!(*at, Temporal::Atom { .. }));
}

#[test]
fn every_formula_has_a_name_and_its_own_text() {
    let expected = [("formula", "[] p"), ("formula_2", "<> (x == 1)")];
    let expected = expected.map(|(name, text)| (name.to_owned(), text.to_owned()));
    assert_eq!(names(&["[] p", " <> (x == 1) ;"]), expected);
}

#[test]
fn a_text_that_closes_a_brace_is_no_formula() {
    let end = "expected an operator or the end of the formula, found";
    for (formula, message) in [
        ("[] p } active proctype evil() { skip", format!("<formula>:1:6: {end} `}}`")),
        ("1 } ltl more { 1", format!("<formula>:1:3: {end} `}}`")),
        ("p; active proctype evil() { skip }", format!("<formula>:1:4: {end} keyword `active`")),
        ("p\n#define q 1\n", format!("<formula>:2:1: {end} `#`")),
        ("p q", format!("<formula>:1:3: {end} `q`")),
    ] {
        assert_eq!(wrong(formula), message, "{formula}");
    }
}

#[test]
fn what_is_open_ends_with_the_formula() {
    let expected = "expected an expression, found the end of the formula";
    assert_eq!(wrong(""), format!("<formula>:1:1: {expected}"));
    assert_eq!(wrong("[]"), format!("<formula>:1:3: {expected}"));
    assert_eq!(wrong("(p"), "<formula>:1:3: expected `)`, found the end of the formula");
    assert!(wrong("same(x, 1").contains("<formula>:1:1: the arguments of macro `same`"));
    assert!(wrong("p /* open").contains("<formula>:1:3: this comment has no end"));
}

#[test]
fn a_formula_that_is_wrong_does_not_touch_the_next() {
    let reading = reading(&["(p", "q)", "[] p"]);
    let text = render(&reading.sources, &reading.diagnostics, Style::Plain);
    assert!(text.contains(" --> <formula>:1:3\n"), "{text}");
    assert!(text.contains(" --> <formula_2>:1:2\n"), "{text}");
    assert!(!text.contains("formula_3"), "{text}");
    assert_eq!(reading.formula_files.len(), 3);
}

#[test]
fn lines_and_comments_are_those_of_the_formula() {
    assert_eq!(temporal("[] // always\n p"), temporal("[] p"));
    assert_eq!(wrong("[] (x ==\n    y)"), "<formula>:2:5: `y` is not declared");
}

#[test]
fn two_negations_need_no_space() {
    assert_eq!(temporal("!!p"), temporal("! ! p"));
    assert_eq!(temporal("[] !!(!!!p)"), temporal("[] ! ! (! ! ! p)"));
    assert_eq!(wrong("!!y"), "<formula>:1:3: `y` is not declared");
}

#[test]
fn a_property_of_the_model_may_not_have_its_name() {
    let options = Options { formulas: vec!["[] p".into()], ..Options::default() };
    let text = format!("{MODEL} ltl formula {{ <> p }}");
    let reading = read(Path::new("m.pml"), &options, &mut |_| Ok(text.as_bytes().to_vec()));
    let message = reading.into_model().expect_err("it is rejected");
    assert_eq!(message, "<formula>:1:1: there is already a property called `formula`");
}
