//! Memory that is put by for when the system has none left.
//!
//! What grows with a search asks whether there is room and ends the search if not. Everything else
//! takes small amounts as it goes along, wherever it is, and a program that is refused one of those
//! would be aborted, with all that it has found. So a little is put by: with the first request that
//! is refused it is given back to the system, the request is made once more, and a flag is set
//! that everybody who looks at limits sees. There is room enough to come to an orderly end.

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};

use isospin_limits::memory_ran_out;

/// How much is put by: what a search takes between two looks at its limits, and a report.
const FUND: Layout = match Layout::from_size_align(8 << 20, 4096) {
    Ok(layout) => layout,
    Err(_) => panic!("the alignment is a power of two"),
};

/// An allocator with something put by; see the [module](self).
#[derive(Debug)]
pub struct Reserve<A = System> {
    inner: A,
    fund: AtomicPtr<u8>,
}

impl<A> Reserve<A> {
    /// An allocator that takes from another one. Nothing is put by yet.
    pub const fn new(inner: A) -> Reserve<A> {
        Reserve { inner, fund: AtomicPtr::new(null_mut()) }
    }
}

impl<A: GlobalAlloc> Reserve<A> {
    /// Puts some memory by, if there is none.
    pub fn fill(&self) {
        if !self.fund.load(Ordering::Acquire).is_null() {
            return;
        }
        // SAFETY: the layout has a size.
        let fund = unsafe { self.inner.alloc(FUND) };
        let placed =
            self.fund.compare_exchange(null_mut(), fund, Ordering::AcqRel, Ordering::Relaxed);
        if placed.is_err() && !fund.is_null() {
            // SAFETY: allocated just now, and somebody else was faster.
            unsafe { self.inner.dealloc(fund, FUND) };
        }
    }

    /// A request was refused: gives back what was put by, and says whether it was there.
    #[cold]
    fn spend(&self) -> bool {
        memory_ran_out::note();
        let fund = self.fund.swap(null_mut(), Ordering::AcqRel);
        if fund.is_null() {
            return false;
        }
        // SAFETY: allocated in `fill`, and whoever takes it out of its place has it alone.
        unsafe { self.inner.dealloc(fund, FUND) };
        true
    }

    /// What the request yields, made again once there is room for it.
    #[inline]
    fn insist(&self, request: impl Fn(&A) -> *mut u8) -> *mut u8 {
        let place = request(&self.inner);
        if place.is_null() && self.spend() {
            return request(&self.inner);
        }
        place
    }
}

// SAFETY: every request is one of the inner allocator, made once more if it was refused; a refused
// request has changed nothing.
unsafe impl<A: GlobalAlloc> GlobalAlloc for Reserve<A> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        self.insist(|inner| unsafe { inner.alloc(layout) })
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        self.insist(|inner| unsafe { inner.alloc_zeroed(layout) })
    }

    #[inline]
    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as the caller promises; what could not grow is where it was.
        self.insist(|inner| unsafe { inner.realloc(place, layout, size) })
    }

    #[inline]
    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { self.inner.dealloc(place, layout) }
    }
}
