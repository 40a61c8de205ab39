//! Control-C: the first asks the search to end, the second ends the program.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use crate::output::say;

/// The status of a program that was ended by Control-C, as shells give it.
const KILLED: i32 = 130;

/// A flag that the first Control-C sets.
pub fn flag() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&flag);
    // Without a handler Control-C simply kills, which is a fair second best.
    let _ = ctrlc::set_handler(move || {
        if set.swap(true, Ordering::SeqCst) {
            std::process::exit(KILLED);
        }
        say("\ninterrupted: finishing with what was found so far; Control-C again ends at once\n");
    });
    flag
}
