//! Running a program and finding out what it took.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

/// What a program took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    /// Seconds by the clock.
    pub wall: f64,
    /// Seconds of processor time, in the program and on its behalf. Says more than the clock on a
    /// machine that is busy with other things.
    pub cpu: f64,
    /// The largest resident set.
    pub peak: u64,
}

impl Cost {
    /// One program after the other.
    pub fn then(self, next: Cost) -> Cost {
        Cost {
            wall: self.wall + next.wall,
            cpu: self.cpu + next.cpu,
            peak: self.peak.max(next.peak),
        }
    }

    /// The best of two runs, one figure at a time: what disturbs a run only ever adds to it.
    pub fn best(self, other: Cost) -> Cost {
        Cost {
            wall: self.wall.min(other.wall),
            cpu: self.cpu.min(other.cpu),
            peak: self.peak.min(other.peak),
        }
    }
}

/// What a program printed, and what it took.
pub struct Outcome {
    /// Its standard output.
    pub text: String,
    /// Whether it ended with status 0.
    pub success: bool,
    /// What it took.
    pub cost: Cost,
}

/// The program that measures others; there is no safe way to ask the system directly.
const TIME: &str = "/usr/bin/time";

/// Whether programs can be measured here.
pub fn can_measure() -> bool {
    Path::new(TIME).is_file()
}

/// Runs `program` in `dir`.
pub fn run(dir: &Path, program: &Path, args: &[String]) -> Result<Outcome, String> {
    let figures = dir.join("figures");
    let start = Instant::now();
    let output = Command::new(TIME)
        .args(["--quiet", "-f", "%U %S %M", "-o"])
        .arg(&figures)
        .arg(program)
        .args(args)
        .current_dir(dir)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .map_err(|e| format!("{}: {e}", program.display()))?;
    let wall = start.elapsed().as_secs_f64();
    let said = std::fs::read_to_string(&figures).map_err(|e| e.to_string())?;
    let numbers: Vec<f64> = said.split_whitespace().filter_map(|w| w.parse().ok()).collect();
    let &[user, system, kilobytes] = numbers.as_slice() else {
        return Err(format!("{}: not measured: {said}", program.display()));
    };
    Ok(Outcome {
        text: String::from_utf8_lossy(&output.stdout).into_owned(),
        success: output.status.success(),
        cost: Cost { wall, cpu: user + system, peak: kilobytes as u64 * 1024 },
    })
}
