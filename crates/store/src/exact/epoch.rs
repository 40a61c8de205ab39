//! When a table that was replaced may be freed: once every thread has been between two batches
//! since it was replaced. Threads say so with a plain store, so probing costs nothing.

use crate::sync::{fence, Arc, AtomicU64, Mutex, Ordering};

/// A thread that is not using the store.
const AWAY: u64 = u64::MAX;

/// One thread's last word on where it is. On a cache line of its own.
#[derive(Debug)]
#[repr(align(128))]
struct Seen(AtomicU64);

/// A thread's membership.
#[derive(Debug)]
pub(super) struct Member(Arc<Seen>);

impl Drop for Member {
    fn drop(&mut self) {
        self.0 .0.store(AWAY, Ordering::Release);
    }
}

/// The epoch and who has seen it.
#[derive(Debug, Default)]
pub(super) struct Epochs {
    now: AtomicU64,
    members: Mutex<Vec<Arc<Seen>>>,
}

impl Epochs {
    /// Adds the calling thread.
    pub fn join(&self) -> Member {
        let mut members = self.members.lock().unwrap_or_else(|e| e.into_inner());
        members.retain(|seen| Arc::strong_count(seen) > 1);
        let seen = Arc::new(Seen(AtomicU64::new(self.now.load(Ordering::Acquire))));
        members.push(Arc::clone(&seen));
        // What is read from now on is at least as new as the epoch just noted.
        fence(Ordering::SeqCst);
        Member(seen)
    }

    /// The calling thread holds no reference to any table.
    #[inline]
    pub fn pass(&self, member: &Member) {
        // Acquire: what is read afterwards is at least as new as the epoch.
        let now = self.now.load(Ordering::Acquire);
        member.0 .0.store(now, Ordering::Release);
    }

    /// The calling thread holds no reference to any table until it comes back.
    pub fn leave(&self, member: &Member) {
        member.0 .0.store(AWAY, Ordering::Release);
    }

    /// The calling thread is back.
    pub fn come_back(&self, member: &Member) {
        self.pass(member);
        fence(Ordering::SeqCst);
    }

    /// Something was replaced just now: starts an epoch and says which.
    pub fn advance(&self) -> u64 {
        self.now.fetch_add(1, Ordering::AcqRel) + 1
    }

    /// The latest epoch that every thread has seen.
    pub fn seen_by_all(&self) -> u64 {
        fence(Ordering::SeqCst);
        let members = self.members.lock().unwrap_or_else(|e| e.into_inner());
        let oldest = members.iter().map(|seen| seen.0.load(Ordering::Acquire)).min();
        oldest.unwrap_or(AWAY)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn an_epoch_is_seen_once_every_member_has_passed() {
        let epochs = Epochs::default();
        let (a, b) = (epochs.join(), epochs.join());
        let replaced = epochs.advance();
        epochs.pass(&a);
        assert!(epochs.seen_by_all() < replaced);
        epochs.leave(&b);
        assert!(epochs.seen_by_all() >= replaced);
        epochs.come_back(&b);
        let replaced = epochs.advance();
        epochs.pass(&b);
        assert!(epochs.seen_by_all() < replaced);
        drop(a);
        assert!(epochs.seen_by_all() >= replaced);
    }
}
