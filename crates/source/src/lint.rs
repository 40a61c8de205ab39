//! The kinds of warnings, and what to do about each.

use std::collections::HashMap;

use crate::{Diagnostic, Severity};

/// A kind of warning; each has a name on the command line. A front end declares its own with
/// [`lints!`](crate::lints).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Lint {
    name: &'static str,
    summary: &'static str,
}

impl Lint {
    /// A kind of warning with its name, in kebab case, and one sentence about it.
    pub const fn new(name: &'static str, summary: &'static str) -> Lint {
        Lint { name, summary }
    }

    /// The name by which it is silenced or made an error.
    pub fn name(self) -> &'static str {
        self.name
    }

    /// One sentence for a list of the warnings.
    pub fn summary(self) -> &'static str {
        self.summary.trim()
    }
}

/// Declares the kinds of warnings of a language, a constant each, and `LINTS`, the list of them
/// all. A constant's documentation is its summary.
///
/// ```
/// isospin_source::lints! {
///     /// A variable that is never used.
///     UNUSED_VARIABLE = "unused-variable",
/// }
/// assert_eq!(LINTS, [UNUSED_VARIABLE]);
/// assert_eq!(UNUSED_VARIABLE.summary(), "A variable that is never used.");
/// ```
#[macro_export]
macro_rules! lints {
    ($($(#[doc = $doc:literal])* $constant:ident = $name:literal,)*) => {
        $(
            $(#[doc = $doc])*
            pub const $constant: $crate::Lint = $crate::Lint::new($name, concat!($($doc),*));
        )*

        /// Every kind of warning, in the order of the manual.
        pub const LINTS: &[$crate::Lint] = &[$($constant,)*];
    };
}

/// What happens with a kind of warning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// It is not shown.
    Allow,
    /// It is shown.
    Warn,
    /// It rejects the model.
    Deny,
}

/// What happens with each kind of warning of a language; they warn unless told otherwise.
#[derive(Clone, Debug)]
pub struct LintLevels {
    lints: &'static [Lint],
    levels: HashMap<Lint, Level>,
    others: Option<Level>,
}

impl LintLevels {
    /// All of the language's kinds of warnings warn.
    pub fn new(lints: &'static [Lint]) -> LintLevels {
        LintLevels { lints, levels: HashMap::new(), others: None }
    }

    /// Sets the level of one kind of warning.
    pub fn set(&mut self, lint: Lint, level: Level) {
        self.levels.insert(lint, level);
    }

    /// Sets the level of a kind of warning by name; `warnings` means all that
    /// are not set on their own. Gives false when there is no such name.
    pub fn set_by_name(&mut self, name: &str, level: Level) -> bool {
        if name == "warnings" {
            self.others = Some(level);
            return true;
        }
        let Some(&lint) = self.lints.iter().find(|l| l.name == name) else {
            return false;
        };
        self.set(lint, level);
        true
    }

    /// Silences and promotes the warnings among the diagnostics.
    pub fn apply(&self, diagnostics: &mut Vec<Diagnostic>) {
        diagnostics.retain_mut(|d| {
            let (Severity::Warning, Some(lint)) = (d.severity, d.lint) else {
                return true;
            };
            let level = self.levels.get(&lint).copied().or(self.others);
            if level == Some(Level::Deny) {
                d.severity = Severity::Error;
            }
            level != Some(Level::Allow)
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Span;

    const LATE: Lint = Lint::new("late", " What comes late.");
    const LOUD: Lint = Lint::new("loud", " What is loud.");

    /// What the levels make of one warning of each kind and one error.
    fn applied(levels: &LintLevels) -> Vec<(Option<Lint>, bool)> {
        let mut diagnostics = vec![
            Diagnostic::warning(LATE, Span::NONE, "late"),
            Diagnostic::warning(LOUD, Span::NONE, "loud"),
            Diagnostic::error(Span::NONE, "wrong"),
        ];
        levels.apply(&mut diagnostics);
        diagnostics.iter().map(|d| (d.lint, d.is_error())).collect()
    }

    #[test]
    fn warnings_warn_unless_told_otherwise() {
        let levels = LintLevels::new(&[LATE, LOUD]);
        assert_eq!(applied(&levels), [(Some(LATE), false), (Some(LOUD), false), (None, true)]);
    }

    #[test]
    fn one_by_name_goes_before_all_of_them() {
        let mut levels = LintLevels::new(&[LATE, LOUD]);
        assert!(levels.set_by_name("loud", Level::Allow));
        assert!(levels.set_by_name("warnings", Level::Deny));
        assert_eq!(applied(&levels), [(Some(LATE), true), (None, true)]);
    }

    #[test]
    fn a_name_that_the_language_does_not_declare_is_refused() {
        assert!(!LintLevels::new(&[LATE]).set_by_name("loud", Level::Allow));
    }
}
