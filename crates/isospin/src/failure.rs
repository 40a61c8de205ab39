//! Why a command ends with status 2.

use std::fmt;

/// The input or the command line is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// This is to be said on standard error, one sentence.
    Said(String),
    /// Everything has been said already, by diagnostics.
    Silent,
}

impl Failure {
    /// A failure with its sentence.
    pub fn new(sentence: impl fmt::Display) -> Failure {
        Failure::Said(sentence.to_string())
    }
}
