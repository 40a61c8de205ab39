//! Executions as files.

use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use isospin_check::{Finding, Property, Report, Verdict};
use isospin_report::check::{property_of_trail, Told};
use isospin_report::format::bytes;
use isospin_report::trail::{self, Header, TrailAutomaton, TrailOptions};
use isospin_report::Names;
use isospin_source::visible;

use super::options::fairness;
use super::place::{look, Part, Put, There};
use crate::args::CheckArgs;
use crate::beside::Beside;
use crate::failure::Failure;
use crate::intermediate;
use crate::load::Loaded;
use crate::output::say;

/// More trails of one model than this are not looked for a place among, or looked through.
pub const MAX_TRAILS: usize = 1_000;

/// When the time is up, a trail may still take so long: without it, what was found is worth less.
const GRACE: Duration = Duration::from_millis(250);

/// Writes one trail after the other.
pub struct Trails<'t> {
    args: &'t CheckArgs,
    loaded: &'t Loaded,
    names: &'t Names,
    beside: &'t Beside,
    started: SystemTime,
    time_left: Option<Duration>,
    /// How many places were tried.
    tried: usize,
    written: Vec<PathBuf>,
    complaints: Vec<String>,
}

/// Refuses a command line whose `--trail` would take the place of something else.
pub fn refuse_other_files(args: &CheckArgs) -> Result<(), Failure> {
    let Some(place) = &args.trail else { return Ok(()) };
    match look(place) {
        Ok(There::Other(what)) => Err(Failure::new(format_args!(
            "--trail {}: this {what}, and a trail would take its place",
            place.display()
        ))),
        // What cannot be looked at is told when there is something to write.
        _ => Ok(()),
    }
}

/// Why a trail was not written.
enum Unwritten {
    TooLarge,
    Failed(io::Error),
}

