//! Atoms: the state predicates of a formula, opaque to this crate.

use std::collections::HashMap;
use std::ops::Range;

use crate::error::Error;

/// The most atoms that one formula or automaton can have: a valuation is one machine word.
pub const MAX_ATOMS: usize = 64;

/// One atom: an expression of the modelling language, as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atom {
    /// The text, as written.
    pub text: String,
    /// The bytes of the formula (or automaton) that the text was first read from.
    pub span: Range<usize>,
}

/// The atoms of a formula or an automaton, by index.
///
/// Two pieces of text that differ only in white space are one atom.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AtomTable {
    atoms: Vec<Atom>,
    by_key: HashMap<String, usize>,
}

impl AtomTable {
    /// A table without atoms.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of atoms.
    pub fn len(&self) -> usize {
        self.atoms.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.atoms.is_empty()
    }

    /// The atom with this index.
    pub fn get(&self, index: usize) -> Option<&Atom> {
        self.atoms.get(index)
    }

    /// The text of the atom with this index; a made-up name where there is none.
    pub fn name(&self, index: usize) -> String {
        self.atoms.get(index).map_or_else(|| format!("p{index}"), |atom| atom.text.clone())
    }

    /// All atoms in the order of their indices.
    pub fn iter(&self) -> impl Iterator<Item = &Atom> {
        self.atoms.iter()
    }

    /// The index of the atom with this text, which is added where it is new.
    pub fn intern(&mut self, text: &str, span: Range<usize>) -> Result<usize, Error> {
        let key = text.split_whitespace().collect::<Vec<_>>().join(" ");
        self.intern_as(key, text, span)
    }

    /// As [`intern`](Self::intern), for a caller who knows better what makes two texts the same.
    pub(crate) fn intern_as(
        &mut self,
        key: String,
        text: &str,
        span: Range<usize>,
    ) -> Result<usize, Error> {
        if let Some(&index) = self.by_key.get(&key) {
            return Ok(index);
        }
        if self.atoms.len() == MAX_ATOMS {
            return Err(Error::TooManyAtoms { at: span.start });
        }
        let index = self.atoms.len();
        self.atoms.push(Atom { text: text.to_owned(), span });
        self.by_key.insert(key, index);
        Ok(index)
    }
}
