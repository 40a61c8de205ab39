//! Symmetry: which names can change places in a model, and what states are the same up to that.
//!
//! | module | what lives there |
//! | --- | --- |
//! | `flow` | process types as flat graphs, and which variables are needed where |
//! | `startup` | which processes there are once everything has been started |
//! | `sorts` | what holds names: a type inference |
//! | `loops` | loops over all names whose order does not matter |
//! | `family` | sets of names and the processes that bear them |
//! | `tables` | what a permutation does to values |
//! | [`describe`](mod@describe) | system description files |
//! | `cut` | numbers that become names where they are cut off |
//! | `normal` | expressions in which the order of operands does not show |
//! | `transport` | the proof that a permutation is an automorphism |
//! | `reader` | property automata, which permutations may act on as well |
//! | `tracks` | their states as bytes that permutations move |
//! | `prove` | which permutations are tried |
//! | [`group`] | groups of permutations |
//! | `action` | applying a permutation to a state vector |
//! | `factors` | which sets of names have nothing to do with each other |
//! | `alike` | whether exchanging two names leaves a state as it is |
//! | `carriers` | what holds names, for people |
//! | `symmetry` | what searches ask of a symmetry |
//! | [`detect`](mod@detect) | all of that together |
//! | `prepare` | a model made ready for a search, and its symmetry |
//! | [`strategy`] | representatives of orbits |
//!
//! Soundness rests on `transport` alone, which checks every edge of the model against every
//! generator of the group. What the inference gets wrong makes that check fail. Nothing here knows
//! how states are searched.
#![forbid(unsafe_code)]

mod action;
mod alike;
mod carriers;
mod cut;
pub mod describe;
pub mod detect;
mod factors;
mod family;
mod flow;
pub mod group;
mod held;
mod loops;
mod normal;
mod prepare;
mod prove;
mod reader;
mod sorts;
mod startup;
pub mod strategy;
mod symmetry;
mod tables;
mod tracks;
mod transport;

pub use describe::{describe, DescriptionError};
pub use detect::{detect, detect_for, Detection, DomainReport};
pub use family::{Domain, Element, Family};
pub use prepare::{prepare, prepare_for, Prepared};
pub use reader::{Reader, Shift};
pub use strategy::{Representer, Stop, Strategy};
pub use symmetry::Symmetry;
pub use tracks::Tracks;
pub use transport::Breach;
