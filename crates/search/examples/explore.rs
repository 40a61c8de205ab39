//! Explores a Promela model with the interpreter and prints the figures.
//! Arguments: the model, then any of `bfs`, `threads=N`, `errors=N`, `memory=BYTES`, `shorten`.

use std::path::Path;
use std::sync::Arc;

use isospin_machine::Interpreter;
use isospin_search::{check_safety, Options, Order};

fn main() -> Result<(), String> {
    let mut args = std::env::args().skip(1);
    let path = args.next().ok_or("which model?")?;
    let mut options = Options { errors: 0, ..Options::default() };
    for arg in args {
        let (name, value) = arg.split_once('=').unwrap_or((&arg, "0"));
        let number: u64 = value.parse().map_err(|_| format!("{arg}?"))?;
        match name {
            "bfs" => options.order = Order::BreadthFirst,
            "threads" => options.threads = number as usize,
            "errors" => options.errors = number,
            "memory" => options.memory = Some(number),
            "shorten" => options.shorten = true,
            _ => return Err(format!("{arg}?")),
        }
    }
    let given = isospin_promela::Options::default();
    let reading = isospin_promela::read(Path::new(&path), &given, &mut |path| std::fs::read(path));
    let model = Arc::new(reading.into_model()?);
    let result = check_safety(|| Interpreter::new(Arc::clone(&model)), &options, &mut |p| {
        eprintln!("{} states, {:.0} a second", p.states, p.rate)
    });
    println!(
        "{:?}: {} states, {} transitions, {} errors, depth {}, {:?}",
        result.verdict,
        result.states,
        result.transitions,
        result.errors,
        result.depth,
        result.incomplete
    );
    println!(
        "{:.3} s, {:.2} million transitions a second; {:.1} bytes a state in the store, peak {} MB",
        result.time.as_secs_f64(),
        result.transitions as f64 / result.time.as_secs_f64() / 1e6,
        result.store_bytes as f64 / result.states.max(1) as f64,
        result.peak_bytes >> 20
    );
    for violation in &result.violations {
        println!("{:?} after {} steps", violation.kind, violation.steps.len());
    }
    Ok(())
}
