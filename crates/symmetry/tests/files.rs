//! What is found symmetric in small models, and what stands in the way.

#[path = "../../model/tests/support/files.rs"]
mod files;

use std::fmt::Write;
use std::path::Path;

use isospin_analysis::Optimizations;
use isospin_model::{Expr, Model};
use isospin_symmetry::prepare;

/// Every set of names with what can change places, what carries it, and why others cannot; and the
/// size of the group.
fn answer(model: &Model) -> String {
    let mut observers: Vec<Expr> = Vec::new();
    for formula in &model.formulas {
        formula.temporal.for_each_atom(&mut |atom| observers.push(atom.clone()));
    }
    let detection = prepare(model, &observers, Some(Optimizations::ALL)).detection;
    let mut out = String::new();
    if let Some(obstacle) = &detection.obstacle {
        let _ = writeln!(out, "no symmetry: {obstacle}");
        return out;
    }
    let order = detection.symmetry.as_ref().map_or(1.0, |s| s.group.order());
    let _ = writeln!(out, "permutations: {order}");
    for report in &detection.domains {
        let domain = &report.domain;
        let _ = writeln!(out, "names of {}: {:?}", domain.name, domain.values);
        let named = |members: &[u8]| -> Vec<u8> {
            members.iter().map(|&m| domain.values[usize::from(m)]).collect()
        };
        for block in &report.blocks {
            let _ = writeln!(out, "  can change places: {:?}", named(block));
        }
        if report.listed > 0 {
            let _ = writeln!(out, "  rotations and reflections: {}", report.listed);
        }
        for carrier in &report.carriers {
            let _ = writeln!(out, "  carried by {carrier}");
        }
        for (a, b, breach) in &report.breaches {
            let pair = named(&[*a, *b]);
            let text =
                if breach.text.is_empty() { String::new() } else { format!("`{}`: ", breach.text) };
            let _ = writeln!(out, "  {} and {} cannot: {text}{}", pair[0], pair[1], breach.why);
        }
    }
    out
}

#[test]
fn symmetry_is_found_where_it_is_expected_and_nowhere_else() {
    files::check_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models"), answer);
}
