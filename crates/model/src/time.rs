//! Discrete time: timers, and how time passes [Bosnacki 2001, chapters 4 and 5].
//!
//! A timer is off (-1), has expired (0), or has some units of time left. Time passes in a *tick*,
//! which decreases every timer that is not off; so a timer that has expired is off one unit later.
//! A tick can happen only where some timer is not off and no process can do anything else, and it
//! goes before what waits for `timeout`. It belongs to no process.
//!
//! *Clocks* count up, and a model that has them, or steps that are not [eager](Urgency), has *open*
//! time: a unit of it may pass beside steps that can be taken. It passes where no eager step can be
//! taken, where every delayable one could still be taken afterwards, and where the
//! [conditions](Condition) of the places where processes stand hold afterwards [Bornot and Sifakis
//! 2000]. Where nobody can move and nobody ever could, however much time passes, none does: the
//! execution is at its end. Timers do not go with open time.
//!
//! [`Pace`] says how ticks are taken; which pace keeps the meaning of a model is not decided here.

use crate::action::Action;
use crate::expr::{BinaryOp, Expr, Place};
use crate::ids::{LocationId, ProcTypeId};
use crate::layout::{FrameLayout, Layout, Slot};
use crate::model::{Model, ProcType};
use crate::scalar::{Kind, Scalar};

/// The value of a timer that is off.
pub const OFF: i32 = -1;

/// How much time passes at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Pace {
    /// One unit.
    #[default]
    Tick,
    /// Until the next timer expires, or is off after it has: properties ask that much.
    Expiry,
    /// Until something can happen, or no timer runs any more.
    Event,
    /// Until some timers expire, whichever they are. Timers keep no values but -1, 0 and 1.
    Abstract,
}

/// Where the timers are, and how time passes.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Time {
    /// The offsets of the global timers.
    pub global: Vec<u32>,
    /// For each process type, the offsets of its timers in a frame.
    pub local: Vec<Vec<u32>>,
    /// How much time passes at once.
    pub pace: Pace,
    /// Whether some process waits until a certain time is left, so that every tick may let it
    /// move.
    pub watched: bool,
    /// Whether time passes beside steps that can be taken.
    pub open: bool,
    /// The global clocks.
    pub global_clocks: Vec<Clock>,
    /// For each process type, its clocks.
    pub local_clocks: Vec<Vec<Clock>>,
    /// What must hold for time to pass.
    pub conditions: Vec<Condition>,
}

/// Where a clock is, in the vector or in a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Where it starts.
    pub offset: u32,
    /// Its type.
    pub ty: Scalar,
}

impl Clock {
    /// Lets a unit of time pass on a clock that stands at `at`; says whether that changed it.
    #[inline]
    pub fn advance(self, state: &mut [u8], at: usize) -> bool {
        let Kind::Clock { top, .. } = self.ty.kind else { return false };
        let value = self.ty.load(state, at);
        let runs = value > 0 && value < i32::from(top);
        if runs {
            self.ty.store(state, at, value + 1);
        }
        runs
    }
}

/// While a process of this type stands at this location, time passes only to where the expression
/// holds, as the process sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// The type of process.
    pub proctype: ProcTypeId,
    /// The location.
    pub location: LocationId,
    /// What must hold.
    pub holds: Expr,
}

impl Time {
    /// Where the timers and clocks of these layouts are; `None` if there are none.
    pub fn of(layout: &Layout, proctypes: &[ProcType]) -> Option<Time> {
        Some(Time::new(layout, proctypes)).filter(|time| !time.is_empty())
    }

    /// The same, though there may be none.
    pub fn new(layout: &Layout, proctypes: &[ProcType]) -> Time {
        let mut time = Time {
            global: timers(&layout.slots),
            local: proctypes.iter().map(|p| timers(&p.frame.slots)).collect(),
            pace: Pace::Tick,
            watched: false,
            open: false,
            global_clocks: clocks(&layout.slots),
            local_clocks: proctypes.iter().map(|p| clocks(&p.frame.slots)).collect(),
            conditions: Vec::new(),
        };
        time.open = time.has_clocks();
        time
    }

    /// Whether there are neither timers nor clocks.
    pub fn is_empty(&self) -> bool {
        self.global.is_empty() && self.local.iter().all(Vec::is_empty) && !self.has_clocks()
    }

    /// Whether there are clocks.
    pub fn has_clocks(&self) -> bool {
        !self.global_clocks.is_empty() || self.local_clocks.iter().any(|c| !c.is_empty())
    }

