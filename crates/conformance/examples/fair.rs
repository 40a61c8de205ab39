//! Random symmetric models: weak and strong fairness under symmetry against brute force.
//!
//! `cargo run -p isospin-conformance --release --example fair -- --seed 1 --count 5000`

use std::process::ExitCode;

use isospin_conformance::drive::Drive;
use isospin_conformance::fair::{check_fair, fair_model};

fn main() -> ExitCode {
    let mut drive = Drive::of_arguments(3);
    let limit = drive.number("--limit", 1500) as usize;
    let (mut searches, mut symmetric) = (0, 0);
    drive.run(|drive, seed| {
        let model = fair_model(seed);
        match check_fair(&model.text.to_string(), limit) {
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
            Err(why) => drive.differs(seed, &why, &model.text, 400, |t| check_fair(t, limit)),
        }
    });
    println!("{searches} searches, {symmetric} of them up to symmetry");
    drive.finish()
}
