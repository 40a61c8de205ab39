//! Any bytes at all give a tree and diagnostics: no panic, no hang.

mod common;

use common::{check_files, check_text, Files};
use isospin_promela::syntax::print::tree_text;
use isospin_promela::{read, Options};
use isospin_source::{render, Diagnostic, Style};
use proptest::prelude::*;
use std::path::Path;

const SAMPLES: &[&str] = &[
    include_str!("samples/peterson.pml"),
    include_str!("samples/courier.pml"),
    include_str!("samples/timers.pml"),
];

/// Pieces that matter to the reader of a model.
const PIECES: &[&str] = &[
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    "->",
    "::",
    ":",
    "..",
    ".",
    ",",
    "?",
    "??",
    "!",
    "!!",
    "++",
    "--",
    "@",
    "<",
    ">",
    "=",
    "==",
    "&&",
    "||",
    "-",
    "#",
    "##",
    "\\\n",
    "\n",
    "\"",
    "'",
    "/*",
    "*/",
    "//",
    "\0",
    "\u{feff}",
    "é",
    "if",
    "fi",
    "do",
    "od",
    "else",
    "unless",
    "atomic",
    "d_step",
    "for",
    "in",
    "select",
    "goto",
    "break",
    "run",
    "inline f(a) {",
    "f(",
    "init {",
    "proctype p(",
    "active",
    "never {",
    "trace {",
    "ltl {",
    "typedef T {",
    "mtype",
    "chan c = [1] of {",
    "int x",
    "unsigned u : 3",
    "hidden",
    "xr",
    "eval(",
    "timeout",
    "np_",
    "len(",
    "full(",
    "#define M(x) x M(x)",
    "#define N N N",
    "#if",
    "#ifdef N",
    "#else",
    "#elif 1",
    "#endif",
    "#undef N",
    "#include \"model.pml\"",
    "#include <x>",
    "#line 3",
    "M(",
    "N",
    "x",
    "P:x",
    "99999999999",
    "0",
    "c_code {",
    "c_state",
    "return",
    "always",
    "[]",
    "<>",
    "U",
    "_pid",
    "_",
    "L:",
];

