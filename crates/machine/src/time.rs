//! How time passes: what a tick does to a state. It needs the layout alone, so all machines share
//! it.

use isospin_model::time::{Pace, OFF};
use isospin_model::{Model, Scalar, Time};

use crate::fault::{Fault, RuntimeError};
use crate::machine::{Step, Successors};

/// So many timers can run at once under abstraction: any set of them may expire.
pub const MAX_ABSTRACT_TIMERS: u32 = 16;

/// Adds the steps in which time passes in `state`: none where all timers are off.
pub(crate) fn tick(model: &Model, state: &[u8], out: &mut Successors) {
    let Some(time) = &model.time else { return };
    let now = Now::read(model, time, state);
    if now.expired == 0 && now.running == 0 {
        return;
    }
    match time.pace {
        Pace::Tick => now.pass(model, time, state, 1, out),
        // What has expired is off one unit later, and somebody may wait for that.
        Pace::Jump if now.expired > 0 => now.pass(model, time, state, 1, out),
        Pace::Jump => now.pass(model, time, state, now.least, out),
        Pace::Abstract if now.running > MAX_ABSTRACT_TIMERS => {
            let error = RuntimeError::TooManyTimers(now.running);
            out.push(Step::tick(0), Some(Fault::Runtime(error)), None, state);
        }
        Pace::Abstract => {
            // Nothing happens in a tick in which nothing expires and nothing has; others stand
            // for all ticks up to the next in which something expires.
            let first = u32::from(now.expired == 0);
            for set in first..1 << now.running {
                let mut next = state.to_vec();
                expire(model, time, &mut next, set);
                out.push(Step::tick(set), None, None, &next);
            }
        }
    }
}

/// Lets time pass in `state` as `step` says, and says what is wrong with that; `None` if it cannot.
/// That nobody can move meanwhile is for the caller to know.
pub(crate) fn take(model: &Model, state: &mut [u8], step: Step) -> Option<Option<Fault>> {
    let time = model.time.as_ref()?;
    let now = Now::read(model, time, state);
    if now.expired == 0 && now.running == 0 {
        return None;
    }
    match time.pace {
        Pace::Abstract if now.running > MAX_ABSTRACT_TIMERS => {
            let error = RuntimeError::TooManyTimers(now.running);
            return (step.units() == 0).then_some(Some(Fault::Runtime(error)));
        }
        Pace::Abstract => {
            let known = step.units() < 1 << now.running;
            if !known || step.units() == 0 && now.expired == 0 {
                return None;
            }
            expire(model, time, state, step.units());
        }
        Pace::Tick | Pace::Jump => {
            // In a longer step nothing may expire before its end.
            let most = if now.expired > 0 { 1 } else { now.least };
            if !(1..=most).contains(&step.units()) {
                return None;
            }
            decrease(model, time, state, step.units());
        }
    }
    Some(None)
}

/// What the timers of a state are up to.
struct Now {
    expired: u32,
    running: u32,
    /// The least time that a running one has left.
    least: u32,
}

impl Now {
    fn read(model: &Model, time: &Time, state: &[u8]) -> Now {
        let mut now = Now { expired: 0, running: 0, least: u32::MAX };
        time.for_each(model, state, |at| match Scalar::TIMER.load(state, at) {
            0 => now.expired += 1,
            left if left > 0 => {
                now.running += 1;
                now.least = now.least.min(left as u32);
            }
            _ => {}
        });
        now
    }

    fn pass(&self, model: &Model, time: &Time, state: &[u8], units: u32, out: &mut Successors) {
        let mut next = state.to_vec();
        decrease(model, time, &mut next, units);
        out.push(Step::tick(units), None, None, &next);
    }
}

fn decrease(model: &Model, time: &Time, state: &mut [u8], units: u32) {
    let before = state.to_vec();
    time.for_each(model, &before, |at| {
        let left = Scalar::TIMER.load(&before, at);
        if left >= 0 {
            Scalar::TIMER.store(state, at, left - units as i32);
        }
    });
}

/// An abstract tick: what has expired is off, and of those that run, the ones in `set` expire.
fn expire(model: &Model, time: &Time, state: &mut [u8], set: u32) {
    let before = state.to_vec();
    let mut running = 0;
    time.for_each(model, &before, |at| match Scalar::TIMER.load(&before, at) {
        0 => Scalar::TIMER.store(state, at, OFF),
        left if left > 0 => {
            if set >> running & 1 != 0 {
                Scalar::TIMER.store(state, at, 0);
            }
            running += 1;
        }
        _ => {}
    });
}
