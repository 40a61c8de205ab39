//! The two programs that are compared, each as a function from a model to figures.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use isospin_conformance::spin::Run;
use serde_json::Value;

use crate::cases::Case;
use crate::process::{can_measure, run, Cost};

/// How deep `pan` may go: it needs to know beforehand.
const DEPTH: &str = "-m2000000";

/// What `pan` says when a channel that was declared to be exclusive is not.
const REFUSED: &str = "partial order reduction invalid";

/// Everything off.
pub const EXACT: &[&str] = &["--exact"];

/// What is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Property {
    /// Assertions and end states; every error is counted and the search goes on.
    Safety,
    /// The model's formula of this name, up to the first counterexample.
    Formula(&'static str),
}

/// What one program made of a model.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    /// States stored.
    pub states: u64,
    /// Arrivals at states.
    pub transitions: u64,
    /// Whether the property is violated.
    pub violated: bool,
    /// Whether `pan` found, on the way, that its reduction was not allowed: then it says nothing.
    pub refused: bool,
    /// What it took to get something that can search.
    pub compile: Cost,
    /// Seconds of searching: `pan` from start to end, Isospin by its own clock.
    pub search: f64,
    /// From the text to the verdict.
    pub total: Cost,
    /// Bytes of stored states without what leads to them. Isospin's figure always has its table.
    pub state_bytes: f64,
    /// Bytes of stored states and of the table that leads to them.
    pub store_bytes: f64,
}

/// Measures several times, and keeps the best.
pub fn best_of<T>(
    repeat: usize,
    once: impl Fn() -> Result<T, String>,
    best: impl Fn(T, T) -> T,
) -> Result<T, String> {
    (1..repeat).try_fold(once()?, |before, _| Ok(best(before, once()?)))
}

/// The best of two runs of two programs.
pub fn best_pair((a, b): (Figures, Figures), (c, d): (Figures, Figures)) -> (Figures, Figures) {
    (a.best(c), b.best(d))
}

impl Figures {
    /// The best of two runs.
    pub fn best(self, other: Figures) -> Figures {
        Figures {
            compile: self.compile.best(other.compile),
            search: self.search.min(other.search),
            total: self.total.best(other.total),
            ..other
        }
    }

    /// Processor time of the search: all that came after compiling.
    pub fn search_cpu(&self) -> f64 {
        (self.total.cpu - self.compile.cpu).max(0.0)
    }
}

/// Where the programs are.
pub struct Tools {
    isospin: PathBuf,
}

impl Tools {
    /// Looks for everything that is needed, Spin and a C compiler included.
    pub fn find_both(isospin: Option<&Path>) -> Result<Tools, String> {
        if isospin_conformance::Spin::find().is_none() {
            return Err("spin or a C compiler is not installed".to_owned());
        }
        Tools::find(isospin)
    }

    /// Looks for what is needed to measure Isospin: this one, or the one built beside this program.
    pub fn find(isospin: Option<&Path>) -> Result<Tools, String> {
        if !can_measure() {
            return Err("GNU time is not installed".to_owned());
        }
        let built = || {
            let here = std::env::current_exe().ok()?;
            Some(here.parent()?.parent()?.join("isospin"))
        };
        let isospin = isospin.map(Path::to_owned).or_else(built).ok_or("where is isospin?")?;
        let isospin = isospin.canonicalize().map_err(|e| {
            format!("{}: {e}; build it with cargo build --release -p isospin", isospin.display())
        })?;
        Ok(Tools { isospin })
    }