impl<'t> Trails<'t> {
    /// None written yet.
    pub fn new(
        args: &'t CheckArgs,
        loaded: &'t Loaded,
        names: &'t Names,
        beside: &'t Beside,
        started: SystemTime,
        time_left: Option<Duration>,
    ) -> Trails<'t> {
        let (tried, written, complaints) = (0, Vec::new(), Vec::new());
        Trails { args, loaded, names, beside, started, time_left, tried, written, complaints }
    }

    /// Writes a trail; says its name, if it could be written.
    pub fn write(&mut self, property: &Property, found: &Finding, told: &Told) -> Option<String> {
        if self.args.no_trail {
            return None;
        }
        let header = self.header(property, found, told);
        let first = path(self.args, self.tried);
        match self.put(&header, found) {
            Ok(path) => {
                let name = path.display().to_string();
                self.written.push(path);
                return Some(name);
            }
            Err(Unwritten::TooLarge) => self.complain(format!(
                "the trail of `{}` is larger than {} and was not written; --trail-size allows \
                 more, and --shorten or --search bfs may find a shorter one",
                property.name,
                bytes(self.args.trail_size)
            )),
            Err(Unwritten::Failed(error)) => self.complain(format!(
                "cannot write the trail to {}: {error}; --trail FILE names another place",
                first.display()
            )),
        }
        None
    }

    fn header(&self, property: &Property, found: &Finding, told: &Told) -> Header {
        let args = self.args;
        let folders = args.reading.include_dirs.iter().map(|d| d.display().to_string());
        let arguments = std::env::args_os().skip(2).map(|a| a.to_string_lossy().into_owned());
        let automaton = self.beside.automaton.as_ref();
        Header {
            isospin: env!("CARGO_PKG_VERSION").to_owned(),
            format: trail::FORMAT,
            model: args.model.display().to_string(),
            model_hash: self.loaded.hash.clone(),
            options: TrailOptions {
                defines: args.reading.defines.clone(),
                include_dirs: folders.collect(),
                formulas: self.beside.formulas.iter().map(|f| f.text.clone()).collect(),
                automaton: automaton
                    .map(|a| TrailAutomaton { name: a.name.clone(), text: a.text.clone() }),
                fairness: fairness(args).into(),
                exact: args.exact,
                abstract_timers: args.abstract_timers,
                intermediate: intermediate::of_trail(&args.model, &args.reading),
                arguments: arguments.collect(),
            },
            property: property_of_trail(property, told),
            cycle_start: told.cycle_start,
            renaming: found.renaming.as_ref().map(Into::into),
        }
    }

    /// Writes the file and finds a place for it.
    fn put(&mut self, header: &Header, found: &Finding) -> Result<PathBuf, Unwritten> {
        let until = self.time_left.map(|left| Instant::now() + left + GRACE);
        let part = Part::beside(&path(self.args, self.tried), self.args.trail_size, until)
            .map_err(Unwritten::Failed)?;
        let mut file = BufWriter::new(part);
        // How it ends is known already.
        let written = trail::write(&mut file, self.names, header, &found.steps, &mut |_| {})
            .and_then(|_| file.flush());
        if let Err(error) = written {
            let too_large = file.get_ref().is_too_large();
            return Err(if too_large { Unwritten::TooLarge } else { Unwritten::Failed(error) });
        }
        while self.tried < MAX_TRAILS {
            let place = path(self.args, self.tried);
            self.tried += 1;
            match file.get_ref().put(&place, self.started).map_err(Unwritten::Failed)? {
                Put::Done => return Ok(place),
                Put::Taken => {}
                Put::Other(what) => self.complain(format!(
                    "{} {what}, so the trail is written elsewhere",
                    place.display()
                )),
            }
        }
        Err(Unwritten::Failed(io::ErrorKind::AlreadyExists.into()))
    }

    fn complain(&mut self, sentence: String) {
        say(&format!("warning: {}\n", visible(&sentence)));
        self.complaints.push(sentence);
    }

    /// What is to be said about trails in the report: which of those that are there are out of
    /// date. For a program, which does not read standard error, also what was said there.
    pub fn remarks(&mut self, report: &Report) -> Vec<String> {
        let mut remarks = Vec::new();
        if self.args.json {
            remarks.append(&mut self.complaints);
        }
        for place in (0..MAX_TRAILS).map(|k| path(self.args, k)) {
            let when = match look(&place) {
                Ok(There::Trail(when)) => when,
                Ok(There::Other(_)) => continue,
                _ => break,
            };
            if when >= self.started || self.written.contains(&place) {
                continue;
            }
            let stale = violated_in(&place).filter(|(name, kind)| {
                let mut all = report.properties.iter();
                all.any(|p| p.verdict == Verdict::Holds && p.name == *name && p.kind.word() == kind)
            });
            if let Some((name, _)) = stale {
                remarks.push(format!(
                    "{} is from an earlier check: it shows a violation of `{name}`, which holds \
                     now.",
                    place.display()
                ));
            }
        }
        remarks
    }
}

/// The name and the kind of what a trail is said to violate.
fn violated_in(place: &Path) -> Option<(String, String)> {
    let mut text = String::new();
    let file = std::fs::File::open(place).ok()?;
    file.take(crate::replay::MAX_TRAIL).read_to_string(&mut text).ok()?;
    trail::property_in(&text).map(|p| (p.name, p.kind))
}

/// Where the next trail goes after so many: the name that was given or the model's, with a number
/// from the second on.
pub fn path(args: &CheckArgs, tried: usize) -> PathBuf {
    let number = match tried {
        0 => String::new(),
        n => format!(".{}", n + 1),
    };
    let (base, end) = match &args.trail {
        Some(trail) => (trail, ""),
        None => (&args.model, ".trail.json"),
    };
    let mut name = base.clone().into_os_string();
    name.push(number);
    name.push(end);
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::checking;

    #[test]
    fn trails_are_named_after_the_model_or_as_told_and_numbered() {
        let names = |more: &[&str]| [0, 1, 2].map(|n| path(&checking(more), n));
        let after_model = ["m.pml.trail.json", "m.pml.2.trail.json", "m.pml.3.trail.json"];
        assert_eq!(names(&[]), after_model.map(PathBuf::from));
        assert_eq!(names(&["--trail", "t"]), ["t", "t.2", "t.3"].map(PathBuf::from));
    }
}
