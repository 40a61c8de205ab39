//! What is asked of a model.

use isospin_logic::GeneralizedBuchi;
use isospin_model::Expr;

/// The names of the properties that every model has.
pub const ASSERTIONS: &str = "assertions";
/// See [`ASSERTIONS`].
pub const END_STATES: &str = "end-states";
/// The name of the property that no `accept` label is passed for ever.
pub const ACCEPTANCE: &str = "acceptance";
/// The name of the property that `progress` labels are passed for ever.
pub const PROGRESS: &str = "progress";
/// See [`ASSERTIONS`].
pub const RUNTIME_ERRORS: &str = "runtime-errors";
/// The name of the property that every model with timers has: time always goes on.
pub const TIME_PASSES: &str = "time-passes";

/// More acceptance sets than this do not fit into a word beside a flag.
pub const MAX_ACCEPTANCE_SETS: u32 = 63;

/// An automaton whose acceptance of an execution is a violation.
#[derive(Clone, Debug, PartialEq)]
pub struct GivenAutomaton {
    /// What it is called in the report.
    pub name: String,
    /// The automaton, with at most [`MAX_ACCEPTANCE_SETS`] acceptance sets.
    pub automaton: GeneralizedBuchi,
    /// What each of its propositions means.
    pub atoms: Vec<Expr>,
}

/// What is asked. `Asked::default()` asks for everything that the model states.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Asked {
    /// Only these properties, by name: formulas and claims of the model, and the properties that
    /// every model has.
    pub properties: Vec<String>,
    /// Formulas of the model that were given beside it, by name: asked for alone, and in addition
    /// to `properties`.
    pub given: Vec<String>,
    /// An automaton: asked for alone, and in addition.
    pub automaton: Option<GivenAutomaton>,
    /// Acceptance cycles: asked for alone, and in addition.
    pub acceptance: bool,
    /// Non-progress cycles: asked for alone, and in addition.
    pub progress: bool,
    /// Only what needs no cycle.
    pub safety_only: bool,
    /// An invalid end state is no error.
    pub ignore_end_states: bool,
    /// A violated assertion is no error.
    pub ignore_assertions: bool,
}

impl Asked {
    /// Whether everything that the model states is asked for.
    pub fn is_everything(&self) -> bool {
        self.properties.is_empty()
            && self.given.is_empty()
            && self.automaton.is_none()
            && !self.acceptance
            && !self.progress
    }
}
