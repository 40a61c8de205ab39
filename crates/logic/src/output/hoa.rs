//! Automata in the Hanoi omega-automata format, version 1 (Babiak et al. 2015).

use std::fmt::Write;

use super::text::marks;
use crate::atoms::AtomTable;
use crate::automaton::{Buchi, GeneralizedBuchi, Strength};
use crate::label::{Cube, Label};

impl Buchi {
    /// The automaton in HOA, with acceptance on states.
    pub fn hoa(&self, name: &str) -> String {
        let mut text = header(name, &self.atoms, self.len(), self.initial);
        text.push_str("acc-name: Buchi\nAcceptance: 1 Inf(0)\n");
        text.push_str("properties: trans-labels explicit-labels state-acc");
        if self.is_deterministic() {
            text.push_str(" deterministic");
        }
        text.push_str(match self.strength() {
            Strength::Terminal => " terminal\n--BODY--\n",
            Strength::Weak => " weak\n--BODY--\n",
            Strength::Strong => "\n--BODY--\n",
        });
        for (state, edges) in self.edges.iter().enumerate() {
            let accepting = if self.accepting[state] { " {0}" } else { "" };
            let _ = writeln!(text, "State: {state}{accepting}");
            for edge in edges {
                let _ = writeln!(text, "[{}] {}", guard(&edge.label), edge.to);
            }
        }
        text.push_str("--END--\n");
        text
    }
}

impl GeneralizedBuchi {
    /// The automaton in HOA, with acceptance on edges.
    pub fn hoa(&self, name: &str) -> String {
        let mut text = header(name, &self.atoms, self.len(), self.initial);
        let sets: Vec<String> = (0..self.sets).map(|set| format!("Inf({set})")).collect();
        let _ = match self.sets {
            0 => writeln!(text, "acc-name: all\nAcceptance: 0 t"),
            1 => writeln!(text, "acc-name: Buchi\nAcceptance: 1 Inf(0)"),
            count => writeln!(
                text,
                "acc-name: generalized-Buchi {count}\nAcceptance: {count} {}",
                sets.join(" & ")
            ),
        };
        text.push_str("properties: trans-labels explicit-labels trans-acc\n--BODY--\n");
        for (state, edges) in self.edges.iter().enumerate() {
            let _ = writeln!(text, "State: {state}");
            for edge in edges {
                let _ = write!(text, "[{}] {}", guard(&edge.label), edge.to);
                let sets: Vec<String> = marks(edge.marks).map(|set| set.to_string()).collect();
                if !sets.is_empty() {
                    let _ = write!(text, " {{{}}}", sets.join(" "));
                }
                text.push('\n');
            }
        }
        text.push_str("--END--\n");
        text
    }
}

fn header(name: &str, atoms: &AtomTable, states: usize, initial: usize) -> String {
    let mut text = String::from("HOA: v1\n");
    let _ = writeln!(text, "name: {}", quoted(name));
    let _ = writeln!(text, "States: {states}\nStart: {initial}");
    let _ = write!(text, "AP: {}", atoms.len());
    for atom in atoms.iter() {
        let _ = write!(text, " {}", quoted(&atom.text));
    }
    text.push('\n');
    text
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn guard(label: &Label) -> String {
    let product = |cube: &Cube| {
        let literals: Vec<String> = cube
            .literals()
            .map(|(atom, positive)| format!("{}{atom}", if positive { "" } else { "!" }))
            .collect();
        if literals.is_empty() {
            "t".to_owned()
        } else {
            literals.join("&")
        }
    };
    if label.cubes.is_empty() {
        "f".to_owned()
    } else {
        label.cubes.iter().map(product).collect::<Vec<_>>().join(" | ")
    }
}
