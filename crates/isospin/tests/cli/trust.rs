//! Verdicts that once were wrong or silent: `timeout` in properties, atomic sequences that go round
//! for ever, properties that cannot be evaluated, trace assertions.

use super::support::Folder;

/// Whatever is left out, the verdict must be the same.
const WAYS: [&[&str]; 6] = [
    &[],
    &["--exact"],
    &["--no-por"],
    &["--no-optimize"],
    &["--emptiness", "components"],
    &["--machine", "interpreter"],
];

/// Checks a model in every way: the verdict on one property must be this. Gives what was said about
/// it where it is violated.
fn verdict(text: &str, args: &[&str], property: &str, expected: &str) -> String {
    let folder = Folder::new();
    folder.write("model.pml", text);
    let mut message = String::new();
    for way in WAYS {
        let all = [&["check", "model.pml", "--no-trail", "--json"], args, way].concat();
        let run = folder.run(&all);
        let json = run.json();
        let properties = json["properties"].as_array().expect("properties");
        let found = properties.iter().find(|p| p["name"] == property);
        let found = found.unwrap_or_else(|| panic!("{text} {all:?}: {json}"));
        assert_eq!(found["verdict"], expected, "{text} {all:?}: {json}");
        message = found["violations"][0]["message"].as_str().unwrap_or_default().to_owned();
    }
    message
}

#[test]
fn timeout_in_a_property_is_where_nothing_can_happen() {
    let stuck = "byte x; active proctype P() { x = 1; false }";
    let goes_on = "byte x; active proctype P() { x = 1; timeout -> x = 2; do :: x = 2 od }";
    let never_stuck = "byte x; active proctype P() { do :: x = 1 - x od }
                       active proctype Q() { timeout -> x = 2 }";
    for (model, formula, expected) in [
        (stuck, "[] !timeout", "violated"),
        (stuck, "<> timeout", "holds"),
        (stuck, "[] <> timeout", "holds"),
        (stuck, "[] (timeout -> x == 1)", "holds"),
        (stuck, "[] (timeout -> x == 0)", "violated"),
        (goes_on, "[] !timeout", "violated"),
        (goes_on, "<> timeout", "holds"),
        (goes_on, "[] <> timeout", "violated"),
        (never_stuck, "[] !timeout", "holds"),
    ] {
        verdict(model, &["--ltl", formula], "formula", expected);
    }
    let never = "never { do :: timeout && x == 1 -> break :: true od }";
    verdict(&format!("{stuck} {never}"), &["--property", "never_0"], "never_0", "violated");
    verdict(&format!("{never_stuck} {never}"), &["--property", "never_0"], "never_0", "holds");
}

#[test]
fn timeout_in_a_property_is_not_where_time_can_pass() {
    let model = "timer t; byte x; active proctype P() { set(t, 3); expire(t); x = 1; false }";
    verdict(model, &["--ltl", "[] (timeout -> x == 1)"], "formula", "holds");
    verdict(model, &["--ltl", "[] !timeout"], "formula", "violated");
}

#[test]
fn an_atomic_sequence_that_goes_round_for_ever_is_an_execution() {
    let model = "byte g, y;
                 active proctype P() { atomic { do :: y != 1 -> skip od } }
                 active proctype Q() { g = 1 }";
    let later = "byte g, y;
                 active proctype P() { g = 2; atomic { do :: y != 1 -> skip od } }
                 active proctype Q() { g = 1 }";
    for fair in [&[][..], &["--fair", "weak"], &["--fair", "strong"]] {
        for model in [model, later] {
            let args = [&["--ltl", "<> (g == 1)"], fair].concat();
            verdict(model, &args, "formula", "violated");
        }
    }
    verdict(model, &["--progress"], "progress", "violated");
    verdict(later, &[], "end-states", "holds");
}

#[test]
fn what_an_endless_sequence_comes_by_counts() {
    let body = |inside: &str| {
        format!("byte g; active proctype P() {{ atomic {{ g = 1; do :: {inside} od }} }}")
    };
    verdict(&body("skip"), &["--ltl", "<> (g == 1)"], "formula", "holds");
    verdict(&body("g = 3 - g"), &["--ltl", "<> [] (g == 2)"], "formula", "violated");
    verdict(&body("g = 3 - g"), &["--ltl", "[] <> (g == 2)"], "formula", "holds");
    verdict(&body("g = 1; g = 2"), &["--ltl", "[] (g != 2)"], "formula", "violated");
    verdict(&body("accept: skip"), &["--acceptance"], "acceptance", "violated");
    verdict(&body("progress: skip"), &["--progress"], "progress", "holds");
    // One that can end, and one that has no choice.
    verdict(&body("skip :: break"), &["--ltl", "<> (g == 3)"], "formula", "violated");
    verdict(&body("g < 9 -> g++ :: else -> break"), &["--progress"], "progress", "holds");
}

