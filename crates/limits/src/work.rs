//! Looking at the limits while working.

use std::cell::{Cell, RefCell};
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::time::{Duration, Instant};

use crate::{memory_ran_out, Limits, Spent, Stopped};

/// How many pieces of work pass between two looks at the clock. A piece takes about a microsecond
/// or less.
const PIECES: u32 = 128;

/// How much time passes between two looks at the memory: in so short a time no program can take
/// more than a few megabytes.
const MEMORY_INTERVAL: Duration = Duration::from_millis(4);

thread_local! {
    /// How many pieces of work are left before the next look.
    static PIECES_LEFT: Cell<u32> = const { Cell::new(0) };
    static HOLDING: RefCell<Option<Limits>> = const { RefCell::new(None) };
    static PHASE: Cell<&'static str> = const { Cell::new("the run began") };
    static MEMORY_SEEN: Cell<Option<Instant>> = const { Cell::new(None) };
}

impl Limits {
    /// Does the work under these limits, instead of those that held before.
    pub fn run<T>(&self, work: impl FnOnce() -> T) -> Result<T, Stopped> {
        let _holding = Holding::start(self.clone());
        attempt(work)
    }
}

/// The limits that held before come back, whatever happens.
struct Holding {
    before: Option<Limits>,
}

impl Holding {
    fn start(limits: Limits) -> Holding {
        PIECES_LEFT.set(0);
        Holding { before: HOLDING.replace(Some(limits)) }
    }
}

impl Drop for Holding {
    fn drop(&mut self) {
        PIECES_LEFT.set(0);
        HOLDING.replace(self.before.take());
    }
}

/// Does a piece of work that may be given up alone: what was exceeded in it ends it and nothing
/// around it.
pub fn attempt<T>(work: impl FnOnce() -> T) -> Result<T, Stopped> {
    // What the work has left behind half done is only looked at by those who know that it ended.
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| match payload.downcast::<Stopped>() {
        Ok(stopped) => *stopped,
        Err(panic) => resume_unwind(panic),
    })
}

/// The limits that hold on this thread, for a thread that works for it.
pub fn current() -> Limits {
    HOLDING.with_borrow(|holding| holding.clone().unwrap_or_else(Limits::none))
}

/// Waits for work that cannot look at limits itself, on a thread of its own. Where a limit is
/// exceeded the thread is left behind, and ends when its work does.
pub fn wait<T>(thread: std::thread::JoinHandle<T>) -> std::thread::Result<T> {
    let mut pause = Duration::from_micros(50);
    while !thread.is_finished() {
        std::thread::sleep(pause);
        pause = (pause * 2).min(MEMORY_INTERVAL);
        check_many(u32::MAX);
    }
    thread.join()
}

/// Says what is going on from now on, as in `the model was being read`.
pub fn phase(what: &'static str) {
    PHASE.set(what);
    check_many(PIECES);
}

/// A piece of work has been done, of about a microsecond or less. Does not return if a limit is
/// exceeded.
#[inline]
pub fn check() {
    check_many(1);
}

/// So many pieces of work have been done, or are about to be.
#[inline]
pub fn check_many(pieces: u32) {
    let left = PIECES_LEFT.get();
    if left > pieces {
        PIECES_LEFT.set(left - pieces);
    } else {
        look();
    }
}

#[cold]
fn look() {
    PIECES_LEFT.set(PIECES);
    let spent = HOLDING.with_borrow(|holding| match holding {
        Some(limits) => spent(limits),
        None => {
            // Nothing holds on this thread; whoever changes that sets this to zero.
            PIECES_LEFT.set(u32::MAX);
            None
        }
    });
    if let Some(spent) = spent {
        if !std::thread::panicking() {
            resume_unwind(Box::new(Stopped { spent, phase: PHASE.get() }));
        }
    }
}

fn spent(limits: &Limits) -> Option<Spent> {
    let now = Instant::now();
    if let Some(spent) = limits.spent_at(now) {
        return Some(spent);
    }
    if memory_ran_out::is_so() {
        return Some(Spent::Memory);
    }
    if MEMORY_SEEN.get().is_some_and(|seen| now.duration_since(seen) < MEMORY_INTERVAL) {
        return None;
    }
    MEMORY_SEEN.set(Some(now));
    limits.memory_spent().then_some(Spent::Memory)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Interrupt;

    fn endless() {
        loop {
            check();
        }
    }

    #[test]
    fn endless_work_ends_when_the_time_is_up() {
        let limits = Limits::new(Some(Duration::from_millis(5)), None, Interrupt::default());
        let stopped = limits.run(|| {
            phase("a test was going on");
            endless();
        });
        assert_eq!(stopped.unwrap_err().to_string(), "the time was up while a test was going on");
    }

    #[test]
    fn endless_work_ends_when_somebody_asks() {
        let interrupt = Interrupt::default();
        assert!(!interrupt.ask());
        let stopped = Limits::new(None, None, interrupt).run(endless).unwrap_err();
        assert_eq!(stopped.spent, Spent::Interrupted);
    }

    #[test]
    fn work_that_takes_more_memory_than_allowed_ends() {
        if crate::resident().is_none() {
            return; // This system does not say.
        }
        let limits = Limits::new(None, Some(1 << 20), Interrupt::default());
        let mut held: Vec<Vec<u8>> = Vec::new();
        let stopped: Result<(), Stopped> = limits.run(|| loop {
            held.push(vec![1; 1 << 12]);
            assert!(held.len() < 1 << 20, "four gigabytes are held");
            check();
        });
        assert_eq!(stopped.unwrap_err().spent, Spent::Memory);
    }

    #[test]
    fn work_without_limits_goes_on_and_hands_back_what_it_made() {
        assert_eq!(attempt(|| (0..100_000).map(|_| check()).count()), Ok(100_000));
        assert_eq!(Limits::none().run(|| (0..100_000).map(|_| check()).count()), Ok(100_000));
    }

    #[test]
    fn the_limits_around_hold_again_afterwards() {
        let now = Limits::new(Some(Duration::ZERO), None, Interrupt::default());
        let stopped = now.run(|| {
            assert!(Limits::none().run(|| (0..1000).for_each(|_| check())).is_ok());
            endless();
        });
        assert_eq!(stopped.unwrap_err().spent, Spent::Time);
    }

    #[test]
    fn other_panics_pass() {
        let passed = catch_unwind(|| attempt(|| resume_unwind(Box::new(7))).is_ok());
        assert_eq!(passed.unwrap_err().downcast_ref::<i32>(), Some(&7));
    }
}
