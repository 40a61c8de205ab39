//! What is known of models without running them, and what optimisations make of them.

#[path = "../../model/tests/support/files.rs"]
mod files;

use std::fmt::Write;
use std::path::Path;

use isospin_analysis::facts::{Access, Objects, Shared};
use isospin_analysis::optimize::{keep_ended, optimize, Optimizations};
use isospin_analysis::Facts;
use isospin_model::{text, Model};

/// What shared objects the next step at each location may touch, and what all steps after that may;
/// then which lines each optimisation changes.
fn answer(model: &Model) -> String {
    let mut out = String::new();
    let facts = Facts::of(model, &[]);
    let shared = facts.shared(model);
    if let Some(obstacle) = facts.obstacle {
        let _ = writeln!(out, "nothing can be put off: {obstacle:?}");
    }
    for (proctype, locations) in model.proctypes.iter().zip(&facts.locations) {
        for (k, location) in locations.iter().enumerate() {
            let _ = writeln!(out, "{} at {k}:", proctype.name);
            let _ = writeln!(out, "  next {}", touched(&location.next, &shared));
            let _ = writeln!(out, "  ever {}", touched(&location.future, &shared));
        }
    }
    let none = Optimizations::NONE;
    for (name, which) in [
        ("merged", Optimizations { merge: true, ..none }),
        ("dead", Optimizations { dead: true, ..none }),
        ("unread", Optimizations { unread: true, ..none }),
        ("jumps", Optimizations { jumps: true, ..none }),
    ] {
        let mut changed = model.clone();
        optimize(&mut changed, &[], which);
        out += &differences(name, model, &changed);
    }
    let mut changed = model.clone();
    match keep_ended(&mut changed, &[]) {
        Ok(()) => out += &differences("ended", model, &changed),
        Err(why) => {
            let _ = writeln!(out, "ended: {why}");
        }
    }
    out
}

fn touched(access: &Access, shared: &[(Shared, String)]) -> String {
    let names = |objects: &Objects| {
        if objects.everything {
            return "everything".to_owned();
        }
        let there = shared.iter().filter(|(object, _)| objects.has(*object));
        there.map(|(_, name)| name.as_str()).collect::<Vec<_>>().join(", ")
    };
    let mut parts = Vec::new();
    for (verb, objects) in [("reads", &access.reads), ("writes", &access.writes)] {
        if !objects.is_empty() {
            parts.push(format!("{verb} {}", names(objects)));
        }
    }
    for own in &access.own {
        let how = if own.read_only { "looks at" } else { "uses" };
        parts.push(format!("{how} its {:?} ({:?})", own.object, own.end));
    }
    if parts.is_empty() {
        "touches nothing".to_owned()
    } else {
        parts.join("; ")
    }
}

/// The lines that an optimisation has changed. It adds none and takes none away.
fn differences(name: &str, before: &Model, after: &Model) -> String {
    after.verify().unwrap_or_else(|flaw| panic!("{name}: {flaw}"));
    let (before, after) = (text::write(before), text::write(after));
    assert_eq!(before.lines().count(), after.lines().count(), "{name}");
    let changed = before.lines().zip(after.lines()).filter(|(a, b)| a != b);
    let lines: String = changed.map(|(a, b)| format!("- {}\n+ {}\n", a.trim(), b.trim())).collect();
    if lines.is_empty() {
        lines
    } else {
        format!("{name}:\n{lines}")
    }
}

#[test]
fn facts_and_optimisations_are_as_expected() {
    files::check_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models"), answer);
}
