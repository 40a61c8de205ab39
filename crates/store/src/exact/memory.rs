//! Large pieces of zeroed memory. Where the system can, they lie on large pages: look-ups go to
//! random places, and with small pages each would miss the translation buffer as well as the cache.

use crate::{Budget, OutOfMemory};

/// The size of a large page.
const LARGE_PAGE: usize = 1 << 21;

/// Zeroed memory, aligned to cache lines. Pages are touched only when they are used.
#[derive(Debug)]
pub(super) struct Block {
    pointer: *mut u8,
    size: usize,
    /// What was asked of the system, which is more, to have room for alignment.
    raw: *mut u8,
    raw_size: usize,
}

// SAFETY: a block owns its memory.
unsafe impl Send for Block {}
// SAFETY: a shared block gives out a pointer and nothing else.
unsafe impl Sync for Block {}

impl Block {
    /// `size` bytes, charged to the budget. With `large`, on large pages if there are any.
    pub fn zeroed(size: usize, large: bool, budget: &Budget) -> Result<Block, OutOfMemory> {
        let align = if large { LARGE_PAGE } else { 64 };
        let raw_size = size.checked_add(align).ok_or(OutOfMemory)?;
        budget.charge(size as u64)?;
        let raw = allocate(raw_size);
        if raw.is_null() {
            budget.release(size as u64);
            return Err(OutOfMemory);
        }
        let offset = raw.align_offset(align);
        let pointer = raw.wrapping_add(offset);
        if large {
            advise(pointer, size);
        }
        Ok(Block { pointer, size, raw, raw_size })
    }

    /// Where it starts.
    #[inline]
    pub fn pointer(&self) -> *mut u8 {
        self.pointer
    }

    /// How many bytes it has.
    pub fn size(&self) -> usize {
        self.size
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: allocated with this size, and nobody uses it any more.
        unsafe { free(self.raw, self.raw_size) };
    }
}

// Miri knows no mapped memory, and finds more in what the allocator hands out.
#[cfg(all(unix, not(miri)))]
fn allocate(size: usize) -> *mut u8 {
    // SAFETY: asks for fresh memory, at no particular place.
    let memory = unsafe {
        libc::mmap(
            std::ptr::null_mut(),
            size,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANON | libc::MAP_NORESERVE,
            -1,
            0,
        )
    };
    if memory == libc::MAP_FAILED {
        std::ptr::null_mut()
    } else {
        memory.cast()
    }
}

/// # Safety
/// `memory` must come from `allocate` with the same size, and not be used any more.
#[cfg(all(unix, not(miri)))]
unsafe fn free(memory: *mut u8, size: usize) {
    // SAFETY: as the caller vouches.
    unsafe { libc::munmap(memory.cast(), size) };
}

#[cfg(not(all(unix, not(miri))))]
fn allocate(size: usize) -> *mut u8 {
    match std::alloc::Layout::from_size_align(size, 16) {
        // SAFETY: the layout has a size.
        Ok(layout) => unsafe { std::alloc::alloc_zeroed(layout) },
        Err(_) => std::ptr::null_mut(),
    }
}

/// # Safety
/// `memory` must come from `allocate` with the same size, and not be used any more.
#[cfg(not(all(unix, not(miri))))]
unsafe fn free(memory: *mut u8, size: usize) {
    if let Ok(layout) = std::alloc::Layout::from_size_align(size, 16) {
        // SAFETY: as the caller vouches.
        unsafe { std::alloc::dealloc(memory, layout) };
    }
}

/// Asks for large pages; that there are none is no error.
fn advise(memory: *mut u8, size: usize) {
    #[cfg(all(target_os = "linux", not(miri)))]
    // SAFETY: the range lies within memory of ours, and the advice does not change its contents.
    unsafe {
        libc::madvise(memory.cast(), size, libc::MADV_HUGEPAGE);
    }
    #[cfg(not(all(target_os = "linux", not(miri))))]
    let _ = (memory, size);
}

/// Asks for the cache line at `address` to be fetched.
#[inline(always)]
pub(super) fn prefetch<T>(address: *const T) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: a prefetch has no effect on memory and never faults; SSE is part of x86-64.
    unsafe {
        use std::arch::x86_64::{_mm_prefetch, _MM_HINT_T0};
        _mm_prefetch::<_MM_HINT_T0>(address.cast());
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = address;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_zeroed_aligned_and_charged() {
        let budget = Budget::new(Some(10 << 20));
        for (size, large) in [(64, false), (100_000, false), (5 << 20, true)] {
            let block = Block::zeroed(size, large, &budget).unwrap();
            assert_eq!(block.pointer() as usize % 64, 0);
            // SAFETY: the block has that many bytes.
            let bytes = unsafe { std::slice::from_raw_parts_mut(block.pointer(), size) };
            assert!(bytes.iter().all(|&b| b == 0));
            bytes[size - 1] = 1;
        }
        assert!(Block::zeroed(6 << 20, true, &budget).is_err());
    }
}
