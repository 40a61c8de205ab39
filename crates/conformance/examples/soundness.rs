//! Random models, formulas, labels and claims: reductions, optimisations and liveness against brute force.
//!
//! `cargo run -p isospin-conformance --release --example soundness -- --seed 1 --count 1000`

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Arc;

use isospin_conformance::brute::Space;
use isospin_conformance::claims::{claim, labelled};
use isospin_conformance::cyclic::{cyclic, meeting, odd};
use isospin_conformance::formulas::{formula, odd_formula, promise};
use isospin_conformance::generate::{generate_with, Swarm};
use isospin_conformance::isospin::model_of;
use isospin_conformance::liveness::{check_claim, check_formula, check_labels};
use isospin_conformance::reductions::check_reductions;
use isospin_conformance::rng::Rng;
use isospin_conformance::shrink;
use isospin_conformance::symmetric::symmetric;
use isospin_conformance::traced::traced;
use isospin_conformance::tree::{Piece, Text};
use isospin_model::Model;

/// A random model, of any kind; more often than elsewhere without what rules reduction out.
fn model(seed: u64) -> Text {
    match seed % 16 {
        3 | 11 => return odd(seed),
        7 => return traced(seed),
        _ => {}
    }
    match seed % 8 {
        0 | 4 => return cyclic(seed),
        2 | 6 => return meeting(seed),
        5 => return symmetric(seed).text,
        _ => {}
    }
    let mut rng = Rng::new(seed);
    let mut swarm = Swarm::random(&mut rng);
    if rng.chance(80) {
        (swarm.provided, swarm.priority, swarm.enabled) = (false, false, false);
        (swarm.last, swarm.hidden) = (false, false);
    }
    if rng.chance(40) {
        (swarm.rendezvous, swarm.unless) = (true, true);
    }
    generate_with(rng, swarm)
}

fn reductions(text: &str, limit: u64) -> Result<Option<String>, String> {
    let Ok(model) = model_of(text) else { return Ok(None) };
    let model = Arc::new(model);
    if Space::explore(&model, limit as usize).is_none() {
        return Ok(None);
    }
    let compared = check_reductions(&model, limit)?;
    Ok(compared.complete.then(|| {
        let less = compared.reduced > 0 && compared.reduced < compared.states;
        format!("reductions, violated {}, reduced {less}", compared.violated)
    }))
}

/// The model, if it has few states.
fn small(text: &str, limit: u64) -> Option<Arc<Model>> {
    let model = Arc::new(model_of(text).ok()?);
    Space::explore(&model, limit as usize).is_some().then_some(model)
}

fn labels(text: &str, limit: u64) -> Result<Option<String>, String> {
    let Some(model) = small(text, limit) else { return Ok(None) };
    let [acceptance, progress] = check_labels(&model, limit as usize)?;
    Ok(acceptance.zip(progress).map(|(a, p)| format!("labels, violated {} {}", a[0], p[0])))
}

fn claims(text: &str, limit: u64) -> Result<Option<String>, String> {
    let Some(model) = small(text, limit) else { return Ok(None) };
    let checked = check_claim(&model, limit as usize)?;
    Ok(checked.map(|(stutters, v)| format!("claims, closed {stutters}, violated {}", v[0])))
}

fn liveness(text: &str, limit: u64, seed: u64) -> Result<Option<String>, String> {
    let Some(model) = small(text, limit) else { return Ok(None) };
    let verdicts = check_formula(&model, limit as usize, &mut Rng::new(seed))?;
    Ok(verdicts.map(|v| format!("liveness, violated {v:?}")))
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().collect();
    let number = |name: &str, usual: u64| {
        let at = args.iter().position(|a| a == name);
        at.and_then(|at| args.get(at + 1)?.parse().ok()).unwrap_or(usual)
    };
    let (first, count) = (number("--seed", 1), number("--count", 200));
    let (limit, formulas) = (number("--limit", 400), number("--formulas", 3));
    let (stop, step) = (number("--stop", 5), number("--step", 1));
    println!("{count} models from seed {first} on, every {step}");
    let mut tally: BTreeMap<String, u64> = BTreeMap::new();
    let mut wrong = 0;
    for seed in (first..first + count * step).step_by(step as usize) {
        let text = model(seed);
        let mut failed = |what: &str, text: &Text, why: &str, still: &dyn Fn(&str) -> bool| {
            println!("seed {seed}: {what}: {why}");
            let small = shrink(text, 3000, |t| still(&t.to_string()));
            println!("{small}");
            wrong += 1;
        };
        match reductions(&text.to_string(), 20 * limit) {
            Ok(said) => {
                *tally.entry(said.unwrap_or("reductions, skipped".into())).or_default() += 1
            }
            Err(why) => {
                let still = |t: &str| reductions(t, 20 * limit).is_err();
                failed("reductions", &text, &why, &still);
            }
        }
        let mut rng = Rng::new(seed ^ 0x5eed);
        for k in 0..formulas {
            let formula = if seed % 4 == 2 && k > 0 {
                Some(promise(&mut rng))
            } else if seed % 8 == 3 {
                odd_formula(&mut rng, &text.to_string())
            } else {
                formula(&mut rng, &text.to_string())
            };
            let Some(formula) = formula else { continue };
            let mut with = text.clone();
            with.pieces.push(Piece::line(format!("ltl f {{ {formula} }}")));
            match liveness(&with.to_string(), limit, seed) {
                Ok(said) => {
                    *tally.entry(said.unwrap_or("liveness, skipped".into())).or_default() += 1;
                }
                Err(why) => {
                    let still = |t: &str| liveness(t, limit, seed).is_err();
                    failed("liveness", &with, &why, &still);
                }
            }
        }
        let with = labelled(&mut rng, &text);
        match labels(&with.to_string(), limit) {
            Ok(said) => *tally.entry(said.unwrap_or("labels, skipped".into())).or_default() += 1,
            Err(why) => failed("labels", &with, &why, &|t: &str| labels(t, limit).is_err()),
        }
        for _ in 0..formulas {
            let Some(claim) = claim(&mut rng, &text.to_string()) else { continue };
            let mut with = text.clone();
            with.pieces.push(Piece::line(claim));
            match claims(&with.to_string(), limit) {
                Ok(said) => {
                    *tally.entry(said.unwrap_or("claims, skipped".into())).or_default() += 1;
                }
                Err(why) => failed("claims", &with, &why, &|t: &str| claims(t, limit).is_err()),
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
