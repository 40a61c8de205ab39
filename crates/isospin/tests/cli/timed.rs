//! Models with timers on the command line.

use super::support::{expect, Folder};

/// Runs a command line and compares everything that it says.
fn check(name: &str, args: &[&str]) {
    expect(name, &Folder::new().run(args).text());
}

#[test]
fn every_step_is_told_with_its_time() {
    check("timed-violated", &["check", "timed.pml", "-DWAIT=3", "--search", "bfs"]);
}

#[test]
fn a_timed_model_that_holds_says_that_time_passes() {
    check("timed-holds", &["check", "timed.pml"]);
}

#[test]
fn a_cycle_without_a_tick_is_shown() {
    check("timed-zero-cycle", &["check", "zero.pml"]);
}

#[test]
fn the_json_of_a_timed_model_says_whether_there_are_jumps() {
    let folder = Folder::new();
    for (option, jumps) in [("--quiet", "true"), ("--no-jumps", "false"), ("--exact", "false")] {
        let run = folder.run(&["check", "timed.pml", "--json", option]);
        assert!(run.stdout.contains(&format!("\"jumps\": {jumps}")), "{option}: {run:?}");
    }
}

#[test]
fn the_time_slices_of_a_trail_are_drawn() {
    let folder = Folder::new();
    folder.run(&["check", "timed.pml", "-DWAIT=3", "--search", "bfs", "--trail", "trail"]);
    expect("timed-slices", &folder.run(&["show", "time", "trail"]).text());
    expect("timed-chart", &folder.run(&["replay", "trail", "--msc"]).text());
}

#[test]
fn a_model_without_timers_has_no_time_slices() {
    let folder = Folder::new();
    folder.run(&["check", "assertion.pml", "--trail", "trail"]);
    let run = folder.run(&["show", "time", "trail"]);
    assert_eq!(run.status, 2, "{run:?}");
    assert!(run.stderr.contains("assertion.pml has no timers"), "{run:?}");
}

#[test]
fn the_simulator_knows_what_time_it_is() {
    check("timed-sim", &["sim", "timed.pml", "--seed", "1", "-p", "--msc"]);
}

#[test]
fn a_simulated_tick_can_be_taken_back() {
    let folder = Folder::new();
    let input = "1\n1\n1\n1\n1\n1\nu\nq\n";
    let run = folder.run_with_input(&["sim", "timed.pml", "-i", "-q"], input);
    assert_eq!(run.stdout.matches(", time 0\n").count(), 7, "{run:?}");
    assert_eq!(run.stdout.matches(", time 1\n").count(), 1, "{run:?}");
}

#[test]
fn with_abstract_timers_a_violation_may_be_spurious() {
    let folder = Folder::new();
    let args = ["check", "timed.pml", "--abstract-timers", "--search", "bfs", "--safety"];
    let mut args = args.to_vec();
    args.extend(["--trail", "trail"]);
    expect("timed-abstract", &folder.run(&args).text());
    // The trail says that it is one of the abstract model.
    let run = folder.run(&["replay", "trail"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert!(run.stdout.contains("some time passes"), "{run:?}");
}

#[test]
fn abstract_timers_need_timers_of_which_only_little_is_asked() {
    let folder = Folder::new();
    let run = folder.run(&["check", "assertion.pml", "--abstract-timers"]);
    assert_eq!(run.status, 2, "{run:?}");
    folder.write("left.pml", "timer t; init { set(t, 3); t < 2 }");
    let run = folder.run(&["check", "left.pml", "--abstract-timers"]);
    assert_eq!(run.status, 2, "{run:?}");
    assert!(run.stderr.contains("left.pml:1:28: this asks how much time"), "{run:?}");
    folder.write("few.pml", "timer t; init { delay(t, 3) }");
    let run = folder.run(&["check", "few.pml", "--abstract-timers", "--ltl", "<> (t == 2)"]);
    assert_eq!(run.status, 2, "{run:?}");
}

#[test]
fn too_many_timers_to_abstract_from_are_an_error_of_the_model() {
    let folder = Folder::new();
    let text = "timer t[20]; byte i; init { for (i : 0 .. 19) { set(t[i], 3) }; expire(t[0]) }";
    folder.write("many.pml", text);
    let run = folder.run(&["check", "many.pml", "--abstract-timers", "--trail", "trail"]);
    assert_eq!(run.status, 1, "{run:?}");
    assert!(run.stdout.contains("20 timers run at once"), "{run:?}");
    assert_eq!(folder.run(&["replay", "trail"]).status, 0);
    assert_eq!(folder.run(&["check", "many.pml"]).status, 0);
}

#[test]
fn the_layout_shows_timers() {
    let run = Folder::new().run(&["show", "layout", "timed.pml"]);
    assert!(run.stdout.contains("timer"), "{run:?}");
}
