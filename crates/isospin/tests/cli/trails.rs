//! Where trails are written, and where they are not.

use std::fs;
use std::process::Command;

use super::support::{Folder, Run};

const WRONG: &str = "active proctype P() { assert(false) }";

fn files(folder: &Folder) -> Vec<String> {
    let all = fs::read_dir(folder.file("")).expect("a folder");
    let mut all: Vec<String> =
        all.map(|f| f.expect("a file").file_name().to_string_lossy().into_owned()).collect();
    all.sort();
    all
}

#[test]
fn a_trail_takes_the_place_of_no_model() {
    let folder = Folder::new();
    folder.write("b.pml", WRONG);
    let before = files(&folder);
    for args in [&["--trail", "b.pml"][..], &["--trail", "b.pml", "--json"], &["--trail", "."]] {
        let run = folder.run(&[&["check", "b.pml"], args].concat());
        assert_eq!(run.status, 2, "{run:?}");
        assert!(run.stderr.contains("a trail would take its place"), "{run:?}");
        assert_eq!((run.stdout.as_str(), run.stderr.lines().count()), ("", 1), "{run:?}");
    }
    assert_eq!(folder.read("b.pml"), WRONG);
    assert_eq!(files(&folder), before);
}

#[test]
fn a_trail_goes_elsewhere_where_something_else_is_in_its_place() {
    let folder = Folder::new();
    folder.write("b.pml", WRONG);
    folder.write("b.pml.trail.json", "my notes\n");
    let run = folder.run(&["check", "b.pml", "--json"]);
    assert_eq!(run.status, 1, "{run:?}");
    assert_eq!(run.json()["properties"][0]["trail"], "b.pml.2.trail.json");
    assert!(run.json()["notes"].to_string().contains("is not a trail"), "{run:?}");
    assert!(run.stderr.contains("is not a trail"), "{run:?}");
    assert_eq!(folder.read("b.pml.trail.json"), "my notes\n");
    assert_eq!(folder.run(&["replay", "b.pml.2.trail.json"]).status, 0);
}

#[cfg(unix)]
#[test]
fn a_trail_goes_through_no_link_and_into_no_pipe() {
    let folder = Folder::new();
    folder.write("b.pml", WRONG);
    folder.write("elsewhere", "");
    std::os::unix::fs::symlink(folder.file("elsewhere"), folder.file("link")).expect("a link");
    let made = Command::new("mkfifo").arg(folder.file("pipe")).status();
    assert!(made.is_ok_and(|s| s.success()), "mkfifo works");
    for place in ["link", "pipe", "/dev/null"] {
        let run = folder.run(&["check", "b.pml", "--trail", place]);
        assert_eq!(run.status, 2, "{run:?}");
    }
    std::os::unix::fs::symlink(folder.file("elsewhere"), folder.file("b.pml.trail.json"))
        .expect("a link");
    let run = folder.run(&["check", "b.pml", "--json"]);
    assert_eq!(run.status, 1, "{run:?}");
    assert_eq!(run.json()["properties"][0]["trail"], "b.pml.2.trail.json");
    assert_eq!(folder.read("elsewhere"), "");
}

#[test]
fn a_trail_takes_the_place_of_an_earlier_one_and_of_an_empty_file() {
    let folder = Folder::new();
    folder.write("b.pml", WRONG);
    folder.write("t", "");
    for _ in 0..2 {
        let run = folder.run(&["check", "b.pml", "--trail", "t"]);
        assert_eq!((run.status, run.stderr.as_str()), (1, ""), "{run:?}");
        assert_eq!(folder.run(&["replay", "t"]).status, 0);
    }
    assert!(!files(&folder).iter().any(|f| f.contains(".part") || f == "t.2"));
}

