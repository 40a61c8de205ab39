//! Infinite executions: formulas, claims, labels, fairness and automata, as text and as JSON.

use super::support::{expect, Folder};

/// Runs a check and compares everything that it says.
fn check(name: &str, status: i32, args: &[&str]) {
    let mut all = vec!["check"];
    all.extend(args);
    let run = Folder::new().run(&all);
    assert_eq!(run.status, status, "{run:?}");
    expect(name, &run.text());
}

/// Prints something and compares everything that is said.
fn show(name: &str, args: &[&str]) {
    let mut all = vec!["show"];
    all.extend(args);
    expect(name, &Folder::new().run(&all).text());
}

#[test]
fn a_formula_is_violated_by_a_cycle_and_holds_under_fairness() {
    check("ltl-violated", 1, &["cycle.pml", "--property", "answered"]);
    check("ltl-fair", 0, &["cycle.pml", "--property", "answered", "--fair", "weak"]);
    check("ltl-holds", 0, &["cycle.pml", "--property", "small"]);
}

#[test]
fn a_fair_cycle_says_what_each_process_does_on_it() {
    let formula = "<> [] (turn == 1)";
    check("ltl-fair-violated", 1, &["cycle.pml", "--ltl", formula, "--fair", "weak"]);
    check("ltl-strong-violated", 1, &["cycle.pml", "--ltl", formula, "--fair", "strong"]);
}

#[test]
fn a_formula_that_is_violated_where_the_execution_ends_says_so() {
    check("ltl-stutter", 1, &["formula.pml", "--ltl", "[] ! done"]);
}

#[test]
fn verdicts_on_infinite_executions_have_json() {
    check("ltl-json", 1, &["cycle.pml", "--property", "answered", "--json"]);
    check("ltl-holds-json", 0, &["cycle.pml", "--property", "small", "--json"]);
}

#[test]
fn acceptance_labels_are_passed_for_ever_or_not() {
    check("acceptance-violated", 1, &["cycle.pml", "--acceptance"]);
    check("acceptance-holds", 0, &["correct.pml", "--acceptance", "-q"]);
}

#[test]
fn progress_stops_or_goes_on() {
    check("progress-violated", 1, &["cycle.pml", "--progress"]);
    check("progress-holds", 0, &["cycle.pml", "--progress", "--fair", "weak"]);
}

#[test]
fn a_never_claim_runs_to_its_end_or_not() {
    check("never-violated", 1, &["never.pml"]);
    check("never-holds", 0, &["never.pml", "-DLIMIT=4"]);
}

#[test]
fn a_formula_comes_from_a_file() {
    check("ltl-file", 1, &["cycle.pml", "--ltl-file", "answered.ltl"]);
}

#[test]
fn a_formula_that_is_wrong_is_shown_with_its_place() {
    check("ltl-unknown", 2, &["cycle.pml", "--ltl", "<> (turm == 1)"]);
    check("ltl-unclosed", 2, &["cycle.pml", "--ltl", "<> (turn == 1"]);
}

#[test]
fn an_automaton_of_a_file_is_a_property() {
    check("hoa-violated", 1, &["cycle.pml", "--hoa", "bad.hoa"]);
    check("hoa-fair", 0, &["cycle.pml", "--hoa", "bad.hoa", "--fair", "weak"]);
    check("hoa-holds", 0, &["cycle.pml", "--hoa", "fine.hoa"]);
    check("hoa-edges", 1, &["cycle.pml", "--hoa", "edges.hoa"]);
}

#[test]
fn an_automaton_that_is_wrong_is_shown_with_its_place() {
    check("hoa-rabin", 2, &["cycle.pml", "--hoa", "rabin.hoa"]);
    check("hoa-typo", 2, &["cycle.pml", "--hoa", "typo.hoa"]);
}

#[test]
fn what_is_no_proposition_is_refused() {
    let folder = Folder::new();
    for (text, place) in [
        ("<> turn", "temporal operator"),
        ("turn ==", "bad2.hoa:5:19"),
        ("1 } ltl more { 1", "bad2.hoa:5:19"),
        ("", "bad2.hoa:5:19"),
    ] {
        let automaton = folder.read("bad.hoa").replace("turn == 0", text);
        folder.write("bad2.hoa", &automaton);
        let run = folder.run(&["check", "cycle.pml", "--hoa", "bad2.hoa"]);
        assert_eq!(run.status, 2, "{text}: {run:?}");
        assert!(run.stderr.contains(place), "{text}: {run:?}");
    }
}

