//! What was exceeded, and in the middle of what.

use std::fmt;

/// Which limit was exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spent {
    /// The time was up.
    Time,
    /// The memory was used up.
    Memory,
    /// The run was interrupted.
    Interrupted,
}

/// Work that was ended by a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// The limit.
    pub spent: Spent,
    /// What was going on, as in `the model was being read`.
    pub phase: &'static str,
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.spent {
            Spent::Time => "the time was up",
            Spent::Memory => "the memory was used up",
            Spent::Interrupted => "interrupted",
        };
        write!(f, "{what} while {}", self.phase)
    }
}
