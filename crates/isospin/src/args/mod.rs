//! What can be asked on the command line.

mod check;
mod show;
mod units;

pub use check::{
    CheckArgs, EmptinessChoice, Engine, Fairness, MachineKind, Por, SearchOrder, Steps, Symmetry,
};
pub use show::{
    AutomatonArgs, AutomatonFormat, GraphArgs, GraphFormat, ModelShowArgs, ShowArgs, SliceArgs,
    Subject, TimeArgs, WholeModelArgs,
};

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// A model checker for Promela, SMV and IF: it explores every behaviour of a model and says whether its
/// properties hold; when one does not, it hands back an execution that a person can follow.
#[derive(Debug, Parser)]
#[command(name = "isospin", version, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
    /// When colours are used
    #[arg(
        long,
        global = true,
        value_enum,
        default_value = "auto",
        value_name = "WHEN",
        help_heading = "Output"
    )]
    pub color: Colour,
}

/// When colours are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Colour {
    /// On a terminal, unless the environment says otherwise (NO_COLOR, CLICOLOR_FORCE, TERM)
    Auto,
    /// Wherever the output goes
    Always,
    /// Nowhere
    Never,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Verify a model: explore all of it and report on each of its properties
    ///
    /// Exit status: 0 everything that was asked holds; 1 a violation was found; 2 the input or the
    /// command line is wrong; 3 the search was cut short without a violation.
    Check(Box<CheckArgs>),
    /// Execute a model step by step, at random or by hand
    Sim(SimArgs),
    /// Follow the execution that a check has written down
    Replay(ReplayArgs),
    /// Print what a model or a formula was turned into
    Show(ShowArgs),
}

/// The languages that models are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Language {
    /// Spin's
    Promela,
    /// NuSMV's
    Smv,
    /// The intermediate format, version 2.0
    If,
}

/// How a model is read.
#[derive(Clone, Debug, Default, Args)]
pub struct ModelArgs {
    /// Define a macro of the preprocessor
    #[arg(short = 'D', value_name = "NAME[=VALUE]", help_heading = "Reading the model")]
    pub defines: Vec<String>,
    /// Look for included files here as well
    #[arg(short = 'I', value_name = "DIR", help_heading = "Reading the model")]
    pub include_dirs: Vec<PathBuf>,
    /// The language of the model [default: by the end of the file's name]
    #[arg(long, value_enum, help_heading = "Reading the model")]
    pub language: Option<Language>,
    /// SMV: 0 and 1 stand for FALSE and TRUE where a truth value is needed
    #[arg(long, help_heading = "Reading the model")]
    pub old_booleans: bool,
    #[command(flatten)]
    pub intermediate: IfArgs,
    /// Whoever wrote the model is not trusted: it can include files of its own folder only
    #[arg(long, help_heading = "Reading the model")]
    pub untrusted: bool,
    /// A file that says which variables of the model hold names that can change places
    #[arg(long, value_name = "FILE", help_heading = "Reading the model")]
    pub sym: Option<PathBuf>,
    /// Show a warning, by name; `warnings` means all
    #[arg(short = 'W', long, value_name = "NAME", help_heading = "Reading the model")]
    pub warn: Vec<String>,
    /// Silence a warning, by name
    #[arg(long, value_name = "NAME", help_heading = "Reading the model")]
    pub allow: Vec<String>,
    /// Reject the model for a warning, by name
    #[arg(long, value_name = "NAME", help_heading = "Reading the model")]
    pub deny: Vec<String>,
    /// No warnings and no progress on standard error
    #[arg(short, long, help_heading = "Output")]
    pub quiet: bool,
}

/// How a model in IF is read.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct IfArgs {
    /// IF: the environment sends nothing
    #[arg(long, help_heading = "Reading the model")]
    pub closed: bool,
    /// IF: a file with a system whose processes play the environment
    #[arg(long, value_name = "FILE", help_heading = "Reading the model")]
    pub environment: Option<PathBuf>,
    /// IF: a signal that a state neither takes nor saves is discarded, as in SDL
    #[arg(long, help_heading = "Reading the model")]
    pub discard: bool,
    /// IF: what comes from the environment is never the upper end of a range
    #[arg(long, help_heading = "Reading the model")]
    pub open_ranges: bool,
    /// IF: how many signals a buffer or a route has room for
    #[arg(
        long,
        value_name = "N",
        default_value_t = 8,
        value_parser = clap::value_parser!(u16).range(1..=255),
        help_heading = "Reading the model"
    )]
    pub buffer: u16,
    /// IF: how many instances there can be of a process that others start
    #[arg(
        long,
        value_name = "N",
        default_value_t = 16,
        value_parser = clap::value_parser!(u16).range(1..=200),
        help_heading = "Reading the model"
    )]
    pub instances: u16,
    /// IF: clocks are not cut off before this value
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        value_parser = clap::value_parser!(u16).range(0..=30_000),
        help_heading = "Reading the model"
    )]
    pub clock_bound: u16,
    /// Whether parameters of signals that matter to nobody are left out.
    #[arg(skip)]
    pub slim: bool,
}

