//! Executions as files: self-contained, one step per line, readable by people and programs.
//!
//! | file | what it does |
//! | --- | --- |
//! | `mod.rs` | what a trail says about itself |
//! | `step.rs` | one step |
//! | `text.rs` | writing and reading |
//! | `follow.rs` | executing a trail once more |

mod follow;
mod step;
mod text;

use isospin_check::Fairness;
use isospin_replay::Renaming;
use serde::{Deserialize, Serialize};

pub use follow::{follow, Ending};
pub use step::{TrailAct, TrailMove, TrailPassing, TrailStep};
pub use text::{hash_sources, property_in, read, starts_like_one, write};

/// The format's number; it grows when a field changes its meaning.
pub const FORMAT: u32 = 3;

/// Everything about a trail but its steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The version of Isospin that wrote it.
    pub isospin: String,
    /// The format's number.
    pub format: u32,
    /// The model's file, as it was named on the command line.
    pub model: String,
    /// The hash of the model's sources, see [`hash_sources`].
    pub model_hash: String,
    /// What the model was read and checked with.
    pub options: TrailOptions,
    /// What is violated.
    pub property: TrailProperty,
    /// For an execution that goes on for ever, the number of the step (from 1) that its cycle
    /// starts with.
    pub cycle_start: Option<usize>,
    /// Where the cycle repeats with other names, who takes whose place from one round to the next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub renaming: Option<TrailRenaming>,
}

/// Who takes whose place from one round of a cycle to the next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrailRenaming {
    /// For each process, by number.
    pub pids: Vec<u8>,
    /// After how many rounds everybody is back in place.
    pub order: u64,
}

impl From<&Renaming> for TrailRenaming {
    fn from(renaming: &Renaming) -> TrailRenaming {
        TrailRenaming { pids: renaming.pids.clone(), order: renaming.order }
    }
}

impl From<&TrailRenaming> for Renaming {
    fn from(renaming: &TrailRenaming) -> Renaming {
        Renaming { pids: renaming.pids.clone(), order: renaming.order }
    }
}

/// The options that decide what the model is and what was looked for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TrailOptions {
    /// `-D`, in order.
    pub defines: Vec<String>,
    /// `-I`, in order.
    pub include_dirs: Vec<String>,
    /// The formulas that were given beside the model, in order.
    pub formulas: Vec<String>,
    /// The automaton that was given beside it.
    pub automaton: Option<TrailAutomaton>,
    /// Which executions counted.
    pub fairness: TrailFairness,
    /// Whether promises were left out of account.
    pub exact: bool,
    /// Whether timers could expire at any tick.
    pub abstract_timers: bool,
    /// How a model in IF was read.
    #[serde(default, rename = "if", skip_serializing_if = "Option::is_none")]
    pub intermediate: Option<TrailIf>,
    /// The whole command line, for people.
    pub arguments: Vec<String>,
}

/// How a model in IF was read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct TrailIf {
    pub closed: bool,
    pub environment: Option<String>,
    pub discard: bool,
    pub open_ranges: bool,
    pub buffer: u16,
    pub instances: u16,
    pub clock_bound: u16,
}

/// An automaton that was given beside the model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrailAutomaton {
    /// What it is called in reports: its file's name.
    pub name: String,
    /// The text of that file, in the Hanoi omega-automata format.
    pub text: String,
}

/// Which executions count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum TrailFairness {
    #[default]
    None,
    Weak,
    Strong,
}

impl From<TrailFairness> for Fairness {
    fn from(fairness: TrailFairness) -> Fairness {
        match fairness {
            TrailFairness::None => Fairness::None,
            TrailFairness::Weak => Fairness::Weak,
            TrailFairness::Strong => Fairness::Strong,
        }
    }
}

impl From<Fairness> for TrailFairness {
    fn from(fairness: Fairness) -> TrailFairness {
        match fairness {
            Fairness::None => TrailFairness::None,
            Fairness::Weak => TrailFairness::Weak,
            Fairness::Strong => TrailFairness::Strong,
        }
    }
}

/// The property that the execution violates.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrailProperty {
    /// Its name.
    pub name: String,
    /// Its kind: `assertion`, `end-state`, `runtime`, ...
    pub kind: String,
    /// What is wrong.
    pub message: String,
    /// Where, as `file:line:column`.
    pub location: String,
    /// Whether it is that the property cannot be evaluated in the last state.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unreadable: bool,
}

/// A trail as it is read back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trail {
    /// Everything but the steps.
    #[serde(flatten)]
    pub header: Header,
    /// The steps, from the initial state on.
    pub steps: Vec<TrailStep>,
}
