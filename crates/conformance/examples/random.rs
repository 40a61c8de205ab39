//! Compares Isospin with Spin on random models, and shrinks what they disagree about.
//!
//! `cargo run -p isospin-conformance --release --example random -- --seed 1 --count 1000`

use std::collections::BTreeMap;
use std::process::ExitCode;

use isospin_conformance::compare::{Comparison, Judge, Skipped};
use isospin_conformance::{generate, shrink, Spin};

struct Arguments {
    seed: u64,
    count: u64,
    limit: u64,
    print: bool,
    shrink: usize,
    stop: u64,
}

fn arguments() -> Result<Arguments, String> {
    let mut out =
        Arguments { seed: 1, count: 100, limit: 20_000, print: false, shrink: 600, stop: 10 };
    let mut args = std::env::args().skip(1);
    while let Some(name) = args.next() {
        if name == "--print" {
            out.print = true;
            continue;
        }
        let value = args.next().ok_or(format!("{name} needs a value"))?;
        let number: u64 = value.parse().map_err(|_| format!("{name} {value}"))?;
        match name.as_str() {
            "--seed" => out.seed = number,
            "--count" => out.count = number,
            "--limit" => out.limit = number,
            "--shrink" => out.shrink = number as usize,
            "--stop" => out.stop = number,
            _ => return Err(format!("{name} is not an option")),
        }
    }
    Ok(out)
}

fn main() -> ExitCode {
    let args = match arguments() {
        Ok(args) => args,
        Err(error) => {
            eprintln!("{error}");
            eprintln!("options: --seed N --count N --limit STATES --shrink TRIES --stop N --print");
            return ExitCode::from(2);
        }
    };
    if args.print {
        for seed in args.seed..args.seed + args.count {
            println!("/* seed {seed} */\n{}", generate(seed));
        }
        return ExitCode::SUCCESS;
    }
    let Some(spin) = Spin::find() else {
        eprintln!("spin or a C compiler is not installed");
        return ExitCode::from(2);
    };
    let judge = Judge { spin, limit: args.limit };
    // How often each outcome came, and the seed that it came with first.
    let mut tally: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    let mut states = 0;
    let mut found = 0;
    for seed in args.seed..args.seed + args.count {
        let text = generate(seed);
        let entry = match judge.compare(&text.to_string()) {
            Comparison::Agree { runtime, violated, states: n } => {
                states += n;
                match (runtime, violated) {
                    (true, _) => "agree: run-time error".to_owned(),
                    (_, true) => "agree: violated".to_owned(),
                    (_, false) => "agree: holds".to_owned(),
                }
            }
            Comparison::Skipped(Skipped::Large) => "skipped: large".to_owned(),
            Comparison::Skipped(Skipped::NoResult(why)) => {
                let why = why.rsplit(": ").find(|w| !w.contains("seconds"));
                format!("skipped: no result: {}", why.unwrap_or("?"))
            }
            Comparison::Skipped(Skipped::Rejected(why)) => {
                let line = why.lines().find(|l| l.contains("rror")).unwrap_or("?");
                let line = line.rsplit(':').next().unwrap_or(line);
                format!("rejected: {}", line.split(',').next().unwrap_or(line))
            }
            Comparison::Disagree(difference) => {
                found += 1;
                println!("seed {seed}: {difference}");
                let kind = difference.kind();
                let small = shrink(&text, args.shrink, |t| {
                    matches!(judge.compare(&t.to_string()),
                        Comparison::Disagree(d) if d.kind() == kind)
                });
                let file = std::env::temp_dir().join(format!("isospin-disagree-{seed}.pml"));
                if let Err(error) = std::fs::write(&file, small.to_string()) {
                    eprintln!("{}: {error}", file.display());
                }
                println!("{}:\n{small}", file.display());
                if let Comparison::Disagree(d) = judge.compare(&small.to_string()) {
                    println!("{d}\n");
                }
                format!("DISAGREE: {kind}")
            }
        };
        tally.entry(entry).or_insert((0, seed)).0 += 1;
        if found >= args.stop && args.stop > 0 {
            println!("stopped after seed {seed}");
            break;
        }
    }
    for (what, (count, first)) in &tally {
        println!("{count:6} {what} (seed {first})");
    }
    println!("{states} states compared");
    ExitCode::from(u8::from(found > 0))
}
