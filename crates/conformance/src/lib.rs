//! Does Isospin agree with Spin? This crate holds what the tests need to find out: Spin itself as
//! a function, random models, an explorer that shares no code with the searches, and a shrinker
//! that makes a disagreement small enough to look at.
//!
//! | module | what lives there |
//! | --- | --- |
//! | [`spin`] | running a model through Spin and a C compiler |
//! | [`isospin`] | from text to a model, and exploring it by brute force |
//! | [`searches`] | whether the searches agree with the explorer |
//! | [`mod@generate`] | random models |
//! | [`compare`] | whether the two agree on a model |
//! | [`tree`], [`mod@shrink`] | models as trees of text, and making them smaller |
//! | [`rng`] | random numbers |
//!
//! Nothing depends on this crate; it is never published.
#![forbid(unsafe_code)]

pub mod compare;
pub mod generate;
pub mod isospin;
pub mod rng;
pub mod searches;
pub mod shrink;
pub mod spin;
pub mod tree;

pub use compare::{Comparison, Judge};
pub use generate::generate;
pub use shrink::shrink;
pub use spin::Spin;
