//! Does Isospin agree with Spin? This crate holds what the tests need to find out: Spin itself as
//! a function, random models, an explorer that shares no code with the searches, and a shrinker
//! that makes a disagreement small enough to look at.
//!
//! | module | what lives there |
//! | --- | --- |
//! | [`spin`] | running a model through Spin and a C compiler |
//! | [`isospin`] | from text to a model, and exploring it by brute force |
//! | [`checks`] | checks as users run them, with everything that was found looked at |
//! | [`sets`] | whether models explored as sets of states agree with brute force |
//! | [`searches`] | whether the searches agree with the explorer |
//! | [`mod@generate`] | random models |
//! | [`compare`] | whether the two agree on a model |
//! | [`tree`], [`mod@shrink`] | models as trees of text, and making them smaller |
//! | [`reductions`] | whether reductions and optimisations keep what a model says |
//! | [`brute`], `divergent`, [`oracle`] | liveness by brute force |
//! | [`liveness`] | whether the liveness searches agree with that |
//! | [`cyclic`], [`formulas`] | random models that never end, random formulas |
//! | [`traced`] | random models with trace assertions |
//! | [`claims`] | random labels and never claims |
//! | [`time`], [`timed`] | a tick by brute force, random models with timers |
//! | [`abstraction`] | whether abstract timers stand for all times |
//! | [`symmetric`], [`orbits`] | random symmetric models, and their orbits by brute force |
//! | [`described`] | orbits of any model that somebody has described |
//! | [`symmetry`] | whether searches under symmetry agree with those without |
//! | [`fair`] | fairness under symmetry against brute force |
//! | [`commuting`] | whether renaming a state renames what follows it |
//! | [`permuting`] | whether machine code permutes states as the definition says |
//! | [`intermediate`], [`bisimulation`] | models in IF as transition systems, and whether two are alike |
//! | [`mutate`], [`fuzz`] | texts changed a little, and what they are tried on |
//! | [`drive`] | going through the models of many seeds |
//! | [`rng`] | random numbers |
//!
//! Nothing depends on this crate; it is never published.
#![forbid(unsafe_code)]

pub mod abstraction;
pub mod bisimulation;
pub mod brute;
pub mod checks;
pub mod claims;
pub mod commuting;
pub mod compare;
pub mod cyclic;
pub mod described;
mod divergent;
pub mod drive;
pub mod fair;
pub mod formulas;
pub mod fuzz;
pub mod generate;
pub mod intermediate;
pub mod isospin;
pub mod liveness;
pub mod mutate;
pub mod oracle;
pub mod orbits;
pub mod permuting;
pub mod reductions;
pub mod rng;
pub mod searches;
pub mod sets;
pub mod shrink;
pub mod spin;
pub mod symmetric;
pub mod symmetry;
pub mod time;
pub mod timed;
pub mod traced;
pub mod tree;

pub use compare::{Comparison, Judge};
pub use generate::generate;
pub use shrink::shrink;
pub use spin::Spin;
