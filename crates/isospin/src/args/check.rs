//! What can be asked of a check.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::units::{duration, size, threads};
use super::ModelArgs;

/// The order in which states are visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SearchOrder {
    /// Depth-first
    Dfs,
    /// Breadth-first: the first counterexample is a shortest one
    Bfs,
}

/// Which machine steps the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MachineKind {
    /// Machine code made for the model
    Native,
    /// The reference interpreter
    Interpreter,
}

/// Fairness between processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Fairness {
    /// Every execution counts
    None,
    /// Who can always move does so at some time
    Weak,
    /// Who can move again and again does so at some time
    Strong,
}

/// How a cycle is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EmptinessChoice {
    /// Whichever suits the property
    Auto,
    /// Nested depth-first search: no or weak fairness, with accepting states
    Nested,
    /// By components: fairness, acceptance sets of edges
    Components,
    /// For --progress alone: without an automaton, without reductions
    Direct,
}

/// Among which sets of steps partial-order reduction chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Por {
    /// Those of single processes that nobody disturbs, as in Spin
    Process,
    /// Those of clusters of processes that nobody outside disturbs
    Cluster,
    /// The same, where who cannot move is disturbed only by whoever may let him
    Stubborn,
}

/// How the representative of a state's orbit is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs)]
pub enum Symmetry {
    Auto,
    Off,
    Full,
    Sorted,
    Segmented,
    PcSorted,
    PcSegmented,
    Refined,
}

/// In which order steps are taken when sets of states are explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Steps {
    /// Breadth first; by saturation once that has become expensive and there are several parts
    Auto,
    /// Breadth first: the only one that finds out the diameter
    Breadth,
    /// Part by part, each from everything that was reached before it
    Chaining,
    /// Part by part, each until it leads to nothing new
    Saturation,
}

/// Which engine looks at states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    /// Sets of states, as decision diagrams
    Symbolic,
    /// States, one by one
    Explicit,
}

