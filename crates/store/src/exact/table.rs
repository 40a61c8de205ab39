//! The hash table: 1024 segments, each an open-addressing table of its own that grows by half
//! when it is four fifths full. Growing one segment is quick, so there is never a pause.
//!
//! ```text
//! hash   | segment 10 | tag 28 | ... |        slot   | tag 28 | address 36 |
//! ```
//!
//! The home of an entry in a segment of `n` slots is `tag * n >> 28`, so a segment can have any
//! number of slots, and growing it needs nothing but the slots themselves: entries move to their
//! new homes in the order in which they lie.
//!
//! When shared, an empty slot is claimed by compare-and-exchange. Whoever grows a segment first
//! closes its empty slots, so that nobody claims one in a table that has been copied already.

use super::arena::ADDRESS_BITS;
use super::epoch::Epochs;
use super::memory::prefetch;
use super::regions::{
    first_kind, next_kind, Regions, CAPACITY, KINDS, SEGMENTS, SEGMENT_BITS, SLOT,
};
use crate::sync::{yield_now, AtomicBool, AtomicU32, AtomicU64, Ordering};
use crate::{Budget, OutOfMemory};

const TAG_BITS: u32 = 64 - ADDRESS_BITS;
const ADDRESS: u64 = (1 << ADDRESS_BITS) - 1;

const EMPTY: u64 = 0;
/// A slot that was empty when its table was replaced. No entry has address 0.
const CLOSED: u64 = 1 << ADDRESS_BITS;

/// In a shared table of at least this many slots, one entry in `ENTRIES_PER_SAMPLE` is counted:
/// threads would take the counters away from each other with every entry.
const MIN_SAMPLED: u32 = 512;
/// How many entries a counted one stands for, a power of two.
const ENTRIES_PER_SAMPLE: u64 = 8;

/// Whether the entries of a table are counted by samples.
#[inline]
fn is_sampled<const SHARED: bool>(capacity: u32) -> bool {
    SHARED && capacity >= MIN_SAMPLED
}

/// Whether an entry is counted.
#[inline]
fn is_counted<const SHARED: bool>(tag: u64, capacity: u32) -> bool {
    !is_sampled::<SHARED>(capacity) || tag.is_multiple_of(ENTRIES_PER_SAMPLE)
}

/// How many entries may be counted in a table of this many slots.
#[inline]
fn max_count<const SHARED: bool>(capacity: u32) -> u32 {
    let entries = u64::from(capacity) * 13 / 16;
    (if is_sampled::<SHARED>(capacity) { entries / ENTRIES_PER_SAMPLE } else { entries }) as u32
}

/// A table as one word: its kind, and its address, for which systems use 48 bits.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Slots(u64);

const POINTER_BITS: u32 = 48;
const _: () = assert!(KINDS <= 1 << (64 - POINTER_BITS));

impl Slots {
    /// A table of some kind at an address.
    fn new(kind: usize, pointer: *mut u8) -> Result<Slots, OutOfMemory> {
        let address = pointer as u64;
        if address >> POINTER_BITS != 0 {
            return Err(OutOfMemory);
        }
        Ok(Slots((kind as u64) << POINTER_BITS | address))
    }

    #[inline]
    fn kind(self) -> usize {
        (self.0 >> POINTER_BITS) as usize % KINDS
    }

    #[inline]
    fn capacity(self) -> u32 {
        CAPACITY[self.kind()]
    }

    #[inline]
    fn pointer(self) -> *mut AtomicU64 {
        (self.0 & ((1 << POINTER_BITS) - 1)) as *mut AtomicU64
    }

    /// # Safety
    /// The table must not have been freed.
    #[inline]
    unsafe fn slots<'t>(self) -> &'t [AtomicU64] {
        let pointer = self.pointer();
        if pointer.is_null() {
            return &[];
        }
        // SAFETY: a word with an address is a table with its capacity.
        unsafe { std::slice::from_raw_parts(pointer, self.capacity() as usize) }
    }

    /// How many bytes the table takes.
    fn bytes(self) -> u64 {
        u64::from(self.capacity()) * SLOT as u64
    }
}

/// What changes when something is inserted, apart from what is read by everybody.
#[derive(Debug, Default)]
struct Count {
    /// How many entries were counted.
    entries: AtomicU32,
    growing: AtomicBool,
}