#[test]
fn every_emptiness_check_gives_the_same_verdict() {
    let folder = Folder::new();
    for (property, status) in [("answered", 1), ("small", 0)] {
        for kind in ["auto", "nested", "components"] {
            let args = ["check", "cycle.pml", "--property", property, "--emptiness", kind];
            let run = folder.run(&args);
            assert_eq!(run.status, status, "{run:?}");
            let word = if kind == "components" { "component-based" } else { "nested" };
            assert!(run.stdout.contains(word), "{run:?}");
        }
    }
}

#[test]
fn invariants_in_one_search_are_answered_as_one_by_one() {
    let folder = Folder::new();
    folder.write(
        "several.pml",
        "byte x;\n\
         active [2] proctype P() { do :: x < 6 -> x++ :: x > 2 -> x-- od }\n\
         ltl low { [] (x < 9) }\n\
         ltl lower { [] (x < 7) }\n\
         ltl lowest { [] (x < 5) }\n\
         ltl again { [] <> (x > 1) }\n\
         ltl four { [] (x != 4) }\n\
         ltl small { [] (x <= 8) }\n",
    );
    for extra in ["-q", "--exact", "--no-por"] {
        let mut args = vec!["check", "several.pml", "--json", extra];
        for name in ["low", "lower", "lowest", "again", "four", "small"] {
            args.extend(["--property", name]);
        }
        let all = folder.run(&args).json();
        let mut alone = 0;
        for property in all["properties"].as_array().into_iter().flatten() {
            let name = property["name"].as_str().expect("a name");
            let args = ["check", "several.pml", "--json", extra, "--property", name];
            let one = folder.run(&args).json();
            for field in ["verdict", "violations"] {
                let mut both = [property[field].clone(), one["properties"][0][field].clone()];
                // Trails are numbered when there are several.
                for part in both.iter_mut().filter_map(|v| v.get_mut(0)) {
                    part["trail"] = serde_json::Value::Null;
                }
                assert_eq!(both[0], both[1], "{name} {field} {extra}");
            }
            alone += one["states"].as_u64().expect("a number");
        }
        let states = all["states"].as_u64().expect("a number");
        assert!(states < alone, "{states} and {alone}");
    }
}

#[test]
fn merged_steps_do_not_hide_moments_in_which_nobody_can_be_waited_for() {
    let models = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models");
    let model = format!("{models}/reduction/fairness-rendezvous.pml");
    for extra in ["-q", "--exact", "--no-optimize", "--no-por"] {
        let args = ["check", &model, "--no-trail", "--fair", "weak", "--property", "reached"];
        let run = Folder::new().run(&[&args[..], &[extra]].concat());
        assert_eq!(run.status, 1, "{run:?}");
    }
}

#[test]
fn a_shortened_counterexample_is_no_longer_and_is_one() {
    let folder = Folder::new();
    let steps = |args: &[&str]| {
        let run = folder.run(args);
        assert_eq!(run.status, 1, "{run:?}");
        assert_eq!(folder.run(&["replay", "cycle.pml.trail.json"]).status, 0);
        run.json()["properties"][0]["violations"][0]["steps"].as_u64()
    };
    let args = ["check", "cycle.pml", "--acceptance", "--json", "--shorten"];
    assert!(steps(&args) <= steps(&args[..4]));
}

#[test]
fn trails_with_cycles_are_replayed() {
    let folder = Folder::new();
    for args in [
        &["cycle.pml", "--property", "answered"][..],
        &["cycle.pml", "--ltl", "<> [] (turn == 1)", "--fair", "strong"],
        &["cycle.pml", "--hoa", "bad.hoa"],
        &["cycle.pml", "--progress"],
        &["never.pml"],
        &["formula.pml", "--ltl", "[] ! done"],
    ] {
        let mut all = vec!["check", "--trail", "trail"];
        all.extend(args);
        assert_eq!(folder.run(&all).status, 1);
        let run = folder.run(&["replay", "trail"]);
        assert_eq!(run.status, 0, "{args:?}: {run:?}");
    }
}

#[test]
fn the_automaton_of_a_formula_has_four_forms() {
    let formula = "[] (p -> <> q)";
    for format in ["text", "never", "hoa", "dot"] {
        let args = ["automaton", "--ltl", formula, "--format", format];
        show(&format!("automaton-{format}"), &args);
    }
    show("automaton-positive", &["automaton", "--ltl", formula, "--positive"]);
    let sets = ["automaton", "--ltl", "[]<> p && []<> q", "--positive", "--generalized"];
    show("automaton-generalized", &sets);
}

