//! Random models explored as sets of states and by brute force.
//!
//! `ISOSPIN_RANDOM_SEED` and `ISOSPIN_RANDOM_COUNT` say which random models and how many.

use std::sync::Arc;
use std::time::{Duration, Instant};

use isospin_conformance::isospin::model_of;
use isospin_conformance::sets::check_sets;
use isospin_conformance::symmetric::symmetric;
use isospin_conformance::timed::timed;
use isospin_conformance::traced::traced;
use isospin_conformance::tree::Text;
use isospin_conformance::{cyclic, generate, shrink};

/// However slow the machine is, the test ends.
const TIME: Duration = Duration::from_secs(60);
const LIMIT: usize = 3_000;

fn setting(name: &str) -> Option<u64> {
    let value = std::env::var(name).ok()?;
    Some(value.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

/// What is wrong with a text, if anything is; whether it was compared.
fn compare(text: &Text) -> Result<bool, String> {
    let Ok(model) = model_of(&text.to_string()) else { return Ok(false) };
    check_sets(&Arc::new(model), LIMIT).map(|states| states.is_some())
}

fn agree(usual: u64, make: impl Fn(u64) -> Text) {
    let first = setting("ISOSPIN_RANDOM_SEED").unwrap_or(1);
    let usual = if cfg!(debug_assertions) { usual / 10 } else { usual };
    let count = setting("ISOSPIN_RANDOM_COUNT").unwrap_or(usual);
    println!("seed {first}, {count} models");
    let (start, mut agreed, mut skipped) = (Instant::now(), 0, 0);
    for seed in first..first + count {
        if start.elapsed() > TIME {
            println!("the time is up");
            break;
        }
        let text = make(seed);
        match compare(&text) {
            Ok(true) => agreed += 1,
            Ok(false) => skipped += 1,
            Err(why) => {
                let small = shrink(&text, 300, |t| compare(t).is_err());
                panic!("seed {seed}: {why}\nthe smallest model that shows it:\n{small}");
            }
        }
    }
    println!("{agreed} models agree, {skipped} were not compared");
    assert!(agreed > 0, "no model says anything: {skipped} skipped");
}

#[test]
fn random_models_have_the_same_states_in_sets() {
    agree(300, generate);
}

#[test]
fn models_that_never_end_have_the_same_states_in_sets() {
    agree(150, cyclic::cyclic);
    agree(100, cyclic::meeting);
    agree(100, cyclic::odd);
}

#[test]
fn models_with_timers_have_the_same_states_in_sets() {
    agree(150, timed);
}

#[test]
fn models_with_trace_assertions_have_the_same_states_in_sets() {
    agree(150, traced);
}

#[test]
fn symmetric_models_have_the_same_states_in_sets() {
    agree(100, |seed| symmetric(seed).text);
}
