//! Mutants of models that people wrote: each is read, and checked with a small limit. Nothing may
//! panic, nothing may hang past its limit, and the program may end with no status but its own.
//!
//! `cargo run --release -p isospin-conformance --example mutants -- --count 100000`
//!
//! The models are those of the corpus beside the checkout, where there is one, and those of
//! `models`. Mutants are tried in batches by child processes, so that one that brings its process
//! down costs only its own; every so many are also given to the program `isospin`, where that was
//! built. The same seed gives the same mutants.

mod one;
mod watch;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use watch::Tally;

/// What the command line says.
#[derive(Clone)]
pub struct Arguments {
    seed: u64,
    from: u64,
    count: u64,
    jobs: u64,
    /// The time limit of a check, in milliseconds.
    time: u64,
    /// Every so many mutants the program is run, too; 0 for never.
    every: u64,
    /// Whether this is a child, which tries one mutant after the other.
    child: bool,
    print: bool,
}

const OPTIONS: &str = "options: --count N --seed N --from N --jobs N --time MILLISECONDS \
                       --program-every N --print";

fn arguments() -> Result<Arguments, String> {
    let jobs = std::thread::available_parallelism().map_or(1, |n| n.get() as u64);
    let mut out = Arguments {
        seed: 1,
        from: 0,
        count: 1_000,
        jobs,
        time: 40,
        every: 100,
        child: false,
        print: false,
    };
    let mut args = std::env::args().skip(1);
    while let Some(name) = args.next() {
        match name.as_str() {
            "--child" => out.child = true,
            "--print" => out.print = true,
            _ => {
                let value = args.next().ok_or(format!("{name} needs a value"))?;
                let number: u64 = value.parse().map_err(|_| format!("{name} {value}"))?;
                match name.as_str() {
                    "--seed" => out.seed = number,
                    "--from" => out.from = number,
                    "--count" => out.count = number,
                    "--jobs" => out.jobs = number.max(1),
                    "--time" => out.time = number,
                    "--program-every" => out.every = number,
                    _ => return Err(format!("{name} is not an option")),
                }
            }
        }
    }
    Ok(out)
}

/// The models, in the same order every time.
fn models() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let corpus = root.join("../shared/corpus");
    if !corpus.exists() {
        eprintln!(
            "notice: there is no corpus at {}; the project's own models alone",
            corpus.display()
        );
    }
    let mut found = Vec::new();
    let mut folders = vec![root.join("models"), corpus];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let end = path.extension().and_then(|e| e.to_str()).unwrap_or("");
            if path.is_dir() {
                folders.push(path);
            } else if ["pml", "pm", "spin", "prm", "promela"].contains(&end) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn main() -> ExitCode {
    let args = match arguments() {
        Ok(args) => args,
        Err(error) => {
            eprintln!("{error}\n{OPTIONS}");
            return ExitCode::from(2);
        }
    };
    let texts = one::Texts::read(models());
    if args.print || args.child {
        for number in args.from..args.from + args.count {
            if args.print {
                println!("{}", texts.mutant(args.seed, number).text);
            } else {
                one::try_out(&texts, &args, number);
            }
        }
        return ExitCode::SUCCESS;
    }
    let start = Instant::now();
    let next = AtomicU64::new(args.from);
    let all = Mutex::new(Tally::default());
    std::thread::scope(|scope| {
        for _ in 0..args.jobs {
            scope.spawn(|| loop {
                let batch = 250.min(args.count.div_ceil(args.jobs)).max(1);
                let from = next.fetch_add(batch, Ordering::Relaxed);
                let end = (from + batch).min(args.from + args.count);
                if from >= end {
                    break;
                }
                let tally = watch::batch(&args, from, end);
                tally.wrong.iter().for_each(|wrong| eprintln!("\nWRONG {wrong}"));
                let mut all = all.lock().unwrap_or_else(|e| e.into_inner());
                all.add(tally);
                eprint!("\r{} of {}, {} wrong ", all.tried, args.count, all.wrong.len());
            });
        }
    });
    eprintln!();
    let all = all.into_inner().unwrap_or_else(|e| e.into_inner());
    report(&args, &all, texts.count(), start.elapsed())
}

fn report(args: &Arguments, all: &Tally, models: usize, took: Duration) -> ExitCode {
    println!(
        "{} mutants of {models} models (seed {}) in {:.0} s, each at most {} ms of search",
        all.tried,
        args.seed,
        took.as_secs_f64(),
        args.time
    );
    let outcomes: &BTreeMap<String, u64> = &all.outcomes;
    for (outcome, count) in outcomes {
        println!("  {outcome:<24} {count:>8}");
    }
    let slowest: Vec<String> =
        all.slowest.iter().map(|(ms, number)| format!("{ms} ms (mutant {number})")).collect();
    println!("  the slowest: {}", slowest.join(", "));
    for wrong in &all.wrong {
        println!("WRONG {wrong}");
    }
    if all.wrong.is_empty() {
        println!("no panic, no hang, no undocumented exit status");
        ExitCode::SUCCESS
    } else {
        println!("--print --seed {} --from NUMBER --count 1 shows a mutant", args.seed);
        ExitCode::FAILURE
    }
}
