//! How far a search may go: memory, time, interrupts; and how it says how far it is.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};

use isospin_limits::memory_ran_out;
use isospin_store::Budget;

/// How often progress is reported at most.
pub const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// How far a search is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Progress {
    /// States stored.
    pub states: u64,
    /// Arrivals at storable states.
    pub transitions: u64,
    /// The length of the longest path so far.
    pub depth: u64,
    /// Violations so far.
    pub errors: u64,
    /// Bytes held now.
    pub memory: u64,
    /// The memory limit, if there is one.
    pub memory_limit: Option<u64>,
    /// How long the search has been running.
    pub elapsed: Duration,
    /// States stored per second since the last report.
    pub rate: f64,
}

/// Why a search ended before everything was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Incomplete {
    /// The next allocation would have exceeded the memory limit.
    Memory,
    /// The time was up.
    Time,
    /// Paths were cut off at the depth limit.
    Depth,
    /// It was interrupted.
    Interrupted,
}

/// The reason to stop that is no limit: the model is not symmetric.
const ASYMMETRIC: u8 = 6;

/// What all threads of a search share: when to stop, and why.
#[derive(Debug)]
pub(crate) struct Control {
    pub budget: Arc<Budget>,
    pub memory_limit: Option<u64>,
    pub start: Instant,
    deadline: Option<Instant>,
    interrupt: Option<Arc<AtomicBool>>,
    stop: AtomicBool,
    reason: AtomicU8,
    depth_cut: AtomicBool,
    /// After so many expansions the search gives up, to be done in another way.
    patience: u64,
    impatient: AtomicBool,
}

impl Control {
    /// For a search that may hold so many bytes and take so long, and that ends when `interrupt`
    /// becomes true.
    pub fn new(
        memory: Option<u64>,
        time: Option<Duration>,
        interrupt: Option<Arc<AtomicBool>>,
    ) -> Control {
        let start = Instant::now();
        Control {
            budget: Arc::new(Budget::new(memory)),
            memory_limit: memory,
            start,
            deadline: time.and_then(|t| start.checked_add(t)),
            interrupt,
            stop: AtomicBool::new(false),
            reason: AtomicU8::new(0),
            depth_cut: AtomicBool::new(false),
            patience: u64::MAX,
            impatient: AtomicBool::new(false),
        }
    }

    /// The same, for a search that is to give up after about so many expansions.
    pub fn with_patience(self, patience: u64) -> Control {
        Control { patience, ..self }
    }

    /// Whether the search gave up.
    pub fn gave_up(&self) -> bool {
        self.impatient.load(Ordering::Relaxed)
    }

    /// Ends the search, because the model has turned out not to be symmetric: a loop over all names
    /// was blocked half way. It has to begin again without symmetry.
    pub fn stop_asymmetric(&self) {
        self.stop_because(ASYMMETRIC);
    }

    /// Whether the model has turned out not to be symmetric.
    pub fn is_asymmetric(&self) -> bool {
        self.reason.load(Ordering::Relaxed) == ASYMMETRIC
    }

    /// Whether the search is to end now.
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Ends the search, because of a limit or, without a reason, because enough has been found.
    /// The first reason stands.
    pub fn stop(&self, reason: Option<Incomplete>) {
        let code = match reason {
            None => 1,
            Some(Incomplete::Memory) => 2,
            Some(Incomplete::Time) => 3,
            Some(Incomplete::Interrupted) => 4,
            Some(Incomplete::Depth) => 5,
        };
        self.stop_because(code);
    }

    fn stop_because(&self, code: u8) {
        let _ = self.reason.compare_exchange(0, code, Ordering::Relaxed, Ordering::Relaxed);
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Notes that a path was cut off at the depth limit.
    pub fn cut_depth(&self) {
        self.depth_cut.store(true, Ordering::Relaxed);
    }

    /// Why the search ended early.
    pub fn reason(&self) -> Option<Incomplete> {
        match self.reason.load(Ordering::Relaxed) {
            2 => Some(Incomplete::Memory),
            3 => Some(Incomplete::Time),
            4 => Some(Incomplete::Interrupted),
            5 => Some(Incomplete::Depth),
            _ if self.depth_cut.load(Ordering::Relaxed) => Some(Incomplete::Depth),
            _ => None,
        }
    }

    /// Looks at the clock, at the interrupt, and whether there is memory; says whether the search is
    /// to end.
    pub fn poll(&self) -> bool {
        if memory_ran_out::is_so() {
            self.stop(Some(Incomplete::Memory));
        }
        if let Some(interrupt) = &self.interrupt {
            if interrupt.load(Ordering::Relaxed) {
                self.stop(Some(Incomplete::Interrupted));
            }
        }
        if let Some(deadline) = self.deadline {
            if Instant::now() >= deadline {
                self.stop(Some(Incomplete::Time));
            }
        }
        self.stopped()
    }
}

/// How many expansions pass between two looks at the clock at most.
const POLL_INTERVAL: u32 = 64;
/// How much time should pass between them: where states are dear, the clock is looked at more often.
const POLL_TIME: Duration = Duration::from_millis(2);

/// Reports progress and watches the limits for one thread, cheaply.
pub(crate) struct Watch<'w> {
    control: &'w Control,
    report: Option<&'w mut dyn FnMut(&Progress)>,
    /// How many expansions there are between the last look and the next, and how many are left.
    interval: u32,
    countdown: u32,
    expansions: u64,
    looked: Instant,
    last: Instant,
    last_states: u64,
}

