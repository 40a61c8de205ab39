//! What can go wrong while a model runs.

use std::fmt;

use isospin_model::{DivisionByZero, Failure};

/// A mistake of the model that shows only when it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RuntimeError {
    /// An index outside its array.
    IndexOutOfRange {
        /// The index.
        index: i32,
        /// How many elements there are.
        len: u32,
    },
    /// A division or remainder by 0.
    DivisionByZero,
    /// A channel variable that names no channel.
    UninitializedChannel,
    /// A number that is no channel's, or no longer.
    NoSuchChannel(i32),
    /// One process more than there can be.
    TooManyProcesses,
    /// One channel more than there can be.
    TooManyChannels,
    /// A message with the wrong number of fields.
    FieldCount {
        /// How many were given.
        given: u32,
        /// How many the channel's messages have.
        expected: u32,
    },
    /// A test of the contents of a rendez-vous channel, which never has any.
    PolledRendezvous,
    /// A send on a rendez-vous channel within a deterministic sequence.
    RendezvousInDetStep,
    /// A deterministic sequence that cannot go on.
    BlockedInDetStep,
    /// A deterministic sequence that does not come to its end.
    EndlessDetStep,
    /// A priority outside 1 to 255.
    PriorityOutOfRange(i32),
    /// A process that asks whether it is itself enabled.
    EnabledOfSelf,
    /// Something beside what the process can do as well, of a type that has no choice.
    Nondeterminism,
    /// A send or receive that the trace assertion cannot follow.
    UnexpectedEvent,
    /// A send or receive that leads a `notrace` assertion to its end.
    AllEventsMatched,
    /// A receive on a channel that another process has promised to be the only one to receive from.
    ExclusiveReceive,
    /// A send on a channel that another process has promised to be the only one to send to.
    ExclusiveSend,
    /// The model itself says that it cannot go on.
    Failure(Failure),
    /// More timers than an abstract tick can choose from run at once.
    TooManyTimers(u32),
}

impl From<DivisionByZero> for RuntimeError {
    fn from(_: DivisionByZero) -> RuntimeError {
        RuntimeError::DivisionByZero
    }
}

impl fmt::Display for RuntimeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RuntimeError::IndexOutOfRange { index, len } => {
                write!(f, "index {index} is out of range: the array has {len} elements")
            }
            RuntimeError::DivisionByZero => write!(f, "division by zero"),
            RuntimeError::UninitializedChannel => {
                write!(f, "the channel variable names no channel")
            }
            RuntimeError::NoSuchChannel(id) => write!(f, "there is no channel {id}"),
            RuntimeError::TooManyProcesses => write!(f, "more than 255 processes"),
            RuntimeError::TooManyChannels => write!(f, "more than 255 channels"),
            RuntimeError::FieldCount { given, expected } => write!(
                f,
                "{given} message fields given where the channel's messages have {expected}"
            ),
            RuntimeError::PolledRendezvous => {
                write!(f, "the contents of a rendez-vous channel are tested, and it never has any")
            }
            RuntimeError::RendezvousInDetStep => {
                write!(f, "a rendez-vous send inside d_step")
            }
            RuntimeError::BlockedInDetStep => write!(f, "a statement blocks inside d_step"),
            RuntimeError::EndlessDetStep => write!(f, "a d_step does not terminate"),
            RuntimeError::PriorityOutOfRange(p) => {
                write!(f, "priority {p} is outside 1 to 255")
            }
            RuntimeError::Nondeterminism => {
                write!(f, "something else can be done as well, and a D_proctype has no choice")
            }
            RuntimeError::UnexpectedEvent => {
                write!(f, "the trace assertion does not allow this here")
            }
            RuntimeError::AllEventsMatched => {
                write!(f, "with this, everything in the notrace assertion has happened")
            }
            RuntimeError::ExclusiveReceive => {
                write!(f, "another process has promised to be the only one to receive here (xr)")
            }
            RuntimeError::ExclusiveSend => {
                write!(f, "another process has promised to be the only one to send here (xs)")
            }
            RuntimeError::TooManyTimers(running) => write!(
                f,
                "{running} timers run at once, too many to abstract from: any of them may expire"
            ),
            RuntimeError::Failure(Failure::Overflow(n)) => {
                write!(f, "the buffer is full: it has room for {n} signals (see --buffer)")
            }
            RuntimeError::Failure(Failure::NoInstance(n)) => {
                write!(f, "all {n} instances that there can be are in use (see --instances)")
            }
            RuntimeError::Failure(Failure::Range) => {
                write!(f, "the value is outside the range of what it is stored in")
            }
            RuntimeError::Failure(Failure::Unstable) => {
                write!(f, "an unstable state cannot be left")
            }
            RuntimeError::Failure(Failure::ClockCut(n)) => write!(
                f,
                "the clock is asked for its value and is beyond {n}, where it is cut off \
                 (see --clock-bound)"
            ),
            RuntimeError::EnabledOfSelf => {
                write!(f, "enabled() is asked about the process that asks")
            }
        }
    }
}

impl std::error::Error for RuntimeError {}

/// What is wrong with a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// An assertion does not hold. The step has a successor all the same.
    Assertion,
    /// The step cannot be completed. Its successor means nothing.
    Runtime(RuntimeError),
}
