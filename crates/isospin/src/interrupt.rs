//! Signals that end a run: Control-C, a request to terminate, a terminal that hangs up. The first
//! asks the search to end with what it has found, the second ends the program.
//!
//! The handler is there before anything else is done, and what was asked before a search begins is
//! not forgotten.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::OnceLock;

use isospin_check::Interrupt;

use crate::output::say;

static TOKEN: OnceLock<Interrupt> = OnceLock::new();
/// Whether nobody looks at the token, so that already the first signal ends the program.
static AT_ONCE: AtomicBool = AtomicBool::new(false);

/// A token that the first signal makes use of.
pub fn token() -> Interrupt {
    TOKEN.get_or_init(Interrupt::default).clone()
}

/// Says, once the command is known, whether it looks at the token. One that does not is ended by
/// the first signal, also by one that came already.
pub fn listens(does: bool) {
    AT_ONCE.store(!does, Ordering::SeqCst);
    if !does && token().is_asked() {
        std::process::exit(ENDED + 2);
    }
}

/// What shells add to a signal's number for the status of a program that it has ended.
const ENDED: i32 = 128;

/// Begins to listen to signals.
#[cfg(unix)]
pub fn install() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::iterator::Signals;

    let ignored = ignored();
    let mut wanted = vec![SIGINT, SIGTERM, SIGHUP];
    // Whoever started this with `nohup`, or in the background of a script, wants it to go on.
    wanted.retain(|&signal| ignored & (1 << (signal - 1)) == 0);
    // A file that grows past its limit is an error of the write then, and kills nobody.
    wanted.push(SIGXFSZ);
    // Without a handler a signal simply kills, which is a fair second best.
    let Ok(mut signals) = Signals::new(wanted) else { return };
    let heed = move || {
        for signal in signals.forever().filter(|&s| s != SIGXFSZ) {
            if token().ask() || AT_ONCE.load(Ordering::SeqCst) {
                std::process::exit(ENDED + signal);
            }
            say("\ninterrupted: finishing with what was found so far; Control-C again ends at \
                 once\n");
        }
    };
    let _ = std::thread::Builder::new().name("signals".to_owned()).spawn(heed);
}

/// Begins to listen to signals.
#[cfg(not(unix))]
pub fn install() {}

/// The signals that this program was started to ignore, a bit for each from 1 on, where the system
/// says so in a file.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    ignored_in(&status)
}

#[cfg(unix)]
fn ignored_in(status: &str) -> u64 {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn signals_that_are_to_be_ignored_are_read_from_the_status() {
        assert_eq!(ignored_in("SigBlk:\t0000\nSigIgn:\t0000000000001001\nSigCgt:\t0\n"), 0x1001);
        assert_eq!(ignored_in("nothing of the kind"), 0);
    }
}