/// The front end and the printer and the renderer have to come to an end.
/// All of the front end: what is wrong is said, and what is not wrong gives a model.
fn survives(bytes: Vec<u8>) {
    let mut file = |_: &Path| Ok(bytes.clone());
    let reading = read(Path::new("model.pml"), &Options::default(), &mut file);
    let wrong = reading.diagnostics.iter().any(Diagnostic::is_error);
    assert_eq!(reading.model.is_none(), wrong);
    let _ = render(&reading.sources, &reading.diagnostics, Style::Plain);
    let _ = tree_text(&reading.tree);
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// A change to a text: where, how much goes, and what comes.
fn change() -> impl Strategy<Value = (prop::sample::Index, usize, String)> {
    let piece = prop_oneof![
        4 => prop::sample::select(PIECES.to_vec()).prop_map(String::from),
        1 => Just(String::new()),
        1 => "\\PC{0,3}",
    ];
    (any::<prop::sample::Index>(), 0..12usize, piece)
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn changed_models(sample in prop::sample::select(SAMPLES.to_vec()), changes in prop::collection::vec(change(), 1..6)) {
        let mut text: Vec<char> = sample.chars().collect();
        for (at, gone, piece) in changes {
            let from = at.index(text.len() + 1);
            let to = (from + gone).min(text.len());
            text.splice(from..to, piece.chars());
        }
        survives(text.into_iter().collect::<String>().into_bytes());
    }

    #[test]
    fn pieces_in_any_order(pieces in prop::collection::vec(prop::sample::select(PIECES.to_vec()), 0..60), space in any::<bool>()) {
        survives(pieces.join(if space { " " } else { "" }).into_bytes());
    }

    #[test]
    fn pieces_as_a_formula(pieces in prop::collection::vec(prop::sample::select(PIECES.to_vec()), 0..20)) {
        let options = Options { formulas: vec![pieces.join(" ")], ..Options::default() };
        let mut file = |_: &Path| Ok(SAMPLES[0].as_bytes().to_vec());
        let reading = read(Path::new("model.pml"), &options, &mut file);
        let alone = check_text(SAMPLES[0]);
        prop_assert_eq!(reading.tree.items.len(), alone.tree.items.len());
        prop_assert!(reading.tree.formulas.len() <= 1);
    }

    #[test]
    fn bytes_in_any_order(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        survives(bytes);
    }

    #[test]
    fn bytes_in_a_model(at in any::<prop::sample::Index>(), bytes in prop::collection::vec(any::<u8>(), 1..4)) {
        let mut text = SAMPLES[1].as_bytes().to_vec();
        let at = at.index(text.len());
        text.splice(at..at, bytes);
        survives(text);
    }
}

#[test]
fn the_samples_themselves_are_in_order() {
    for sample in SAMPLES {
        let outcome = check_text(*sample);
        assert!(!outcome.is_rejected(), "{}", outcome.text());
    }
}

/// What is said about a model whose nesting, length or repetition is absurd.
fn first_line(text: String) -> String {
    let outcome = check_text(text);
    let _ = tree_text(&outcome.tree);
    outcome.text().lines().next().unwrap_or("").to_owned()
}

#[test]
fn deep_nesting_is_bounded_by_a_message() {
    let deep = |open: &str, middle: &str, close: &str| {
        format!("int x, a[2]; init {{ {}{middle}{} }}", open.repeat(5000), close.repeat(5000))
    };
    let message = "error: the model is nested more than 200 levels deep here";
    assert_eq!(first_line(deep("{ ", "skip", " }")), message);
    assert_eq!(first_line(deep("if :: ", "skip", " fi")), message);
    assert_eq!(first_line(deep("do :: atomic { ", "skip", " } od")), message);
    assert_eq!(first_line(deep("for (x : 1 .. 2) { ", "skip", " }")), message);
    assert_eq!(first_line(deep("(", "1", ")")), message);
    assert_eq!(first_line(deep("a[", "1", "]")), message);
    assert_eq!(first_line(deep("x == (x + 2 * (", "1", "))")), message);
    assert_eq!(first_line(deep("enabled(", "1", ")")), message);
    let long = "error: this expression has more than 1000 levels";
    assert_eq!(first_line(deep("x + ", "1", "")), long);
    assert_eq!(first_line(deep("- ", "1", "")), long);
}

#[test]
fn what_is_just_within_the_bounds_is_read_and_checked() {
    for (open, close) in [
        ("{ ", " }"),
        ("if :: ", " fi"),
        ("do :: atomic { ", " } od"),
        ("for (x : 1 .. 2) { ", " }"),
    ] {
        let levels = if open.contains("do") { 98 } else { 196 };
        let sum = "x + ".repeat(900);
        let text =
            format!("int x; init {{ {}x = {sum}1{} }}", open.repeat(levels), close.repeat(levels));
        let outcome = check_text(text);
        assert!(!outcome.is_rejected(), "{}", outcome.text());
        let _ = tree_text(&outcome.tree);
    }
    let nested = "1 || 2 && 3 | 4 ^ 5 & 6 == 7 < 8 << 9 + 10 * (".repeat(190);
    let text = format!("int x; init {{ x = {nested}1{} }}", ")".repeat(190));
    assert_eq!(first_line(text), "error: this expression has more than 1000 levels");
}

#[test]
fn inlines_that_multiply_are_bounded_by_a_message() {
    let mut text = String::from("int x; inline f0() { x++; x++; x++; x++; x++; x++; x++; x++ }\n");
    for i in 1..30 {
        text += &format!("inline f{i}() {{ f{p}(); f{p}(); f{p}(); f{p}() }}\n", p = i - 1);
    }
    text += "init { f29() }\n";
    let message = "error: the calls of inlines stand for more than 1000000 tokens";
    assert_eq!(first_line(text), message);
}

#[test]
fn an_argument_that_multiplies_is_bounded_by_a_message() {
    let mut text = String::from("#define F0(x) x x x x\n");
    for i in 1..30 {
        text += &format!("#define F{i}(x) F{p}(x) F{p}(x)\n", p = i - 1);
    }
    text += "init { F29(skip;) }\n";
    assert!(first_line(text).starts_with("error: "));
}

#[test]
fn a_condition_that_is_nested_deep_is_bounded_by_a_message() {
    let text = format!("#if {}1{}\n#endif\ninit {{ skip }}\n", "(".repeat(5000), ")".repeat(5000));
    assert_eq!(first_line(text), "error: this condition is nested more than 200 deep");
}

#[test]
fn a_file_that_cannot_be_read_is_a_message() {
    let outcome = check_files(&Files::default(), &Options::default());
    assert!(outcome.text().starts_with("error: cannot read `model.pml`"), "{}", outcome.text());
}
