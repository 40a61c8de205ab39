//! What came out of a check, as a value.

use std::time::Duration;

use isospin_analysis::facts::Obstacle;
use isospin_machine::{RuntimeError, Step};
use isospin_replay::{Renaming, Unconfirmed};
use isospin_search::liveness::Fairness;
use isospin_search::reduce::ReductionCounts;
pub use isospin_search::Verdict;
use isospin_search::{Incomplete, Order, ViolationKind};
use isospin_symmetry::Strategy;

use crate::applicable::{Reason, SearchKind};
use crate::options::MachineKind;
use crate::unreached::Unreached;

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
    /// All of them.
    pub const ALL: [PropertyKind; 9] = [
        PropertyKind::Assertion,
        PropertyKind::EndState,
        PropertyKind::Runtime,
        PropertyKind::Ltl,
        PropertyKind::Never,
        PropertyKind::Acceptance,
        PropertyKind::Progress,
        PropertyKind::Time,
        PropertyKind::Trace,
    ];

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

    /// The kind of property that an error while the model runs violates.
    pub fn of_error(error: RuntimeError) -> PropertyKind {
        match error {
            RuntimeError::UnexpectedEvent | RuntimeError::AllEventsMatched => PropertyKind::Trace,
            _ => PropertyKind::Runtime,
        }
    }

    /// The kind of property that a violation is one of.
    pub fn of_violation(violation: ViolationKind) -> PropertyKind {
        match violation {
            ViolationKind::Assertion => PropertyKind::Assertion,
            ViolationKind::EndState => PropertyKind::EndState,
            ViolationKind::Runtime(error) => PropertyKind::of_error(error),
        }
    }

    /// The kind that a word names.
    pub fn of_word(word: &str) -> Option<PropertyKind> {
        PropertyKind::ALL.into_iter().find(|kind| kind.word() == word)
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
    pub open: Option<Open>,
    /// The executions that violate it, the first found first; also those that were not
    /// [confirmed](Finding::unconfirmed), on which no verdict rests.
    pub findings: Vec<Finding>,
}

/// Why a property is left open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Open {
    /// The search was cut short.
    Limit(Incomplete),
    /// The search stopped at the error with this number.
    Stopped(u64),
    /// No search can check it.
    NotChecked,
    /// The engine that was chosen does not look for cycles.
    NoCycles,
    /// Some executions end in a run-time error, and nothing can be said of those.
    RuntimeErrors,
    /// An error was met, and the search was cut short before an execution that shows it was found.
    Met(Incomplete),
    /// An execution was found that does not show what it should: a mistake of the checker.
    Unconfirmed,
}

/// What is wrong in an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// The last step fails an assertion.
    Assertion,
    /// Nothing can happen in the last state, and some process may not end where it stands.
    EndState,
    /// The last step cannot be completed.
    Runtime(RuntimeError),
    /// It goes on for ever, and should not do so.
    Endless,
    /// A claim runs to its end, or an assertion in it fails.
    ClaimEnd,
    /// What the property asks cannot be evaluated in the last state.
    Unreadable(RuntimeError),
}

impl Wrong {
    /// Whether it is that the property cannot be evaluated.
    pub fn is_unreadable(self) -> bool {
        matches!(self, Wrong::Unreadable(_))
    }
}

/// An execution that violates a property.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// What is wrong.
    pub wrong: Wrong,
    /// Every step from the initial state on, of the model as written.
    pub steps: Vec<Step>,
    /// For an execution that goes on for ever, how many steps there are before its cycle; as many
    /// as there are steps where the last state stays.
    pub cycle: Option<usize>,
    /// Where the cycle would be too long to be written out and repeats with other names: who takes
    /// whose place from one round to the next.
    pub renaming: Option<Renaming>,
    /// Why the independent replayer does not agree, if it does not. Such an execution is a mistake
    /// of the checker and no violation.
    pub unconfirmed: Option<Unconfirmed>,
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
    /// Making the model ready and building machines.
    pub compile: Duration,
    /// The searches.
    pub search: Duration,
    /// The most memory held at any time.
    pub peak_bytes: u64,
    /// What the visited states took.
    pub store_bytes: u64,
    /// What a search in sets of states took; there are no transitions and no depth then, and
    /// `states` is the largest number where they are more.
    pub sets: Option<Sets>,
}