#[test]
fn a_trail_that_is_too_large_is_not_written_and_the_cap_is_told() {
    let folder = Folder::new();
    let long =
        "int x; active proctype P() { do :: x < 5000 -> x++ :: else -> break od; assert(false) }";
    folder.write("b.pml", WRONG);
    folder.write("long.pml", long);
    assert_eq!(folder.run(&["check", "b.pml", "--trail", "t"]).status, 1);
    let before = folder.read("t");
    let small = ["check", "long.pml", "--trail", "t", "--trail-size", "64K"];
    let run = folder.run(&small);
    assert_eq!(run.status, 1, "{run:?}");
    assert!(run.stderr.contains("larger than 64"), "{run:?}");
    assert_eq!(folder.read("t"), before);
    let run = folder.run(&[&small[..], &["--json"]].concat());
    assert_eq!(run.status, 1, "{run:?}");
    let json = run.json();
    assert!(json["properties"][0]["trail"].is_null(), "{json}");
    assert!(json["notes"].to_string().contains("larger than 64"), "{json}");
    assert!(!files(&folder).iter().any(|f| f.contains(".part")));
    let run = folder.run(&["check", "long.pml", "--trail", "t"]);
    assert_eq!(run.status, 1, "{run:?}");
    assert_eq!(folder.run(&["replay", "t"]).status, 0);
}

#[cfg(unix)]
#[test]
fn a_disk_that_is_full_leaves_the_old_trail_whole() {
    let folder = Folder::new();
    folder.write("b.pml", WRONG);
    let long =
        "int x; active proctype P() { do :: x < 5000 -> x++ :: else -> break od; assert(false) }";
    folder.write("long.pml", long);
    assert_eq!(folder.run(&["check", "b.pml", "--trail", "t"]).status, 1);
    let before = folder.read("t");
    // A limit on the size of files, in blocks of at most 1024 bytes, fails a write as a full disk
    // does.
    let program = env!("CARGO_BIN_EXE_isospin");
    let script = format!("ulimit -f 64 && exec {program} check long.pml --trail t");
    let mut command = Command::new("sh");
    command.args(["-c", &script]).current_dir(folder.file(""));
    let run = Run::of(command.output().expect("a shell"));
    if run.stderr.contains("ulimit") {
        println!("notice: skipped, the shell cannot limit the size of files");
        return;
    }
    assert_eq!(run.status, 1, "{run:?}");
    assert!(run.stderr.contains("cannot write the trail"), "{run:?}");
    assert_eq!(folder.read("t"), before);
    assert!(!files(&folder).iter().any(|f| f.contains(".part")));
}

#[test]
fn runs_at_the_same_time_leave_whole_trails() {
    let folder = Folder::new();
    let long =
        "int x; active proctype P() { do :: x < 500 -> x++ :: else -> break od; assert(false) }";
    folder.write("b.pml", long);
    let started: Vec<_> = (0..6)
        .map(|_| {
            let mut command = folder.command(&["check", "b.pml", "--json"]);
            command.stdout(std::process::Stdio::piped()).spawn().expect("the program runs")
        })
        .collect();
    for child in started {
        let run = Run::of(child.wait_with_output().expect("it ends"));
        assert_eq!(run.status, 1, "{run:?}");
        let trail = run.json()["properties"][0]["trail"].as_str().expect("a trail").to_owned();
        assert_eq!(folder.run(&["replay", &trail]).status, 0);
    }
    assert!(!files(&folder).iter().any(|f| f.contains(".part")));
}

#[test]
fn a_trail_of_what_holds_now_is_told() {
    let folder = Folder::new();
    folder.write("b.pml", WRONG);
    assert_eq!(folder.run(&["check", "b.pml"]).status, 1);
    folder.write("b.pml", "active proctype P() { assert(true) }");
    let run = folder.run(&["check", "b.pml"]);
    assert_eq!(run.status, 0, "{run:?}");
    let told = "b.pml.trail.json is from an earlier check: it shows a violation of `assertions`";
    assert!(run.stdout.contains(told), "{run:?}");
    let json = folder.run(&["check", "b.pml", "--json"]).json();
    assert!(json["notes"].to_string().contains(told), "{json}");
    // One of another property says nothing about this one.
    let run = folder.run(&["check", "b.pml", "--property", "end-states"]);
    assert!(!run.stdout.contains("from an earlier check"), "{run:?}");
}