#[test]
fn the_automaton_of_a_property_has_the_names_of_its_model() {
    show("automaton-property", &["automaton", "--property", "answered", "cycle.pml"]);
    show("automaton-file", &["automaton", "--ltl-file", "answered.ltl", "cycle.pml"]);
}

#[test]
fn a_formula_without_automaton_is_a_sentence() {
    let folder = Folder::new();
    for (args, place) in [
        (&["--ltl", "[] (p -> "][..], "column"),
        (&["--ltl-file", "wrong.ltl"], "line 2, column"),
        (&["--ltl", "[] p", "--format", "never", "--generalized"], "never claim"),
        (&["--property", "x", "cycle.pml"], "answered, small"),
        (&["--property", "x", "correct.pml", "-q"], "no formula"),
        (&["--ltl", "[] p", "nowhere.pml"], "nowhere.pml"),
    ] {
        folder.write("wrong.ltl", "// wrong\n[] (p\n");
        let mut all = vec!["show", "automaton"];
        all.extend(args);
        let run = folder.run(&all);
        assert_eq!(run.status, 2, "{run:?}");
        assert_eq!(run.stderr.lines().count(), 1, "{run:?}");
        assert!(run.stderr.contains(place), "{run:?}");
    }
}

#[test]
fn what_is_printed_as_hoa_is_read_again() {
    let folder = Folder::new();
    for extra in [&[][..], &["--generalized"]] {
        let mut args =
            vec!["show", "automaton", "--format", "hoa", "--property", "answered", "cycle.pml"];
        args.extend(extra);
        folder.write("again.hoa", &folder.run(&args).stdout);
        assert_eq!(folder.run(&["check", "cycle.pml", "--hoa", "again.hoa"]).status, 1);
        let fair = ["check", "cycle.pml", "--hoa", "again.hoa", "--fair", "weak"];
        assert_eq!(folder.run(&fair).status, 0);
    }
}

#[test]
fn dependencies_have_a_text_json_and_a_graph() {
    show("dependencies", &["dependencies", "correct.pml", "-q"]);
    show("dependencies-json", &["dependencies", "--json", "cycle.pml"]);
    show("dependencies-dot", &["dependencies", "--dot", "deadlock.pml"]);
}

#[test]
fn an_execution_that_ends_in_a_run_time_error_makes_no_formula_true() {
    let folder = Folder::new();
    folder.write(
        "m.pml",
        "byte a[2]; byte i = 5; byte x; active proctype P() { a[i] = 1; x = 1; progress: skip }",
    );
    let start = "byte z; byte x = 1 / z; active proctype P() { x = 2 }";
    folder.write("start.pml", start);
    for asked in [
        &["--ltl", "[] (x == 0)"][..],
        &["--ltl", "<> (x == 1)"],
        &["--ltl", "[] (x == 0)", "--ltl", "[] (x < 5)"],
        &["--acceptance"],
        &["--progress"],
        &["--ltl", "[] (x == 0)", "--fair", "weak"],
        &["--ltl", "[] (x == 0)", "--exact"],
    ] {
        for model in ["m.pml", "start.pml"] {
            let run = folder.run(&[&["check", "-q", model], asked].concat());
            assert_eq!(run.status, 1, "{model} {asked:?}: {run:?}");
            assert!(run.stdout.contains("violated: runtime-errors\n"), "{model}: {run:?}");
            assert!(!run.stdout.contains("holds"), "{model} {asked:?}: {run:?}");
        }
    }
}

#[test]
fn a_formula_gets_its_turn_where_the_state_space_is_endless() {
    let folder = Folder::new();
    let text = "int x; active proctype P() { do :: x++ od } ltl soon { <> (x == 5) }";
    folder.write("m.pml", text);
    let run = folder.run(&["check", "-q", "m.pml", "--time", "2s"]);
    assert_eq!(run.status, 3, "{run:?}");
    assert!(run.stdout.contains("assertions       undecided   the time was up"), "{run:?}");
    assert!(run.stdout.contains("soon             holds"), "{run:?}");
}

#[test]
fn a_run_time_error_that_was_met_is_not_lost_when_the_time_is_up() {
    let folder = Folder::new();
    let text = "int n; active proctype P() { do :: n == 9 -> n = 1 / (n - 9) :: n++ od }";
    folder.write("m.pml", text);
    for asked in [&["--ltl", "[] <> (n >= 0)"][..], &["--progress"], &["--acceptance"]] {
        let run = folder.run(&[&["check", "-q", "m.pml", "--time", "2s"], asked].concat());
        assert_eq!(run.status, 1, "{asked:?}: {run:?}");
        assert!(run.stdout.contains("violated: runtime-errors\n"), "{asked:?}: {run:?}");
    }
}
