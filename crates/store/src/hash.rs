//! The hash of packed vectors: folded multiplication, as in wyhash. Deterministic.

use std::hash::{BuildHasherDefault, Hasher};

const SEED: u64 = 0x9e37_79b9_7f4a_7c15;
const K0: u64 = 0xa076_1d64_78bd_642f;
const K1: u64 = 0xe703_7ed1_a0b4_28db;
const K2: u64 = 0x8ebc_6af0_9c88_c6e3;

#[inline(always)]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ ((product >> 64) as u64)
}

/// The hash of a list of words.
#[inline]
pub(crate) fn hash_words(words: &[u64]) -> u64 {
    let mut h = SEED ^ words.len() as u64;
    let mut pairs = words.chunks_exact(2);
    for pair in &mut pairs {
        h = fold(pair[0] ^ K0, pair[1] ^ h);
    }
    if let [last] = pairs.remainder() {
        h = fold(last ^ K1, h ^ K0);
    }
    fold(h ^ K2, K1)
}

/// The hash of a string of bytes.
pub fn hash_bytes(bytes: &[u8]) -> u64 {
    let mut h = SEED ^ bytes.len() as u64;
    let mut words = bytes.chunks_exact(8);
    for word in &mut words {
        let word = u64::from_le_bytes(word.try_into().expect("eight bytes"));
        h = fold(word ^ K0, h ^ K1);
    }
    let mut last = [0; 8];
    last[..words.remainder().len()].copy_from_slice(words.remainder());
    h = fold(u64::from_le_bytes(last) ^ K0, h ^ K1);
    fold(h ^ K2, K1)
}

/// Hashes the ids of states, for maps of few of them.
pub type IdHash = BuildHasherDefault<IdHasher>;

/// See [`IdHash`].
#[derive(Default)]
pub struct IdHasher(u64);

impl Hasher for IdHasher {
    #[inline]
    fn write_u64(&mut self, id: u64) {
        self.0 = fold(id ^ K0, K1);
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 ^= hash_bytes(bytes);
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn words_that_differ_in_few_bits_hash_apart() {
        let mut high = HashSet::new();
        let mut low = HashSet::new();
        for i in 0..100_000u64 {
            let h = hash_words(&[i, i << 40]);
            high.insert(h >> 24);
            low.insert(h & 0xff_ffff_ffff);
        }
        assert!(high.len() > 99_900 && low.len() > 99_900);
    }

    #[test]
    fn the_length_counts() {
        assert_ne!(hash_words(&[0]), hash_words(&[0, 0]));
        assert_ne!(hash_bytes(&[0]), hash_bytes(&[0, 0]));
    }
}