/// The arguments of `check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// The model
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,

    /// Only what needs no cycle: assertions, end states, run-time errors
    #[arg(long, conflicts_with_all = ["ltl", "ltl_file", "hoa", "acceptance", "progress"], help_heading = "What to check")]
    pub safety: bool,
    /// Check a formula of linear temporal logic
    #[arg(long, value_name = "FORMULA", help_heading = "What to check")]
    pub ltl: Vec<String>,
    /// Check the formula in a file; what follows # or // in a line is a comment
    #[arg(long, value_name = "FILE", help_heading = "What to check")]
    pub ltl_file: Vec<PathBuf>,
    /// Check that no execution is accepted by this automaton in the Hanoi omega-automata format,
    /// whose propositions are expressions of the model
    #[arg(long, value_name = "FILE", help_heading = "What to check")]
    pub hoa: Option<PathBuf>,
    /// Check only this property: a formula or claim of the model, or assertions, end-states,
    /// runtime-errors
    #[arg(long, value_name = "NAME", help_heading = "What to check")]
    pub property: Vec<String>,
    /// Look for acceptance cycles
    #[arg(long, help_heading = "What to check")]
    pub acceptance: bool,
    /// Look for non-progress cycles
    #[arg(long, help_heading = "What to check")]
    pub progress: bool,
    /// Fairness between processes
    #[arg(long, value_enum, default_value = "none", help_heading = "What to check")]
    pub fair: Fairness,
    /// An invalid end state is no error
    #[arg(long, help_heading = "What to check")]
    pub ignore_end_states: bool,
    /// A violated assertion is no error
    #[arg(long, help_heading = "What to check")]
    pub ignore_assertions: bool,

    /// Stop at the N-th error; 0 explores everything and counts them
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "How far to look")]
    pub errors: u64,
    /// Executions of at most N steps
    #[arg(long, value_name = "N", help_heading = "How far to look")]
    pub depth: Option<u32>,
    /// At most so much memory, as in 512M or 4G [default: nine tenths of what is available]
    #[arg(long, value_name = "SIZE", value_parser = size, help_heading = "How far to look")]
    pub memory: Option<u64>,
    /// At most so long, as in 10s, 5m or 1h30m
    #[arg(long, value_name = "DURATION", value_parser = duration, help_heading = "How far to look")]
    pub time: Option<Duration>,

    /// Which engine searches [default: explicit for Promela, symbolic for SMV]
    #[arg(long, value_enum, help_heading = "How to search")]
    pub engine: Option<Engine>,
    /// SMV: in which order steps are taken when reachable states are looked for
    #[arg(long, value_enum, default_value = "auto", help_heading = "How to search")]
    pub strategy: Steps,
    /// SMV: the order of variables in decision diagrams, one a line
    #[arg(long, value_name = "FILE", help_heading = "How to search")]
    pub order: Option<PathBuf>,
    /// SMV: write the order that was used
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub write_order: Option<PathBuf>,
    /// SMV: write the first execution that was found as a value change dump, for waveform viewers
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub vcd: Option<PathBuf>,
    /// The order in which states are visited
    #[arg(long, value_enum, default_value = "dfs", help_heading = "How to search")]
    pub search: SearchOrder,
    /// How cycles are looked for
    #[arg(long, value_enum, default_value = "auto", help_heading = "How to search")]
    pub emptiness: EmptinessChoice,
    /// How many threads search; one is deterministic [default: one for small models, then as many
    /// as there are cores]
    #[arg(long, value_name = "N", value_parser = threads, help_heading = "How to search")]
    pub threads: Option<usize>,
    /// Which machine steps the model [default: native]
    #[arg(long, value_enum, help_heading = "How to search")]
    pub machine: Option<MachineKind>,
    /// Check that the model is what searches rely on, as read and after every optimisation
    #[arg(long, help_heading = "How to search")]
    pub verify_model: bool,
    /// Look for a shorter counterexample once one is found
    #[arg(long, help_heading = "How to search")]
    pub shorten: bool,

    /// No reduction and no optimisation
    #[arg(long, help_heading = "Reductions")]
    pub exact: bool,
    /// No partial-order reduction
    #[arg(long, help_heading = "Reductions")]
    pub no_por: bool,
    /// Among which sets of steps partial-order reduction chooses
    #[arg(long, value_enum, default_value = "stubborn", help_heading = "Reductions")]
    pub por: Por,
    /// No symmetry reduction
    #[arg(long, help_heading = "Reductions")]
    pub no_symmetry: bool,
    /// No optimisation of the model
    #[arg(long, help_heading = "Reductions")]
    pub no_optimize: bool,
    /// No jumps: time passes in single ticks, however long nothing can happen
    #[arg(long, help_heading = "Reductions")]
    pub no_jumps: bool,
    /// A timer that runs may expire at any tick: what holds then holds for all times that timers
    /// could be set to
    #[arg(long, help_heading = "What to check")]
    pub abstract_timers: bool,
    /// How states that differ only in the names of processes are found
    #[arg(long, value_enum, default_value = "auto", help_heading = "Reductions")]
    pub symmetry: Symmetry,
    /// The array that --symmetry sorted and segmented sort; usually one is picked
    #[arg(long, value_name = "NAME", help_heading = "Reductions")]
    pub main_array: Option<String>,

    /// One JSON object on standard output and nothing else there
    #[arg(long, help_heading = "Output")]
    pub json: bool,
    /// Where the execution of the first violation is written [default: MODEL.trail.json]
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub trail: Option<PathBuf>,
    /// A trail larger than this is not written
    #[arg(long, value_name = "SIZE", value_parser = size, default_value = "64M", help_heading = "Output")]
    pub trail_size: u64,
    /// Write no trail
    #[arg(long, conflicts_with = "trail", help_heading = "Output")]
    pub no_trail: bool,
    /// How many of a violation's last steps are shown
    #[arg(long, value_name = "N", default_value_t = 10, help_heading = "Output")]
    pub last: usize,
    #[command(flatten)]
    pub reading: ModelArgs,
}
