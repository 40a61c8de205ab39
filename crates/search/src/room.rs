//! Room for lists that grow with a search, where the system may have none left.
//!
//! A budget is kept by counting, but memory can run out below it: other programs take some, and a
//! limit on the process may be lower. A list that cannot grow ends the search that it belongs to:
//! it is unwound to where it began, which says that memory ran out, so nobody takes what it has
//! looked at for everything.

use std::panic::resume_unwind;

use isospin_limits::{Spent, Stopped};

/// Makes room for so many more elements, or ends the search.
#[inline]
pub(crate) fn make_room<T>(list: &mut Vec<T>, extra: usize) {
    if list.capacity() - list.len() < extra && list.try_reserve(extra).is_err() {
        run_out();
    }
}

/// Ends the search: there is no memory left.
#[cold]
pub(crate) fn run_out() -> ! {
    let phase = "a search was going on";
    resume_unwind(Box::new(Stopped { spent: Spent::Memory, phase }))
}
