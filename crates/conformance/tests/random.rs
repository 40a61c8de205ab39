//! Random models, through Spin and through Isospin.
//!
//! `ISOSPIN_RANDOM_SEED` and `ISOSPIN_RANDOM_COUNT` say which and how many.

use std::time::{Duration, Instant};

use isospin_conformance::compare::{Comparison, Judge};
use isospin_conformance::{generate, shrink, Spin};

/// However slow the machine is, the test ends.
const TIME: Duration = Duration::from_secs(60);

fn setting(name: &str) -> Option<u64> {
    let value = std::env::var(name).ok()?;
    Some(value.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

#[test]
fn spin_and_isospin_agree_on_random_models() {
    let Some(spin) = Spin::find() else {
        println!("skipped: spin or a C compiler is not installed");
        return;
    };
    let judge = Judge { spin, limit: 5_000 };
    let day = std::time::UNIX_EPOCH.elapsed().map_or(0, |t| t.as_secs() / 86_400);
    let seed = setting("ISOSPIN_RANDOM_SEED").unwrap_or(day * 1_000_000);
    let usual = if cfg!(debug_assertions) { 40 } else { 400 };
    let count = setting("ISOSPIN_RANDOM_COUNT").unwrap_or(usual);
    println!("seed {seed}, {count} models");
    let start = Instant::now();
    let (mut agreed, mut skipped) = (0, 0);
    for seed in seed..seed + count {
        if start.elapsed() > TIME {
            println!("the time is up");
            break;
        }
        let text = generate(seed);
        match judge.compare(&text.to_string()) {
            Comparison::Agree { .. } => agreed += 1,
            Comparison::Skipped(_) => skipped += 1,
            Comparison::Disagree(difference) => {
                let kind = difference.kind();
                let small = shrink(&text, 400, |t| {
                    matches!(judge.compare(&t.to_string()),
                        Comparison::Disagree(d) if d.kind() == kind)
                });
                panic!("seed {seed}: {difference}\nthe smallest model that shows it:\n{small}");
            }
        }
    }
    println!("{agreed} models agree, {skipped} were not compared");
    assert!(agreed > skipped, "most models say nothing: {agreed} agree, {skipped} skipped");
}