impl<'w> Watch<'w> {
    pub fn new(control: &'w Control, report: Option<&'w mut dyn FnMut(&Progress)>) -> Watch<'w> {
        Watch {
            control,
            report,
            interval: 1,
            countdown: 1,
            expansions: 0,
            looked: control.start,
            last: control.start,
            last_states: 0,
        }
    }

    /// To be called once per expansion; says whether the search is to end. `progress` is asked
    /// for states, transitions, depth and errors when a report is due.
    #[inline]
    pub fn tick(&mut self, progress: impl FnOnce() -> Progress) -> bool {
        self.countdown -= 1;
        self.countdown == 0 && self.look(progress)
    }

    /// Looks at the limits now, and reports if a report is due.
    #[cold]
    pub fn look(&mut self, progress: impl FnOnce() -> Progress) -> bool {
        self.expansions += u64::from(self.interval - self.countdown);
        let now = Instant::now();
        let slow = now - self.looked > POLL_TIME;
        self.looked = now;
        let next = if slow { self.interval / 2 } else { self.interval * 2 };
        // Patience ends at the same expansion whatever the clock says.
        let patience = self.control.patience.saturating_sub(self.expansions).max(1);
        let most = u32::try_from(patience).map_or(POLL_INTERVAL, |p| p.min(POLL_INTERVAL));
        self.interval = next.clamp(1, most);
        self.countdown = self.interval;
        if self.expansions >= self.control.patience {
            self.control.impatient.store(true, Ordering::Relaxed);
            self.control.stop(None);
        }
        if let Some(report) = &mut self.report {
            let since = now - self.last;
            if since >= PROGRESS_INTERVAL {
                let mut progress = progress();
                progress.memory = self.control.budget.used();
                progress.memory_limit = self.control.memory_limit;
                progress.elapsed = now - self.control.start;
                let found = progress.states.saturating_sub(self.last_states);
                progress.rate = found as f64 / since.as_secs_f64();
                self.last = now;
                self.last_states = progress.states;
                report(&progress);
            }
        }
        self.control.poll()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unlimited() -> Control {
        Control::new(None, None, None)
    }

    #[test]
    fn the_first_reason_to_stop_stands() {
        let control = unlimited();
        assert_eq!((control.stopped(), control.reason()), (false, None));
        control.stop(Some(Incomplete::Memory));
        control.stop(Some(Incomplete::Time));
        control.stop_asymmetric();
        assert_eq!((control.stopped(), control.reason()), (true, Some(Incomplete::Memory)));
        assert!(!control.is_asymmetric());
    }

    #[test]
    fn who_has_found_enough_is_not_incomplete() {
        let control = unlimited();
        control.stop(None);
        assert_eq!((control.stopped(), control.reason()), (true, None));
    }

    #[test]
    fn a_model_that_is_not_symmetric_is_no_limit() {
        let control = unlimited();
        control.stop_asymmetric();
        assert!(control.stopped() && control.is_asymmetric());
        assert_eq!(control.reason(), None);
    }

    #[test]
    fn a_cut_path_counts_unless_something_else_ended_the_search() {
        let control = unlimited();
        control.cut_depth();
        assert_eq!((control.stopped(), control.reason()), (false, Some(Incomplete::Depth)));
        control.stop(Some(Incomplete::Interrupted));
        assert_eq!(control.reason(), Some(Incomplete::Interrupted));
    }

    #[test]
    fn an_interrupt_and_the_end_of_the_time_are_noticed() {
        let interrupt = Arc::new(AtomicBool::new(false));
        let control = Control::new(None, None, Some(Arc::clone(&interrupt)));
        assert!(!control.poll());
        interrupt.store(true, Ordering::Relaxed);
        assert!(control.poll());
        assert_eq!(control.reason(), Some(Incomplete::Interrupted));
        let control = Control::new(None, Some(Duration::ZERO), None);
        assert!(control.poll());
        assert_eq!(control.reason(), Some(Incomplete::Time));
    }

    #[test]
    fn patience_ends_a_search_without_a_reason() {
        let control = unlimited().with_patience(1000);
        let mut watch = Watch::new(&control, None);
        let expansions = (0..).take_while(|_| !watch.tick(Progress::default)).count();
        assert_eq!(expansions, 999, "the thousandth was the last");
        assert!(control.gave_up() && control.reason().is_none());
    }
}
