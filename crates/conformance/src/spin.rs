//! Spin as a function: a model's text in, what `pan` prints out.

mod output;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

pub use output::Run;

/// What the verifier looks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Check {
    /// Assertions and end states; claims are left out.
    Safety,
    /// Acceptance cycles, under the model's claim if it has any.
    Acceptance {
        /// Whether only weakly fair executions count.
        fair: bool,
        /// Which claim, where the model has several.
        claim: Option<String>,
    },
    /// Cycles without progress.
    Progress {
        /// Whether only weakly fair executions count.
        fair: bool,
    },
}

/// One run of Spin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// What is looked for.
    pub check: Check,
    /// Whether Spin may reduce: partial orders, merged statements, dead variables.
    pub reduce: bool,
    /// Whether the run goes on after an error, and counts them.
    pub all_errors: bool,
    /// Whether states are compared byte for byte. Spin usually masks what it takes for padding, and
    /// that includes priorities: states that differ only in them are then one.
    pub unmasked: bool,
    /// A formula that is added to the model.
    pub ltl: Option<String>,
    /// How deep the search may go.
    pub depth: u32,
    /// How long the verifier may run.
    pub time: Duration,
}

impl Job {
    /// The full graph: what `isospin check --safety --exact --errors 0` must equal.
    pub fn exact() -> Job {
        Job {
            check: Check::Safety,
            reduce: false,
            all_errors: true,
            unmasked: false,
            ltl: None,
            depth: 100_000,
            time: Duration::from_secs(20),
        }
    }

    /// With Spin's own reductions.
    pub fn reduced() -> Job {
        Job { reduce: true, ..Job::exact() }
    }

    /// The first acceptance cycle.
    pub fn acceptance(fair: bool) -> Job {
        Job { check: Check::Acceptance { fair, claim: None }, all_errors: false, ..Job::exact() }
    }

    /// The first cycle without progress.
    pub fn progress(fair: bool) -> Job {
        Job { check: Check::Progress { fair }, all_errors: false, ..Job::exact() }
    }

    fn compile_flags(&self) -> Vec<&'static str> {
        let mut flags = match self.check {
            Check::Safety => vec!["-DSAFETY", "-DNOCLAIM"],
            Check::Acceptance { .. } => vec!["-DNFAIR=4"],
            Check::Progress { .. } => vec!["-DNFAIR=4", "-DNP"],
        };
        if !self.reduce {
            flags.push("-DNOREDUCE");
        }
        if self.unmasked {
            flags.push("-DNOCOMP");
        }
        flags
    }

    fn run_flags(&self) -> Vec<String> {
        let mut flags = vec![
            format!("-m{}", self.depth),
            // A small table: allocating the usual one takes longer than searching a small model.
            "-w18".to_owned(),
            "-n".to_owned(),
        ];
        if self.all_errors {
            flags.push("-c0".to_owned());
        }
        let fair = match &self.check {
            Check::Safety => false,
            Check::Acceptance { fair, claim } => {
                flags.push("-a".to_owned());
                if let Some(claim) = claim {
                    flags.extend(["-N".to_owned(), claim.clone()]);
                } else if self.ltl.is_some() {
                    flags.extend(["-N".to_owned(), ADDED.to_owned()]);
                }
                *fair
            }
            Check::Progress { fair } => {
                flags.push("-l".to_owned());
                *fair
            }
        };
        if fair {
            flags.push("-f".to_owned());
        }
        flags
    }
}

/// The name of the formula that a job adds.
const ADDED: &str = "added_formula";

/// Why a run says nothing about the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Spin does not accept the text.
    Rejected(String),
    /// The C compiler does not accept what Spin wrote.
    NotCompiled(String),
    /// The verifier crashed, ended without its statistics, or took too long.
    NoResult(String),
    /// Files or programs are missing.
    Environment(String),
}

/// Spin and a C compiler, as found on this machine.
#[derive(Clone, Debug)]
pub struct Spin {
    spin: PathBuf,
    compiler: PathBuf,
    flags: &'static [&'static str],
}

