//! Whether it pays to look for smaller sets.

/// So often both ways are tried before anything is concluded.
const MIN_TRIALS: u32 = 128;
/// After so many trials, what is long ago counts less.
const MAX_TRIALS: u32 = 32 * MIN_TRIALS;
/// To look at conditions pays if it helps at least once in so many tries.
const TRIALS_PER_HELP: u32 = 4;
/// Both ways are tried once in so many states all the same.
const TRIAL_INTERVAL: u32 = 64;

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
        if self.always {
            Way::Guarded
        } else if self.tried < MIN_TRIALS || self.asked.is_multiple_of(TRIAL_INTERVAL) {
            Way::Both
        } else if self.helped.saturating_mul(TRIALS_PER_HELP) >= self.tried {
            Way::Guarded
        } else {
            Way::Plain
        }
    }

    /// What came of it.
    pub fn add(&mut self, helped: bool) {
        self.tried += 1;
        self.helped += u32::from(helped);
        if self.tried >= MAX_TRIALS {
            self.tried /= 2;
            self.helped /= 2;
        }
    }
}

/// After so many looks it is decided anew how often to look.
const LOOKS_PER_DECISION: u32 = 512;
/// Where sets are found in fewer than one in so many states, few states are looked at.
const LOOKS_PER_FIND: u32 = 32;
/// Those are one in so many.
const STATES_PER_LOOK: u32 = 8;

/// How often a set is found. Not to look is always right: all steps are taken then.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Patience {
    always: bool,
    looked: u32,
    found: u32,
    /// So many states are passed over for each that is looked at, and so many since the last one.
    pause: u32,
    passed: u32,
}

impl Patience {
    /// Looks every time.
    pub fn always() -> Patience {
        Patience { always: true, ..Patience::default() }
    }

    /// Whether to look in one more state.
    pub fn looks(&mut self) -> bool {
        if self.passed < self.pause {
            self.passed += 1;
            return false;
        }
        self.passed = 0;
        true
    }

    /// What came of it.
    pub fn add(&mut self, found: bool) {
        if self.always {
            return;
        }
        self.looked += 1;
        self.found += u32::from(found);
        // When sets turn up again, that is not to wait.
        let decides = self.looked >= LOOKS_PER_DECISION || found && self.pause > 0;
        if decides {
            let few = self.found * LOOKS_PER_FIND < self.looked;
            self.pause = if few { STATES_PER_LOOK - 1 } else { 0 };
            if self.looked >= LOOKS_PER_DECISION {
                (self.looked, self.found) = (self.looked / 2, self.found / 2);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn looks(patience: &mut Patience, states: u32, found: impl Fn(u32) -> bool) -> u32 {
        (0..states).filter(|&k| patience.looks() && (patience.add(found(k)), true).1).count() as u32
    }

    #[test]
    fn patience_runs_out_and_comes_back() {
        let mut patience = Patience::default();
        assert_eq!(looks(&mut patience, LOOKS_PER_DECISION, |_| false), LOOKS_PER_DECISION);
        assert_eq!(looks(&mut patience, 8 * LOOKS_PER_DECISION, |_| false), LOOKS_PER_DECISION);
        assert!(looks(&mut patience, 8 * LOOKS_PER_DECISION, |_| true) > 7 * LOOKS_PER_DECISION);
        assert_eq!(looks(&mut patience, LOOKS_PER_DECISION, |k| k % 16 == 0), LOOKS_PER_DECISION);
        assert_eq!(
            looks(&mut Patience::always(), 10 * LOOKS_PER_DECISION, |_| false),
            10 * LOOKS_PER_DECISION
        );
    }
}
