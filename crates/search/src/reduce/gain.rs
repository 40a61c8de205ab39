//! Whether it pays to look at conditions.

/// So often it is tried before anything is concluded.
const TRIALS: u32 = 128;
/// It pays if it helps at least once in so many tries.
const WORTH: u32 = 4;
/// Where it does not pay, it is tried once in so many states all the same.
const RARELY: u32 = 64;

/// How often looking at conditions found a smaller set.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Gain {
    always: bool,
    asked: u32,
    tried: u32,
    helped: u32,
}

impl Gain {
    /// Looks every time.
    pub fn always() -> Gain {
        Gain { always: true, ..Gain::default() }
    }

    /// Whether to look once more.
    pub fn is_likely(&mut self) -> bool {
        self.asked = self.asked.wrapping_add(1);
        self.always
            || self.tried < TRIALS
            || self.helped.saturating_mul(WORTH) >= self.tried
            || self.asked % RARELY == 0
    }

    /// What came of it. What is long ago counts less.
    pub fn add(&mut self, helped: bool) {
        self.tried += 1;
        self.helped += u32::from(helped);
        if self.tried >= 32 * TRIALS {
            self.tried /= 2;
            self.helped /= 2;
        }
    }
}
