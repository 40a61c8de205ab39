//! Promises of exclusive access, with and without reduction.

use super::support::Folder;

/// Whether a check finds a broken promise, in each of these ways of searching.
fn finds(text: &str, options: &[&[&str]], expected: bool) {
    let folder = Folder::new();
    folder.write("model.pml", text);
    for more in options {
        let mut args = vec!["check", "model.pml", "--property", "runtime-errors"];
        args.extend(*more);
        let run = folder.run(&args);
        assert_eq!(run.status, i32::from(expected), "{more:?}: {run:?}\n{text}");
        assert_eq!(run.stdout.contains("has promised"), expected, "{more:?}: {run:?}\n{text}");
    }
}

const REDUCED: [&[&str]; 4] =
    [&[], &["--no-por"], &["--search", "bfs"], &["--machine", "interpreter"]];

#[test]
fn the_start_of_a_claiming_process_is_not_put_off() {
    // Nobody but the claimer's start keeps the receive from being first.
    let text = "
        chan q = [1] of { byte };
        proctype Owner(chan c) { xr c; byte x; (x == 1) -> c?x }
        active proctype Other() { byte x; q!1; q?x }
        active proctype Starter() { byte x; x++; run Owner(q) }";
    finds(text, &REDUCED, true);
    finds(text, &[&["--exact"]], false);
}

#[test]
fn the_end_of_a_claiming_process_is_not_hurried() {
    let text = "
        chan q = [1] of { byte };
        active proctype Other() { byte x; q!1; q?x }
        active proctype Owner() { xr q; byte x; if :: x == 1 -> q?x :: else fi }";
    finds(text, &REDUCED, true);
    finds(text, &[&["--exact"]], false);
}

#[test]
fn a_claim_that_moves_is_seen_to_move() {
    let text = "
        chan a = [1] of { byte };
        chan b = [1] of { byte };
        active proctype Other() { byte x; b!1; b?x }
        active proctype Owner() { chan c = a; xr c; c = b; c = a }";
    finds(text, &REDUCED, true);
}

#[test]
fn a_trail_through_a_broken_promise_is_replayed() {
    let folder = Folder::new();
    let text = "
        chan q = [1] of { byte };
        active proctype Owner() { xr q; byte x; (x == 1) -> q?x }
        active proctype Other() { byte x; q!1; q?x; assert(x == 0) }";
    folder.write("model.pml", text);
    let run = folder.run(&["check", "model.pml", "--exact", "--trail", "trail"]);
    assert_eq!(run.status, 1, "{run:?}");
    let run = folder.run(&["replay", "trail"]);
    assert_eq!(run.status, 0, "{run:?}");
}
