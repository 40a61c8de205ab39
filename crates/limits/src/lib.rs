//! How far a run may go, from its first moment to its last: one deadline, one memory limit and one
//! interrupt, looked at by whatever takes long.
//!
//! Whoever starts a run makes its [`Limits`] and calls [`Limits::run`]. Whatever may take long
//! calls [`check`] as it goes along, in every crate and without having been handed anything: the
//! limits that hold are those of the thread. Where one is exceeded, `check` does not return: the
//! work is unwound to the `run` or [`attempt`] around it, as in query systems that cancel what
//! nobody waits for any more. So there is no half result that somebody could take for a whole one.
//!
//! - [`Limits`], [`Interrupt`]: what is allowed;
//! - [`check`], [`check_many`], [`phase`]: for those who work;
//! - [`wait`], [`current`]: for those who have others work on a thread of their own;
//! - [`Stopped`], [`Spent`]: what was exceeded, and in the middle of what;
//! - [`resident`], [`memory_ran_out`]: how much memory this program holds, and whether it was
//!   refused any.
//!
//! Searches, which have results to keep, look at their limits themselves and do not unwind.
#![forbid(unsafe_code)]

mod limits;
mod memory;
pub mod memory_ran_out;
mod stopped;
mod work;

pub use limits::{Interrupt, Limits};
pub use memory::resident;
pub use stopped::{Spent, Stopped};
pub use work::{attempt, check, check_many, current, phase, wait};