impl Default for IfArgs {
    fn default() -> IfArgs {
        IfArgs {
            closed: false,
            environment: None,
            discard: false,
            open_ranges: false,
            buffer: 8,
            instances: 16,
            clock_bound: 0,
            slim: false,
        }
    }
}

/// The arguments of `sim`.
#[derive(Debug, Args)]
pub struct SimArgs {
    /// The model
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,
    /// Where the random choices start from; the same number gives the same execution
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Choose each step by hand
    #[arg(short, long)]
    pub interactive: bool,
    /// Stop after so many steps
    #[arg(long, value_name = "N")]
    pub steps: Option<u64>,
    /// Show each step: process, place, statement and new values
    #[arg(short = 'p', long, help_heading = "Output")]
    pub steps_shown: bool,
    /// Show global variables when they change
    #[arg(short, long, help_heading = "Output")]
    pub globals: bool,
    /// Show local variables when they change
    #[arg(short, long, help_heading = "Output")]
    pub locals: bool,
    /// Show sends and receives
    #[arg(short, long, help_heading = "Output")]
    pub messages: bool,
    /// Show a message sequence chart at the end
    #[arg(long, help_heading = "Output")]
    pub msc: bool,
    /// SMV: write the execution as a value change dump, for waveform viewers
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub vcd: Option<PathBuf>,
    /// Indent what a process prints by its number, as Spin does without `-T`
    #[arg(long, help_heading = "Output")]
    pub indent: bool,
    #[command(flatten)]
    pub reading: ModelArgs,
}

/// The arguments of `replay`.
#[derive(Debug, Args)]
pub struct ReplayArgs {
    /// The trail, or the model and then the trail; without a model, the one that the trail names
    #[arg(value_name = "[MODEL] TRAIL", num_args = 1..=2, required = true)]
    pub files: Vec<PathBuf>,
    /// Stop after each step until Enter is pressed
    #[arg(long, conflicts_with_all = ["json", "msc"])]
    pub step: bool,
    /// Show a message sequence chart instead of the steps
    #[arg(long, conflicts_with = "json")]
    pub msc: bool,
    /// SMV: write the execution as a value change dump, for waveform viewers
    #[arg(long, value_name = "FILE")]
    pub vcd: Option<PathBuf>,
    /// Follow it though the model's text has changed since it was written
    #[arg(long)]
    pub changed: bool,
    /// Whoever wrote the trail is not trusted: the model includes files of its own folder only
    #[arg(long)]
    pub untrusted: bool,
    /// One JSON object on standard output: the trail, the verdict on it, and the last state
    #[arg(long)]
    pub json: bool,
    /// No warnings on standard error
    #[arg(short, long)]
    pub quiet: bool,
}

/// The arguments of a check of `m.pml`, for tests.
#[cfg(test)]
pub fn checking(more: &[&str]) -> CheckArgs {
    let words = ["isospin", "check", "m.pml"].iter().chain(more);
    match Cli::try_parse_from(words).map(|cli| cli.command) {
        Ok(Command::Check(args)) => *args,
        other => panic!("{other:?}"),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn a_colour_can_be_chosen_before_and_after_the_command() {
        for words in [
            ["isospin", "--color", "never", "sim", "m.pml"],
            ["isospin", "sim", "m.pml", "--color", "never"],
        ] {
            assert_eq!(Cli::try_parse_from(words).map(|cli| cli.color).ok(), Some(Colour::Never));
        }
        let cli = Cli::try_parse_from(["isospin", "sim", "m.pml"]).expect("it is well formed");
        assert_eq!(cli.color, Colour::Auto);
    }

    #[test]
    fn what_needs_a_cycle_is_not_asked_together_with_safety() {
        for more in [&["--ltl", "p"][..], &["--acceptance"], &["--progress"]] {
            let words = ["isospin", "check", "m.pml", "--safety"].iter().chain(more);
            assert!(Cli::try_parse_from(words).is_err(), "{more:?}");
        }
    }
}
