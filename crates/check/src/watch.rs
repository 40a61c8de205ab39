//! Looking on while a check runs.

use isospin_search::Progress;

/// Somebody who wants to know how far a check is. Everything happens on the thread that checks.
pub trait Watch {
    /// A search is so far; about ten times a second.
    fn progress(&mut self, progress: &Progress) {
        let _ = progress;
    }

    /// A search has ended.
    fn search_ended(&mut self) {}
}

/// Nobody looks on.
impl Watch for () {}
