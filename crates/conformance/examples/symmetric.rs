//! Random models of processes that differ in their names only: symmetry against its absence, and
//! states against orbits by brute force.
//!
//! `cargo run -p isospin-conformance --release --example symmetric -- --seed 1 --count 1000`

use std::process::ExitCode;
use std::sync::Arc;

use isospin_conformance::drive::Drive;
use isospin_conformance::isospin::{explore, model_of};
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
    let mut drive = Drive::of_arguments(5);
    let limit = drive.number("--limit", 4000);
    drive.run(|drive, seed| {
        let model = symmetric(seed);
        let what = model.planted.unwrap_or("nothing planted");
        let names = model.counts.then_some(model.names);
        match check(&model.text.to_string(), limit, names) {
            Ok(None) => drive.count("(too large)"),
            Ok(Some(c)) => {
                let group = match c.permutations {
                    p if p < 1.5 => "none",
                    p if p == (1..=model.names).map(|k| k as f64).product::<f64>() => "full",
                    p if p > 1.0 && c.counted => "part",
                    _ => "other",
                };
                drive.count(format!(
                    "{what}: {group}, violated {}, counted {}, given up {}",
                    c.violated, c.counted, c.given_up
                ));
                if drive.has("--none") && group == "none" && what == "nothing planted" {
                    println!("seed {seed}");
                }
            }
            Err(why) => {
                let why = format!("{what}: {why}");
                drive.differs(seed, &why, &model.text, 2000, |t| check(t, limit, names));
            }
        }
    });
    drive.finish()
}
