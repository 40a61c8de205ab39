//! Automata go out in HOA and come back the same; what is not supported is refused with its place.

mod common;

use common::{accepts, Random};
use isospin_logic::{read_hoa, translate, Error, Formula, Limits};

#[test]
fn automata_survive_a_round_trip() {
    let mut random = Random(5);
    for _ in 0..60 {
        let text = random.tree(6, 3, true).text();
        let formula = Formula::parse(&text).unwrap();
        let automata = translate(&formula, &Limits::default()).unwrap();
        let buchi = read_hoa(&automata.buchi.hoa(&text)).unwrap();
        let again = buchi.as_buchi().expect("acceptance on states stays there");
        assert_eq!(again.accepting, automata.buchi.accepting, "{text}");
        let generalized = read_hoa(&automata.generalized.hoa(&text)).unwrap();
        assert_eq!(generalized.sets, automata.generalized.sets);
        let plain = generalized.degeneralized(&Limits::default()).unwrap();
        for _ in 0..30 {
            let word = random.lasso(formula.atoms().len());
            let expected = accepts(&automata.generalized, &word);
            assert_eq!(accepts(&generalized, &word), expected, "{text} on {word:?}");
            assert_eq!(accepts(&buchi, &word), expected, "{text} on {word:?}");
            assert_eq!(accepts(&plain.generalized(), &word), expected, "{text} on {word:?}");
        }
    }
}

/// An automaton of `[]<> a && []<> b` in several spellings.
fn variants() -> [String; 4] {
    let header = "HOA: v1\nStates: 1\nStart: 0\nAP: 2 \"a\" \"b\"\n";
    let two = "acc-name: generalized-Buchi 2\nAcceptance: 2 Inf(0) & Inf(1)\n";
    [
        format!("{header}{two}--BODY--\nState: 0\n[!0&!1] 0\n[0&!1] 0 {{0}}\n[!0&1] 0 {{1}}\n[0&1] 0 {{0 1}}\n--END--"),
        format!("{header}{two}Alias: @a 0\nAlias: @n !@a & !1\n--BODY--\nState: 0 \"all\"\n[@n] 0 [@a&!1] 0 {{0}} [!@a&1] 0 {{1}} [0&1] 0 {{0 1}}\n--END--"),
        format!("{header}{two}--BODY-- State: 0 0 0 {{0}} 0 {{1}} 0 {{0 1}} --END--"),
        format!(
            "/* nested /* comments */ */ HOA: v1 tool: \"x\" \"1\" properties: state-labels\nStart: 0 Start: 1 Start: 2 Start: 3\nAP: 2 \"a\" \"b\" Acceptance: 3 (Inf(2)) & t & Inf(0)\n--BODY--\n{}--END--",
            ["[!0&!1] 0 {1}", "[0&!1] 1 {0 1}", "[!0&1] 2 {2}", "[t&0&1] 3 {0 2}"]
                .map(|state| format!("State: {state}\n0 1 2 3\n"))
                .concat()
        ),
    ]
}

#[test]
fn aliases_implicit_labels_and_state_labels_mean_what_they_say() {
    let mut random = Random(9);
    let automata = variants().map(|text| read_hoa(&text).unwrap_or_else(|e| panic!("{text}\n{e}")));
    for _ in 0..100 {
        let word = random.lasso(2);
        let repeated = &word.letters[word.back..];
        let expected = (0..2).all(|atom| repeated.iter().any(|letter| letter >> atom & 1 == 1));
        for automaton in &automata {
            assert_eq!(accepts(automaton, &word), expected, "{word:?}\n{automaton}");
        }
    }
}

#[track_caller]
fn check_error(header: &str, body: &str, place: (usize, usize), sentence: &str) {
    let text = format!("HOA: v1\nAP: 1 \"a\"\n{header}\n--BODY--\n{body}\n--END--\n");
    match read_hoa(&text) {
        Err(Error::Hoa { line, column, message }) => {
            assert!(message.contains(sentence), "{message}");
            assert_eq!((line, column), place, "{message}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_not_supported_is_refused_with_its_place() {
    let good = "Start: 0 Acceptance: 1 Inf(0)";
    let bad = "Start: 0 Acceptance:";
    check_error(&format!("{bad} 1 Fin(0)"), "State: 0", (3, 24), "neither Büchi");
    check_error(&format!("{bad} 2 Inf(0)|Inf(1)"), "State: 0", (3, 30), "neither Büchi");
    check_error(&format!("{bad} 1 Inf(!0)"), "State: 0", (3, 28), "neither Büchi");
    check_error(&format!("{bad} 1 Inf(1)"), "State: 0", (3, 28), "not declared");
    check_error("Start: 0&1 Acceptance: 0 t", "State: 0", (3, 9), "alternating");
    check_error(good, "State: 0\n[t] 0&0", (6, 6), "alternating");
    check_error(good, "State: 0\n[1] 0", (6, 2), "no proposition 1");
    check_error(good, "State: 0\n[@x] 0", (6, 2), "'@x' is not defined");
    check_error(good, "State: 0\n[t] 7", (6, 5), "state 7 is used but not defined");
    check_error(good, "State: 0\n[t] 0 {3}", (6, 8), "not declared");
    check_error(good, "State: 0\nState: 0", (6, 8), "defined twice");
    check_error(good, "State: 0\n0", (5, 8), "one for each of the valuations");
    check_error(good, "State: 0\n[t] 0\n0", (5, 8), "some edges of this state have labels");
    check_error(good, "State: [t] 0\n[t] 0", (6, 1), "cannot have labels on its edges");
    check_error(&format!("States: 1 {good}"), "State: 1", (5, 8), "'States:' declares");
    check_error(&format!("Weird: 1 {good}"), "State: 0", (3, 1), "'Weird:' is not supported");
    check_error("Start: 0", "State: 0", (5, 1), "no 'Acceptance:'");
    check_error(good, "State: 0 $", (5, 10), "cannot stand here");
    check_error(good, "--ABORT--", (5, 1), "aborted");
    check_error(good, "State: 0\n--END--", (7, 1), "follows '--END--'");
    let deep = format!("State: 0\n[{}0] 0", "!".repeat(100_000));
    check_error(good, &deep, (6, 203), "nests more than");
}

#[test]
fn text_that_is_no_automaton_is_refused() {
    for text in
        ["", "HOA", "HOA: v2", "HOA: v1", "HOA: v1 \"", "--BODY--", "HOA: v1 --BODY-- State:"]
    {
        assert!(matches!(read_hoa(text), Err(Error::Hoa { .. })), "{text}");
    }
}
