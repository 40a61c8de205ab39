//! What reaches a terminal: colours where they are wanted, and nothing that a model makes up.

use super::support::{Folder, Run};

const ESCAPE: char = '\x1b';

/// A check of a violated model, with this command line and this environment.
fn check(more: &[&str], environment: &[(&str, &str)]) -> Run {
    let folder = Folder::new();
    let mut command = folder.command(&["check", "typo.pml"]);
    command.args(more).envs(environment.iter().copied());
    let typo = Run::of(command.output().expect("the program runs"));
    let mut command = folder.command(&["check", "deadlock.pml"]);
    command.args(more).envs(environment.iter().copied());
    let run = Run::of(command.output().expect("the program runs"));
    assert_eq!((typo.status, run.status), (2, 1), "{typo:?} {run:?}");
    Run { stderr: typo.stderr, ..run }
}

#[test]
fn a_pipe_gets_no_colours_unless_they_are_asked_for() {
    let run = check(&[], &[]);
    assert!(!run.stdout.contains(ESCAPE) && !run.stderr.contains(ESCAPE), "{run:?}");
    for (more, environment) in
        [(&["--color", "always"][..], &[][..]), (&[], &[("CLICOLOR_FORCE", "1")])]
    {
        let run = check(more, environment);
        assert!(run.stdout.contains(ESCAPE) && run.stderr.contains(ESCAPE), "{run:?}");
    }
}

#[test]
fn the_command_line_decides_before_the_environment() {
    let run = check(&["--color", "never"], &[("CLICOLOR_FORCE", "1")]);
    assert!(!run.stdout.contains(ESCAPE) && !run.stderr.contains(ESCAPE), "{run:?}");
    let run = check(&["--color", "always"], &[("NO_COLOR", "1"), ("TERM", "dumb")]);
    assert!(run.stdout.contains(ESCAPE) && run.stderr.contains(ESCAPE), "{run:?}");
}

/// A model that tries to steer the terminal: with what it prints, and with its own text.
const STEERING: &str = "active proctype P() {
    printf(\"raw \x1b[31m\\n\"); printf(\"made %c[2J\\r\\tgone\\n\", 27); assert(0 == 1) }";

#[test]
fn what_a_model_prints_cannot_steer_a_terminal() {
    let folder = Folder::new();
    folder.write("steering.pml", STEERING);
    let run = folder.run(&["sim", "steering.pml"]);
    assert_eq!(run.stdout, "raw \\x1b[31m\nmade \\x1b[2J\\x0d\tgone\n");
}

#[test]
fn the_text_of_a_model_cannot_steer_a_terminal() {
    let folder = Folder::new();
    folder.write("steering.pml", STEERING);
    folder.write("named\x1b[1m.pml", STEERING);
    for args in [
        &["check", "steering.pml"][..],
        &["replay", "steering.pml.trail.json"],
        &["replay", "--msc", "steering.pml.trail.json"],
        &["sim", "-p", "steering.pml"],
        &["sim", "-i", "steering.pml"],
        &["show", "automata", "steering.pml"],
        &["show", "automata", "--dot", "steering.pml"],
        &["show", "automaton", "--ltl", "[] \x1b"],
        &["check", "steering.pml", "--ltl", "[] \x1b"],
        &["check", "named\x1b[1m.pml"],
        &["check", "nowhere\x1b[1m.pml"],
    ] {
        let run = folder.run(args);
        assert!(!run.stdout.contains(ESCAPE) && !run.stderr.contains(ESCAPE), "{args:?} {run:?}");
    }
}

#[test]
fn a_trail_cannot_steer_a_terminal() {
    let folder = Folder::new();
    folder.run(&["check", "assertion.pml"]);
    let trail = folder.read("assertion.pml.trail.json");
    folder.write("steering", &trail.replace("assert(count == 2)\",", "\\u001b[31m\","));
    let run = folder.run(&["replay", "assertion.pml", "steering"]);
    assert!(!run.stdout.contains(ESCAPE) && !run.stderr.contains(ESCAPE), "{run:?}");
    assert!(run.stdout.contains("\\x1b[31m") || run.stderr.contains("\\x1b[31m"), "{run:?}");
}
