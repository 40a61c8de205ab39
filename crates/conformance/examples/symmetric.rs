//! Random models of processes that differ in their names only: symmetry against its absence, and
//! states against orbits by brute force.
//!
//! `cargo run -p isospin-conformance --release --example symmetric -- --seed 1 --count 1000`

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Arc;

use isospin_conformance::isospin::{explore, model_of};
use isospin_conformance::shrink;
use isospin_conformance::symmetric::symmetric;
use isospin_conformance::symmetry::{check_symmetry, Compared};

fn check(text: &str, limit: u64, names: Option<usize>) -> Result<Option<Compared>, String> {
    let Ok(model) = model_of(text) else { return Ok(None) };
    let model = Arc::new(model);
    if explore(&model, limit).is_none() {
        return Ok(None);
    }
    let compared = check_symmetry(&model, limit, names)?;
    Ok(compared.complete.then_some(compared))
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().collect();
    let number = |name: &str, usual: u64| {
        let at = args.iter().position(|a| a == name);
        at.and_then(|at| args.get(at + 1)?.parse().ok()).unwrap_or(usual)
    };
    let (first, count) = (number("--seed", 1), number("--count", 200));
    let (limit, stop) = (number("--limit", 4000), number("--stop", 5));
    println!("{count} models from seed {first} on");
    let mut tally: BTreeMap<String, u64> = BTreeMap::new();
    let mut wrong = 0;
    for seed in first..first + count {
        let model = symmetric(seed);
        let what = model.planted.unwrap_or("nothing planted");
        let names = model.counts.then_some(model.names);
        match check(&model.text.to_string(), limit, names) {
            Ok(None) => *tally.entry("(too large)".to_owned()).or_default() += 1,
            Ok(Some(c)) => {
                let group = match c.permutations {
                    p if p < 1.5 => "none",
                    p if p == (1..=model.names).map(|k| k as f64).product::<f64>() => "full",
                    p if p > 1.0 && c.counted => "part",
                    _ => "other",
                };
                let text = format!(
                    "{what}: {group}, violated {}, counted {}, given up {}",
                    c.violated, c.counted, c.given_up
                );
                *tally.entry(text).or_default() += 1;
                if args.iter().any(|a| a == "--none")
                    && group == "none"
                    && what == "nothing planted"
                {
                    println!("seed {seed}");
                }
            }
            Err(why) => {
                println!("seed {seed}: {what}: {why}");
                let still = |t: &str| check(t, limit, names).is_err();
                if args.iter().any(|a| a == "--whole") {
                    println!("{}", model.text);
                }
                let small = shrink(&model.text, 2000, |t| still(&t.to_string()));
                println!("{}", check(&small.to_string(), limit, names).unwrap_err());
                println!("{small}");
                wrong += 1;
            }
        }
        if wrong >= stop {
            println!("stopped after seed {seed}");
            break;
        }
    }
    for (what, count) in &tally {
        println!("{count:6} {what}");
    }
    ExitCode::from(u8::from(wrong > 0))
}
