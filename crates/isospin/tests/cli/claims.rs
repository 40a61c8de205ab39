//! Labels and never claims: what they mean, and that reductions do not change it.

use super::support::Folder;

/// Whatever is left out, the verdict must be the same, and what shows it must be an execution.
const WAYS: [&[&str]; 7] = [
    &["-q"],
    &["--exact"],
    &["--no-por"],
    &["--no-optimize"],
    &["--no-symmetry"],
    &["--emptiness", "components"],
    &["--por", "process"],
];

/// Checks a model in every way; gives what was said without any options.
fn check(text: &str, asked: &[&str], status: i32) -> String {
    let folder = Folder::new();
    folder.write("model.pml", text);
    let mut said = String::new();
    for way in WAYS {
        let all = [&["check", "model.pml", "--trail", "trail"], asked, way].concat();
        let run = folder.run(&all);
        assert_eq!(run.status, status, "{text} {all:?}: {run:?}");
        if status == 1 {
            assert_eq!(folder.run(&["replay", "trail"]).status, 0, "{text} {all:?}");
        }
        if said.is_empty() {
            said = run.stdout;
        }
    }
    said
}

#[test]
fn nobody_is_carried_on_to_where_it_makes_progress() {
    // `P` may stay before the label for ever.
    for first in ["x = 1", "progress: x = 1"] {
        let text = format!(
            "byte x;
             active proctype P() {{ {first}; skip; progress1: x == 5 }}
             active proctype Q() {{ x == 1; do :: skip od }}"
        );
        check(&text, &["--progress"], 1);
    }
}

#[test]
fn who_has_ended_makes_no_progress_where_it_ended() {
    let text = "byte x;
                proctype P() { if :: progress: x = 1 fi }
                init { atomic { run P(); run P() } x == 1; do :: skip od }";
    check(text, &["--progress"], 1);
}

#[test]
fn who_waits_at_a_label_for_younger_ones_to_end_is_seen_there() {
    // Once the last process has been started nobody can end any more.
    let text = "byte n;
                proctype P() { if :: accept: n++ fi }
                proctype R() { do :: skip od }
                init { run P(); n == 1; if :: run R() :: skip fi }";
    check(text, &["--acceptance"], 1);
    check(text, &["--progress"], 1);
}

#[test]
fn an_error_of_one_process_does_not_end_what_others_do() {
    let text = "byte a[2]; bit x;
                active proctype P() { byte k = 5; k++; a[k] = a[1] }
                active proctype Q() { do :: x = 1 - x od }
                ltl f { <> [] (x == 0) }";
    check(text, &["--property", "f"], 1);
    let text = "bit x;
                active proctype P() { byte k; k = 1; atomic { do :: k = 1 od } }
                active proctype Q() { x = 1; do :: x = 1 - x od }
                ltl f { <> [] (x == 0) }";
    check(text, &["--property", "f"], 1);
}

const COUNTER: &str = "byte x; active proctype P() { x = 1; x = 2; x = 3; x = 4 }";

#[test]
fn an_atomic_sequence_of_a_claim_is_one_step_and_its_assertions_count() {
    // What Spin says of each.
    for (claim, status) in [
        ("do :: atomic { x == 2 -> assert(x != 2) } :: true od", 1),
        ("do :: atomic { x == 5 -> assert(x != 5) } :: true od", 0),
        ("do :: atomic { x == 1 -> x == 2 -> break } :: else od", 0),
        ("do :: atomic { x == 1 -> x == 1 -> x == 1 } break :: else od", 1),
        ("do :: x == 1 -> x == 2 -> break :: else od", 1),
        ("do :: x == 1 -> assert(x == 1) :: else od", 1),
        ("do :: x == 1 -> assert(x == 2) :: else od", 0),
        ("assert(x < 4); assert(x < 4); assert(x < 4)", 1),
        ("do :: assert(x < 4) od", 1),
        ("do :: assert(x < 5) od", 0),
    ] {
        let text = format!("{COUNTER} never {{ {claim} }}");
        check(&text, &["--property", "never_0"], status);
    }
}

