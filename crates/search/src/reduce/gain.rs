//! Whether it pays to look for smaller sets.

/// So often both ways are tried before anything is concluded.
const TRIALS: u32 = 128;
/// To look at conditions pays if it helps at least once in so many tries.
const WORTH: u32 = 4;
/// Both ways are tried once in so many states all the same.
const RARELY: u32 = 64;

/// How often looking at conditions found a smaller set.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Gain {
    always: bool,
    asked: u32,
    tried: u32,
    helped: u32,
}

/// How to look for a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// Without a look at conditions.
    Plain,
    /// With one. What is found is never larger than without: what may make a condition hold is a
    /// part of what the step along the edge looks at.
    Guarded,
    /// First without, and then with, to see whether it helps.
    Both,
}

impl Gain {
    /// Looks at conditions every time.
    pub fn always() -> Gain {
        Gain { always: true, ..Gain::default() }
    }

    /// How to look in one more state.
    pub fn way(&mut self) -> Way {
        self.asked = self.asked.wrapping_add(1);
        match () {
            _ if self.always => Way::Guarded,
            _ if self.tried < TRIALS || self.asked % RARELY == 0 => Way::Both,
            _ if self.helped.saturating_mul(WORTH) >= self.tried => Way::Guarded,
            _ => Way::Plain,
        }
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

/// After so many states in which nothing was found, few are looked at.
const PATIENCE: u32 = 2048;
/// Those are one in so many.
const SELDOM: u32 = 16;

/// How long nothing has been found. Not to look is always right: all steps are taken then.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Patience {
    always: bool,
    in_vain: u32,
}

impl Patience {
    /// Looks every time.
    pub fn always() -> Patience {
        Patience { always: true, in_vain: 0 }
    }

    /// Whether to look in one more state.
    pub fn looks(&mut self) -> bool {
        if self.always || self.in_vain < PATIENCE {
            return true;
        }
        self.in_vain += 1;
        if self.in_vain < PATIENCE + SELDOM {
            return false;
        }
        self.in_vain = PATIENCE;
        true
    }

    /// What came of it.
    pub fn add(&mut self, found: bool) {
        self.in_vain = if found { 0 } else { (self.in_vain + 1).min(PATIENCE) };
    }
}