impl Spin {
    /// Looks for `spin` and for a C compiler. Compiling is most of the work, so the Tiny C
    /// Compiler, which is twenty times faster than the others, is preferred.
    pub fn find() -> Option<Spin> {
        let spin = on_path("spin")?;
        let (compiler, flags): (_, &'static [&'static str]) = match on_path("tcc") {
            Some(tcc) => (tcc, &["-w"]),
            None => (on_path("gcc").or_else(|| on_path("cc"))?, &["-w", "-O0"]),
        };
        Some(Spin { spin, compiler, flags })
    }

    /// The compiler that is used.
    pub fn compiler(&self) -> &Path {
        &self.compiler
    }

    /// Runs a model.
    pub fn run(&self, text: &str, job: &Job) -> Result<Run, Failure> {
        let dir = Scratch::new()?;
        let model = match &job.ltl {
            Some(formula) => format!("{text}\nltl {ADDED} {{ {formula} }}\n"),
            None => text.to_owned(),
        };
        std::fs::write(dir.0.join("m.pml"), model).map_err(environment)?;

        let mut spin = Command::new(&self.spin);
        if !job.reduce {
            spin.args(["-o1", "-o2", "-o3"]);
        }
        spin.args(["-a", "m.pml"]);
        let said = dir.run(&mut spin, "spin", job.time)?;
        // What Spin calls an error is not always one: it may write the verifier all the same.
        if !said.success || !dir.0.join("pan.c").exists() {
            return Err(Failure::Rejected(said.text));
        }

        let mut compiler = Command::new(&self.compiler);
        compiler.args(self.flags).args(job.compile_flags()).args(["-o", "pan", "pan.c"]);
        let compiled = dir.run(&mut compiler, "compiler", Duration::from_secs(120))?;
        if !compiled.success {
            return Err(Failure::NotCompiled(compiled.text));
        }

        let mut pan = Command::new(dir.0.join("pan"));
        pan.args(job.run_flags());
        let ran = dir.run(&mut pan, "pan", job.time)?;
        Run::parse(&ran.text).ok_or_else(|| Failure::NoResult(tail(&ran.text)))
    }
}

/// The end of a long text.
fn tail(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(5)..].join("\n")
}

fn environment(error: std::io::Error) -> Failure {
    Failure::Environment(error.to_string())
}

fn on_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|dir| dir.join(program)).find(|file| file.is_file())
}

/// A directory that is removed again.
struct Scratch(PathBuf);

/// What a program said, on both of its streams.
struct Said {
    text: String,
    success: bool,
}

impl Scratch {
    fn new() -> Result<Scratch, Failure> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("isospin-conformance-{}-{number}", std::process::id());
        let dir = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&dir).map_err(environment)?;
        Ok(Scratch(dir))
    }

    /// Runs a program in the directory. Its output goes to a file, so that a program that says
    /// much cannot fill a pipe that nobody empties yet.
    fn run(&self, command: &mut Command, name: &str, limit: Duration) -> Result<Said, Failure> {
        let log = self.0.join(format!("{name}.log"));
        let file = File::create(&log).map_err(environment)?;
        let mut child = command
            .current_dir(&self.0)
            .stdin(Stdio::null())
            .stdout(file.try_clone().map_err(environment)?)
            .stderr(file)
            .spawn()
            .map_err(environment)?;
        let start = Instant::now();
        let mut pause = Duration::from_micros(500);
        let status = loop {
            if let Some(status) = child.try_wait().map_err(environment)? {
                break status;
            }
            if start.elapsed() > limit {
                child.kill().map_err(environment)?;
                child.wait().map_err(environment)?;
                return Err(Failure::NoResult(format!("{name} took too long")));
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(20));
        };
        let bytes = std::fs::read(&log).map_err(environment)?;
        Ok(Said { text: String::from_utf8_lossy(&bytes).into_owned(), success: status.success() })
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed is only litter.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
