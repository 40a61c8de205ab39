//! How many states a model has, as `isospin check` counts them.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// What is counted with.
pub struct Isospin {
    program: PathBuf,
    models: PathBuf,
}

/// How a model is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// Every state.
    Full,
    /// With partial-order reduction alone.
    Reduced,
    /// With partial-order reduction and symmetry.
    Symmetric,
    /// With everything, jumps excepted.
    Ticks,
    /// With everything.
    All,
}

impl How {
    fn options(self) -> &'static [&'static str] {
        match self {
            How::Full => &["--exact"],
            How::Reduced => &["--no-optimize", "--no-symmetry"],
            How::Symmetric => &["--no-optimize"],
            How::Ticks => &["--no-jumps", "--no-symmetry"],
            How::All => &[],
        }
    }
}

/// The figures of one search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// States stored.
    pub states: u64,
    /// Arrivals at states.
    pub transitions: u64,
    /// Whether the whole model was looked at.
    pub complete: bool,
}

impl Isospin {
    /// The program that was named, or the one beside this program.
    pub fn find(named: Option<PathBuf>, root: &Path) -> Result<Isospin, String> {
        let built = || {
            let here = std::env::current_exe().ok()?;
            Some(here.parent()?.parent()?.join("isospin"))
        };
        let program = named.or_else(built).ok_or("where is isospin?")?;
        let program = program.canonicalize().map_err(|e| {
            format!("{}: {e}; build it with cargo build --release -p isospin", program.display())
        })?;
        Ok(Isospin { program, models: root.join("models") })
    }

    /// Searches a model for assertions, end states and run-time errors. `None` where the way of
    /// searching does not apply to it.
    pub fn count(
        &self,
        model: &str,
        defines: &[String],
        how: How,
    ) -> Result<Option<Count>, String> {
        let output = Command::new(&self.program)
            .args(["check", "--safety", "--json", "--no-trail", "-q", "--errors", "0"])
            .args(["--threads", "1", "--memory", "3G"])
            .args(how.options())
            .args(defines.iter().map(|d| format!("-D{d}")))
            .arg(self.models.join(model))
            .stdin(Stdio::null())
            .stderr(Stdio::inherit())
            .output()
            .map_err(|e| format!("{}: {e}", self.program.display()))?;
        let report: Value = serde_json::from_slice(&output.stdout)
            .map_err(|e| format!("{model} {defines:?}: {e}"))?;
        if report["errors"].as_u64() != Some(0) {
            return Err(format!("{model} {defines:?}: there are errors"));
        }
        if how == How::Symmetric && report["reductions"]["symmetry"] == "off" {
            return Ok(None);
        }
        let number = |key: &str| report[key].as_u64().unwrap_or_default();
        Ok(Some(Count {
            states: number("states"),
            transitions: number("transitions"),
            complete: report["verdict"] == "holds",
        }))
    }
}

/// A number of states, with the share that it is of all; a search that was cut short says so.
pub fn cell(count: Option<Count>, of: Option<Count>) -> String {
    let Some(count) = count else { return "–".to_owned() };
    if !count.complete {
        return format!("> {}", count.states);
    }
    match of.filter(|all| all.complete) {
        Some(all) => {
            let share = 100.0 * count.states as f64 / all.states.max(1) as f64;
            format!("{} ({share:.0} %)", count.states)
        }
        None => count.states.to_string(),
    }
}
