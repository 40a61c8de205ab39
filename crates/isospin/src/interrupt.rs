//! Control-C: the first asks the search to end, the second ends the program.

use isospin_check::Interrupt;

use crate::output::say;

/// The status of a program that was ended by Control-C, as shells give it.
const KILLED: i32 = 130;

/// A token that the first Control-C makes use of.
pub fn on_control_c() -> Interrupt {
    let interrupt = Interrupt::default();
    let ask = interrupt.clone();
    // Without a handler Control-C simply kills, which is a fair second best.
    let _ = ctrlc::set_handler(move || {
        if ask.ask() {
            std::process::exit(KILLED);
        }
        say("\ninterrupted: finishing with what was found so far; Control-C again ends at once\n");
    });
    interrupt
}
