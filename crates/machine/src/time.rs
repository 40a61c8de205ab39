//! How time passes: what a tick does to a state. It needs the layout alone, so all machines share
//! it.

mod open;

use isospin_model::time::{Pace, OFF};
use isospin_model::{Model, Scalar, Time};

use crate::fault::{Fault, RuntimeError};
use crate::machine::Machine;
use crate::step::{Passing, Step};
use crate::successors::Successors;
pub(crate) use open::beside;

/// So many timers can run at once under abstraction: any set of them may expire.
pub const MAX_ABSTRACT_TIMERS: u32 = 16;

/// A jump looks so often whether somebody can move. It may end anywhere: the next one goes on.
const MAX_LOOKS: u32 = 10_000;

/// Adds the steps in which time passes in `state`: none where all timers are off.
pub(crate) fn tick<M: Machine + ?Sized>(machine: &mut M, state: &[u8], out: &mut Successors) {
    let model = machine.model();
    let Some(time) = &model.time else { return };
    if time.open {
        return open::tick(machine, state, out);
    }
    let now = Now::read(model, time, state);
    if now.is_over() {
        return;
    }
    match time.pace {
        Pace::Tick => push(model, time, state, 1, out),
        Pace::Expiry => push(model, time, state, now.next(), out),
        Pace::Event => {
            let (units, next) = jump(machine, state, &now);
            out.push(Step::units(units), None, None, &next);
        }
        Pace::Abstract if now.running > MAX_ABSTRACT_TIMERS => {
            let error = RuntimeError::TooManyTimers(now.running);
            out.push(Step::Time(Passing::Expiring(0)), Some(Fault::Runtime(error)), None, state);
        }
        Pace::Abstract => {
            // Nothing happens in a tick in which nothing expires and nothing has; others stand
            // for all ticks up to the next in which something expires.
            let first = u32::from(now.expired == 0);
            for set in first..1 << now.running {
                let mut next = state.to_vec();
                expire(model, time, &mut next, set);
                out.push(Step::Time(Passing::Expiring(set)), None, None, &next);
            }
        }
    }
}

fn push(model: &Model, time: &Time, state: &[u8], units: u32, out: &mut Successors) {
    let mut next = state.to_vec();
    decrease(model, time, &mut next, units);
    out.push(Step::units(units), None, None, &next);
}

/// Lets time pass until somebody can move or no timer runs: how long that takes, and the state.
fn jump<M: Machine + ?Sized>(machine: &mut M, state: &[u8], now: &Now) -> (u32, Vec<u8>) {
    let mut next = state.to_vec();
    let mut probe = Successors::default();
    let (mut passed, mut units) = (0u32, now.next());
    for _ in 0..MAX_LOOKS {
        let model = machine.model();
        let Some(time) = &model.time else { return (passed, next) };
        // Where somebody waits for a certain time, it is looked at in every unit.
        if time.watched {
            units = 1;
        }
        // How long a step takes has to fit into the step.
        let Some(after) = passed.checked_add(units) else { return (passed, next) };
        decrease(model, time, &mut next, units);
        passed = after;
        let then = Now::read(model, time, &next);
        probe.clear();
        machine.all_steps(&next, false, &mut probe);
        if !probe.is_empty() || then.is_over() {
            return (passed, next);
        }
        units = then.next();
    }
    (passed, next)
}

/// Lets time pass in `state`, and says what is wrong with that; `None` if it cannot. That nobody
/// can move meanwhile is for the caller to know.
pub(crate) fn take(model: &Model, state: &mut [u8], passing: Passing) -> Option<Option<Fault>> {
    let time = model.time.as_ref()?;
    if time.open {
        let Passing::Units(units) = passing else { return None };
        let changing = (0..units).take_while(|_| time.advance(model, state)).count();
        return (units == 1 || changing > 0).then_some(None);
    }
    let now = Now::read(model, time, state);
    let abstracted = time.pace == Pace::Abstract;
    match passing {
        _ if now.is_over() => None,
        Passing::Units(units) => (!abstracted && pass(model, time, state, units)).then_some(None),
        Passing::Expiring(set) => {
            if !abstracted {
                return None;
            }
            if now.running > MAX_ABSTRACT_TIMERS {
                let error = RuntimeError::TooManyTimers(now.running);
                return (set == 0).then_some(Some(Fault::Runtime(error)));
            }
            if set >= 1 << now.running || set == 0 && now.expired == 0 {
                return None;
            }
            expire(model, time, state, set);
            Some(None)
        }
    }
}

/// Lets `units` of time pass; says whether some timer was on all the while.
fn pass(model: &Model, time: &Time, state: &mut [u8], units: u32) -> bool {
    let mut left = units;
    while left > 0 {
        let now = Now::read(model, time, state);
        if now.is_over() {
            return false;
        }
        let next = now.next().min(left);
        decrease(model, time, state, next);
        left -= next;
    }
    units > 0
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

    /// Whether all timers are off.
    fn is_over(&self) -> bool {
        self.expired == 0 && self.running == 0
    }

    /// How long it takes until the next timer expires, or is off after it has: a unit later.
    fn next(&self) -> u32 {
        match self.expired {
            0 => self.least,
            _ => 1,
        }
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
