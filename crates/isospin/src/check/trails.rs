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

    fn path(&self) -> PathBuf {
        let number = match self.written {
            0 => String::new(),
            n => format!(".{}", n + 1),
        };
        match &self.args.trail {
            Some(path) => {
                let mut name = path.clone().into_os_string();
                name.push(number);
                name.into()
            }
            None => {
                let mut name = self.args.model.clone().into_os_string();
                name.push(format!("{number}.trail.json"));
                name.into()
            }
        }
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
        };
        let path = self.path();
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
