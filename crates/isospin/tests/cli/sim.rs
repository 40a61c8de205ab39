//! Simulation: reproducible, and printing what Spin prints.

use std::process::Command;

use super::support::{expect, Folder};

#[test]
fn the_same_seed_gives_the_same_execution() {
    let folder = Folder::new();
    let args = ["sim", "large.pml", "-p", "--steps", "500", "--seed", "42"];
    let first = folder.run(&args).stdout;
    assert_eq!(folder.run(&args).stdout, first);
    assert_eq!(first.lines().count(), 500);
    let other = folder.run(&["sim", "large.pml", "-p", "--steps", "500", "--seed", "43"]);
    assert_ne!(other.stdout, first);
}

#[test]
fn the_seed_is_named_when_it_was_not_given() {
    let run = Folder::new().run(&["sim", "print.pml"]);
    assert!(run.stderr.contains("--seed"), "{run:?}");
}

#[test]
fn a_failing_assertion_ends_a_simulation_with_status_1() {
    let folder = Folder::new();
    folder.write("f.pml", "active proctype P() { assert(false) }");
    let run = folder.run(&["sim", "f.pml"]);
    assert_eq!(run.status, 1);
    assert!(run.stderr.contains("assertion violated: assert(false)"));
}

#[test]
fn deterministic_models_print_what_spin_prints() {
    let Ok(version) = Command::new("spin").arg("-V").output() else {
        println!("spin is not installed: the comparison is left out");
        return;
    };
    assert!(version.status.success());
    let folder = Folder::new();
    // Within a d_step Spin indents each printf, and Isospin the step.
    for (spin, ours) in [
        (&["-T", "print.pml"][..], &["sim", "print.pml"][..]),
        (&["-T", "timeout.pml"], &["sim", "timeout.pml"]),
        (&["timeout.pml"], &["sim", "--indent", "timeout.pml"]),
    ] {
        let output = Command::new("spin")
            .args(spin)
            .current_dir(folder.file(""))
            .output()
            .expect("spin runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let run = folder.run(ours);
        assert_eq!(run.stdout, without_chatter(&text), "{spin:?}");
    }
}

/// Spin's own remarks: truncated values, timeouts, and how many processes there were.
fn without_chatter(text: &str) -> String {
    text.lines()
        .filter(|l| !l.contains("processes created") && !l.contains("process created"))
        .filter(|l| !l.starts_with("spin: ") && l.trim() != "timeout")
        .map(|l| format!("{l}\n"))
        .collect()
}

#[test]
fn a_simulation_by_hand_undoes_and_jumps() {
    let folder = Folder::new();
    let orders = "?\n1\n1\nu\n9\nj 0\nj 2\nj 7\nx\n1\nb\ns\n\nm\nq\n";
    let run = folder.run_with_input(&["sim", "-i", "correct.pml"], orders);
    assert_eq!(run.status, 0);
    expect("sim-interactive", &run.text());
}

#[test]
fn a_simulation_by_hand_ends_with_its_input() {
    let run = Folder::new().run_with_input(&["sim", "-i", "runtime.pml"], "1\n1");
    assert_eq!(run.status, 0);
}
