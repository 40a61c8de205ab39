//! Every model of a collection beside what NuSMV 2.6 makes of it: accepted or refused, verdicts,
//! numbers of states, diameters, and the time that both took.
//!
//! ```text
//! cargo build --release -p isospin
//! cargo run --release -p isospin-conformance --example smv -- [OPTIONS]
//!
//! --folder DIR     the collection, with its expected.json (../shared/smv)
//! --seconds N      the time for each model (60), by the processor where it can be measured
//! --memory SIZE    the memory for each model (4G)
//! --only TEXT      only models whose name contains this
//! --slow N         only models that took NuSMV at least so many seconds, or too long
//! --isospin FILE   the program; otherwise the one that was built beside this one
//! ```
//!
//! Prints what differs, what was not finished, and the tables of `docs/performance.md`.

mod compare;
#[path = "../bench/process.rs"]
#[allow(dead_code)]
mod process;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use compare::{compare, Answer, Outcome};
use serde_json::Value;

struct Options {
    folder: PathBuf,
    isospin: PathBuf,
    seconds: u64,
    memory: String,
    only: Option<String>,
    slow: f64,
}

fn options() -> Result<Options, String> {
    let args: Vec<String> = std::env::args().collect();
    let of = |name: &str| {
        let at = args.iter().position(|a| a == name)?;
        args.get(at + 1).cloned()
    };
    let beside = std::env::current_exe().map_err(|e| e.to_string())?;
    let built = beside.parent().and_then(Path::parent).map(|dir| dir.join("isospin"));
    let isospin = of("--isospin").map(PathBuf::from).or(built).ok_or("where is isospin?")?;
    let number = |name: &str, usual: f64| match of(name) {
        Some(text) => text.parse::<f64>().map_err(|e| format!("{name}: {e}")),
        None => Ok(usual),
    };
    Ok(Options {
        folder: of("--folder").map_or_else(|| PathBuf::from("../shared/smv"), PathBuf::from),
        isospin: isospin
            .canonicalize()
            .map_err(|e| format!("{}: {e}; build it first", isospin.display()))?,
        seconds: number("--seconds", 60.0)? as u64,
        memory: of("--memory").unwrap_or_else(|| "4G".into()),
        only: of("--only"),
        slow: number("--slow", 0.0)?,
    })
}

/// One model beside its expectation.
struct Row {
    name: String,
    nusmv: f64,
    nusmv_finished: bool,
    seconds: f64,
    peak: u64,
    outcome: Outcome,
    reachable: String,
}

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<bool, String> {
    let options = options()?;
    let path = options.folder.join("expected.json");
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("notice: {} is not there, so nothing is compared", path.display());
        return Ok(true);
    };
    if !process::can_measure() {
        return Err("GNU time is not installed".into());
    }
    let expected: Vec<Value> = serde_json::from_str(&text).map_err(|e| e.to_string())?;
    let scratch = std::env::temp_dir().join(format!("isospin-smv-{}", std::process::id()));
    std::fs::create_dir_all(&scratch).map_err(|e| e.to_string())?;
    let mut rows = Vec::new();
    for model in &expected {
        let name = model["model"].as_str().unwrap_or_default();
        let nusmv = model["seconds"].as_f64().unwrap_or(0.0);
        let nusmv_finished = model["timeout"].as_bool() != Some(true);
        let wanted = options.only.as_ref().is_none_or(|text| name.contains(text.as_str()));
        if !wanted || nusmv < options.slow && nusmv_finished {
            continue;
        }
        let file = options.folder.join(name).canonicalize().map_err(|e| format!("{name}: {e}"))?;
        let args = [
            "check".to_owned(),
            "--json".to_owned(),
            "--no-trail".to_owned(),
            "--quiet".to_owned(),
            format!("--time={}s", options.seconds),
            format!("--memory={}", options.memory),
            file.display().to_string(),
        ];
        let ran = process::run(&scratch, &options.isospin, &args)?;
        let answer = Answer::read(&ran.text);
        let outcome = compare(model, answer.as_ref());
        println!("{:8.2} s  {name}: {outcome}", ran.cost.cpu);
        rows.push(Row {
            name: name.trim_end_matches(".smv").to_owned(),
            nusmv,
            nusmv_finished,
            seconds: ran.cost.cpu,
            peak: ran.cost.peak,
            outcome,
            reachable: answer.and_then(|a| a.reachable).unwrap_or_default(),
        });
    }
    let _ = std::fs::remove_dir_all(&scratch);
    tables(&rows);
    Ok(!rows.iter().any(|row| matches!(row.outcome, Outcome::Different(_))))
}

fn tables(rows: &[Row]) {
    let same = rows.iter().filter(|row| matches!(row.outcome, Outcome::Same)).count();
    println!("\n{} models: {same} the same", rows.len());
    for row in rows.iter().filter(|row| !matches!(row.outcome, Outcome::Same)) {
        println!("  {}: {}", row.name, row.outcome);
    }
    println!("\n| model | NuSMV | Isospin | times faster |\n| --- | ---: | ---: | ---: |");
    let mut compared: Vec<&Row> = rows
        .iter()
        .filter(|r| r.nusmv_finished && r.nusmv > 1.0 && matches!(r.outcome, Outcome::Same))
        .collect();
    compared.sort_by(|a, b| a.nusmv.total_cmp(&b.nusmv));
    let mut logarithms = 0.0;
    for row in &compared {
        let times = row.nusmv / row.seconds.max(0.01);
        logarithms += times.ln();
        println!("| {} | {:.2} | {:.2} | {times:.2} |", row.name, row.nusmv, row.seconds);
    }
    if !compared.is_empty() {
        let mean = (logarithms / compared.len() as f64).exp();
        println!("\ngeometric mean of {} models: {mean:.1}", compared.len());
    }
    println!(
        "\nNot finished by NuSMV:\n\n| model | states | seconds | MB | |\n| --- | ---: | ---: | ---: | --- |"
    );
    for row in rows.iter().filter(|row| !row.nusmv_finished) {
        let megabytes = row.peak >> 20;
        let (name, states) = (&row.name, &row.reachable);
        println!("| {name} | {states} | {:.2} | {megabytes} | {} |", row.seconds, row.outcome);
    }
}