    /// Runs Spin, a C compiler and the verifier.
    pub fn spin(&self, case: &Case, property: Property, reduce: bool) -> Result<Figures, String> {
        let dir = Scratch::new()?;
        let mut args = case.defines.clone();
        if !reduce {
            args.extend(["-o1", "-o2", "-o3"].map(str::to_owned));
        }
        args.extend(["-a".to_owned(), case.file.display().to_string()]);
        let spin = run(&dir.0, Path::new("spin"), &args)?;
        if !dir.0.join("pan.c").exists() {
            return Err(format!("{}: spin: {}", case.name, spin.text));
        }
        let mut args = vec!["-O2", "-w", "-o", "pan", "pan.c"];
        if property == Property::Safety {
            args.extend(["-DSAFETY", "-DNOCLAIM"]);
        }
        if !reduce {
            args.push("-DNOREDUCE");
        }
        let args: Vec<String> = args.into_iter().map(str::to_owned).collect();
        let gcc = run(&dir.0, Path::new("gcc"), &args)?;
        if !gcc.success {
            return Err(format!("{}: gcc does not compile the verifier", case.name));
        }
        let args = match property {
            Property::Safety => vec![DEPTH, "-n", "-c0"],
            Property::Formula(name) => vec![DEPTH, "-n", "-a", "-N", name],
        };
        let args: Vec<String> = args.into_iter().map(str::to_owned).collect();
        let pan = run(&dir.0, &dir.0.join("pan"), &args)?;
        let ran = Run::parse(&pan.text).ok_or(format!("{}: pan: {}", case.name, pan.text))?;
        if ran.truncated {
            return Err(format!("{}: pan did not go to the end", case.name));
        }
        let compile = spin.cost.then(gcc.cost);
        let state_bytes = megabytes(&pan.text, "actual memory usage for states");
        // Small searches are given as a total only.
        let table = megabytes(&pan.text, "memory used for hash table");
        Ok(Figures {
            states: ran.states,
            transitions: ran.transitions,
            violated: ran.errors > 0,
            refused: ran.first_error.as_deref().is_some_and(|e| e.contains(REFUSED)),
            compile,
            search: pan.cost.wall,
            // Compilers take memory as well, but that is not what is compared.
            total: Cost { peak: pan.cost.peak, ..compile.then(pan.cost) },
            state_bytes,
            store_bytes: state_bytes + table,
        })
    }

    /// Runs Isospin, with what it does by default or with [`EXACT`] or other options.
    pub fn isospin(
        &self,
        case: &Case,
        property: Property,
        options: &[&str],
        threads: usize,
    ) -> Result<Figures, String> {
        let dir = Scratch::new()?;
        let mut args: Vec<String> = ["check", "--json", "--no-trail"].map(str::to_owned).into();
        args.extend(["--threads".to_owned(), threads.to_string()]);
        match property {
            Property::Safety => args.extend(["--safety", "--errors", "0"].map(str::to_owned)),
            Property::Formula(name) => args.extend(["--property", name].map(str::to_owned)),
        }
        args.extend(options.iter().map(|&option| option.to_owned()));
        args.extend(case.defines.iter().cloned());
        args.push(case.file.display().to_string());
        let ran = run(&dir.0, &self.isospin, &args)?;
        let json: Value = serde_json::from_str(&ran.text)
            .map_err(|e| format!("{}: isospin: {e}: {}", case.name, ran.text))?;
        let seconds = |key: &str| json["time"][key].as_f64().unwrap_or(0.0);
        let store = json["memory"]["store_bytes"].as_f64().unwrap_or(0.0);
        if json["exhausted"] == Value::Bool(false) && property == Property::Safety {
            return Err(format!("{}: isospin did not go to the end", case.name));
        }
        let compile = seconds("compile_s");
        Ok(Figures {
            states: json["states"].as_u64().unwrap_or(0),
            transitions: json["transitions"].as_u64().unwrap_or(0),
            violated: json["verdict"] == "violated",
            refused: false,
            // The processor time is not known apart: the whole of it counts as searching.
            compile: Cost { wall: compile, ..Cost::default() },
            search: seconds("search_s"),
            total: ran.cost,
            state_bytes: store,
            store_bytes: store,
        })
    }
}

/// A figure of `pan`'s list of memory uses, in bytes; 0 when it is not there.
fn megabytes(text: &str, what: &str) -> f64 {
    let line = text.lines().find(|line| line.contains(what));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    number.unwrap_or(0.0) * 1024.0 * 1024.0
}

/// A directory that is removed again.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Result<Scratch, String> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("isospin-bench-{}-{number}", std::process::id());
        let dir = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&dir).map_err(|e| format!("{}: {e}", dir.display()))?;
        Ok(Scratch(dir))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed is only litter.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
