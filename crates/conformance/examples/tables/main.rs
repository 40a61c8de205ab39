//! The tables of the literature, made anew by this program and written into the manual.
//!
//! ```console
//! $ cargo build --release -p isospin
//! $ cargo run --release -p isospin-conformance --example tables -- time
//! ```
//!
//! The argument names a chapter; its tables go to `docs/tables/CHAPTER.md`, those of `symmetry`
//! to `docs/symmetry-tables.md`. `--isospin FILE` says
//! which `isospin` counts; usually it is the one built beside this program. All figures are
//! numbers of states and transitions of one thread, so that they are the same everywhere.

mod clusters;
mod counts;
mod fairness;
mod symmetry;
mod time;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use counts::Isospin;

/// A chapter: its name, and what makes its tables.
type Chapter = (&'static str, fn(&Isospin) -> Result<String, String>);

const CHAPTERS: &[Chapter] = &[
    ("clusters", |_| clusters::table()),
    ("fairness", |_| fairness::tables()),
    ("time", time::tables),
];

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), String> {
    // The tables of symmetry have seconds, other programs and options of their own.
    let all: Vec<String> = std::env::args().skip(1).collect();
    if let Some(("symmetry", rest)) = all.split_first().map(|(first, rest)| (first.as_str(), rest))
    {
        return symmetry::tables(rest);
    }
    let mut args = all.into_iter();
    let mut isospin = None;
    let mut chapters = Vec::new();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--isospin" => {
                isospin = Some(PathBuf::from(args.next().ok_or("--isospin needs a file")?));
            }
            name => match CHAPTERS.iter().find(|(chapter, _)| *chapter == name) {
                Some(chapter) => chapters.push(chapter),
                None => {
                    let names: Vec<&str> = CHAPTERS.iter().map(|(name, _)| *name).collect();
                    return Err(format!("{name} is no chapter; there is {}", names.join(", ")));
                }
            },
        }
    }
    if chapters.is_empty() {
        chapters.extend(CHAPTERS);
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let isospin = Isospin::find(isospin, &root)?;
    for (name, tables) in chapters {
        let text = tables(&isospin)?;
        let path = root.join("docs/tables").join(format!("{name}.md"));
        std::fs::create_dir_all(root.join("docs/tables")).map_err(|e| e.to_string())?;
        std::fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))?;
        println!("docs/tables/{name}.md is written");
    }
    Ok(())
}