/// See the [module](self).
pub(super) struct Table<const SHARED: bool> {
    segments: Box<[AtomicU64]>,
    counts: Box<[Count]>,
    bytes: AtomicU64,
    regions: Regions,
}

/// Where an entry belongs.
#[derive(Clone, Copy)]
struct Home {
    segment: usize,
    tag: u64,
}

impl Home {
    #[inline]
    fn new(hash: u64) -> Home {
        Home {
            segment: (hash >> (64 - SEGMENT_BITS)) as usize,
            tag: (hash >> (64 - SEGMENT_BITS - TAG_BITS)) & ((1 << TAG_BITS) - 1),
        }
    }

    #[inline]
    fn slot(tag: u64, capacity: usize) -> usize {
        ((tag * capacity as u64) >> TAG_BITS) as usize
    }
}

/// What the table asks of those who use it.
pub(super) trait Entries {
    /// Whether the vector at `address` is the one looked for.
    fn matches(&mut self, address: u64) -> bool;
    /// Writes the vector looked for and says where.
    fn create(&mut self) -> Result<u64, OutOfMemory>;
    /// Somebody else was faster: what was created is not needed.
    fn discard(&mut self, address: u64);
}

impl<const SHARED: bool> Table<SHARED> {
    pub fn new(budget: &Budget) -> Result<Self, OutOfMemory> {
        let bytes = SEGMENTS * (size_of::<AtomicU64>() + size_of::<Count>());
        budget.charge(bytes as u64)?;
        Ok(Table {
            segments: (0..SEGMENTS)
                .map(|segment| AtomicU64::new((first_kind(segment) as u64) << POINTER_BITS))
                .collect(),
            counts: (0..SEGMENTS).map(|_| Count::default()).collect(),
            bytes: AtomicU64::new(bytes as u64),
            regions: Regions::default(),
        })
    }

    /// How many bytes the tables in use take.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    #[inline]
    fn table(&self, segment: usize) -> Slots {
        Slots(self.segments[segment].load(Ordering::Acquire))
    }

    /// Asks for the place where an entry with this hash would be.
    #[inline]
    pub fn prefetch(&self, hash: u64) {
        let home = Home::new(hash);
        let table = self.table(home.segment);
        let slot = Home::slot(home.tag, table.capacity() as usize);
        prefetch(table.pointer().wrapping_add(slot));
    }

    /// The address of an entry that may be the one with this hash, to be prefetched.
    #[inline]
    pub fn peek(&self, hash: u64) -> Option<u64> {
        let home = Home::new(hash);
        // SAFETY: the caller is a member of the epochs and between two passes.
        let slots = unsafe { self.table(home.segment).slots() };
        let at = Home::slot(home.tag, slots.len());
        // Two slots, because one in two entries is not in its home.
        for slot in slots.iter().skip(at).take(2) {
            let entry = slot.load(Ordering::Relaxed);
            if entry >> ADDRESS_BITS == home.tag && entry & ADDRESS != 0 {
                return Some(entry & ADDRESS);
            }
        }
        None
    }

    /// The address of the entry with this hash that `matches`.
    pub fn find(&self, hash: u64, mut matches: impl FnMut(u64) -> bool) -> Option<u64> {
        let home = Home::new(hash);
        // SAFETY: the caller is a member of the epochs and between two passes.
        let slots = unsafe { self.table(home.segment).slots() };
        let at = Home::slot(home.tag, slots.len());
        for k in 0..slots.len() {
            let entry = slots[(at + k) % slots.len()].load(Ordering::Acquire);
            if entry & ADDRESS == 0 {
                return None;
            }
            if entry >> ADDRESS_BITS == home.tag && matches(entry & ADDRESS) {
                return Some(entry & ADDRESS);
            }
        }
        None
    }

