//! Gathering the bits under a mask into the low bits of a word, and scattering them back.

/// Whether the processor gathers bits in one instruction.
pub(super) fn gathers_in_hardware() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        std::arch::is_x86_feature_detected!("bmi2")
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        false
    }
}

/// The bits of `word` under `mask`, packed: the processor's own instruction.
///
/// # Safety
/// [`gathers_in_hardware`] must be true.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi2")]
#[inline]
pub(super) unsafe fn gather_bmi2(word: u64, mask: u64) -> u64 {
    std::arch::x86_64::_pext_u64(word, mask)
}

/// The low bits of `packed`, spread over the bits of `mask`: the processor's own instruction.
///
/// # Safety
/// [`gathers_in_hardware`] must be true.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi2")]
#[inline]
pub(super) unsafe fn scatter_bmi2(packed: u64, mask: u64) -> u64 {
    std::arch::x86_64::_pdep_u64(packed, mask)
}

/// The bits of `word` under `mask`, packed.
#[inline]
pub(super) fn gather(word: u64, mut mask: u64) -> u64 {
    let mut out = 0;
    let mut at = 0;
    while mask != 0 {
        let low = mask.trailing_zeros();
        let run = (mask >> low).trailing_ones();
        let ones = u64::MAX >> (64 - run);
        out |= ((word >> low) & ones) << at;
        at += run;
        mask &= !(ones << low);
    }
    out
}

/// The low bits of `packed`, spread over the bits of `mask`.
pub(super) fn scatter(packed: u64, mut mask: u64) -> u64 {
    let mut out = 0;
    let mut at = 0;
    while mask != 0 {
        let low = mask.trailing_zeros();
        let run = (mask >> low).trailing_ones();
        let ones = u64::MAX >> (64 - run);
        out |= ((packed >> at) & ones) << low;
        at = (at + run) & 63;
        mask &= !(ones << low);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn scatter_undoes_gather(word: u64, mask: u64) {
            prop_assert_eq!(scatter(gather(word, mask), mask), word & mask);
        }

        #[test]
        fn software_and_hardware_do_the_same(word: u64, mask: u64) {
            #[cfg(target_arch = "x86_64")]
            if gathers_in_hardware() {
                // SAFETY: just tested.
                let (gathered, scattered) =
                    unsafe { (gather_bmi2(word, mask), scatter_bmi2(word, mask)) };
                prop_assert_eq!((gather(word, mask), scatter(word, mask)), (gathered, scattered));
            }
        }
    }

    #[test]
    fn whole_words_pass_through() {
        assert_eq!(gather(u64::MAX, u64::MAX), u64::MAX);
        assert_eq!(scatter(12345, u64::MAX), 12345);
        assert_eq!(gather(7, 0), 0);
    }
}
