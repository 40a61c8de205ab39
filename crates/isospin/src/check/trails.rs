//! Executions as files.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use isospin_check::{Finding, Property};
use isospin_report::check::{property_of_trail, Told};
use isospin_report::trail::{self, Header, TrailOptions};
use isospin_report::Names;

use crate::args::CheckArgs;
use crate::load::Loaded;
use crate::output::say;

/// Writes one trail after the other.
pub struct Trails<'t> {
    args: &'t CheckArgs,
    loaded: &'t Loaded,
    names: &'t Names,
    written: usize,
}

impl<'t> Trails<'t> {
    /// None written yet.
    pub fn new(args: &'t CheckArgs, loaded: &'t Loaded, names: &'t Names) -> Trails<'t> {
        Trails { args, loaded, names, written: 0 }
    }

    /// Writes a trail; says its name, if it could be written.
    pub fn write(&mut self, property: &Property, found: &Finding, told: &Told) -> Option<String> {
        let args = self.args;
        if args.no_trail {
            return None;
        }
        let folders = args.reading.include_dirs.iter().map(|d| d.display().to_string());
        let arguments = std::env::args_os().skip(2).map(|a| a.to_string_lossy().into_owned());
        let header = Header {
            isospin: env!("CARGO_PKG_VERSION").to_owned(),
            format: trail::FORMAT,
            model: args.model.display().to_string(),
            model_hash: self.loaded.hash.clone(),
            options: TrailOptions {
                defines: args.reading.defines.clone(),
                include_dirs: folders.collect(),
                arguments: arguments.collect(),
            },
            property: property_of_trail(property, told),
            cycle_start: told.cycle_start,
            renaming: found.renaming.as_ref().map(Into::into),
        };
        let path = path(args, self.written);
        let written = || -> io::Result<()> {
            let mut file = BufWriter::new(File::create(&path)?);
            // How it ends is known already.
            let _ = trail::write(&mut file, self.names, &header, &found.steps, &mut |_| {})?;
            file.flush()
        };
        match written() {
            Ok(()) => {
                self.written += 1;
                Some(path.display().to_string())
            }
            Err(error) => {
                say(&format!(
                    "warning: cannot write the trail to {}: {error}; --trail FILE names another place\n",
                    path.display()
                ));
                None
            }
        }
    }
}

/// Where the next trail goes after so many: the name that was given or the model's, with a number
/// from the second on.
fn path(args: &CheckArgs, written: usize) -> PathBuf {
    let number = match written {
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
