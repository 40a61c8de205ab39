//! Random symmetric models: weak and strong fairness under symmetry against brute force.
//!
//! `cargo run -p isospin-conformance --release --example fair -- --seed 1 --count 5000`

use std::collections::BTreeMap;
use std::process::ExitCode;

use isospin_conformance::fair::{check_fair, fair_model};
use isospin_conformance::shrink;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().collect();
    let number = |name: &str, usual: u64| {
        let at = args.iter().position(|a| a == name);
        at.and_then(|at| args.get(at + 1)?.parse().ok()).unwrap_or(usual)
    };
    let (first, count) = (number("--seed", 1), number("--count", 200));
    let (limit, stop) = (number("--limit", 1500) as usize, number("--stop", 3));
    println!("{count} models from seed {first} on");
    let mut tally: BTreeMap<String, u64> = BTreeMap::new();
    let (mut wrong, mut searches, mut symmetric) = (0, 0, 0);
    for seed in first..first + count {
        let model = fair_model(seed);
        let text = model.text.to_string();
        if args.iter().any(|a| a == "--whole") {
            println!("{text}");
        }
        match check_fair(&text, limit) {
            Ok(None) => *tally.entry("(too large, or not read)".to_owned()).or_default() += 1,
            Ok(Some(outcomes)) => {
                *tally.entry("(models compared)".to_owned()).or_default() += 1;
                for feature in &model.features {
                    *tally.entry(format!("with {feature}")).or_default() += 1;
                }
                for outcome in outcomes {
                    searches += outcome.searches;
                    symmetric += outcome.symmetric;
                    let [none, weak, strong] = outcome.violated;
                    let text = format!("violated: {none}, weak {weak}, strong {strong}");
                    *tally.entry(text).or_default() += 1;
                }
            }
            Err(why) => {
                println!("seed {seed}: {why}");
                let still = |t: &str| check_fair(t, limit).is_err();
                let small = shrink(&model.text, 400, |t| still(&t.to_string()));
                println!("{}", check_fair(&small.to_string(), limit).unwrap_err());
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
    println!("{searches} searches, {symmetric} of them up to symmetry, {wrong} models differ");
    ExitCode::from(u8::from(wrong > 0))
}
