//! Every model there is, and random ones: whatever front end and optimisations make of them is what
//! the rest of the program relies on.
//!
//! `ISOSPIN_RANDOM_SEED` and `ISOSPIN_RANDOM_COUNT` say which random models and how many.

use std::path::{Path, PathBuf};

use isospin_analysis::optimize::{keep_ended, optimize, Optimizations};
use isospin_analysis::time::abstract_timers;
use isospin_conformance::cyclic::{cyclic, meeting};
use isospin_conformance::isospin::{model_of, read_model};
use isospin_conformance::symmetric::symmetric;
use isospin_conformance::timed::timed;
use isospin_conformance::{claims, formulas, generate, rng::Rng};
use isospin_model::{text, Expr, Model};

/// Calls `check` with a model as written and after every optimisation, alone and together, and with
/// what was done to it.
fn for_each_form(model: &Model, check: &mut dyn FnMut(&str, &Model)) {
    check("as written", model);
    let none = Optimizations::NONE;
    let each = [
        ("merged", Optimizations { merge: true, ..none }),
        ("without dead values", Optimizations { dead: true, ..none }),
        ("without unread variables", Optimizations { unread: true, ..none }),
        ("with jumps", Optimizations { jumps: true, ..none }),
        ("optimised", Optimizations::ALL),
    ];
    let mut observers: Vec<Expr> = Vec::new();
    for formula in &model.formulas {
        formula.temporal.for_each_atom(&mut |atom| observers.push(atom.clone()));
    }
    for (name, which) in each {
        let mut changed = model.clone();
        optimize(&mut changed, &observers, which);
        check(name, &changed);
    }
    let mut changed = model.clone();
    if keep_ended(&mut changed, &observers).is_ok() {
        check("with those who have ended", &changed);
        optimize(&mut changed, &observers, Optimizations::ALL);
        check("with those who have ended, optimised", &changed);
    }
    let mut changed = model.clone();
    if abstract_timers(&mut changed, &observers).is_ok() {
        check("with abstract timers", &changed);
    }
}

/// Every file below a folder, in order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    paths.sort();
    paths.into_iter().flat_map(|p| if p.is_dir() { files(&p) } else { vec![p] }).collect()
}

/// Calls `check` with every model in files, each under its name.
fn for_each_file(check: &mut dyn FnMut(&str, &Model)) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut read = 0;
    for folder in [root.join("models"), root.join("../shared/corpus")] {
        if !folder.is_dir() {
            println!("skipped: there is nothing at {}", folder.display());
        }
        for path in files(&folder) {
            if let Ok(model) = read_model(&path) {
                read += 1;
                check(&path.display().to_string(), &model);
            }
        }
    }
    println!("{read} models");
    assert!(read > 50, "too few models were read");
}

fn setting(name: &str) -> Option<u64> {
    let value = std::env::var(name).ok()?;
    Some(value.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

/// Calls `check` with random models of every sort, each under its text.
fn for_each_random(check: &mut dyn FnMut(&str, &Model)) {
    let usual = if cfg!(debug_assertions) { 10 } else { 150 };
    let first = setting("ISOSPIN_RANDOM_SEED").unwrap_or(1);
    let count = setting("ISOSPIN_RANDOM_COUNT").unwrap_or(usual);
    println!("seed {first}, {count} models of each sort");
    let mut read = 0;
    for seed in first..first + count {
        let mut rng = Rng::new(seed);
        let plain = generate(seed);
        let labelled = claims::labelled(&mut rng, &plain).to_string();
        let mut texts =
            vec![plain.to_string(), cyclic(seed).to_string(), meeting(seed).to_string()];
        texts.push(timed(seed).to_string());
        texts.push(symmetric(seed).text.to_string());
        if let Some(claim) = claims::claim(&mut rng, &labelled) {
            texts.push(format!("{labelled}\n{claim}"));
        }
        if let Some(formula) = formulas::formula(&mut rng, &texts[1]) {
            texts.push(format!("{}\nltl p {{ {formula} }}", texts[1]));
        }
        for text in texts {
            if let Ok(model) = model_of(&text) {
                read += 1;
                check(&text, &model);
            }
        }
    }
    println!("{read} models");
    assert!(read > 4 * count, "too few models were read");
}

fn sound(name: &str, model: &Model) {
    for_each_form(model, &mut |form, model| {
        if let Err(flaw) = model.verify() {
            panic!("{form}: {flaw}\nin {name}");
        }
    });
}

/// Text that is read back is the same model; numbers and names of its parts included.
fn reads_back(name: &str, model: &Model) {
    for_each_form(model, &mut |form, model| {
        let text = text::write(model);
        match text::read(&text) {
            Ok(read) if read == *model => {}
            Ok(read) => panic!("{form}: {}\nin {name}", difference(&text, &text::write(&read))),
            Err(error) => panic!("{form}: {error}\nin {name}\n{text}"),
        }
    });
}

/// The first line that differs.
fn difference(before: &str, after: &str) -> String {
    let lines = before.lines().zip(after.lines()).find(|(a, b)| a != b);
    lines.map_or("no line differs".to_owned(), |(a, b)| format!("{a}\nbecame\n{b}"))
}

#[test]
fn models_and_corpus_are_sound_after_lowering_and_after_every_optimisation() {
    for_each_file(&mut sound);
}

#[test]
fn random_models_are_sound_after_lowering_and_after_every_optimisation() {
    for_each_random(&mut sound);
}

#[test]
fn models_and_corpus_are_read_back_as_they_were_written() {
    for_each_file(&mut reads_back);
}

#[test]
fn random_models_are_read_back_as_they_were_written() {
    for_each_random(&mut reads_back);
}
