//! Work that threads hand to each other. A thread that has run out waits here; the others notice
//! and give half of what they have.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::Duration;

use super::frontier::Frontier;
use crate::limits::Control;

/// Real states with their ids.
pub(super) type Work<I> = Frontier<I>;

/// How long a thread waits before it looks whether the search was stopped.
const MAX_WAIT: Duration = Duration::from_millis(20);

struct Inner<I> {
    work: Vec<Work<I>>,
    idle: usize,
    finished: bool,
}

/// See the [module](self).
pub(super) struct Pool<I> {
    threads: usize,
    inner: Mutex<Inner<I>>,
    changed: Condvar,
    /// How many threads wait and have not been given anything yet: a hint, read without the lock.
    hungry: AtomicUsize,
}

impl<I: Copy> Pool<I> {
    pub fn new(threads: usize, first: Work<I>) -> Pool<I> {
        Pool {
            threads,
            inner: Mutex::new(Inner { work: vec![first], idle: 0, finished: false }),
            changed: Condvar::new(),
            hungry: AtomicUsize::new(0),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inner<I>> {
        self.inner.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// Whether somebody would be glad of work.
    #[inline]
    pub fn is_hungry(&self) -> bool {
        self.hungry.load(Ordering::Relaxed) > 0
    }

    fn update_hunger(&self, inner: &Inner<I>) {
        let hungry = inner.idle.saturating_sub(inner.work.len());
        self.hungry.store(hungry, Ordering::Relaxed);
    }

    /// Hands work to somebody else.
    pub fn give(&self, work: Work<I>) {
        let mut inner = self.lock();
        inner.work.push(work);
        self.update_hunger(&inner);
        self.changed.notify_one();
    }

    /// Waits for work. `None` when there will be no more: everybody waits, or the search was
    /// stopped.
    pub fn take(&self, control: &Control) -> Option<Work<I>> {
        let mut inner = self.lock();
        inner.idle += 1;
        loop {
            if control.stopped() || inner.finished {
                return None;
            }
            if let Some(work) = inner.work.pop() {
                inner.idle -= 1;
                self.update_hunger(&inner);
                return Some(work);
            }
            if inner.idle == self.threads {
                inner.finished = true;
                self.changed.notify_all();
                return None;
            }
            self.update_hunger(&inner);
            inner = match self.changed.wait_timeout(inner, MAX_WAIT) {
                Ok((inner, _)) => inner,
                Err(poisoned) => poisoned.into_inner().0,
            };
        }
    }

    /// A thread could not be started: it counts as one that waits for ever.
    pub fn absent(&self) {
        self.lock().idle += 1;
    }

    /// A thread that counted as absent is there after all.
    pub fn present(&self) {
        self.lock().idle -= 1;
    }

    /// Whether all work was done.
    pub fn is_finished(&self) -> bool {
        self.lock().finished
    }
}