#[test]
fn an_endless_sequence_with_many_ways_is_no_reason_to_hang() {
    let model = "byte x; active proctype P() { atomic { do :: x = 0 :: x = 1 od } }";
    verdict(model, &["--ltl", "<> (x == 2)"], "formula", "violated");
}

#[test]
fn an_endless_sequence_is_told_in_a_safety_check() {
    let folder = Folder::new();
    folder.write("m.pml", "byte y; active proctype P() { atomic { do :: y != 1 -> skip od } }");
    let run = folder.run(&["check", "m.pml", "--no-trail"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert!(run.stdout.contains("an atomic sequence of `P` can go round for ever"), "{run:?}");
}

#[test]
fn the_trail_of_an_endless_sequence_can_be_replayed() {
    let folder = Folder::new();
    let model = "byte g, y; active proctype P() { g = 2; atomic { do :: y != 1 -> skip od } }
                 active proctype Q() { g = 1 } ltl p { <> (g == 1) }";
    folder.write("m.pml", model);
    let run = folder.run(&["check", "m.pml", "--property", "p", "--trail", "t"]);
    assert_eq!(run.status, 1, "{run:?}");
    let replayed = folder.run(&["replay", "t"]);
    assert_eq!(replayed.status, 0, "{replayed:?}");
}

#[test]
fn a_property_that_cannot_be_evaluated_has_no_truth_value() {
    let array = "byte a[2]; byte i; active proctype P() { i = 5 }";
    for formula in [
        "[] (a[i] == 0 || a[i] != 0)",
        "[] (i < 2 || !(a[i] != 0))",
        "<> (a[i] == 1)",
        "[] (10 / (5 - i) > 0)",
        "[] <> (a[i] == 0)",
    ] {
        let message = verdict(array, &["--ltl", formula], "formula", "violated");
        assert!(message.starts_with("it cannot be evaluated: "), "{formula}: {message}");
    }
    // What is not asked for cannot go wrong.
    for formula in
        ["[] (i >= 2 || a[i] == 0)", "[] (i < 2 -> a[i] == 0)", "[] (i == 5 || a[i] == 0)"]
    {
        verdict(array, &["--ltl", formula], "formula", "holds");
    }
    let channel = "chan q; active proctype P() { skip }
                   ltl c6 { [] ((len(q) < 2) -> (len(q) > 0)) }";
    let message = verdict(channel, &[], "c6", "violated");
    assert!(message.contains("names no channel"), "{message}");
    let claim = format!("{array} never {{ do :: a[i] == 1 -> break :: else od }}");
    let message = verdict(&claim, &["--property", "never_0"], "never_0", "violated");
    assert!(message.starts_with("it cannot be evaluated: "), "{message}");
}

#[test]
fn a_proposition_that_cannot_be_evaluated_has_no_truth_value() {
    let folder = Folder::new();
    folder.write("m.pml", "byte a[2]; byte i; active proctype P() { i = 5 }");
    folder.write(
        "a.hoa",
        "HOA: v1\nStates: 2\nStart: 0\nAP: 1 \"a[i] == 1\"\nAcceptance: 1 Inf(0)\n\
         acc-name: Buchi\n--BODY--\nState: 0\n[t] 0\n[0] 1\nState: 1 {0}\n[t] 1\n--END--\n",
    );
    let run = folder.run(&["check", "m.pml", "--no-trail", "--hoa", "a.hoa"]);
    assert_eq!(run.status, 1, "{run:?}");
    assert!(run.stdout.contains("it cannot be evaluated"), "{run:?}");
}

#[test]
fn operations_of_a_trace_that_nothing_leads_to_are_in_scope() {
    let channels = "chan c = [1] of { byte }; chan d = [1] of { byte }; byte x;";
    let unreached =
        format!("{channels} active proctype P() {{ c!1; d!1 }} trace {{ do :: c!1 od; d!9 }}");
    verdict(&unreached, &[], "trace", "violated");
    // To copy a message is not to receive it.
    let copied = format!(
        "{channels} active proctype P() {{ c!1; c?<x>; c?x }} trace {{ do :: c!1; c?1 od }}"
    );
    verdict(&copied, &[], "trace", "holds");
    let folder = Folder::new();
    let two_ways = "active proctype P() { c!1; d!2 } trace { if :: c!1 -> d!1 :: c!1 -> d!2 fi }";
    folder.write("m.pml", &format!("{channels} {two_ways}"));
    let run = folder.run(&["check", "m.pml"]);
    assert_eq!(run.status, 2, "{run:?}");
    assert!(run.stderr.contains("a trace must be deterministic"), "{run:?}");
}

#[test]
fn steps_that_no_trace_sees_are_put_off() {
    let model = "chan c = [2] of { byte }; chan d = [2] of { byte };
                 active proctype P() { c!1; d!1 }
                 active [3] proctype R() { byte y; do :: y < 5 -> y++ :: else -> break od }
                 trace { c!1; d!1 }";
    let folder = Folder::new();
    folder.write("m.pml", model);
    let states = |args: &[&str]| {
        let all = [&["check", "m.pml", "--no-trail", "--json", "--no-optimize"], args].concat();
        let run = folder.run(&all);
        assert_eq!(run.status, 0, "{run:?}");
        run.json()["states"].as_u64().expect("a number")
    };
    let (all, reduced) = (states(&["--no-por"]), states(&[]));
    assert!(reduced * 10 < all, "{reduced} of {all}");
}

#[test]
fn labels_have_a_space_of_their_own() {
    let model = "byte done; active proctype P() { done = 1; goto done; done: assert(done == 1) }";
    verdict(model, &[], "assertions", "holds");
}

#[test]
fn an_array_without_an_index_is_its_first_element() {
    let model = "byte e[3]; byte list[4]; byte ln;
                 active proctype P() { e = 5; list[ln] = e; e = list[0]; assert(e[0] == 5) }";
    verdict(model, &[], "assertions", "holds");
    verdict(model, &["--ltl", "<> (e == 5)"], "formula", "holds");
    let folder = Folder::new();
    folder.write("m.pml", model);
    let run = folder.run(&["check", "m.pml", "--no-trail"]);
    assert!(run.stderr.contains("warning[array-without-index]"), "{run:?}");
}

#[test]
fn a_label_may_stand_before_a_block_with_an_escape() {
    for block in ["{ x = 1; x = 2 }", "atomic { x = 1; x = 2 }"] {
        let model = format!(
            "byte x; active proctype P() {{ L: {block} unless {{ x == 1 -> x = 7 }};
             if :: x < 9 -> x = 9; goto L :: else fi; assert(x < 9) }}"
        );
        verdict(&model, &[], "assertions", "holds");
    }
}

