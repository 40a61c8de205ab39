//! What can be known of a model without running it, and what may be left out of it because of that.
//!
//! | module | what lives there |
//! | --- | --- |
//! | [`facts`] | what edges touch, and what processes may still touch: what partial-order reduction stands on |
//! | [`dependencies`] | the same for people: what processes share, and whom a step disturbs |
//! | [`optimize`] | fewer states, the same executions |
//! | [`time`] | jumps in time, and timers that forget their times |
//!
//! What this crate does not know: searches, machines, any source language.
#![forbid(unsafe_code)]

pub mod dependencies;
pub mod facts;
pub mod optimize;
pub mod time;

pub use facts::Facts;
pub use optimize::{optimize, Optimizations};
