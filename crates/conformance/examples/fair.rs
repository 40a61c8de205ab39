//! Random symmetric models: weak and strong fairness under symmetry against brute force.
//!
//! `cargo run -p isospin-conformance --release --example fair -- --seed 1 --count 5000`

use std::process::ExitCode;

use isospin_conformance::drive::Drive;
use isospin_conformance::fair::{check_fair, fair_model, Share};

fn main() -> ExitCode {
    let mut drive = Drive::of_arguments(3);
    let limit = drive.number("--limit", 1500) as usize;
    // Of all ways to search each model is searched in one of so many.
    let one_in = drive.number("--one-in", 1).max(1);
    let (mut searches, mut symmetric) = (0, 0);
    drive.run(|drive, seed| {
        let model = fair_model(seed);
        let share = Share { one_in, from: seed };
        match check_fair(&model.text.to_string(), limit, share) {
            Ok(None) => drive.count("(too large, or not read)"),
            Ok(Some(outcomes)) => {
                drive.count("(models compared)");
                model.features.iter().for_each(|feature| drive.count(format!("with {feature}")));
                for outcome in outcomes {
                    searches += outcome.searches;
                    symmetric += outcome.symmetric;
                    let [none, weak, strong] = outcome.violated;
                    drive.count(format!("violated: {none}, weak {weak}, strong {strong}"));
                }
            }
            Err(why) => {
                drive.differs(seed, &why, &model.text, 400, |t| check_fair(t, limit, share))
            }
        }
    });
    println!("{searches} searches, {symmetric} of them up to symmetry");
    drive.finish()
}
