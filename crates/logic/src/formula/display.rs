//! Formulas as text that [`Formula::parse`](super::Formula::parse) reads back.

use std::fmt;

use super::{Formula, Node, Store, Term};

/// Subformulas are shared, so that what is small in memory may be endless on paper.
const MAX_SIZE: u64 = 100_000;

impl fmt::Display for Formula {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.store.size(self.root);
        if size > MAX_SIZE {
            return write!(out, "a formula that is too long to print: it has {size} atoms");
        }
        self.write(out, self.root, false)
    }
}

impl Formula {
    fn write(&self, out: &mut fmt::Formatter<'_>, term: Term, nested: bool) -> fmt::Result {
        match self.store.node(term) {
            Node::True => out.write_str("true"),
            Node::False => out.write_str("false"),
            Node::Literal(atom, positive) => {
                let text = self.atoms.name(*atom);
                let sign = if *positive { "" } else { "!" };
                let word = text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
                if word || (*positive && !nested) {
                    write!(out, "{sign}{text}")
                } else {
                    write!(out, "{sign}({text})")
                }
            }
            Node::And(parts) => self.write_chain(out, parts, " && ", nested),
            Node::Or(parts) => self.write_chain(out, parts, " || ", nested),
            Node::Next(inner) => self.write_prefixed(out, "X ", *inner),
            Node::Until(Store::TRUE, goal) => self.write_prefixed(out, "<> ", *goal),
            Node::Release(Store::FALSE, hold) => self.write_prefixed(out, "[] ", *hold),
            Node::Until(left, right) => self.write_chain(out, &[*left, *right], " U ", nested),
            Node::Release(left, right) => self.write_chain(out, &[*left, *right], " V ", nested),
        }
    }

    fn write_prefixed(
        &self,
        out: &mut fmt::Formatter<'_>,
        prefix: &str,
        term: Term,
    ) -> fmt::Result {
        out.write_str(prefix)?;
        self.write(out, term, true)
    }

    fn write_chain(
        &self,
        out: &mut fmt::Formatter<'_>,
        parts: &[Term],
        operator: &str,
        nested: bool,
    ) -> fmt::Result {
        if nested {
            out.write_str("(")?;
        }
        for (index, &part) in parts.iter().enumerate() {
            if index > 0 {
                out.write_str(operator)?;
            }
            self.write(out, part, true)?;
        }
        if nested {
            out.write_str(")")?;
        }
        Ok(())
    }
}
