//! What has been counted.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use super::arrivals::Settled;

/// What one thread has counted, for others to read while it runs. On a cache line of its own.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(super) struct Counters {
    states: AtomicU64,
    transitions: AtomicU64,
    depth: AtomicU32,
}

impl Counters {
    /// Counts a batch of arrivals. Only one thread does.
    #[inline]
    pub fn add(&self, settled: Settled) {
        let add = |counter: &AtomicU64, n| {
            counter.store(counter.load(Ordering::Relaxed) + n, Ordering::Relaxed);
        };
        add(&self.states, settled.new);
        add(&self.transitions, settled.arrivals);
        if settled.depth > self.depth.load(Ordering::Relaxed) {
            self.depth.store(settled.depth, Ordering::Relaxed);
        }
    }
}

/// What a search has counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Stats {
    pub states: u64,
    pub transitions: u64,
    pub depth: u32,
    /// Bytes of the set.
    pub store_bytes: u64,
}

impl Stats {
    /// What all threads have counted so far.
    pub fn of(threads: &[Counters]) -> Stats {
        let mut stats = Stats::default();
        for counters in threads {
            stats.states += counters.states.load(Ordering::Relaxed);
            stats.transitions += counters.transitions.load(Ordering::Relaxed);
            stats.depth = stats.depth.max(counters.depth.load(Ordering::Relaxed));
        }
        stats
    }
}
