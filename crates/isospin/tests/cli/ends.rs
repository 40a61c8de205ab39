//! How a check ends before its time: limits, closed pipes.

use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;
use std::time::{Duration, Instant};

use super::support::Folder;

#[test]
fn the_memory_limit_ends_the_search_and_says_what_would_help() {
    let run = Folder::new().run(&["check", "large.pml", "--memory", "8M"]);
    assert_eq!(run.status, 3, "{run:?}");
    assert!(run.stdout.contains("the memory limit of 8.0 MB was reached"));
    assert!(run.stdout.contains("--memory"));
    assert!(run.stdout.contains("undecided"));
}

#[test]
fn the_time_limit_ends_the_search() {
    let start = Instant::now();
    let run = Folder::new().run(&["check", "large.pml", "--time", "300ms", "--json"]);
    assert_eq!(run.status, 3, "{run:?}");
    assert!(start.elapsed() < Duration::from_secs(20));
    let json = run.json();
    assert_eq!(json["verdict"], "incomplete");
    assert_eq!(json["properties"][0]["verdict"], "incomplete");
    assert!(json["states"].as_u64() > Some(0));
}

#[test]
fn the_depth_limit_is_a_notice_and_not_a_proof() {
    let run = Folder::new().run(&["check", "deadlock.pml", "--depth", "1"]);
    assert_eq!(run.status, 3, "{run:?}");
    assert!(run.stdout.contains("cut off after 1 step."), "{run:?}");
}

#[test]
fn a_closed_pipe_is_no_panic() {
    let folder = Folder::new();
    for args in [
        &["check", "assertion.pml"][..],
        &["show", "automata", "correct.pml"],
        &["sim", "large.pml", "-p", "--seed", "1", "--steps", "100000"],
    ] {
        let mut child = folder
            .command(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs");
        let mut first = String::new();
        let mut reader = BufReader::new(child.stdout.take().expect("its output"));
        let _ = reader.read_line(&mut first);
        drop(reader);
        let status = child.wait().expect("it ends");
        let mut errors = String::new();
        let _ = child.stderr.take().map(|mut e| e.read_to_string(&mut errors));
        assert!(status.code().is_some_and(|c| c < 2), "{args:?} {status:?}");
        assert!(!errors.contains("panicked"), "{args:?} {errors}");
    }
}

#[test]
fn a_trail_that_cannot_be_written_is_a_warning() {
    let run = Folder::new().run(&["check", "deadlock.pml", "--trail", "no/such/folder/t"]);
    assert_eq!(run.status, 1);
    assert!(run.stderr.contains("cannot write the trail"), "{run:?}");
}

#[test]
fn what_no_engine_can_do_is_one_sentence() {
    let folder = Folder::new();
    for args in [
        &["--fair", "strong", "--emptiness", "nested"][..],
        &["--hoa", "edges.hoa", "--emptiness", "nested"],
        &["--hoa", "rabin.hoa"],
        &["--hoa", "nowhere.hoa"],
        &["--hoa", "answered.ltl"],
        &["--ltl-file", "nowhere.ltl"],
        &["--ltl-file", "empty.ltl"],
    ] {
        folder.write("empty.ltl", "# no formula\n");
        let mut all = vec!["check", "cycle.pml"];
        all.extend(args);
        let run = folder.run(&all);
        assert_eq!(run.status, 2, "{run:?}");
        assert_eq!(run.stderr.lines().count(), 1, "{run:?}");
        assert_eq!(run.stdout, "");
    }
}

#[test]
fn several_errors_are_counted_and_each_has_its_trail() {
    let folder = Folder::new();
    folder.write(
        "two.pml",
        "active proctype P() { if :: assert(false) :: assert(1 == 2) :: skip fi }",
    );
    let run = folder.run(&["check", "two.pml", "--errors", "0", "--json"]);
    assert_eq!(run.status, 1);
    let json = run.json();
    assert_eq!(json["errors"], 2);
    assert_eq!(json["exhausted"], true);
    let violations = &json["properties"][0]["violations"];
    assert_eq!(violations[0]["trail"], "two.pml.trail.json");
    assert_eq!(violations[1]["trail"], "two.pml.2.trail.json");
    assert_eq!(json["properties"][1]["verdict"], "holds");
    for trail in ["two.pml.trail.json", "two.pml.2.trail.json"] {
        assert_eq!(folder.run(&["replay", trail]).status, 0);
    }
}

#[test]
fn ignored_properties_are_not_reported() {
    let folder = Folder::new();
    let run = folder.run(&["check", "deadlock.pml", "--ignore-end-states"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert!(!run.stdout.contains("end-states"));
    let run = folder.run(&["check", "assertion.pml", "--ignore-assertions"]);
    assert_eq!(run.status, 0, "{run:?}");
}

#[test]
fn the_direct_search_for_non_progress_cycles_agrees_with_the_automaton() {
    let folder = Folder::new();
    // A process that stands at a progress label makes progress all the time.
    let models = [
        ("x = 1 - x", "progress: skip", 0),
        ("x = 1 - x", "skip", 1),
        ("progress: x = 1 - x; x = x", "x == 5", 0),
        ("x = 1; progress: x = 0", "skip", 1),
        ("x == 2", "x == 3", 0),
    ];
    for (a, b, status) in models {
        let text = format!(
            "byte x; active proctype A() {{ end: do :: {a} od }}
             active proctype B() {{ endb: do :: {b} od }}"
        );
        folder.write("progress.pml", &text);
        for way in ["direct", "nested", "components"] {
            let run = folder.run(&["check", "progress.pml", "--progress", "--emptiness", way]);
            assert_eq!(run.status, status, "{text} {way}: {run:?}");
        }
    }
    let run = folder.run(&["check", "cycle.pml", "--emptiness", "direct"]);
    assert_eq!(run.status, 2, "{run:?}");
}

#[test]
fn the_time_limit_ends_a_factorial_of_permutations() {
    let folder = Folder::new();
    folder.write(
        "twelve.pml",
        "byte n; active [12] proctype P() { do :: n < 100 -> n++ :: n > 0 -> n-- od }",
    );
    for what in [&["--safety"][..], &["--ltl", "[] (n < 256)"]] {
        let mut all = vec!["check", "twelve.pml", "--symmetry", "full", "--time", "200ms"];
        all.extend(what);
        let run = folder.run(&all);
        assert_eq!(run.status, 3, "{run:?}");
        assert!(run.stdout.contains("the time was up"), "{run:?}");
    }
}
