//! Random labels and never claims for random models.

use isospin_logic::{translate, Formula, Limits};

use crate::formulas::{atoms, formula};
use crate::rng::Rng;
use crate::tree::{Piece, Text};

/// The model with `accept` and `progress` labels at some of its statements.
pub fn labelled(rng: &mut Rng, text: &Text) -> Text {
    let mut labelled = text.clone();
    let mut count = 0;
    for piece in &mut labelled.pieces {
        if let Piece::Group { open, inner, .. } = piece {
            if open.contains("proctype") || open.starts_with("init") {
                add_labels(rng, inner, &mut count);
            }
        }
    }
    labelled
}

fn add_labels(rng: &mut Rng, pieces: &mut [Piece], count: &mut u32) {
    for piece in pieces {
        let first = match piece {
            Piece::Line(text) => text.as_str(),
            Piece::Group { open, .. } => open.as_str(),
        };
        let word = first.split([' ', ';', '(']).next().unwrap_or_default();
        let declares = ["byte", "bit", "bool", "short", "int", "chan", "mtype", "local", "hidden"];
        let fixed = declares.contains(&word) || ["", "::", "else", "}", "xr", "xs"].contains(&word);
        if !fixed && rng.chance(20) {
            *count += 1;
            let kind = *rng.pick(&["accept", "progress"]);
            *piece = std::mem::replace(piece, Piece::line("")).labelled(&format!("{kind}_{count}"));
        }
        if let Piece::Group { open, inner, .. } = piece {
            if !open.starts_with("d_step") {
                add_labels(rng, inner, count);
            }
        }
    }
}

/// A never claim about a model that is given as text; none where there is nothing to speak about.
/// Half of them are made of formulas, which mostly do not count steps.
pub fn claim(rng: &mut Rng, text: &str) -> Option<String> {
    if rng.chance(50) {
        let formula = Formula::parse(&formula(rng, text)?).ok()?;
        return Some(translate(&formula, &Limits::default()).ok()?.buchi.never_claim("random"));
    }
    let mut atoms = atoms(text);
    atoms.truncate(6);
    if atoms.is_empty() {
        return None;
    }
    let states = rng.between(1, 3);
    let names: Vec<String> = (0..states)
        .map(|k| format!("{}S{k}", if rng.chance(40) { "accept_" } else { "T0_" }))
        .collect();
    let mut lines = vec!["never {".to_owned()];
    for (k, name) in names.iter().enumerate() {
        lines.push(format!("{name}: do"));
        // Claims that wait do so in loops.
        if rng.chance(60) {
            let wait = if rng.chance(50) { "(1)".to_owned() } else { condition(rng, &atoms) };
            lines.push(format!("  :: {wait} -> goto {}", names[k]));
        }
        for _ in 0..rng.between(1, 2) {
            let condition = condition(rng, &atoms);
            let to = rng.pick(&names);
            lines.push(match rng.below(10) {
                0 => format!("  :: atomic {{ {condition} -> assert(!{condition}) }}"),
                1 => format!("  :: {condition} -> assert({})", rng.pick(&atoms)),
                2 | 3 => format!("  :: {condition} -> goto done"),
                4 => format!("  :: atomic {{ {condition} -> {} }}; goto {to}", rng.pick(&atoms)),
                _ => format!("  :: {condition} -> goto {to}"),
            });
        }
        if rng.chance(20) {
            lines.push(format!("  :: else -> goto {}", rng.pick(&names)));
        }
        lines.push("  od;".to_owned());
    }
    let skip = if rng.chance(50) { "done: skip" } else { "accept_all: done: skip" };
    lines.extend([skip.to_owned(), "}".to_owned()]);
    Some(lines.join("\n"))
}

fn condition(rng: &mut Rng, atoms: &[String]) -> String {
    let mut literal = || {
        let atom = rng.pick(atoms).clone();
        if rng.chance(50) {
            format!("(!{atom})")
        } else {
            atom
        }
    };
    let (a, b) = (literal(), literal());
    match rng.below(6) {
        0 => format!("({a} && {b})"),
        1 => format!("({a} || {b})"),
        _ => a,
    }
}
