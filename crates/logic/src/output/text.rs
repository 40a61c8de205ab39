//! Automata as plain text for people.

use std::fmt;

use super::expression;
use crate::automaton::{Buchi, GeneralizedBuchi};

impl fmt::Display for Buchi {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (state, edges) in self.edges.iter().enumerate() {
            write!(out, "state {state}")?;
            if state == self.initial {
                write!(out, ", initial")?;
            }
            if self.accepting[state] {
                write!(out, ", accepting")?;
            }
            writeln!(out)?;
            for edge in edges {
                writeln!(out, "  {} -> {}", expression(&edge.label, &self.atoms), edge.to)?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for GeneralizedBuchi {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "acceptance sets: {}", self.sets)?;
        for (state, edges) in self.edges.iter().enumerate() {
            write!(out, "state {state}")?;
            if state == self.initial {
                write!(out, ", initial")?;
            }
            writeln!(out)?;
            for edge in edges {
                write!(out, "  {} -> {}", expression(&edge.label, &self.atoms), edge.to)?;
                let marks: Vec<String> = marks(edge.marks).map(|set| set.to_string()).collect();
                if !marks.is_empty() {
                    write!(out, " {{{}}}", marks.join(" "))?;
                }
                writeln!(out)?;
            }
        }
        Ok(())
    }
}

/// The numbers of the sets in a word of marks.
pub(super) fn marks(marks: u64) -> impl Iterator<Item = u32> {
    (0..64).filter(move |set| marks >> set & 1 == 1)
}
