//! Where the segments' tables lie. Segments belong to groups. All tables of one size of a group lie
//! side by side in one region, so that large tables lie on large pages and growing a segment
//! allocates nothing most of the time.
//!
//! Hashes are even, so the segments of a group outgrow a size at about the same time, and a region
//! is freed soon after the next one comes into being. The sizes differ from group to group, so that
//! one group after the other grows: never is more than one group's share of memory taken twice.

use super::epoch::Epochs;
use super::memory::Block;
use crate::sync::{AtomicU64, Mutex};
use crate::{Budget, OutOfMemory};

/// How many segments there are, as a power of two.
pub(super) const SEGMENT_BITS: u32 = if cfg!(loom) { 1 } else { 10 };
/// How many segments there are.
pub(super) const SEGMENTS: usize = 1 << SEGMENT_BITS;
/// How many segments belong to a group, as a power of two.
const GROUP_BITS: u32 = if cfg!(loom) { 0 } else { 6 };
const GROUP_SEGMENTS: usize = 1 << GROUP_BITS;
/// How many groups there are.
const GROUPS: usize = SEGMENTS >> GROUP_BITS;
/// How many kinds of tables there are, a power of two: sizes, for each of them one kind a group.
pub(super) const KINDS: usize = 64 * GROUPS;

/// How many bytes a slot takes: eight, but where every order of threads is tried out.
pub(super) const SLOT: usize = size_of::<AtomicU64>();

/// No table has more slots than this; together they have more than there can be addresses.
const MAX_CAPACITY: u32 = 1 << 24;

/// How much larger the tables of a group are than those of the group before, in 65,536ths: the
/// sixteenth root of how much a table grows, so that sizes are spread evenly.
const GROUP_GROWTH: u64 = 67_218;

/// How many slots a table has, by its kind. Those of the first size have none.
pub(super) static CAPACITY: [u32; KINDS] = {
    let mut all = [0; KINDS];
    let mut first = 8 << 16;
    let mut group = 0;
    while group < GROUPS {
        let mut exact: u64 = first;
        let mut kind = group + GROUPS;
        while kind < KINDS {
            let rounded = (((exact >> 16) + 7) & !7) as u32;
            let more = all[kind - GROUPS] + 8;
            let n = if rounded > more { rounded } else { more };
            all[kind] = if n > MAX_CAPACITY { MAX_CAPACITY } else { n };
            exact += exact / 2;
            kind += GROUPS;
        }
        first = (first * GROUP_GROWTH) >> 16;
        group += 1;
    }
    all
};

/// The kind of table that a segment begins with.
pub(super) fn first_kind(segment: usize) -> usize {
    segment >> GROUP_BITS
}

/// The kind of table that follows when one is full.
pub(super) fn next_kind(kind: usize) -> usize {
    kind + GROUPS
}

/// Regions from this size on are on large pages.
const MIN_LARGE_PAGES: usize = 4 << 20;

#[derive(Default)]
struct Region {
    block: Option<Block>,
    /// How many segments of the group have moved on to the next size.
    left: usize,
}

#[derive(Default)]
struct Inner {
    /// By kind.
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
    /// Where the table of this kind for a segment is. All slots are empty.
    pub fn table(
        &self,
        kind: usize,
        segment: usize,
        budget: &Budget,
    ) -> Result<*mut u8, OutOfMemory> {
        if kind >= KINDS {
            return Err(OutOfMemory);
        }
        let mut inner = self.inner.lock().unwrap_or_else(|e| e.into_inner());
        while inner.regions.len() <= kind {
            inner.regions.push(Region::default());
        }
        let bytes = CAPACITY[kind] as usize * SLOT;
        let region = &mut inner.regions[kind];
        if region.block.is_none() {
            let all = bytes * GROUP_SEGMENTS;
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
            Some(block) => Ok(block.pointer().wrapping_add(bytes * (segment % GROUP_SEGMENTS))),
            None => Err(OutOfMemory),
        }
    }

    /// A segment has left its table of this kind. Without epochs, nobody else can be in it.
    pub fn leave(&self, kind: usize, epochs: Option<&Epochs>, budget: &Budget) {
        let mut inner = self.inner.lock().unwrap_or_else(|e| e.into_inner());
        let Some(region) = inner.regions.get_mut(kind) else {
            return;
        };
        region.left += 1;
        if region.left < GROUP_SEGMENTS {
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
