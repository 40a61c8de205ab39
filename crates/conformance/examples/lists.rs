//! What exploring in sets of states is good for, and what it is not: the table in
//! `docs/performance.md`.
//!
//! `cargo run -p isospin-conformance --release --example lists [-- FILTER]`
//!
//! Each model is checked by the program itself in both engines, within 2 GB and a time limit. Models
//! of the shared corpus are looked for beside the project.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// A model and its parameters. Where symmetry is a rotation of a ring, it is turned off: finding
/// representatives costs the explicit engine more than the few states that they save.
const MODELS: &[(&str, &[&str])] = &[
    ("models/classics/philosophers.pml", &["-DN=20"]),
    ("models/classics/philosophers.pml", &["-DN=50"]),
    ("models/classics/philosophers-deadlock.pml", &["-DN=40", "--no-symmetry"]),
    ("models/symmetry/ring-colouring.pml", &["-DN=40", "--no-symmetry"]),
    ("crates/conformance/models/scheduler.pml", &["-DN=20", "--no-symmetry"]),
    ("crates/conformance/models/token-ring.pml", &["-DN=20", "-DT=10", "--no-symmetry"]),
    ("crates/conformance/models/slotted-ring.pml", &["-DN=16", "--no-symmetry"]),
    ("crates/conformance/models/election.pml", &["-DN=24"]),
    ("crates/conformance/models/pipeline.pml", &["-DN=20"]),
    ("crates/conformance/models/locks.pml", &["-DN=20"]),
    ("../shared/corpus/beem/lamport_nonatomic.5.pm", &[]),
    ("../shared/corpus/beem/szymanski.5.pm", &[]),
    ("../shared/corpus/case-studies/phils/philo.pml", &[]),
    ("../shared/corpus/beem/phils.8.pm", &[]),
    ("models/symmetry/controller.pml", &["-DN=60"]),
    ("models/classics/readers-writers.pml", &["-DR=20", "-DW=10"]),
    ("models/timed/fischer.pml", &["-DN=8"]),
    ("models/classics/leader.pml", &["-DN=10"]),
    ("models/classics/two-phase-commit.pml", &["-DN=8"]),
    ("models/classics/raft-election.pml", &[]),
    ("models/classics/paxos.pml", &["-DA=4"]),
    ("models/symmetry/database-manager.pml", &["-DN=9"]),
    ("../shared/corpus/beem/leader_filters.5.pm", &[]),
];

const ENGINES: [&str; 2] = ["symbolic", "explicit"];

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let filter = std::env::args().nth(1).unwrap_or_default();
    let time = std::env::var("ISOSPIN_TIME").unwrap_or_else(|_| "120s".to_owned());
    let program = root.join("target/release/isospin");
    println!("| model | states | nodes | symbolic, s | MB | explicit | states |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    for (model, parameters) in MODELS {
        let file = root.join(model);
        if !model.contains(&filter) {
            continue;
        }
        if !file.exists() {
            println!("| {model} | not there | | | | | |");
            continue;
        }
        let runs = ENGINES.map(|engine| {
            let mut command = Command::new(&program);
            command.args(["check", "--json", "--quiet", "--safety", "--no-trail"]);
            command.args(["--ignore-end-states", "--memory", "2G", "--time", &time]);
            command.args(["--engine", engine]).args(*parameters).arg(&file);
            let output = command.output().expect("the program runs: cargo build --release");
            serde_json::from_slice::<Value>(&output.stdout).unwrap_or(Value::Null)
        });
        println!("{}", row(model, parameters, &runs));
    }
}

fn row(model: &str, parameters: &[&str], [sets, states]: &[Value; 2]) -> String {
    let name = model.trim_start_matches("../shared/").trim_start_matches("models/");
    let name = name.trim_start_matches("crates/conformance/models/");
    let name = format!("{name} {}", parameters.join(" ").replace("-D", ""));
    let ended = |run: &Value| match run["exhausted"].as_bool() {
        Some(true) => format!("{:.1}", run["time"]["total_s"].as_f64().unwrap_or(0.0)),
        _ => {
            let notes = run["notes"].to_string();
            let why = ["memory", "time"].into_iter().find(|w| notes.contains(w));
            format!("out of {}", why.unwrap_or("luck"))
        }
    };
    let megabytes = sets["memory"]["peak_bytes"].as_u64().unwrap_or(0) >> 20;
    format!(
        "| {} | {} | {} | {} | {megabytes} | {} | {} |",
        name.trim(),
        grouped(sets["reachable"].as_str().unwrap_or("?")),
        grouped(&sets["nodes"].to_string()),
        ended(sets),
        ended(states),
        grouped(&states["states"].to_string()),
    )
}

/// A long number as a power of ten, a short one in groups.
fn grouped(digits: &str) -> String {
    if digits.len() > 15 {
        return format!("{}.{}e{}", &digits[..1], &digits[1..3], digits.len() - 1);
    }
    isospin_report::format::grouped(digits)
}
