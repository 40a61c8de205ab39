//! The names of the warnings, and what to do about each.

use super::{Diagnostic, Severity};
use std::collections::HashMap;

macro_rules! lints {
    ($($(#[doc = $doc:literal])* $variant:ident = $name:literal,)*) => {
        /// A kind of warning; each has a name on the command line.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Lint { $($(#[doc = $doc])* $variant,)* }

        /// Every kind of warning, in the order of the manual.
        pub const LINTS: &[Lint] = &[$(Lint::$variant,)*];

        impl Lint {
            /// The name by which it is silenced or made an error.
            pub fn name(self) -> &'static str {
                match self { $(Lint::$variant => $name,)* }
            }

            /// One sentence for a list of the warnings.
            pub fn summary(self) -> &'static str {
                match self { $(Lint::$variant => concat!($($doc),*),)* }
            }
        }
    };
}

lints! {
    /// A variable that is never read, or never used at all.
    UnusedVariable = "unused-variable",
    /// A label that no goto, remote reference or special meaning uses.
    UnusedLabel = "unused-label",
    /// An inline that is never called.
    UnusedInline = "unused-inline",
    /// A proctype that is neither active nor run.
    ProctypeNeverRun = "proctype-never-run",
    /// A statement that control cannot reach.
    UnreachableCode = "unreachable-code",
    /// A goto from outside into the middle of an atomic sequence.
    JumpIntoAtomic = "jump-into-atomic",
    /// A statement inside a d_step that may block.
    BlockingDStep = "blocking-d-step",
    /// An unless inside a d_step, which has no effect.
    UnlessInDStep = "unless-in-d-step",
    /// A constant that the variable it goes into cannot hold.
    ConstantOutOfRange = "constant-out-of-range",
    /// More or fewer message fields than the channel declares.
    MessageFieldCount = "message-field-count",
    /// A message field of another type than the channel declares.
    MessageFieldType = "message-field-type",
    /// A temporal formula that is compared or computed with as if it were a number.
    TemporalOperand = "temporal-operand",
    /// A printf whose format and arguments do not match.
    PrintfArguments = "printf-arguments",
    /// A variable as an array's size; its initial value is taken.
    VariableArraySize = "variable-array-size",
    /// A macro that is defined a second time, differently.
    MacroRedefined = "macro-redefined",
    /// A `#warning` directive.
    UserWarning = "user-warning",
}

impl Lint {
    /// The lint of that name.
    pub fn from_name(name: &str) -> Option<Lint> {
        LINTS.iter().copied().find(|l| l.name() == name)
    }
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

/// What happens with each kind of warning; they warn unless told otherwise.
#[derive(Clone, Debug, Default)]
pub struct LintLevels {
    levels: HashMap<&'static str, Level>,
    others: Option<Level>,
}

impl LintLevels {
    /// Sets the level of one kind of warning.
    pub fn set(&mut self, lint: Lint, level: Level) {
        self.levels.insert(lint.name(), level);
    }

    /// Sets the level of a kind of warning by name; `warnings` means all that
    /// are not set on their own. Gives false when there is no such name.
    pub fn set_by_name(&mut self, name: &str, level: Level) -> bool {
        if name == "warnings" {
            self.others = Some(level);
            return true;
        }
        match Lint::from_name(name) {
            Some(lint) => self.set(lint, level),
            None => return false,
        }
        true
    }

    /// Silences and promotes the warnings among the diagnostics.
    pub fn apply(&self, diagnostics: &mut Vec<Diagnostic>) {
        diagnostics.retain_mut(|d| {
            let (Severity::Warning, Some(name)) = (d.severity, d.lint) else {
                return true;
            };
            let level = self.levels.get(name).copied().or(self.others);
            if level == Some(Level::Deny) {
                d.severity = Severity::Error;
            }
            level != Some(Level::Allow)
        });
    }
}
