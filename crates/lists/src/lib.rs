//! Models explored as sets of states.
//!
//! States are vectors of values, one for each slot of the state vector; sets of them are list
//! decision diagrams ([`diagram`]). What processes do is learned while it is explored: a group of
//! steps touches a few slots, and the machine is run once on each combination of values that these
//! slots take, however many states have it [Blom 2008, Kant 2015].
//!
//! | file | what it has |
//! | --- | --- |
//! | [`diagram`] | sets of vectors |
//! | `space.rs`, `values.rs` | states as vectors: all states with the same processes are a space |
//! | `access` | which slots steps may touch |
//! | `group.rs`, `discover.rs` | groups of steps |
//! | `learn.rs` | what groups do, by running the machine |
//! | `order.rs` | the order of slots |
//! | `reach.rs`, `saturate.rs` | everything that can be reached: by levels, by chaining, by saturation |
//! | `quiet.rs` | states in which no process can move: time, `timeout`, end states |
//! | `trace.rs` | executions to what goes wrong |
//! | `explore.rs` | all of it, within limits |
//!
//! What this crate does not know: any language, how a result is shown.
#![forbid(unsafe_code)]

mod access;
mod bits;
pub mod diagram;
mod discover;
mod engine;
mod explore;
mod group;
mod learn;
mod order;
mod quiet;
mod reach;
mod saturate;
mod space;
mod trace;
mod values;

pub use explore::{explore, Exploration, Options, Stage, Strategy};
