//! One mutant: read, checked, and given to the program.

use std::io::Write;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use isospin_check::{check, Asked, Fairness, MachineKind, Options, Verdict};
use isospin_conformance::mutate::mutant;
use isospin_conformance::rng::Rng;

use crate::Arguments;

/// The models.
pub struct Texts(Vec<(PathBuf, String)>);

/// A mutant and the file that it is one of.
pub struct Mutant<'t> {
    pub path: &'t Path,
    pub text: String,
}

impl Texts {
    pub fn read(paths: Vec<PathBuf>) -> Texts {
        let read = |path: PathBuf| {
            let bytes = std::fs::read(&path).ok()?;
            Some((path, String::from_utf8_lossy(&bytes).into_owned()))
        };
        Texts(paths.into_iter().filter_map(read).collect())
    }

    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// The mutant of this number.
    pub fn mutant(&self, seed: u64, number: u64) -> Mutant<'_> {
        let mut rng = Rng::new(seed.wrapping_mul(1_000_003).wrapping_add(number));
        let (path, text) = rng.pick(&self.0);
        let (_, other) = rng.pick(&self.0);
        Mutant { path, text: mutant(&mut rng, text, other) }
    }
}

/// Tries a mutant and says on standard output how it went: `start NUMBER`, then `end NUMBER
/// MILLISECONDS OUTCOME` or `wrong NUMBER WHAT`.
pub fn try_out(texts: &Texts, args: &Arguments, number: u64) {
    say(&format!("start {number}"));
    let start = Clock::now();
    let mutant = texts.mutant(args.seed, number);
    let outcome = catch_unwind(AssertUnwindSafe(|| checked(&mutant, args, number)));
    let millis = start.millis();
    match outcome {
        Ok(outcome) => say(&format!("end {number} {millis} {outcome}")),
        Err(_) => say(&format!("wrong {number} panic, {}", mutant.path.display())),
    }
    if args.every > 0 && number.is_multiple_of(args.every) {
        match program(&mutant, number) {
            None => {}
            Some(Ok(status)) => say(&format!("end {number} 0 program: status {status}")),
            Some(Err(why)) => say(&format!("wrong {number} {why}, {}", mutant.path.display())),
        }
    }
}

/// The time that this thread has worked, where the system says; others may keep the machine busy.
struct Clock {
    wall: Instant,
    worked: Option<u64>,
}

impl Clock {
    fn now() -> Clock {
        Clock { wall: Instant::now(), worked: worked() }
    }

    fn millis(&self) -> u64 {
        match (self.worked, worked()) {
            (Some(before), Some(now)) => now.saturating_sub(before) / 1_000_000,
            _ => self.wall.elapsed().as_millis() as u64,
        }
    }
}

/// The nanoseconds that this thread has worked.
fn worked() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok()
}

fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

fn checked(mutant: &Mutant, args: &Arguments, number: u64) -> &'static str {
    let root = mutant.path;
    let folder = root.parent().unwrap_or(root);
    let mut files = |path: &Path| {
        if path == root {
            return Ok(mutant.text.as_bytes().to_vec());
        }
        // Only files beside the model: a mutant may ask for any.
        let beside = path.parent() == Some(folder) && path.is_file();
        if beside {
            std::fs::read(path)
        } else {
            Err(std::io::ErrorKind::NotFound.into())
        }
    };
    let reading = isospin_promela::read(root, &Default::default(), &mut files);
    let Ok(model) = reading.into_model() else { return "refused" };
    // The numbers choose what is asked and how, so that a few of every combination come by.
    let asked = Asked {
        acceptance: number % 5 == 1,
        progress: number % 5 == 2,
        safety_only: number % 5 == 3,
        ..Asked::default()
    };
    let native = number.is_multiple_of(3);
    let options = Options {
        machine: Some(if native { MachineKind::Native } else { MachineKind::Interpreter }),
        threads: Some(if number % 16 == 7 { 2 } else { 1 }),
        time: Some(Duration::from_millis(args.time)),
        memory: Some(64 << 20),
        errors: number % 2,
        fairness: match number % 7 {
            0 => Fairness::Weak,
            1 => Fairness::Strong,
            _ => Fairness::None,
        },
        shorten: number.is_multiple_of(11),
        verify: true,
        ..Options::default()
    };
    match check(&Arc::new(model), &asked, &options, &mut ()) {
        Err(isospin_check::Failure::Broken(broken)) => panic!("a broken model: {broken}"),
        Err(isospin_check::Failure::Stopped(_)) => "stopped before a search",
        Err(_) => "refused to check",
        Ok(report) if report.unconfirmed().next().is_some() => panic!("unconfirmed"),
        Ok(report) => match report.verdict() {
            Verdict::Holds => "holds",
            Verdict::Violated => "violated",
            Verdict::Incomplete => "incomplete",
        },
    }
}

/// The exit status of the program, if it is there and is one of those that the manual lists.
fn program(mutant: &Mutant, number: u64) -> Option<Result<i32, String>> {
    let program = std::env::current_exe().ok()?.parent()?.parent()?.join("isospin");
    if !program.is_file() {
        return None;
    }
    let name = format!("isospin-mutant-{}-{number}.pml", std::process::id());
    let file = std::env::temp_dir().join(name);
    std::fs::write(&file, &mutant.text).ok()?;
    let mut command = Command::new(program);
    command.args(["check", "--no-trail", "--time", "200ms", "--memory", "64M", "--quiet", "-I"]);
    command.arg(mutant.path.parent()?).arg(&file);
    let output = command.stdin(Stdio::null()).output();
    let _ = std::fs::remove_file(&file);
    let output = output.ok()?;
    let said = String::from_utf8_lossy(&output.stderr);
    let wrong = said.contains("panicked") || said.contains("internal error");
    Some(match output.status.code() {
        Some(status @ 0..=3) if !wrong => Ok(status),
        _ => Err(format!("the program: {} {}", output.status, said.trim())),
    })
}
