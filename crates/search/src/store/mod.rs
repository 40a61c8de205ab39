//! The set of visited states.
//!
//! A search asks whether a vector is new. Memory latency decides how fast the answer comes, so
//! everything here is about touching few cache lines and touching them early:
//!
//! | file | what it does |
//! | --- | --- |
//! | `codec.rs` | packs a vector into the bits that have been seen to vary |
//! | `packing.rs` | differences between vectors, and bits under masks as one stream |
//! | `bits.rs` | gathers and scatters bits |
//! | `hash.rs` | hashes the packed words |
//! | `table.rs` | open addressing in 1024 segments that grow one by one; 8 bytes a slot |
//! | `regions.rs` | where the segments' tables lie |
//! | `arena.rs` | where the packed vectors lie, in chunks |
//! | `memory.rs` | large pieces of memory, on large pages where there are any |
//! | `epoch.rs` | when a table that was replaced may be freed |
//! | `handle.rs` | one thread's access: batches that are hashed and prefetched before they are probed |
//!
//! A state's id is where it lies in the arena, so an id costs nothing, and from an id one gets to
//! the vector, the flags and the parent without looking anything up.

mod arena;
mod bits;
mod codec;
mod epoch;
mod handle;
mod hash;
mod memory;
mod packing;
mod regions;
mod table;

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex};

use crate::limits::{Budget, OutOfMemory};
use arena::Arena;
use codec::Codec;
use epoch::Epochs;
pub use handle::{Handle, Outcome};
pub use hash::hash_bytes;
pub(crate) use hash::IdHash;
use table::Table;

/// Which state of a store. An id means nothing to another store; the default is no state's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateId(u64);

/// What is kept with each state besides its vector.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extras {
    /// The id of the state that it was first reached from: 5 bytes.
    pub parents: bool,
    /// Eight flag bits: 1 byte.
    pub flags: bool,
    /// So many bytes of flag bits for copies of the state, behind the parent; only with `flags`.
    pub copies: u8,
}

impl Extras {
    /// How many bytes lie in front of a packed vector.
    fn bytes(self) -> usize {
        let flags = self.flags as usize * (1 + self.copies as usize);
        if self.parents {
            PARENT_BYTES + flags
        } else {
            flags
        }
    }
}

/// How many bytes a parent takes: enough for every id.
const PARENT_BYTES: usize = 5;

/// Sets some flags, clears some, and says what was set before.
#[inline]
fn change<const SHARED: bool>(flags: &AtomicU8, set: u8, clear: u8) -> u8 {
    if SHARED {
        let before = flags.fetch_or(set, Ordering::AcqRel);
        if clear != 0 {
            flags.fetch_and(!clear, Ordering::AcqRel);
        }
        return before;
    }
    let before = flags.load(Ordering::Relaxed);
    flags.store((before | set) & !clear, Ordering::Relaxed);
    before
}

/// An exact set of byte vectors. `SHARED` says whether several threads may use it at the same
/// time; a store for one thread does without atomic read-modify-write instructions.
pub struct Store<const SHARED: bool> {
    table: Table<SHARED>,
    arena: Arena,
    /// The codec with every generation; threads work on copies of it, which may be older.
    codec: Mutex<Codec>,
    epochs: Epochs,
    extras: Extras,
    budget: Arc<Budget>,
    /// Keeps a store for one thread from being shared.
    _not_sync: std::marker::PhantomData<std::cell::Cell<()>>,
}

// SAFETY: with SHARED, the table's slots are claimed by compare-and-exchange and published with
// release ordering after the vector behind them was written; arenas hand out disjoint memory; the
// codec is behind a lock; replaced tables are freed only once no thread can be in them.
unsafe impl Sync for Store<true> {}

impl<const SHARED: bool> Store<SHARED> {
    /// An empty store that takes its memory from `budget`.
    pub fn new(extras: Extras, budget: Arc<Budget>) -> Result<Store<SHARED>, OutOfMemory> {
        Ok(Store {
            table: Table::new(&budget)?,
            arena: Arena::new(),
            codec: Mutex::new(Codec::default()),
            epochs: Epochs::default(),
            extras,
            budget,
            _not_sync: std::marker::PhantomData,
        })
    }

    /// Shows the store vectors like those to come, before the first is stored: what varies among
    /// them decides how vectors are packed.
    pub fn train<'v>(&mut self, samples: impl Iterator<Item = &'v [u8]>) {
        let codec = self.codec.get_mut().unwrap_or_else(|e| e.into_inner());
        codec.train(samples);
    }

    /// How many bytes hold states: packed vectors with their extras, and the table. Room set
    /// aside for states to come is not counted.
    pub fn bytes(&self) -> u64 {
        self.table.bytes() + self.arena.used()
    }

    /// The parent of a state, if parents are kept and it has one.
    pub fn parent(&self, id: StateId) -> Option<StateId> {
        if !self.extras.parents {
            return None;
        }
        let at = id.0 - self.extras.bytes() as u64;
        // SAFETY: `id` came from this store, so a parent lies in front of its vector, and it was
        // written before the id was published.
        let bytes = unsafe { self.arena.bytes(at, PARENT_BYTES) };
        let mut parent = [0; 8];
        parent[..PARENT_BYTES].copy_from_slice(bytes);
        Some(u64::from_le_bytes(parent)).filter(|&p| p != 0).map(StateId)
    }

    /// The flags of a state; 0 when none are kept.
    pub fn flags(&self, id: StateId) -> u8 {
        match self.extras.flags {
            true => self.arena.flags(id.0 - 1).load(Ordering::Acquire),
            false => 0,
        }
    }

    /// Sets flags of a state, and says what was set before.
    pub fn set_flags(&self, id: StateId, flags: u8) -> u8 {
        match self.extras.flags {
            true => change::<SHARED>(self.arena.flags(id.0 - 1), flags, 0),
            false => 0,
        }
    }

    /// Clears flags of a state.
    pub fn clear_flags(&self, id: StateId, flags: u8) {
        if self.extras.flags {
            change::<SHARED>(self.arena.flags(id.0 - 1), 0, flags);
        }
    }

    /// Byte `k` of the flags of a state's copies; 0 when it is not kept.
    pub fn copy_flags(&self, id: StateId, k: u8) -> u8 {
        match self.extras.flags && k < self.extras.copies {
            true => self.copies(id, k).load(Ordering::Acquire),
            false => 0,
        }
    }

    /// Changes byte `k` of the flags of a state's copies: sets some and clears some.
    pub fn change_copy_flags(&self, id: StateId, k: u8, set: u8, clear: u8) {
        if self.extras.flags && k < self.extras.copies {
            change::<SHARED>(self.copies(id, k), set, clear);
        }
    }

    fn copies(&self, id: StateId, k: u8) -> &AtomicU8 {
        self.arena.flags(id.0 - 2 - u64::from(k))
    }

    /// Writes the vector of a state into `vector`.
    pub fn vector(&self, id: StateId, vector: &mut Vec<u8>) {
        let codec = self.codec.lock().unwrap_or_else(|e| e.into_inner());
        // SAFETY: `id` came from this store, so a class and a vector of its length lie there.
        let class = unsafe { self.arena.bytes(id.0, 1) }[0];
        // SAFETY: as above; a raw vector has its length behind its class.
        let len =
            codec.record_len(class, || unsafe { self.arena.bytes(id.0, packing::RAW_HEADER) });
        // SAFETY: as above.
        let record = unsafe { self.arena.bytes(id.0, len) };
        codec.decode(record, &mut Vec::new(), vector);
    }
}
