//! Executing a model: what can each process do in a state, and what state follows.
//!
//! [`Interpreter`] is written to be read: it *is* the semantics. Any other machine must agree with
//! it on every successor of every state. A machine answers "what can this process do here?" and
//! does not know why it is asked.
#![deny(clippy::undocumented_unsafe_blocks)]

mod fault;
pub mod interpreter;
mod machine;
pub mod native;
mod step;
mod successors;
mod time;

pub use fault::{Fault, RuntimeError};
pub use interpreter::{Evaluator, Interpreter, Messages};
pub use machine::{Machine, Truth};
pub use native::NativeMachine;
pub use step::{Move, Partner, Passing, Step};
pub use successors::{Successor, Successors};
pub use time::MAX_ABSTRACT_TIMERS;
