//! Signals: the first ends a run with what was found so far, the second ends it at once.
#![cfg(unix)]

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::support::{Folder, Run};

/// The program with this command line, its output kept.
fn start(mut command: Command) -> Child {
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program runs")
}

fn send(child: &Child, signal: &str) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(sent.is_ok_and(|s| s.success()), "kill works");
}

fn end(child: Child) -> Run {
    Run::of(child.wait_with_output().expect("it ends"))
}

/// Waits until the program catches a signal, as the system says; without such a system, a while.
fn wait_for_handler(child: &Child, signal: u32) {
    let status = format!("/proc/{}/status", child.id());
    for _ in 0..10_000 {
        let Ok(text) = std::fs::read_to_string(&status) else { break };
        let mask = text.lines().find_map(|l| l.strip_prefix("SigCgt:"));
        let mask = mask.and_then(|m| u64::from_str_radix(m.trim(), 16).ok());
        if mask.is_some_and(|m| m & (1 << (signal - 1)) != 0) {
            return;
        }
        std::thread::sleep(Duration::from_micros(100));
    }
    std::thread::sleep(Duration::from_millis(100));
}

#[test]
fn every_request_to_end_leaves_statistics_and_status_3() {
    let folder = Folder::new();
    for signal in ["-INT", "-TERM", "-HUP"] {
        let child = start(folder.command(&["check", "large.pml", "--json"]));
        wait_for_handler(&child, 15);
        std::thread::sleep(Duration::from_millis(500));
        send(&child, signal);
        let run = end(child);
        assert_eq!(run.status, 3, "{signal} {run:?}");
        let json = run.json();
        assert_eq!(json["verdict"], "incomplete", "{signal}");
        assert!(json["states"].as_u64() > Some(0), "{signal}");
        assert!(run.stderr.contains("interrupted"), "{signal} {run:?}");
    }
}

#[test]
fn a_request_that_comes_before_the_search_is_not_lost() {
    let folder = Folder::new();
    for signal in ["-INT", "-TERM", "-HUP"] {
        let child = start(folder.command(&["check", "large.pml", "--json"]));
        wait_for_handler(&child, 15);
        send(&child, signal);
        let run = end(child);
        assert_eq!(run.status, 3, "{signal} {run:?}");
        let json = run.json();
        assert_eq!(json["verdict"], "incomplete", "{signal} {json}");
        assert!(json["notes"].to_string().contains("interrupted"), "{signal} {json}");
    }
}

#[test]
fn what_was_found_before_the_signal_is_told_and_written() {
    let folder = Folder::new();
    let text = folder.read("large.pml");
    folder.write("found.pml", &format!("{text}\nactive proctype Wrong() {{ assert(false) }}\n"));
    let command = ["check", "found.pml", "--errors", "0", "--json", "--search", "bfs"];
    let child = start(folder.command(&command));
    wait_for_handler(&child, 15);
    std::thread::sleep(Duration::from_millis(700));
    send(&child, "-TERM");
    let run = end(child);
    assert_eq!(run.status, 1, "{run:?}");
    let json = run.json();
    assert_eq!(json["properties"][0]["verdict"], "violated");
    let trail = json["properties"][0]["trail"].as_str().expect("a trail").to_owned();
    assert_eq!(folder.run(&["replay", &trail]).status, 0);
}

#[test]
fn who_waits_for_a_person_is_ended_at_once() {
    let folder = Folder::new();
    let mut command = folder.command(&["sim", "-i", "large.pml"]);
    command.stdin(Stdio::piped());
    let mut child = start(command);
    let input = child.stdin.take();
    wait_for_handler(&child, 15);
    std::thread::sleep(Duration::from_millis(300));
    send(&child, "-TERM");
    let run = end(child);
    drop(input);
    assert!([128 + 15, 128 + 2].contains(&run.status), "{run:?}");
}

#[test]
fn a_run_that_is_to_survive_its_terminal_does() {
    if !std::path::Path::new("/proc/self/status").exists() {
        println!("notice: skipped, the system does not say which signals are ignored");
        return;
    }
    let folder = Folder::new();
    let mut command = Command::new("sh");
    let program = env!("CARGO_BIN_EXE_isospin");
    let script = format!("trap '' HUP; exec {program} check large.pml --json");
    command.args(["-c", &script]).current_dir(folder.file(""));
    let mut child = start(command);
    wait_for_handler(&child, 15);
    send(&child, "-HUP");
    std::thread::sleep(Duration::from_millis(300));
    assert!(child.try_wait().expect("a child").is_none(), "it goes on");
    send(&child, "-TERM");
    let run = end(child);
    assert_eq!(run.status, 3, "{run:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_does_not_change_what_was_found() {
    let folder = Folder::new();
    for (args, status) in [
        (&["check", "assertion.pml"][..], 1),
        (&["check", "assertion.pml", "--json"], 1),
        (&["sim", "assertion.pml", "--seed", "1"], -1),
        (&["check", "deadlock.pml", "--depth", "1"], 3),
        (&["check", "correct.pml"], 2),
        (&["check", "correct.pml", "--json"], 2),
    ] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("it is there");
        // Of a simulation, whatever it says where it can be told.
        let status = if status < 0 { folder.run(args).status } else { status };
        let mut command = folder.command(args);
        let run = Run::of(command.stdout(full).output().expect("the program runs"));
        assert_eq!(run.status, status, "{args:?} {run:?}");
        assert!(status == 0 || !run.stderr.is_empty(), "{args:?} {run:?}");
    }
}

#[test]
fn a_reader_that_is_gone_does_not_change_what_was_found() {
    let folder = Folder::new();
    for (args, status) in [
        (&["check", "assertion.pml"][..], 1),
        (&["check", "assertion.pml", "--json"], 1),
        (&["check", "deadlock.pml", "--depth", "1"], 3),
        (&["check", "correct.pml"], 0),
    ] {
        let mut child = start(folder.command(args));
        drop(child.stdout.take());
        let run = end(child);
        assert_eq!(run.status, status, "{args:?} {run:?}");
    }
}
