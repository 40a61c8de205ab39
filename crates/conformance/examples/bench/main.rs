//! Spin beside Isospin on the same models, in the same run, alternating.
//!
//! ```console
//! $ cargo build --release -p isospin
//! $ cargo run --release -p isospin-conformance --example bench -- --out figures.md
//! ```
//!
//! | option | meaning |
//! | --- | --- |
//! | `--models FILTER` | only models whose name contains this |
//! | `--quick` | a few small models |
//! | `--repeat N` | every run N times, of which the fastest counts |
//! | `--liveness` | temporal formulas instead of safety |
//! | `--reduction` | what partial-order reduction costs a state |
//! | `--product` | what looking for cycles costs, without Spin: against visiting the same product |
//! | `--before FILE` | without Spin: an earlier `isospin`, with which this one is compared |
//! | `--isospin FILE` | which `isospin` is measured; usually the one built beside this program |
//! | `--out FILE` | where the tables go as well |
//!
//! The corpus, a directory `shared/corpus` beside the checkout, is left out with a notice where it
//! is missing.

mod before;
mod cases;
mod liveness;
mod process;
mod product;
mod reduction;
mod safety;
mod tables;
mod tools;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use tools::Tools;

struct Arguments {
    models: String,
    quick: bool,
    liveness: bool,
    product: bool,
    reduction: bool,
    repeat: usize,
    before: Option<PathBuf>,
    isospin: Option<PathBuf>,
    out: Option<PathBuf>,
}

fn arguments() -> Result<Arguments, String> {
    let mut out = Arguments {
        models: String::new(),
        quick: false,
        liveness: false,
        product: false,
        reduction: false,
        repeat: 1,
        before: None,
        isospin: None,
        out: None,
    };
    let mut args = std::env::args().skip(1);
    while let Some(name) = args.next() {
        match name.as_str() {
            "--quick" => out.quick = true,
            "--liveness" => out.liveness = true,
            "--product" => out.product = true,
            "--reduction" => out.reduction = true,
            "--models" | "--repeat" | "--before" | "--isospin" | "--out" => {
                let value = args.next().ok_or(format!("{name} needs a value"))?;
                match name.as_str() {
                    "--models" => out.models = value,
                    "--repeat" => {
                        let number = value.parse().ok().filter(|&n| n > 0);
                        out.repeat = number.ok_or(format!("--repeat {value}"))?;
                    }
                    "--before" => out.before = Some(value.into()),
                    "--isospin" => out.isospin = Some(value.into()),
                    _ => out.out = Some(value.into()),
                }
            }
            _ => return Err(format!("{name} is not an option")),
        }
    }
    Ok(out)
}

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
    let args = arguments()?;
    let mut report = String::new();
    writeln!(report, "Load before: {}", load()).map_err(|e| e.to_string())?;
    let tools = || Tools::find_both(args.isospin.as_deref());
    let (models, quick, repeat) = (&args.models, args.quick, args.repeat);
    report += &match () {
        () if args.before.is_some() => {
            let [before, now] = [&args.before, &args.isospin].map(|p| Tools::find(p.as_deref()));
            before::report(&before?, &now?, models, quick, repeat)
        }
        () if args.product => product::report(models, quick, repeat),
        () if args.reduction => reduction::report(&tools()?, models, quick, repeat),
        () if args.liveness => liveness::report(&tools()?, models, quick, repeat),
        () => safety::report(&tools()?, models, quick, repeat),
    };
    writeln!(report, "\nLoad after: {}", load()).map_err(|e| e.to_string())?;
    println!("{report}");
    match args.out {
        Some(file) => std::fs::write(&file, report).map_err(|e| format!("{}: {e}", file.display())),
        None => Ok(()),
    }
}

/// How many programs wanted to run in the last minutes, and how many could.
fn load() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let words: Vec<&str> = text.split_whitespace().take(3).collect();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{} over 1, 5 and 15 minutes on {cores} cores", words.join(", "))
}