/// What a search in sets of states took.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sets {
    /// How many states there are, in decimal: often more than a machine word holds.
    pub reachable: String,
    /// How many nodes the set of all states has.
    pub nodes: u64,
    /// The most nodes that were in use at any time.
    pub peak_nodes: u64,
    /// How many levels there were, or sets that were saturated.
    pub iterations: u64,
    /// How many values the largest states have.
    pub slots: u64,
    /// How many groups of steps there are.
    pub groups: u64,
}

/// Which reductions were applied.
#[derive(Clone, Debug, Default)]
pub struct Applied {
    /// Partial-order reduction, in the search for what needs no cycle.
    pub por: bool,
    /// How often it applied, and why not otherwise, in all searches together.
    pub counts: ReductionCounts,
    /// The symmetry strategy.
    pub symmetry: Option<Strategy>,
    /// Dead variables, merged statements and the like.
    pub optimize: bool,
    /// Ticks in which nothing can happen taken in one step; `None` in a model without timers.
    pub jumps: Option<bool>,
}

/// How the answers were found: the first search that was run.
#[derive(Clone, Debug, PartialEq)]
pub struct Method {
    /// Which search.
    pub search: SearchKind,
    /// In which order a search for what needs no cycle went.
    pub order: Order,
    /// How many threads searched.
    pub threads: usize,
    /// Which executions counted.
    pub fairness: Fairness,
    /// Which machine.
    pub machine: MachineKind,
    /// How often partial-order reduction applied in it, where it was on.
    pub reduction: Option<ReductionCounts>,
    /// How many permutations there were, and how representatives were found.
    pub symmetry: Option<(f64, Strategy)>,
}

/// Something that a person should know about the result.
#[derive(Clone, Debug, PartialEq)]
pub enum Note {
    /// No machine code could be made, and the interpreter ran.
    NoMachineCode(String),
    /// Partial-order reduction is off because of what the model uses.
    Obstacle(Obstacle),
    /// A reduction that was wanted does not apply to a property.
    NotApplicable {
        /// The property.
        property: String,
        /// Its kind.
        kind: PropertyKind,
        /// Why not.
        reason: Reason,
    },
    /// A strategy with several representatives an orbit was asked for, and its canonical counterpart
    /// was used.
    Canonical {
        /// The strategy that was asked for.
        asked: Strategy,
        /// The one that was used.
        used: Strategy,
    },
    /// A symmetry strategy was asked for, and none was found: why.
    NoSymmetry(String),
    /// A loop over all names was blocked half way: symmetry was given up.
    Asymmetric,
    /// A property leaves some of the permutations.
    SymmetryCost {
        /// The property.
        property: String,
        /// How many permutations it leaves.
        left: f64,
        /// How many there are.
        whole: f64,
        /// An atom that costs some of them by itself.
        atom: Option<String>,
    },
    /// A property that is violated under weak fairness holds under strong fairness: a second search
    /// has found that out.
    HoldsIfStrong {
        /// The property.
        property: String,
    },
    /// A process can go round in an atomic sequence for ever, which no other property tells.
    EndlessAtomic {
        /// Its type.
        process: String,
        /// Where the statement stands that it comes back to.
        at: String,
    },
    /// A search was cut short after this time.
    Limit(Incomplete, Duration),
}

/// Everything that a check has to say.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The properties, in the order in which they were asked.
    pub properties: Vec<Property>,
    /// What it took.
    pub statistics: Statistics,
    /// What was applied.
    pub applied: Applied,
    /// How the answers were found; nothing where nothing had to be searched.
    pub method: Option<Method>,
    /// Whether everything was looked at.
    pub exhausted: bool,
    /// The statements that no execution takes. Only a search through all states of the model can
    /// tell: nothing where there was none, or where it was cut short.
    pub unreached: Option<Vec<Unreached>>,
    /// What else there is to know.
    pub notes: Vec<Note>,
}

impl Report {
    /// The verdict on all properties together.
    pub fn verdict(&self) -> Verdict {
        Verdict::all(self.properties.iter().map(|p| p.verdict))
    }

    /// The executions that the replayer did not confirm, with the names of their properties.
    pub fn unconfirmed(&self) -> impl Iterator<Item = (&str, &Finding, Unconfirmed)> {
        let findings =
            self.properties.iter().flat_map(|p| p.findings.iter().map(|f| (p.name.as_str(), f)));
        findings.filter_map(|(name, f)| f.unconfirmed.map(|why| (name, f, why)))
    }

    /// Adds a note, once.
    pub(crate) fn note(&mut self, note: Note) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }
}
