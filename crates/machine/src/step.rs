//! A step: what a process does, or time passing.

use isospin_model::{EdgeId, Pid};

/// One step of an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// A process moves, alone or with a partner.
    Process(Move),
    /// Time passes, which no process does.
    Time(Passing),
}

/// What a process does: along which edge it goes, and with whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// The process.
    pub pid: Pid,
    /// Its edge, counted in its process type's automaton.
    pub edge: EdgeId,
    /// The receiver, when the step is a rendez-vous.
    pub partner: Option<Partner>,
}

/// The process that receives in a rendez-vous, and the edge that it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Partner {
    /// The receiving process.
    pub pid: Pid,
    /// Its edge, counted in its process type's automaton.
    pub edge: EdgeId,
}

/// How time passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Passing {
    /// So many units of it.
    Units(u32),
    /// Until the timers of this set expire, a bit for each that runs; under abstraction, where
    /// nobody knows how long that takes.
    Expiring(u32),
}

impl Step {
    /// A process goes along an edge, alone.
    #[inline]
    pub const fn alone(pid: Pid, edge: EdgeId) -> Step {
        Step::Process(Move { pid, edge, partner: None })
    }

    /// A step in which `units` of time pass.
    pub const fn units(units: u32) -> Step {
        Step::Time(Passing::Units(units))
    }

    /// What a process does in it, unless time passes.
    #[inline]
    pub const fn process(&self) -> Option<&Move> {
        match self {
            Step::Process(step) => Some(step),
            Step::Time(_) => None,
        }
    }

    /// The process that takes it, unless time passes.
    #[inline]
    pub fn pid(&self) -> Option<Pid> {
        self.process().map(|step| step.pid)
    }

    /// The receiver, when it is a rendez-vous.
    #[inline]
    pub fn partner(&self) -> Option<Partner> {
        self.process().and_then(|step| step.partner)
    }

    /// Whether time passes in it.
    #[inline]
    pub const fn is_time(&self) -> bool {
        matches!(self, Step::Time(_))
    }
}