#[test]
fn a_claim_that_no_automaton_is_made_of_is_not_checked() {
    for claim in
        ["do :: d_step { x == 9 -> skip } break :: x > 9 od", "do :: x = 1 :: x == 2 -> break od"]
    {
        let text = format!("{COUNTER} never {{ {claim} }}");
        let said = check(&text, &["--property", "never_0"], 3);
        assert!(said.contains("not checked"), "{said}");
    }
}

#[test]
fn claims_are_reduced_for_where_they_are_known_not_to_count_steps() {
    let model = "bit x; active [3] proctype W() { byte k; do :: k < 5 -> k++ :: else -> k = 0 od }
                 active proctype Z() { do :: x = 1; x = 0 od }";
    for (claim, status, closed) in [
        (
            "T0: do :: x == 0 -> goto accept_S :: (1) -> goto T0 od; accept_S: do :: x == 0 od",
            1,
            true,
        ),
        ("do :: atomic { !(x < 2) -> assert(! !(x < 2)) } :: (1) od; accept_all: skip", 0, true),
        ("do :: x == 1 -> break :: else od; accept_all: skip", 1, true),
        ("do :: true; x == 1 -> break :: else od", 1, false),
        ("true; true; x == 1", 1, false),
        ("do :: np_ :: !np_ -> break od", 0, true),
        ("do :: timeout -> break :: else od", 0, false),
    ] {
        let text = format!("{model} never {{ {claim} }}");
        for asked in [&["--property", "never_0"][..], &["--acceptance"]] {
            let said = check(&text, asked, status);
            assert_eq!(!said.contains("may count steps"), closed, "{claim} {asked:?}: {said}");
        }
    }
    let folder = Folder::new();
    let claim = "do :: !(x < 2) -> break :: else od";
    folder.write("model.pml", &format!("{model} never {{ {claim} }}"));
    let states = |extra: &str| {
        let args = ["check", "model.pml", "--property", "never_0", "--json", extra];
        folder.run(&args).json()["states"].as_u64().expect("a number")
    };
    assert!(states("-q") < states("--no-por"));
}

#[test]
fn labels_are_reduced_for() {
    let folder = Folder::new();
    folder.write(
        "model.pml",
        "bit x; active [3] proctype W() { byte k; do :: k < 5 -> k++ :: else -> k = 0 od }
         active proctype Z() { do :: x = 1; progress: accept: x = 0 od }",
    );
    for asked in ["--acceptance", "--progress"] {
        for fair in ["none", "weak", "strong"] {
            let states = |extra: &str| {
                let args = ["check", "model.pml", asked, "--fair", fair, "--json", extra];
                let run = folder.run(&args);
                let status = i32::from(asked == "--acceptance" || fair == "none");
                assert_eq!(run.status, status, "{args:?}: {run:?}");
                run.json()["states"].as_u64().expect("a number")
            };
            let (reduced, full) = (states("-q"), states("--no-por"));
            // Where something is found the order of the search counts.
            assert!(reduced < full || asked == "--acceptance" || fair == "none", "{asked} {fair}");
        }
    }
}

#[test]
fn an_automaton_that_has_to_know_what_comes_is_not_reduced_for() {
    let folder = Folder::new();
    folder.write(
        "model.pml",
        "bit p, q, r, s;
         active proctype P() { do :: p = 1 - p :: r = 1 - r od }
         active proctype Q() { do :: q = 1 - q :: s = 1 - s od }",
    );
    let large = "! ([] <> p V ((q && <> r) || (r U (p U s))))";
    for (formula, closed) in [("[] (p -> <> q)", true), ("p U (q U (r U s))", true), (large, false)]
    {
        let run = folder.run(&["check", "model.pml", "-q", "--ltl", formula]);
        assert_eq!(!run.stdout.contains("may have to know what comes"), closed, "{run:?}");
    }
}
