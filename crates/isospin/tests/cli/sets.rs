//! Promela models explored in sets of states.

use super::support::Folder;

#[test]
fn sets_of_states_have_as_many_states_as_there_are() {
    let folder = Folder::new();
    for model in ["assertion.pml", "deadlock.pml", "correct.pml"] {
        let counts = ["explicit", "symbolic"].map(|engine| {
            let run = folder.run(&[
                "check",
                model,
                "--safety",
                "--exact",
                "--errors",
                "0",
                "--no-trail",
                "--json",
                "--engine",
                engine,
            ]);
            let json = run.json();
            (run.status, json["states"].clone(), json["verdict"].clone(), json["exhausted"].clone())
        });
        assert_eq!(counts[0], counts[1], "{model}");
    }
}

#[test]
fn what_is_reported_of_sets_says_which_engine_it_was() {
    let run =
        Folder::new().run(&["check", "correct.pml", "--safety", "--json", "--engine", "symbolic"]);
    let json = run.json();
    assert_eq!((run.status, &json["engine"]), (0, &"symbolic".into()), "{run:?}");
    assert_eq!(json["reachable"], json["states"].to_string());
    assert!(json["nodes"].as_u64() > Some(0) && json["transitions"].is_null());
    let run = Folder::new().run(&["check", "correct.pml", "--safety", "--engine", "symbolic"]);
    assert!(run.stdout.contains("list decision diagrams, saturation"), "{run:?}");
    assert!(run.stdout.contains("no partial-order reduction, no symmetry"), "{run:?}");
}

#[test]
fn a_violation_in_sets_has_a_trail_that_replays() {
    for (model, property) in [("assertion.pml", "assertions"), ("deadlock.pml", "end-states")] {
        let folder = Folder::new();
        let run = folder.run(&["check", model, "--engine", "symbolic", "--safety"]);
        assert_eq!(run.status, 1, "{run:?}");
        assert!(run.stdout.contains(&format!("violated: {property}")), "{run:?}");
        let trail = format!("{model}.trail.json");
        let replayed = folder.run(&["replay", model, &trail]);
        assert_eq!(replayed.status, 0, "{replayed:?}");
    }
}

#[test]
fn what_needs_a_cycle_is_refused_in_a_sentence_or_left_open() {
    let folder = Folder::new();
    for more in [["--ltl", "[] true"].as_slice(), &["--progress"], &["--depth", "9"]] {
        let run = folder
            .run(&[["check", "correct.pml", "--engine", "symbolic"].as_slice(), more].concat());
        assert_eq!(run.status, 2, "{run:?}");
        assert!(run.stderr.contains("--engine symbolic"), "{run:?}");
    }
}

#[test]
fn limits_leave_a_partial_result() {
    let folder = Folder::new();
    folder.write(
        "wide.pml",
        "byte a[12]; active [6] proctype P() { byte x; do :: a[x % 12] = a[(x * 7 + _pid) % 12] + x; \
         x = x + a[(_pid + x) % 12] od }",
    );
    for limit in [["--time", "300ms"], ["--memory", "16M"]] {
        let args = ["check", "wide.pml", "--engine", "symbolic", "--json", limit[0], limit[1]];
        let run = folder.run(&args);
        assert_eq!(run.status, 3, "{run:?}");
        assert_eq!(run.json()["verdict"], "incomplete");
    }
}
