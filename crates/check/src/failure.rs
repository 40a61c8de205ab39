//! Why nothing can be checked.

use std::fmt;

use isospin_limits::Stopped;
use isospin_model::verify::Flaw;

/// What was asked cannot be done. Each is a sentence without a full stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The model has no such property.
    NoSuchProperty {
        /// The name that was asked for.
        name: String,
        /// The names that there are.
        known: Vec<String>,
    },
    /// No search can do this.
    Impossible(&'static str),
    /// A formula cannot be made into an automaton.
    Formula {
        /// The formula's name.
        name: String,
        /// Why not.
        why: String,
    },
    /// Machine code was asked for and cannot be made.
    NoMachineCode(String),
    /// The array that is to be sorted has not one element a name.
    NoMainArray(String),
    /// Names that were declared to be interchangeable are not.
    Declaration {
        /// Where, as `file:line:column: `, or nothing.
        place: String,
        /// The declared set.
        set: String,
        /// Why they cannot change places.
        why: String,
    },
    /// A limit was exceeded before the first search.
    Stopped(Stopped),
    /// A model was verified and is not what the rest of the program relies on: an internal error.
    Broken(Flaw),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::NoSuchProperty { name, known } => {
                write!(f, "the model has no property named `{name}`; it has {}", known.join(", "))
            }
            Failure::Impossible(sentence) => f.write_str(sentence),
            Failure::Formula { name, why } => write!(f, "`{name}`: {why}"),
            Failure::NoMachineCode(why) => {
                write!(f, "no machine code can be made for the model: {why}")
            }
            Failure::NoMainArray(array) => write!(
                f,
                "`{array}` cannot be sorted: it is no array of numbers with one element a name"
            ),
            Failure::Declaration { place, set, why } => {
                write!(f, "{place}the names of scalarset `{set}` cannot change places: {why}")
            }
            Failure::Stopped(stopped) => stopped.fmt(f),
            Failure::Broken(flaw) => write!(f, "the model is broken: {flaw}"),
        }
    }
}

impl std::error::Error for Failure {}