    /// Finds the entry with this hash that matches, or creates it. Says its address and whether
    /// it is new.
    #[inline]
    pub fn find_or_create(
        &self,
        hash: u64,
        entries: &mut impl Entries,
        epochs: &Epochs,
        budget: &Budget,
    ) -> Result<(u64, bool), OutOfMemory> {
        let home = Home::new(hash);
        let mut created = None;
        'table: loop {
            let table = self.table(home.segment);
            // SAFETY: the caller is a member of the epochs and between two passes.
            let slots = unsafe { table.slots() };
            let mut at = Home::slot(home.tag, slots.len());
            for _ in 0..slots.len() {
                let mut entry = slots[at].load(Ordering::Acquire);
                if entry == EMPTY {
                    let count = &self.counts[home.segment].entries;
                    let counted = is_counted::<SHARED>(home.tag, table.capacity());
                    let max = max_count::<SHARED>(table.capacity());
                    if counted && count.load(Ordering::Relaxed) >= max {
                        self.grow(home.segment, table, epochs, budget)?;
                        continue 'table;
                    }
                    let address = match created {
                        Some(address) => address,
                        None => *created.insert(entries.create()?),
                    };
                    let new = home.tag << ADDRESS_BITS | address;
                    if !SHARED {
                        slots[at].store(new, Ordering::Relaxed);
                        count.store(count.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
                        return Ok((address, true));
                    }
                    match slots[at].compare_exchange(
                        EMPTY,
                        new,
                        Ordering::AcqRel,
                        Ordering::Acquire,
                    ) {
                        Ok(_) => {
                            if counted {
                                count.fetch_add(1, Ordering::Relaxed);
                            }
                            return Ok((address, true));
                        }
                        Err(other) => entry = other,
                    }
                }
                if SHARED && entry == CLOSED {
                    while self.table(home.segment) == table {
                        yield_now();
                    }
                    continue 'table;
                }
                if entry >> ADDRESS_BITS == home.tag && entries.matches(entry & ADDRESS) {
                    if let Some(address) = created {
                        entries.discard(address);
                    }
                    return Ok((entry & ADDRESS, false));
                }
                at += 1;
                if at == slots.len() {
                    at = 0;
                }
            }
            self.grow(home.segment, table, epochs, budget)?;
        }
    }

    /// Replaces the table of a segment, if it is still `old`, by a larger one.
    #[cold]
    fn grow(
        &self,
        segment: usize,
        old: Slots,
        epochs: &Epochs,
        budget: &Budget,
    ) -> Result<(), OutOfMemory> {
        let growing = &self.counts[segment].growing;
        if growing.compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed).is_err() {
            // Somebody else is at it. Should they fail, the caller comes here again.
            while growing.load(Ordering::Relaxed) {
                yield_now();
            }
            return Ok(());
        }
        let result = if self.table(segment) == old {
            self.replace(segment, old, epochs, budget)
        } else {
            Ok(())
        };
        growing.store(false, Ordering::Release);
        result
    }

    fn replace(
        &self,
        segment: usize,
        old: Slots,
        epochs: &Epochs,
        budget: &Budget,
    ) -> Result<(), OutOfMemory> {
        let kind = next_kind(old.kind());
        let new = Slots::new(kind, self.regions.table(kind, segment, budget)?)?;
        // SAFETY: a table of that kind, which nobody else uses yet; all zeros are empty slots.
        let to = unsafe { new.slots() };
        let mut counted = 0;
        // SAFETY: `old` is in use, and only who grows the segment replaces it.
        for slot in unsafe { old.slots() } {
            let mut entry = slot.load(Ordering::Acquire);
            if SHARED && entry == EMPTY {
                // What is there stays, so only an empty slot has to be closed.
                entry = slot
                    .compare_exchange(EMPTY, CLOSED, Ordering::AcqRel, Ordering::Acquire)
                    .map_or_else(|entry| entry, |_| EMPTY);
            }
            if entry == EMPTY {
                continue;
            }
            counted += u32::from(is_counted::<SHARED>(entry >> ADDRESS_BITS, new.capacity()));
            let mut at = Home::slot(entry >> ADDRESS_BITS, to.len());
            while to[at].load(Ordering::Relaxed) != EMPTY {
                at = if at + 1 == to.len() { 0 } else { at + 1 };
            }
            to[at].store(entry, Ordering::Relaxed);
        }
        // Who has put an entry in and not counted it yet counts it twice, which does not matter.
        self.counts[segment].entries.store(counted, Ordering::Relaxed);
        self.segments[segment].store(new.0, Ordering::Release);
        self.bytes.fetch_add(new.bytes() - old.bytes(), Ordering::Relaxed);
        self.regions.leave(old.kind(), SHARED.then_some(epochs), budget);
        Ok(())
    }
}
