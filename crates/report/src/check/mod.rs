//! The outcome of a check: what was asked, what was found, what it took.

mod json;
mod text;
mod unreached;

pub use json::json;
pub use text::text;
pub use unreached::{unreached, Unreached};

use std::time::Duration;

use crate::story::Story;

/// The answer to a question about a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// It holds in every execution.
    Holds,
    /// Some execution violates it.
    Violated,
    /// No violation was found, and not everything was looked at.
    Incomplete,
}

impl Verdict {
    /// The word that scripts rely on.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::Violated => "violated",
            Verdict::Incomplete => "incomplete",
        }
    }

    /// The verdict on everything: one violation decides, one gap leaves it open.
    pub fn all(verdicts: impl IntoIterator<Item = Verdict>) -> Verdict {
        let mut all = Verdict::Holds;
        for verdict in verdicts {
            match verdict {
                Verdict::Violated => return Verdict::Violated,
                Verdict::Incomplete => all = Verdict::Incomplete,
                Verdict::Holds => {}
            }
        }
        all
    }
}

/// What kind of question a property is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum PropertyKind {
    Assertion,
    EndState,
    Runtime,
    Ltl,
    Never,
    Acceptance,
    Progress,
    Time,
    Trace,
}

impl PropertyKind {
    /// The word that scripts rely on.
    pub fn word(self) -> &'static str {
        match self {
            PropertyKind::Assertion => "assertion",
            PropertyKind::EndState => "end-state",
            PropertyKind::Runtime => "runtime",
            PropertyKind::Ltl => "ltl",
            PropertyKind::Never => "never",
            PropertyKind::Acceptance => "acceptance",
            PropertyKind::Progress => "progress",
            PropertyKind::Time => "time",
            PropertyKind::Trace => "trace",
        }
    }

    /// What a violation is called at the beginning of a sentence.
    pub fn violation(self) -> &'static str {
        match self {
            PropertyKind::Assertion => "Assertion violated",
            PropertyKind::EndState => "Invalid end state",
            PropertyKind::Runtime => "Run-time error",
            PropertyKind::Ltl => "Formula violated",
            PropertyKind::Never => "Never claim matched",
            PropertyKind::Acceptance => "Acceptance cycle",
            PropertyKind::Progress => "Non-progress cycle",
            PropertyKind::Time => "Zero cycle",
            PropertyKind::Trace => "Trace violated",
        }
    }
}

/// One property and its verdict.
#[derive(Clone, Debug)]
pub struct Property {
    /// Its name, by which it can be asked for.
    pub name: String,
    /// Its kind.
    pub kind: PropertyKind,
    /// The verdict.
    pub verdict: Verdict,
    /// Why the verdict is not more definite, where it is not.
    pub message: String,
    /// The executions that violate it, the first found first.
    pub findings: Vec<Finding>,
}

/// An execution that violates a property.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What is wrong, without the kind of the property.
    pub message: String,
    /// Where, as `file:line:column`.
    pub location: String,
    /// The file that the execution was written to.
    pub trail: Option<String>,
    /// How many steps it has.
    pub steps: usize,
    /// For an execution that goes on for ever, the step (from 1) that its cycle starts with.
    pub cycle_start: Option<usize>,
    /// What each process does on the cycle, a sentence each.
    pub parts: Vec<String>,
    /// The last steps.
    pub last: Vec<Story>,
    /// The state that it ends in; of a step that fails, the state before.
    pub state: Option<Vec<u8>>,
}

/// How much was looked at, and what it took.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// States stored.
    pub states: u64,
    /// Arrivals at storable states.
    pub transitions: u64,
    /// The longest path, in steps.
    pub depth: u64,
    /// Violations, each time one was met.
    pub errors: u64,
    /// Reading the model and building the machine.
    pub compile: Duration,
    /// The search.
    pub search: Duration,
    /// Everything.
    pub total: Duration,
    /// The most memory held at any time.
    pub peak_bytes: u64,
    /// What the visited states took.
    pub store_bytes: u64,
}

/// In how many states steps were put off, and in how many not, for which reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReducedStates {
    /// Steps were put off.
    pub reduced: u64,
    /// At most one process could move.
    pub alone: u64,
    /// Whoever could move was disturbed by somebody else who could.
    pub disturbed: u64,
    /// What could have been taken first is seen by the property.
    pub visible: u64,
    /// Something might have been put off for ever.
    pub cycle: u64,
    /// Nothing was looked for, because it is seldom found.
    pub unsought: u64,
}

impl ReducedStates {
    /// The shares, for people.
    pub fn text(&self) -> String {
        let looked = self.reduced + self.alone + self.disturbed + self.visible + self.cycle;
        let all = looked + self.unsought;
        let share = |n: u64| (n * 100).checked_div(all).unwrap_or(0);
        let mut text = format!("{}% of states reduced", share(self.reduced));
        let reasons = [
            (self.alone, "one process alone"),
            (self.disturbed, "all disturb each other"),
            (self.visible, "seen by a property"),
            (self.cycle, "on a cycle"),
            (self.unsought, "not looked for"),
        ];
        let reasons: Vec<String> = reasons
            .iter()
            .filter(|(n, _)| *n > 0)
            .map(|(n, why)| format!("{why} {}%", share(*n)))
            .collect();
        if !reasons.is_empty() {
            text += &format!("; the rest: {}", reasons.join(", "));
        }
        text
    }
}

/// Which reductions were applied.
#[derive(Clone, Debug)]
pub struct Reductions {
    /// Partial-order reduction.
    pub por: bool,
    /// How often it applied, and why not otherwise.
    pub reduced: ReducedStates,
    /// The symmetry strategy, `off` for none.
    pub symmetry: String,
    /// Dead variables, merged statements and the like.
    pub optimize: bool,
    /// Ticks in which nothing can happen taken in one step; `None` in a model without timers.
    pub jumps: Option<bool>,
}

/// Everything that a check has to say.
#[derive(Clone, Debug)]
pub struct CheckReport {
    /// The version of Isospin.
    pub version: String,
    /// The model's file, as named on the command line.
    pub model: String,
    /// The properties, in the order in which they were asked.
    pub properties: Vec<Property>,
    /// What it took.
    pub statistics: Statistics,
    /// What was applied.
    pub reductions: Reductions,
    /// Which search on which machine, for people.
    pub method: String,
    /// Whether everything was looked at.
    pub exhausted: bool,
    /// The statements that no execution takes. Only a search through all states of the model can
    /// tell: nothing where there was none, or where it was cut short.
    pub unreached: Option<Vec<Unreached>>,
    /// What else there is to know, each a sentence.
    pub notes: Vec<String>,
}

impl CheckReport {
    /// The verdict on all properties together.
    pub fn verdict(&self) -> Verdict {
        Verdict::all(self.properties.iter().map(|p| p.verdict))
    }
}

#[cfg(test)]
mod tests {
    use super::Verdict::{self, *};

    #[test]
    fn one_violation_decides_and_one_gap_leaves_open() {
        assert_eq!(Verdict::all([]), Holds);
        assert_eq!(Verdict::all([Holds, Incomplete, Holds]), Incomplete);
        assert_eq!(Verdict::all([Incomplete, Violated]), Violated);
    }
}
