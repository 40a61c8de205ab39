//! What can be printed.

use std::path::PathBuf;

use clap::{ArgGroup, Args, Subcommand, ValueEnum};

use super::ModelArgs;

/// The arguments of `show`.
#[derive(Debug, Args)]
pub struct ShowArgs {
    #[command(subcommand)]
    pub subject: Subject,
}

/// What `show` can print.
#[derive(Debug, Subcommand)]
pub enum Subject {
    /// The whole model, as searches see it
    Model(WholeModelArgs),
    /// The control flow of each process type
    Automata(ModelShowArgs),
    /// Where everything is in the state vector
    Layout(ModelShowArgs),
    /// What processes share, and which steps can disturb each other
    Dependencies(ModelShowArgs),
    /// Which names can change places, what carries them, and what stands in the way
    Symmetry(ModelShowArgs),
    /// The graph of all states
    Graph(GraphArgs),
    /// IF: what a property depends on
    Slice(SliceArgs),
    /// The time slices of the execution that a check has written down
    Time(TimeArgs),
    /// The automaton of a formula, as it is used in checking
    ///
    /// Checking a formula looks for executions that violate it, so the automaton is that of its
    /// negation unless --positive is given.
    Automaton(AutomatonArgs),
}

/// The arguments for what is printed of a model.
#[derive(Debug, Args)]
pub struct ModelShowArgs {
    /// The model
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,
    #[command(flatten)]
    pub reading: ModelArgs,
    /// As JSON
    #[arg(long, conflicts_with = "dot")]
    pub json: bool,
    /// As a graph for Graphviz
    #[arg(long)]
    pub dot: bool,
}

/// The arguments of `show model`.
#[derive(Debug, Args)]
pub struct WholeModelArgs {
    /// The model
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,
    #[command(flatten)]
    pub reading: ModelArgs,
    /// As it is searched for assertions and end states: optimised
    #[arg(long)]
    pub optimized: bool,
}

/// How a graph of states is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GraphFormat {
    /// As a labelled transition system, as Aldebaran reads it
    Aut,
    /// As a graph for Graphviz
    Dot,
}

/// The arguments of `show graph`.
#[derive(Debug, Args)]
pub struct GraphArgs {
    /// The model
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,
    #[command(flatten)]
    pub reading: ModelArgs,
    /// How it is written
    #[arg(long, value_enum, default_value = "aut")]
    pub format: GraphFormat,
    /// At most so many states
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    pub states: usize,
    /// Of the model as it is searched: optimised
    #[arg(long)]
    pub optimized: bool,
}

/// The arguments of `show slice`.
#[derive(Debug, Args)]
pub struct SliceArgs {
    /// The model
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,
    /// The property: a formula or an expression; without one, what decides what happens at all
    #[arg(long, value_name = "EXPR")]
    pub of: Option<String>,
    #[command(flatten)]
    pub reading: ModelArgs,
}

/// The arguments of `show time`.
#[derive(Debug, Args)]
pub struct TimeArgs {
    /// The trail, or the model and then the trail; without a model, the one that the trail names
    #[arg(value_name = "[MODEL] TRAIL", num_args = 1..=2, required = true)]
    pub files: Vec<PathBuf>,
    /// No warnings on standard error
    #[arg(short, long)]
    pub quiet: bool,
}

/// How an automaton is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AutomatonFormat {
    /// For people
    Text,
    /// As a never claim of Promela
    Never,
    /// In the Hanoi omega-automata format, version 1
    Hoa,
    /// As a graph for Graphviz
    Dot,
}

/// The arguments of `show automaton`.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("formula").required(true).args(["ltl", "ltl_file", "property"]))]
pub struct AutomatonArgs {
    /// The formula
    #[arg(long, value_name = "FORMULA")]
    pub ltl: Option<String>,
    /// The file that holds the formula; what follows # or // in a line is a comment
    #[arg(long, value_name = "FILE")]
    pub ltl_file: Option<PathBuf>,
    /// The formula of the model that has this name
    #[arg(long, value_name = "NAME", requires = "model")]
    pub property: Option<String>,
    /// The model whose macros and names the formula uses; without one, atoms are not looked at
    #[arg(value_name = "MODEL")]
    pub model: Option<PathBuf>,
    /// How it is written
    #[arg(long, value_enum, default_value = "text")]
    pub format: AutomatonFormat,
    /// The automaton of the formula itself and not of its negation
    #[arg(long)]
    pub positive: bool,
    /// With acceptance sets of edges, as a component-based search uses it
    #[arg(long)]
    pub generalized: bool,
    #[command(flatten)]
    pub reading: ModelArgs,
}
