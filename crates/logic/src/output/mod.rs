//! Automata as text, never claims, HOA and DOT.

mod dot;
mod hoa;
mod never;
mod text;

use crate::atoms::AtomTable;
use crate::label::{Cube, Label};

/// A label as an expression of the modelling language.
pub(crate) fn expression(label: &Label, atoms: &AtomTable) -> String {
    let product = |cube: &Cube| {
        let literals: Vec<String> = cube
            .literals()
            .map(|(atom, positive)| {
                let sign = if positive { "" } else { "!" };
                format!("{sign}({})", atoms.name(atom))
            })
            .collect();
        match literals.len() {
            0 => "1".to_owned(),
            1 => literals.concat(),
            _ => format!("({})", literals.join(" && ")),
        }
    };
    let products: Vec<String> = label.cubes.iter().map(product).collect();
    match products.len() {
        0 => "(0)".to_owned(),
        1 if label.is_always() => "(1)".to_owned(),
        1 => products.concat(),
        _ => format!("({})", products.join(" || ")),
    }
}
