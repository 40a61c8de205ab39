//! What can go wrong, each with a place where there is one and a sentence.

use std::fmt;

/// An error of this crate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The text of a formula is not one.
    Syntax {
        /// The byte offset in the formula's text.
        at: usize,
        /// What is wrong there.
        message: String,
    },
    /// A formula nests its operators more deeply than [`MAX_DEPTH`](crate::MAX_DEPTH).
    TooDeep {
        /// The byte offset of the operator that is one too deep.
        at: usize,
    },
    /// A formula or an automaton has more than [`MAX_ATOMS`](crate::MAX_ATOMS) atoms.
    TooManyAtoms {
        /// The byte offset of the first atom that is one too many.
        at: usize,
    },
    /// A construction outgrew one of its [`Limits`](crate::Limits).
    TooLarge {
        /// What there was too much of.
        what: &'static str,
        /// How much of it is allowed.
        limit: usize,
    },
    /// The text of an automaton in the HOA format is wrong, or asks for what is not supported.
    Hoa {
        /// The line, from 1.
        line: usize,
        /// The column in characters, from 1.
        column: usize,
        /// What is wrong there.
        message: String,
    },
}

impl Error {
    pub(crate) fn syntax(at: usize, message: impl Into<String>) -> Self {
        Error::Syntax { at, message: message.into() }
    }

    /// The byte offset in the formula's text that the error points at, where it has one.
    pub fn position(&self) -> Option<usize> {
        match self {
            Error::Syntax { at, .. } | Error::TooDeep { at } | Error::TooManyAtoms { at } => {
                Some(*at)
            }
            Error::TooLarge { .. } | Error::Hoa { .. } => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Syntax { at, message } => write!(out, "at byte {at} of the formula: {message}"),
            Error::TooDeep { at } => write!(
                out,
                "at byte {at} of the formula: operators nest more than {} deep",
                crate::MAX_DEPTH
            ),
            Error::TooManyAtoms { at } => {
                write!(out, "at byte {at}: more than {} different atoms", crate::MAX_ATOMS)
            }
            Error::TooLarge { what, limit } => write!(
                out,
                "the automaton of this formula is too large: it needs more than {limit} {what}"
            ),
            Error::Hoa { line, column, message } => {
                write!(out, "line {line}, column {column} of the automaton: {message}")
            }
        }
    }
}

impl std::error::Error for Error {}
