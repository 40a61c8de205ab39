//! Where packed vectors lie: chunks of two mebibytes, addressed through a directory. What is once
//! written stays where it is until the arena goes.

use std::sync::atomic::{AtomicPtr, AtomicU64, AtomicU8, AtomicUsize, Ordering};
use std::sync::Mutex;

use super::memory::Block;
use crate::{Budget, OutOfMemory};

/// How many bits an address has: 64 GiB of packed vectors.
pub(super) const ADDRESS_BITS: u32 = 36;
const CHUNK_BITS: u32 = 21;
const CHUNK_SIZE: u64 = 1 << CHUNK_BITS;
const CHUNKS: usize = 1 << (ADDRESS_BITS - CHUNK_BITS);
/// Directory entries come in groups, so that an empty arena is small.
const GROUP_SIZE: usize = 256;

/// Chunks of memory, shared by all threads.
pub(super) struct Arena {
    directory: Box<[AtomicPtr<AtomicPtr<u8>>]>,
    next: AtomicUsize,
    used: AtomicU64,
    owned: Mutex<Owned>,
}

/// Everything that was allocated, to be freed.
#[derive(Default)]
struct Owned {
    chunks: Vec<Block>,
    groups: Vec<*mut [AtomicPtr<u8>]>,
}

// SAFETY: the raw pointers in `owned` are only used to free memory when the arena goes.
unsafe impl Send for Arena {}

/// The part of a chunk that one thread writes to.
#[derive(Debug, Default)]
pub(super) struct Cursor {
    at: u64,
    end: u64,
}

impl Arena {
    pub fn new() -> Arena {
        Arena {
            directory: (0..CHUNKS / GROUP_SIZE).map(|_| AtomicPtr::default()).collect(),
            next: AtomicUsize::new(0),
            used: AtomicU64::new(0),
            owned: Mutex::default(),
        }
    }

    /// How many bytes have been handed out.
    pub fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    /// Sets `len` bytes aside and says where they are. They belong to the caller until the
    /// address is made known to others.
    #[inline]
    pub fn allocate(
        &self,
        cursor: &mut Cursor,
        len: usize,
        budget: &Budget,
    ) -> Result<u64, OutOfMemory> {
        if cursor.at + len as u64 > cursor.end {
            self.refill(cursor, len, budget)?;
        }
        let at = cursor.at;
        cursor.at += len as u64;
        Ok(at)
    }

    /// Takes back the `len` bytes at `at`, if they were the last ones handed out.
    pub fn give_back(&self, cursor: &mut Cursor, at: u64, len: usize) {
        if at + len as u64 == cursor.at {
            cursor.at = at;
        }
    }

    #[cold]
    fn refill(&self, cursor: &mut Cursor, len: usize, budget: &Budget) -> Result<(), OutOfMemory> {
        // Address 0 means nothing, so no vector lies at the very start of a chunk.
        let chunks = (len + 1).div_ceil(CHUNK_SIZE as usize);
        let mut owned = self.owned.lock().unwrap_or_else(|e| e.into_inner());
        let first = self.next.load(Ordering::Relaxed);
        if first + chunks > CHUNKS {
            return Err(OutOfMemory);
        }
        // The first chunk is on small pages, because small models use little of it.
        let block = Block::zeroed(chunks * CHUNK_SIZE as usize, first > 0, budget)?;
        let memory = block.pointer();
        owned.chunks.push(block);
        for k in 0..chunks {
            let (group, entry) = ((first + k) / GROUP_SIZE, (first + k) % GROUP_SIZE);
            if self.directory[group].load(Ordering::Relaxed).is_null() {
                let entries: Box<[_]> = (0..GROUP_SIZE).map(|_| AtomicPtr::default()).collect();
                let entries = Box::into_raw(entries);
                self.directory[group].store(entries.cast(), Ordering::Release);
                owned.groups.push(entries);
            }
            let entries = self.directory[group].load(Ordering::Relaxed);
            // SAFETY: `entries` has GROUP_SIZE entries and lives as long as the arena; the chunk
            // lies within the memory just allocated.
            unsafe {
                let chunk = memory.add(k * CHUNK_SIZE as usize);
                (*entries.add(entry)).store(chunk, Ordering::Release);
            }
        }
        self.next.store(first + chunks, Ordering::Relaxed);
        // What is left of the old chunk is given up; what was used of it is counted when it ends.
        self.retire(cursor);
        cursor.at = first as u64 * CHUNK_SIZE + 1;
        cursor.end = (first + chunks) as u64 * CHUNK_SIZE;
        self.used.fetch_add(cursor.end - cursor.at, Ordering::Relaxed);
        Ok(())
    }

    /// Ends a thread's writing: what it did not use of its chunk no longer counts as used.
    pub fn retire(&self, cursor: &mut Cursor) {
        self.used.fetch_sub(cursor.end - cursor.at, Ordering::Relaxed);
        cursor.end = cursor.at;
    }

    /// The memory at `at`.
    ///
    /// # Safety
    /// `at` must have been handed out by [`allocate`](Self::allocate).
    #[inline]
    pub unsafe fn pointer(&self, at: u64) -> *mut u8 {
        let chunk = (at >> CHUNK_BITS) as usize;
        // SAFETY: the chunk of an address that was handed out is in the directory, and its
        // directory group lives as long as the arena. Whoever knows the address knows it from a
        // release that came after both were stored.
        unsafe {
            let group = self.directory.get_unchecked(chunk / GROUP_SIZE);
            let entry = group.load(Ordering::Relaxed).add(chunk % GROUP_SIZE);
            (*entry).load(Ordering::Relaxed).add((at & (CHUNK_SIZE - 1)) as usize)
        }
    }

    /// The `len` bytes at `at`.
    ///
    /// # Safety
    /// They must have been handed out, written, and published to this thread, and no part of them
    /// may be marks.
    #[inline]
    pub unsafe fn bytes(&self, at: u64, len: usize) -> &[u8] {
        // SAFETY: as the caller vouches; what was published is not written to again.
        unsafe { std::slice::from_raw_parts(self.pointer(at), len) }
    }

    /// The marks at `at`, which must be where marks of a state are.
    #[inline]
    pub fn marks(&self, at: u64) -> &AtomicU8 {
        // SAFETY: callers pass the place of marks of a state in this arena, which was written
        // before the state was published and is only accessed atomically since.
        unsafe { AtomicU8::from_ptr(self.pointer(at)) }
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        let owned = self.owned.get_mut().unwrap_or_else(|e| e.into_inner());
        for group in owned.groups.drain(..) {
            // SAFETY: came from a box, and nobody holds a reference any more.
            drop(unsafe { Box::from_raw(group) });
        }
    }
}