    /// Lets a unit of time pass on all clocks of `state`; says whether that changed anything.
    pub fn advance(&self, model: &Model, state: &mut [u8]) -> bool {
        let mut changed = false;
        for clock in &self.global_clocks {
            changed |= clock.advance(state, clock.offset as usize);
        }
        let mut frame = model.layout.frames as usize;
        for _ in 0..state[model.layout.process_count as usize] {
            let ty = state[frame + FrameLayout::TYPE as usize] as usize;
            for clock in &self.local_clocks[ty] {
                changed |= clock.advance(state, frame + clock.offset as usize);
            }
            frame += model.proctypes[ty].frame.size as usize;
        }
        changed
    }

    /// Calls `visit` with the offset of every timer in `state`.
    pub fn for_each(&self, model: &Model, state: &[u8], mut visit: impl FnMut(usize)) {
        self.global.iter().for_each(|&at| visit(at as usize));
        let mut frame = model.layout.frames as usize;
        for _ in 0..state[model.layout.process_count as usize] {
            let ty = state[frame + FrameLayout::TYPE as usize] as usize;
            self.local[ty].iter().for_each(|&at| visit(frame + at as usize));
            frame += model.proctypes[ty].frame.size as usize;
        }
    }
}

/// The least time that a timer of `state` has left, where some have.
pub fn least_left(model: &Model, state: &[u8]) -> Option<u32> {
    let mut least = None;
    if let Some(time) = &model.time {
        time.for_each(model, state, |at| {
            let left = Scalar::TIMER.load(state, at);
            if left > 0 && least.is_none_or(|l| left < l) {
                least = Some(left);
            }
        });
    }
    least.map(|l| l as u32)
}

fn clocks(slots: &[Slot]) -> Vec<Clock> {
    let clocks = slots.iter().filter(|s| matches!(s.ty.kind, Kind::Clock { .. }));
    clocks
        .flat_map(|s| s.values().into_iter().map(|(_, offset)| Clock { offset, ty: s.ty }))
        .collect()
}

fn timers(slots: &[Slot]) -> Vec<u32> {
    let timers = slots.iter().filter(|s| s.ty.kind == Kind::Timer);
    timers.flat_map(Slot::values).map(|(_, at)| at).collect()
}

/// Gives a model its [`Time`], if it has timers, and sees to it that a timer never has a negative
/// value but [`OFF`]: whoever stores one turns the timer off.
pub fn prepare(model: &mut Model) {
    model.time = Time::of(&model.layout, &model.proctypes);
    if model.time.is_some() {
        map_stores(model, &|value| match value {
            Expr::Const(c) => Expr::Const(c.max(OFF)),
            Expr::Load(place) if !place.ty.signed || place.ty.kind == Kind::Timer => {
                Expr::Load(place)
            }
            value => {
                let off = Expr::binary(BinaryOp::Less, value.clone(), Expr::Const(0));
                Expr::Conditional(Box::new(off), Box::new(Expr::Const(OFF)), Box::new(value))
            }
        });
    }
}

/// Changes every value that is stored in a timer: by assignments, at the start, as a parameter.
/// Messages never hold timers.
pub fn map_stores(model: &mut Model, change: &dyn Fn(Expr) -> Expr) {
    let parameters: Vec<Vec<Scalar>> = model
        .proctypes
        .iter()
        .map(|p| p.frame.slots.iter().take(p.parameters as usize).map(|s| s.ty).collect())
        .collect();
    let at = |place: &Place| place.ty.kind == Kind::Timer;
    for init in model.initializers.iter_mut().filter(|i| at(&i.place)) {
        replace(&mut init.value, change);
    }
    for proctype in &mut model.proctypes {
        for init in proctype.initializers.iter_mut().filter(|i| at(&i.place)) {
            replace(&mut init.value, change);
        }
        for edge in &mut proctype.automaton.edges {
            stores(&mut edge.action, &parameters, change);
        }
    }
}

fn stores(action: &mut Action, parameters: &[Vec<Scalar>], change: &dyn Fn(Expr) -> Expr) {
    match action {
        Action::Assign(Some(place), value) if place.ty.kind == Kind::Timer => {
            replace(value, change);
        }
        Action::Assign(_, value) | Action::Condition(value) => started(value, parameters, change),
        Action::DetStep(step) => {
            for edge in step.nodes.iter_mut().flat_map(|n| &mut n.edges) {
                stores(&mut edge.action, parameters, change);
            }
        }
        _ => {}
    }
}

/// The parameters of a process that is started. A `run` is a statement or what is assigned.
fn started(value: &mut Expr, parameters: &[Vec<Scalar>], change: &dyn Fn(Expr) -> Expr) {
    if let Expr::Run { proctype, args, .. } = value {
        for (arg, ty) in args.iter_mut().zip(&parameters[proctype.index()]) {
            if ty.kind == Kind::Timer {
                replace(arg, change);
            }
        }
    }
}

fn replace(value: &mut Expr, change: &dyn Fn(Expr) -> Expr) {
    let old = std::mem::replace(value, Expr::Const(0));
    *value = change(old);
}
