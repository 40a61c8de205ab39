//! Sets of visited states, and what is kept with each.
//!
//! A search asks whether a vector is *new* or *seen*, and gets an id with the answer. It can have
//! the state that each was first reached from kept with it, and a few marks. That is all that
//! searches know of a set: the traits [`StateSet`] and [`Insert`], and, where a search needs more,
//! [`Parents`], [`Marks`] and [`Recall`].
//!
//! | module | what lives there |
//! | --- | --- |
//! | `set` | the traits |
//! | [`Exact`] | the set that is used: packed vectors behind a table of hashes |
//! | [`Reference`] | a set that is too simple to be wrong, to compare others with |
//! | [`Packing`], [`Packer`] | vectors in as many bits as vary, for sets and for frontiers |
//! | [`Budget`] | how much memory there is |
//! | [`Reserve`] | memory that is put by for when there is none left |
//! | `hash` | the hash of packed vectors |
//!
//! # Other sets
//!
//! Every set takes a packing and a budget when it is made, and its handles hand each vector out
//! again in packed form when they answer: so a search can have states wait on its frontier,
//! whatever the set makes of them.
//!
//! - **Bitstate**: a few hashes of the packed vector are positions in an array of bits; the id is
//!   one of the hashes. It implements [`StateSet`] with `EXACT` false, and [`Insert`]. It has
//!   neither vectors nor parents to give back, so it is for depth-first searches, whose paths are on
//!   their stacks. Its [`Marks`] may answer 0 in searches for safety: less is put off then, and
//!   nothing is lost. Searches for cycles need marks that stay.
//! - **Hash-compact**: the table of [`Exact`] with a longer hash in the place of an address; the id
//!   is the slot or the hash, `EXACT` is false. Marks and parents can lie beside the hash; there is
//!   no [`Recall`].
//! - **Disk**: as [`Exact`], with the arena in files. It implements everything. What is pushed is
//!   known to wait until `commit`, so that a whole batch can be merged with what lies on the disk.
//!
//! What this crate does not know: what a state means, why it is looked up.

#![deny(clippy::undocumented_unsafe_blocks)]

mod budget;
mod exact;
mod hash;
mod packing;
mod reference;
mod reserve;
mod set;
mod sync;

pub use budget::{Budget, OutOfMemory};
pub use exact::{Exact, ExactHandle, StateId};
pub use hash::{hash_bytes, IdHash, IdHasher};
pub use packing::{Packer, Packing};
pub use reference::{Reference, ReferenceHandle};
pub use reserve::Reserve;
pub use set::{Answer, Insert, Keep, Marks, Parents, Recall, StateSet};
