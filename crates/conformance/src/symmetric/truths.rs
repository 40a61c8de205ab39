//! Truth values that are used as numbers: 0 and 1, and never what they were made of.

use super::Gen;

impl Gen {
    /// A truth value.
    pub(super) fn truth(&mut self) -> String {
        let condition = self.comparison();
        let number = *self.rng.pick(&["l_d", "g_d"]);
        match self.rng.below(8) {
            0 => format!("({condition})"),
            1 => format!("!({condition})"),
            2 => format!("(1 && ({condition}))"),
            3 => format!("(({condition}) || ({}))", self.comparison()),
            4 => format!("(1 && {number})"),
            5 => format!("({number} && 1)"),
            6 => format!("(0 || {number})"),
            _ => format!("!(!{number})"),
        }
    }

    /// A condition in which a truth value counts as a number.
    pub(super) fn counted_truth(&mut self) -> String {
        let equal = *self.rng.pick(&["==", "!="]);
        let number = *self.rng.pick(&["l_d", "g_d"]);
        match self.rng.below(3) {
            0 => format!("{number} {equal} {}", self.truth()),
            1 => format!("{} + {number} {equal} {}", self.truth(), self.rng.below(3)),
            _ => format!("{} {equal} {}", self.truth(), self.truth()),
        }
    }
}
