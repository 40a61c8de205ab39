//! Random models, formulas, labels and claims: reductions, optimisations and liveness against brute force.
//!
//! `cargo run -p isospin-conformance --release --example soundness -- --seed 1 --count 1000`

use std::process::ExitCode;
use std::sync::Arc;

use isospin_conformance::brute::Space;
use isospin_conformance::claims::{claim, labelled};
use isospin_conformance::cyclic::{cyclic, meeting, odd};
use isospin_conformance::drive::Drive;
use isospin_conformance::formulas::{formula, odd_formula, promise};
use isospin_conformance::generate::{generate_with, Swarm};
use isospin_conformance::isospin::model_of;
use isospin_conformance::liveness::{check_claim, check_formula, check_labels};
use isospin_conformance::reductions::check_reductions;
use isospin_conformance::rng::Rng;
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

/// Counts what came out of a comparison of the model in `text`.
fn compare(
    drive: &mut Drive,
    seed: u64,
    what: &str,
    text: &Text,
    check: impl Fn(&str) -> Result<Option<String>, String>,
) {
    match check(&text.to_string()) {
        Ok(said) => drive.count(said.unwrap_or_else(|| format!("{what}, skipped"))),
        Err(why) => drive.differs(seed, &format!("{what}: {why}"), text, 3000, check),
    }
}

fn main() -> ExitCode {
    let mut drive = Drive::of_arguments(5);
    let (limit, formulas) = (drive.number("--limit", 400), drive.number("--formulas", 3));
    drive.run(|drive, seed| {
        let text = model(seed);
        compare(drive, seed, "reductions", &text, |t| reductions(t, 20 * limit));
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
            compare(drive, seed, "liveness", &with, |t| liveness(t, limit, seed));
        }
        let with = labelled(&mut rng, &text);
        compare(drive, seed, "labels", &with, |t| labels(t, limit));
        for _ in 0..formulas {
            let Some(claim) = claim(&mut rng, &text.to_string()) else { continue };
            let mut with = text.clone();
            with.pieces.push(Piece::line(claim));
            compare(drive, seed, "claims", &with, |t| claims(t, limit));
        }
    });
    drive.finish()
}
