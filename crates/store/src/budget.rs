//! How much memory there is to take.

use std::sync::atomic::{AtomicU64, Ordering};

/// The search needs more memory than it may have, or than there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfMemory;

/// Blocks of this many bytes and more are pages of their own, which the system moves to another
/// address when a block grows (`mremap` on Linux, for which this is the largest threshold of its
/// usual allocators).
const MOVED_BY_PAGES: u64 = if cfg!(target_os = "linux") { 32 << 20 } else { u64::MAX };

/// Counts the bytes that a search holds and refuses to go beyond the limit.
#[derive(Debug)]
pub struct Budget {
    limit: u64,
    used: AtomicU64,
    peak: AtomicU64,
}

impl Budget {
    /// A budget of `limit` bytes.
    pub fn new(limit: Option<u64>) -> Budget {
        Budget {
            limit: limit.unwrap_or(u64::MAX),
            used: AtomicU64::new(0),
            peak: AtomicU64::new(0),
        }
    }

    /// Takes `bytes`, if they are there to take.
    pub fn charge(&self, bytes: u64) -> Result<(), OutOfMemory> {
        let mut used = self.used.load(Ordering::Relaxed);
        loop {
            let next = used.saturating_add(bytes);
            if next > self.limit {
                return Err(OutOfMemory);
            }
            match self.used.compare_exchange_weak(used, next, Ordering::Relaxed, Ordering::Relaxed)
            {
                Ok(_) => {
                    self.peak.fetch_max(next, Ordering::Relaxed);
                    return Ok(());
                }
                Err(now) => used = now,
            }
        }
    }

    /// Gives `bytes` back.
    pub fn release(&self, bytes: u64) {
        self.used.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// How many bytes are held.
    pub fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    /// The most that was held at any time.
    pub fn peak(&self) -> u64 {
        self.peak.load(Ordering::Relaxed)
    }

    /// Makes room for `extra` more elements in `list`. While a list grows, its old and its new
    /// place are both charged, because both may exist; not so for large lists, whose pages are
    /// moved and not copied.
    pub fn reserve<T>(&self, list: &mut Vec<T>, extra: usize) -> Result<(), OutOfMemory> {
        if list.capacity() - list.len() >= extra {
            return Ok(());
        }
        let size = size_of::<T>() as u64;
        let old = list.capacity();
        let needed = list.len() + extra;
        let moved = old as u64 * size;
        let by_pages = moved >= MOVED_BY_PAGES;
        // What can be moved for next to nothing is moved often, and has little room to spare.
        let roomy = needed.max(old + old / if by_pages { 8 } else { 2 }).max(64);
        // Near the limit a little more is better than nothing.
        let kept = if by_pages { moved } else { 0 };
        for wanted in [roomy, needed + needed / 16] {
            let more = (wanted as u64 * size).saturating_sub(kept);
            if self.charge(more).is_err() {
                continue;
            }
            if list.try_reserve_exact(wanted - list.len()).is_err() {
                self.release(more);
                continue;
            }
            self.release(moved - kept);
            return Ok(());
        }
        Err(OutOfMemory)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_refuses_what_exceeds_it_and_remembers_its_peak() {
        let budget = Budget::new(Some(100));
        assert_eq!(budget.charge(60), Ok(()));
        assert_eq!(budget.charge(41), Err(OutOfMemory));
        assert_eq!(budget.charge(40), Ok(()));
        budget.release(90);
        assert_eq!((budget.used(), budget.peak()), (10, 100));
    }

    #[test]
    fn a_list_grows_only_within_the_budget() {
        let budget = Budget::new(Some(1000));
        let mut list: Vec<u64> = Vec::new();
        while budget.reserve(&mut list, 1).is_ok() {
            list.push(0);
        }
        assert!(list.len() >= 64 && list.capacity() * 8 <= 1000);
        assert_eq!(budget.used(), list.capacity() as u64 * 8);
    }
}
