//! Where the segments' tables lie. All tables of one size lie side by side in one region, so that
//! large tables lie on large pages and growing a segment allocates nothing most of the time. Hashes
//! are even, so segments outgrow a size at about the same time, and a region is freed soon after
//! the next one comes into being.

use super::epoch::Epochs;
use super::memory::Block;
use crate::sync::{AtomicU64, Mutex};
use crate::{Budget, OutOfMemory};

/// How many segments there are, as a power of two.
pub(super) const SEGMENT_BITS: u32 = if cfg!(loom) { 1 } else { 10 };
/// How many segments there are.
pub(super) const SEGMENTS: usize = 1 << SEGMENT_BITS;
/// How many sizes of tables there are. Tables are aligned to cache lines, which leaves six bits
/// of a table's address for the number of its size.
pub(super) const SIZES: usize = 1 << 6;

/// How many bytes a slot takes: eight, but where every order of threads is tried out.
pub(super) const SLOT: usize = size_of::<AtomicU64>();

/// No table has more slots than this; together they have more than there can be addresses.
const MAX_CAPACITY: u32 = 1 << 24;

/// How many slots a table has, by the number of its size.
pub(super) const CAPACITY: [u32; SIZES] = {
    let mut list = [0; SIZES];
    let mut n = 0;
    let mut k = 0;
    while k < SIZES {
        list[k] = n;
        n = (n + n / 2 + 8) & !7;
        if n > MAX_CAPACITY {
            n = MAX_CAPACITY;
        }
        k += 1;
    }
    list
};

/// Regions from this size on are on large pages.
const MIN_LARGE_PAGES: usize = 4 << 20;

#[derive(Default)]
struct Region {
    block: Option<Block>,
    /// How many segments have moved on to the next size.
    left: usize,
}

#[derive(Default)]
struct Inner {
    regions: Vec<Region>,
    /// Regions that everybody has left, and the epoch that all threads must have seen before they
    /// are freed.
    abandoned: Vec<(u64, Block)>,
}

/// See the [module](self).
#[derive(Default)]
pub(super) struct Regions {
    inner: Mutex<Inner>,
}

impl Regions {
    /// Where the table of this size for a segment is. All slots are empty.
    pub fn table(
        &self,
        size: usize,
        segment: usize,
        budget: &Budget,
    ) -> Result<*mut u8, OutOfMemory> {
        if size >= SIZES {
            return Err(OutOfMemory);
        }
        let mut inner = self.inner.lock().unwrap_or_else(|e| e.into_inner());
        while inner.regions.len() <= size {
            inner.regions.push(Region::default());
        }
        let bytes = CAPACITY[size] as usize * SLOT;
        let region = &mut inner.regions[size];
        if region.block.is_none() {
            let all = bytes * SEGMENTS;
            let block = Block::zeroed(all, all >= MIN_LARGE_PAGES, budget)?;
            #[cfg(loom)]
            for k in 0..all / SLOT {
                // SAFETY: lies within the block, which nobody else knows yet. An empty slot is not
                // all zeros here.
                unsafe { block.pointer().cast::<AtomicU64>().add(k).write(AtomicU64::new(0)) };
            }
            region.block = Some(block);
        }
        match &region.block {
            Some(block) => Ok(block.pointer().wrapping_add(bytes * segment)),
            None => Err(OutOfMemory),
        }
    }

    /// A segment has left its table of this size. Without epochs, nobody else can be in it.
    pub fn leave(&self, size: usize, epochs: Option<&Epochs>, budget: &Budget) {
        let mut inner = self.inner.lock().unwrap_or_else(|e| e.into_inner());
        let Some(region) = inner.regions.get_mut(size) else {
            return;
        };
        region.left += 1;
        if region.left < SEGMENTS {
            return;
        }
        let Some(block) = region.block.take() else {
            return;
        };
        let Some(epochs) = epochs else {
            budget.release(block.size() as u64);
            return;
        };
        let epoch = epochs.advance();
        inner.abandoned.push((epoch, block));
        let seen = epochs.seen_by_all();
        inner.abandoned.retain(|(epoch, block)| {
            let free = *epoch <= seen;
            if free {
                budget.release(block.size() as u64);
            }
            !free
        });
    }
}