#[test]
fn labels_can_be_asked_for_by_name() {
    let model = "active proctype P() { accept: do :: skip od }";
    verdict(model, &["--acceptance", "--property", "acceptance"], "acceptance", "violated");
    verdict(model, &["--property", "acceptance"], "acceptance", "violated");
    verdict(model, &["--property", "progress"], "progress", "violated");
}

#[test]
fn a_d_proctype_has_no_choice() {
    let two_options = "byte x; active D_proctype P() { if :: x = 1 :: x = 2 fi }";
    let said = verdict(two_options, &["--safety"], "runtime-errors", "violated");
    assert!(said.contains("D_proctype has no choice"), "{said}");
    // What can be done there depends on somebody else.
    let two_guards = "byte x; active D_proctype P() { do :: x == 1 -> skip :: x > 0 -> break od }
                      active proctype Q() { if :: x = 1 :: x = 2 fi }";
    verdict(two_guards, &["--safety", "--ignore-end-states"], "runtime-errors", "violated");
    // One receives in two ways.
    let two_receives = "chan c = [0] of { byte };
                        active D_proctype P() { byte y; if :: c?1 :: c?y fi }
                        active proctype Q() { c!1 }";
    verdict(two_receives, &["--safety"], "runtime-errors", "violated");
    // To be received by one of two is no choice of the one who sends.
    let two_receivers = "chan c = [0] of { byte };
                         active D_proctype P() { if :: c!1 :: else fi }
                         active [2] proctype Q() { end: c?1 }";
    verdict(two_receivers, &["--safety"], "runtime-errors", "holds");
    let none = "byte x; active D_proctype P() { do :: x < 3 -> x++ :: else -> break od }";
    verdict(none, &["--safety"], "runtime-errors", "holds");
}
