//! What a run is allowed.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::{resident, Spent};

/// A way to end a run from outside. Clones are the same one.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Asks the run to end with what it has found. Says whether it was asked before.
    pub fn ask(&self) -> bool {
        self.0.swap(true, Ordering::SeqCst)
    }

    /// Whether it was asked.
    pub fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The flag itself.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }
}

/// What a run is allowed, from the moment at which this is made. Clones are the same limits.
#[derive(Clone, Debug)]
pub struct Limits {
    start: Instant,
    deadline: Option<Instant>,
    memory: Option<u64>,
    /// What the program held before it began to work.
    before: u64,
    interrupt: Interrupt,
}

/// What a small model and the machine code for it take. Limits are about what grows: this much is
/// not counted.
const SMALL: u64 = 3 << 20;

impl Limits {
    /// So much time, so many bytes, and nobody asks for the end.
    pub fn new(time: Option<Duration>, memory: Option<u64>, interrupt: Interrupt) -> Limits {
        let start = Instant::now();
        Limits {
            start,
            deadline: time.and_then(|t| start.checked_add(t)),
            memory,
            before: resident().unwrap_or(0),
            interrupt,
        }
    }

    /// No limits.
    pub fn none() -> Limits {
        let start = Instant::now();
        let interrupt = Interrupt::default();
        Limits { start, deadline: None, memory: None, before: 0, interrupt }
    }

    /// When the run began.
    pub fn start(&self) -> Instant {
        self.start
    }

    /// How much time is left, if it is limited.
    pub fn time_left(&self) -> Option<Duration> {
        self.deadline.map(|at| at.saturating_duration_since(Instant::now()))
    }

    /// How many bytes may still be taken, if memory is limited.
    pub fn memory_left(&self) -> Option<u64> {
        self.memory.map(|limit| limit.saturating_sub(self.grown()))
    }

    /// The token that ends the run.
    pub fn interrupt(&self) -> &Interrupt {
        &self.interrupt
    }

    /// By how much the program has grown since it began to work, small things left out.
    fn grown(&self) -> u64 {
        resident().unwrap_or(0).saturating_sub(self.before + SMALL)
    }

    /// Which limit is exceeded, memory left out.
    pub(crate) fn spent_at(&self, now: Instant) -> Option<Spent> {
        if self.interrupt.is_asked() {
            return Some(Spent::Interrupted);
        }
        self.deadline.is_some_and(|at| now >= at).then_some(Spent::Time)
    }

    /// Whether more memory is held than is allowed. This takes some microseconds.
    pub(crate) fn memory_spent(&self) -> bool {
        // A list that has to grow takes its new room before anybody can look again.
        self.memory.is_some_and(|limit| self.grown() > limit - limit / 5)
    }
}
