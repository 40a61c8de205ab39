//! Whether the system has refused this program memory. Once it has, everything ends at its next look
//! at the limits.

use std::sync::atomic::{AtomicBool, Ordering};

static REFUSED: AtomicBool = AtomicBool::new(false);

/// Some request was refused.
pub fn note() {
    REFUSED.store(true, Ordering::Relaxed);
}

/// Whether some request was refused.
#[inline]
pub fn is_so() -> bool {
    REFUSED.load(Ordering::Relaxed)
}

/// There is memory again: for those who refuse requests to see what happens.
pub fn is_over() {
    REFUSED.store(false, Ordering::Relaxed);
}
