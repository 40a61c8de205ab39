//! Batches of mutants, tried by a child process that is watched.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{channel, Receiver, RecvTimeoutError};
use std::time::Duration;

use crate::Arguments;

/// A mutant that says nothing for so long hangs, however busy the machine is.
const PATIENCE: Duration = Duration::from_secs(30);
/// A mutant that works so many milliseconds longer than its limit hangs, too.
const GRACE: u64 = 2_000;
/// How much memory a child may have, in kilobytes.
const MEMORY: u64 = 4_000_000;

/// What came of mutants.
#[derive(Default)]
pub struct Tally {
    pub tried: u64,
    pub outcomes: BTreeMap<String, u64>,
    pub wrong: Vec<String>,
    /// The longest times in milliseconds, with the mutant's number.
    pub slowest: Vec<(u64, u64)>,
}

impl Tally {
    pub fn add(&mut self, other: Tally) {
        self.tried += other.tried;
        for (outcome, count) in other.outcomes {
            *self.outcomes.entry(outcome).or_default() += count;
        }
        self.wrong.extend(other.wrong);
        self.slowest.extend(other.slowest);
        self.slowest.sort_unstable_by(|a, b| b.cmp(a));
        self.slowest.truncate(5);
    }
}

/// Tries the mutants from `from` up to `end`, with a new child after each that was lost.
pub fn batch(args: &Arguments, mut from: u64, end: u64) -> Tally {
    let mut tally = Tally::default();
    while from < end {
        let Ok(mut child) = start(args, from, end) else {
            tally.wrong.push(format!("{from}: no child could be started"));
            return tally;
        };
        let lines = lines(&mut child);
        let mut at = from;
        let lost = loop {
            match lines.recv_timeout(PATIENCE) {
                Ok(line) => {
                    at = hear(args, &mut tally, &line).unwrap_or(at);
                }
                Err(RecvTimeoutError::Timeout) => {
                    tally.wrong.push(format!("{at} hangs"));
                    break true;
                }
                Err(RecvTimeoutError::Disconnected) => {
                    let status = child.wait();
                    let fine = status.as_ref().is_ok_and(|s| s.success());
                    if !fine {
                        tally.wrong.push(format!("{at} brought its process down: {status:?}"));
                    }
                    break !fine;
                }
            }
        };
        let _ = child.kill();
        let _ = child.wait();
        from = if lost { at + 1 } else { end };
    }
    tally
}

/// Notes what a child says; yields the number of the mutant that it says it starts with.
fn hear(args: &Arguments, tally: &mut Tally, line: &str) -> Option<u64> {
    let (word, rest) = line.split_once(' ')?;
    let (number, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    let number: u64 = number.parse().ok()?;
    match word {
        "start" => {
            tally.tried += 1;
            return Some(number);
        }
        "wrong" => tally.wrong.push(format!("{number}: {rest}")),
        "end" => {
            let (millis, outcome) = rest.split_once(' ')?;
            let millis: u64 = millis.parse().ok()?;
            *tally.outcomes.entry(outcome.to_owned()).or_default() += 1;
            tally.add(Tally { slowest: vec![(millis, number)], ..Tally::default() });
            if millis > args.time + GRACE {
                tally.wrong.push(format!("{number} took {millis} ms"));
            }
        }
        _ => {}
    }
    None
}

fn start(args: &Arguments, from: u64, end: u64) -> std::io::Result<Child> {
    let program = std::env::current_exe()?;
    // A mutant that eats memory is to fail by itself and not to take the machine along.
    let script = format!("ulimit -v {MEMORY} 2>/dev/null; exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script]).arg(program).arg("--child");
    for (name, value) in [
        ("--seed", args.seed),
        ("--from", from),
        ("--count", end - from),
        ("--time", args.time),
        ("--program-every", args.every),
    ] {
        command.args([name, &value.to_string()]);
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()
}

/// What the child says, line by line; what it complains about goes to standard error at the end.
fn lines(child: &mut Child) -> Receiver<String> {
    let (sender, receiver) = channel();
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    std::thread::spawn(move || {
        for line in stdout.into_iter().flat_map(|out| BufReader::new(out).lines()).flatten() {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    std::thread::spawn(move || {
        let mut text = String::new();
        let _ = stderr.map(|mut e| e.read_to_string(&mut text));
        for line in text.lines().filter(|l| l.contains("panicked") || l.contains("overflow")) {
            eprintln!("\n{line}");
        }
    });
    receiver
}
