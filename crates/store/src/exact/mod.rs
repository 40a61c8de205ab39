//! The exact set.
//!
//! Memory latency decides how fast the answer comes, so everything here is about touching few cache
//! lines and touching them early:
//!
//! | file | what it does |
//! | --- | --- |
//! | `table.rs` | open addressing in 1024 segments that grow one by one; 8 bytes a slot |
//! | `regions.rs` | where the segments' tables lie |
//! | `arena.rs` | where the packed vectors lie, in chunks |
//! | `memory.rs` | large pieces of memory, on large pages where there are any |
//! | `epoch.rs` | when a table that was replaced may be freed |
//! | `orders.rs` | tests: every order in which threads can meet in the table and the epochs |
//! | `handle.rs` | one thread's access: batches that are hashed and prefetched before they are probed |
//!
//! A state's id is where it lies in the arena, so an id costs nothing, and from an id one gets to
//! the vector, the marks and the parent without looking anything up. What is kept with a state lies
//! in front of it:
//!
//! ```text
//! | parent, 5 bytes | marks, the last byte first | packed vector ...
//!                                                ^ id
//! ```

mod arena;
mod epoch;
mod handle;
mod memory;
#[cfg(all(test, loom))]
mod orders;
mod regions;
mod table;

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::Arc;

use crate::packing::RAW_HEADER;
use crate::{Budget, Keep, Marks, OutOfMemory, Packing, Parents, Recall, StateSet};
use arena::Arena;
use epoch::Epochs;
pub use handle::ExactHandle;
use table::Table;

/// Which state of an [`Exact`] set: of the one that gave the id, and of no other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StateId(u64);

/// How many bytes a parent takes: enough for every id.
const PARENT_BYTES: usize = 5;

/// An exact set of byte vectors. `SHARED` says whether several threads may use it at the same
/// time; a set for one thread does without atomic read-modify-write instructions.
pub struct Exact<const SHARED: bool> {
    table: Table<SHARED>,
    arena: Arena,
    packing: Arc<Packing>,
    epochs: Epochs,
    keep: Keep,
    budget: Arc<Budget>,
    /// Keeps a set for one thread from being shared.
    _not_sync: std::marker::PhantomData<std::cell::Cell<()>>,
}

// SAFETY: with SHARED, the table's slots are claimed by compare-and-exchange and published with
// release ordering after the vector behind them was written; arenas hand out disjoint memory; the
// packing is behind a lock; replaced tables are freed only once no thread can be in them.
unsafe impl Sync for Exact<true> {}

impl<const SHARED: bool> StateSet for Exact<SHARED> {
    type Id = StateId;
    const EXACT: bool = true;
    type Handle<'s> = ExactHandle<'s, SHARED>;

    fn new(keep: Keep, packing: Arc<Packing>, budget: Arc<Budget>) -> Result<Self, OutOfMemory> {
        Ok(Exact {
            table: Table::new(&budget)?,
            arena: Arena::new(),
            packing,
            epochs: Epochs::default(),
            keep,
            budget,
            _not_sync: std::marker::PhantomData,
        })
    }

    fn handle(&self) -> ExactHandle<'_, SHARED> {
        ExactHandle::new(self)
    }

    /// By address: what one thread adds later lies behind.
    #[inline]
    fn rank(&self, id: StateId) -> u64 {
        id.0
    }

    /// Packed vectors with what is kept with them, and the table.
    fn bytes(&self) -> u64 {
        self.table.bytes() + self.arena.used()
    }
}

impl<const SHARED: bool> Exact<SHARED> {
    /// How many bytes lie in front of a packed vector.
    #[inline]
    fn front(&self) -> usize {
        let parent = if self.keep.parents { PARENT_BYTES } else { 0 };
        parent + usize::from(self.keep.mark_bytes)
    }

    /// Byte `k` of the marks of a state, which must be kept.
    #[inline]
    fn mark_byte(&self, id: StateId, k: u8) -> &AtomicU8 {
        self.arena.marks(id.0 - 1 - u64::from(k))
    }
}

impl<const SHARED: bool> Recall for Exact<SHARED> {
    fn vector(&self, id: StateId, vector: &mut Vec<u8>) {
        let codec = self.packing.codec();
        // SAFETY: `id` came from this set, so a class and a vector of its length lie there.
        let class = unsafe { self.arena.bytes(id.0, 1) }[0];
        // SAFETY: as above; a raw vector has its length behind its class.
        let len = codec.record_len(class, || unsafe { self.arena.bytes(id.0, RAW_HEADER) });
        // SAFETY: as above.
        let record = unsafe { self.arena.bytes(id.0, len) };
        codec.decode(record, &mut Vec::new(), vector);
    }
}

impl<const SHARED: bool> Parents for Exact<SHARED> {
    fn parent(&self, id: StateId) -> Option<StateId> {
        if !self.keep.parents {
            return None;
        }
        let at = id.0 - self.front() as u64;
        // SAFETY: `id` came from this set, so a parent lies in front of its vector, and it was
        // written before the id was published.
        let bytes = unsafe { self.arena.bytes(at, PARENT_BYTES) };
        let mut parent = [0; 8];
        parent[..PARENT_BYTES].copy_from_slice(bytes);
        Some(u64::from_le_bytes(parent)).filter(|&p| p != 0).map(StateId)
    }
}

impl<const SHARED: bool> Marks for Exact<SHARED> {
    #[inline]
    fn marks(&self, id: StateId, k: u8) -> u8 {
        if k < self.keep.mark_bytes {
            self.mark_byte(id, k).load(Ordering::Acquire)
        } else {
            0
        }
    }

    #[inline]
    fn change_marks(&self, id: StateId, k: u8, set: u8, clear: u8) -> u8 {
        if k >= self.keep.mark_bytes {
            return 0;
        }
        let marks = self.mark_byte(id, k);
        if SHARED {
            let before = marks.fetch_or(set, Ordering::AcqRel);
            if clear != 0 {
                marks.fetch_and(!clear, Ordering::AcqRel);
            }
            return before;
        }
        let before = marks.load(Ordering::Relaxed);
        marks.store((before | set) & !clear, Ordering::Relaxed);
        before
    }
}
