//! Why a command ends without having done what it was told.

use std::fmt;

use crate::output::complain;
use crate::Status;

/// The input or the command line is wrong, or this program is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// This is to be said on standard error, one sentence.
    Said(String),
    /// Everything has been said already, by diagnostics.
    Silent,
    /// A limit was exceeded before anything could be said; one sentence.
    Stopped(String),
    /// This program has made a mistake; one sentence.
    Internal(String),
}

impl Failure {
    /// A failure with its sentence.
    pub fn new(sentence: impl fmt::Display) -> Failure {
        Failure::Said(sentence.to_string())
    }

    /// Work that a limit has ended.
    pub fn stopped(stopped: isospin_limits::Stopped) -> Failure {
        Failure::Stopped(stopped.to_string())
    }

    /// What is to be said; nothing where everything has been.
    pub fn sentence(&self) -> &str {
        match self {
            Failure::Said(s) | Failure::Stopped(s) | Failure::Internal(s) => s,
            Failure::Silent => "",
        }
    }

    /// Says it on standard error, unless everything has been said.
    pub fn complain(&self) {
        if *self != Failure::Silent {
            complain(self.sentence());
        }
    }

    /// The status with which the command ends.
    pub fn status(&self) -> Status {
        match self {
            Failure::Said(_) | Failure::Silent => Status::BadInput,
            Failure::Stopped(_) | Failure::Internal(_) => Status::Incomplete,
        }
    }
}
