//! Words and bits: how a vector differs from another, and the bits under a list of masks as one
//! stream behind a class.

use super::bits;

/// The class of vectors that are not packed, because classes have run out.
pub(crate) const RAW: u8 = u8::MAX;
/// How many bytes precede a vector that is not packed: its class and its length.
pub(crate) const RAW_HEADER: usize = 5;

/// A word with bits that vary.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// Which word of the vector.
    pub word: u32,
    /// How many of its bits.
    pub bits: u32,
    /// Which of its bits.
    pub mask: u64,
}

/// All bits of every byte that has one.
pub(super) fn whole_bytes(word: u64) -> u64 {
    let mut bytes = word.to_le_bytes();
    bytes.iter_mut().for_each(|b| *b = if *b != 0 { 255 } else { 0 });
    u64::from_le_bytes(bytes)
}

/// All bits below the highest of every byte: numbers tend to take the values in between, too.
pub(super) fn fill_down(mut word: u64) -> u64 {
    word |= (word >> 1) & 0x7f7f_7f7f_7f7f_7f7f;
    word |= (word >> 2) & 0x3f3f_3f3f_3f3f_3f3f;
    word |= (word >> 4) & 0x0f0f_0f0f_0f0f_0f0f;
    word
}

/// Writes into `out` in which bits `vector` differs from `base`.
#[inline]
pub(super) fn difference(vector: &[u8], base: &[u64], out: &mut Vec<u64>) {
    out.clear();
    let words = vector.chunks_exact(8);
    let tail = words.remainder();
    out.extend(
        words
            .zip(base)
            .map(|(word, base)| u64::from_le_bytes(word.try_into().expect("eight bytes")) ^ base),
    );
    if !tail.is_empty() {
        let mut word = [0; 8];
        word[..tail.len()].copy_from_slice(tail);
        out.push(u64::from_le_bytes(word) ^ base[base.len() - 1]);
    }
}

/// As [`difference`], and says whether `mask` covers it.
#[inline]
pub(super) fn differs_within(
    vector: &[u8],
    base: &[u64],
    mask: &[u64],
    out: &mut Vec<u64>,
) -> bool {
    let words = base.len();
    out.resize(words, 0);
    let whole = vector.len() / 8;
    let mut beyond = 0;
    let chunks = vector.chunks_exact(8);
    let tail = chunks.remainder();
    for (((chunk, base), mask), out) in chunks.zip(base).zip(mask).zip(out.iter_mut()) {
        let word = u64::from_le_bytes(chunk.try_into().expect("eight bytes")) ^ base;
        beyond |= word & !mask;
        *out = word;
    }
    if whole < words {
        // The last eight bytes hold the tail at their upper end.
        let word = match vector.len().checked_sub(8) {
            Some(at) => {
                let last = u64::from_le_bytes(vector[at..].try_into().expect("eight bytes"));
                last >> (64 - 8 * tail.len())
            }
            None => {
                let mut word = [0; 8];
                word[..tail.len()].copy_from_slice(tail);
                u64::from_le_bytes(word)
            }
        } ^ base[whole];
        beyond |= word & !mask[whole];
        out[whole] = word;
    }
    beyond == 0
}

#[inline]
pub(super) fn covers(mask: &[u64], varying: &[u64]) -> bool {
    let beyond =
        mask.iter().zip(varying).fold(0, |beyond, (mask, varying)| beyond | (varying & !mask));
    beyond == 0
}

/// Appends the class and the bits under the masks to `out`, as one stream of bits. `in_hardware`
/// is what [`bits::gathers_in_hardware`] says.
#[inline]
pub(super) fn pack(
    class: u8,
    parts: &[Part],
    varying: &[u64],
    out: &mut Vec<u64>,
    in_hardware: bool,
) {
    #[cfg(target_arch = "x86_64")]
    if in_hardware {
        // SAFETY: the processor has the instruction.
        return unsafe { pack_bmi2(class, parts, varying, out) };
    }
    let _ = in_hardware;
    pack_with(class, parts, varying, out, bits::gather);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi2")]
unsafe fn pack_bmi2(class: u8, parts: &[Part], varying: &[u64], out: &mut Vec<u64>) {
    pack_with(class, parts, varying, out, |word, mask| {
        // SAFETY: the caller vouches for the instruction.
        unsafe { bits::gather_bmi2(word, mask) }
    });
}

#[inline(always)]
fn pack_with(
    class: u8,
    parts: &[Part],
    varying: &[u64],
    out: &mut Vec<u64>,
    gather: impl Fn(u64, u64) -> u64,
) {
    out.reserve(parts.len() + 1);
    let mut word = u64::from(class);
    let mut filled = 8;
    for part in parts {
        let field = gather(varying[part.word as usize], part.mask);
        word |= field << filled;
        filled += part.bits;
        if filled >= 64 {
            out.push(word);
            filled -= 64;
            // What did not fit. `filled` bits of the field are left; none when it fitted exactly.
            word = if filled == 0 { 0 } else { field >> (part.bits - filled) };
        }
    }
    if filled > 0 {
        out.push(word);
    }
}

/// Flips the bits of `words` that the stream `packed` has behind its class. `packed` has a word to
/// spare at its end. `in_hardware` is what [`bits::gathers_in_hardware`] says.
pub(super) fn unpack(parts: &[Part], packed: &[u64], words: &mut [u64], in_hardware: bool) {
    #[cfg(target_arch = "x86_64")]
    if in_hardware {
        // SAFETY: the processor has the instruction.
        return unsafe { unpack_bmi2(parts, packed, words) };
    }
    let _ = in_hardware;
    unpack_with(parts, packed, words, bits::scatter);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi2")]
unsafe fn unpack_bmi2(parts: &[Part], packed: &[u64], words: &mut [u64]) {
    unpack_with(parts, packed, words, |field, mask| {
        // SAFETY: the caller vouches for the instruction.
        unsafe { bits::scatter_bmi2(field, mask) }
    });
}

#[inline(always)]
fn unpack_with(
    parts: &[Part],
    packed: &[u64],
    words: &mut [u64],
    scatter: impl Fn(u64, u64) -> u64,
) {
    let mut at = 8;
    for part in parts {
        let (word, shift) = (at as usize / 64, at % 64);
        // Shifted twice, because a shift by 64 is none.
        let field = packed[word] >> shift | packed[word + 1] << 1 << (63 - shift);
        words[part.word as usize] ^= scatter(field, part.mask);
        at += part.bits;
    }
}

/// Appends a vector that is not packed to `out`, and says how many bytes it takes.
pub(super) fn encode_raw(vector: &[u8], out: &mut Vec<u64>) -> usize {
    let bytes = RAW_HEADER + vector.len();
    let mut record = Vec::with_capacity(bytes + 8);
    record.push(RAW);
    record.extend((vector.len() as u32).to_le_bytes());
    record.extend(vector);
    record.resize(bytes.next_multiple_of(8), 0);
    out.extend(
        record.chunks_exact(8).map(|w| u64::from_le_bytes(w.try_into().expect("eight bytes"))),
    );
    bytes
}
