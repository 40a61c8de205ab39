//! How a check is to be done, and how far it may go.

use std::time::Duration;

use isospin_analysis::Optimizations;
pub use isospin_limits::Interrupt;
use isospin_search::liveness::Fairness;
use isospin_search::reduce::AmpleSets;
use isospin_search::Order;
use isospin_symmetry::Strategy;

/// Which engine looks for what needs no cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Engine {
    /// State by state.
    #[default]
    Explicit,
    /// In sets of states: list decision diagrams.
    Symbolic,
}

/// Which machine steps the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MachineKind {
    /// Machine code made for the model.
    Native,
    /// The reference interpreter.
    Interpreter,
}

/// How cycles are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum EmptinessChoice {
    /// Whichever suits the property.
    #[default]
    Auto,
    /// Nested depth-first search: no or weak fairness, acceptance in states.
    Nested,
    /// By components.
    Components,
    /// Cycles without progress, without an automaton.
    Direct,
}

/// Which symmetry reduction is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum SymmetryChoice {
    /// None.
    Off,
    /// The strategy that a look at the model suggests.
    #[default]
    Auto,
    /// This strategy.
    Strategy(Strategy),
}

/// Which reductions are wanted. Which of them apply to a search is up to
/// [`applicable`](crate::applicable::applicable).
#[derive(Clone, Debug, PartialEq)]
pub struct Wanted {
    /// Optimisations of the model.
    pub optimize: Optimizations,
    /// Partial-order reduction, and among which sets of steps it chooses.
    pub por: Option<AmpleSets>,
    /// Symmetry reduction.
    pub symmetry: SymmetryChoice,
    /// The array that strategies sort, where it is not to be picked.
    pub main_array: Option<String>,
}

impl Wanted {
    /// All of them.
    pub fn all() -> Wanted {
        Wanted {
            optimize: Optimizations::ALL,
            por: Some(AmpleSets::default()),
            symmetry: SymmetryChoice::Auto,
            main_array: None,
        }
    }

    /// None of them: every state and every step of the model as written.
    pub fn none() -> Wanted {
        Wanted {
            optimize: Optimizations::NONE,
            por: None,
            symmetry: SymmetryChoice::Off,
            main_array: None,
        }
    }
}

/// The options of a check. `Options::default()` uses every reduction, machine code and all cores,
/// has no limits, and stops at the first violation.
#[derive(Clone, Debug)]
pub struct Options {
    /// Which executions count, for what is asked of infinite ones.
    pub fairness: Fairness,
    /// How cycles are looked for.
    pub emptiness: EmptinessChoice,
    /// Which engine searches.
    pub engine: Engine,
    /// In which order states are visited, where no cycle is looked for.
    pub order: Order,
    /// How many threads search; without a number, as many as there are cores.
    pub threads: Option<usize>,
    /// Which machine steps the model; without a choice, machine code if it can be made.
    pub machine: Option<MachineKind>,
    /// Whether a shorter counterexample is looked for once one is found.
    pub shorten: bool,
    /// Whether, under symmetry, only the first of several processes is followed that can do the same
    /// up to their names, where cycles are looked for.
    pub twins: bool,
    /// Which reductions are wanted.
    pub wanted: Wanted,
    /// A search stops at the violation with this number; 0 counts them all.
    pub errors: u64,
    /// How many different violations of a search are handed out.
    pub findings: usize,
    /// How many bytes everything may hold.
    pub memory: Option<u64>,
    /// How long everything may take.
    pub time: Option<Duration>,
    /// How many steps an execution may have.
    pub depth: Option<u32>,
    /// Whether models are verified: as they come in, and after every optimisation. A flaw is a
    /// mistake of this program.
    pub verify: bool,
    /// Ends the check from outside.
    pub interrupt: Interrupt,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            fairness: Fairness::None,
            emptiness: EmptinessChoice::Auto,
            engine: Engine::Explicit,
            order: Order::DepthFirst,
            threads: None,
            machine: None,
            shorten: false,
            twins: true,
            wanted: Wanted::all(),
            errors: 1,
            findings: 64,
            memory: None,
            time: None,
            depth: None,
            verify: false,
            interrupt: Interrupt::default(),
        }
    }
}
