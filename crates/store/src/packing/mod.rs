//! Vectors in as many bits as vary among them.
//!
//! Sets keep packed vectors, and so do the frontiers of searches, whatever the set makes of a
//! vector. A packing has nothing to do with a set: it belongs to whoever made it. The packed form
//! of a vector is the same for all time, and different vectors have different ones; see `codec`.
//!
//! | file | what it does |
//! | --- | --- |
//! | `codec.rs` | learns which bits vary; packs and unpacks |
//! | `stream.rs` | differences between vectors, and bits under masks as one stream |
//! | `bits.rs` | gathers and scatters bits |

mod bits;
mod codec;
mod stream;

use std::sync::{Arc, Mutex, MutexGuard};

pub(crate) use codec::Codec;
use codec::Unfit;
pub(crate) use stream::{RAW, RAW_HEADER};

/// How vectors are packed. Shared by the threads of a search; each has a [`Packer`].
#[derive(Debug, Default)]
pub struct Packing {
    /// With everything that was ever learnt; threads work on copies of it, which may be older.
    codec: Mutex<Codec>,
}

impl Packing {
    /// A packing that has seen vectors like those to come: what varies among them decides how
    /// vectors are packed. What they do not show is learnt on the way.
    pub fn trained<'v>(samples: impl Iterator<Item = &'v [u8]>) -> Packing {
        let mut codec = Codec::default();
        codec.train(samples);
        Packing { codec: Mutex::new(codec) }
    }

    /// For the calling thread.
    pub fn packer(self: &Arc<Self>) -> Packer {
        let codec = self.codec().clone();
        Packer { packing: Arc::clone(self), codec, scratch: Vec::new() }
    }

    /// The newest codec.
    pub(crate) fn codec(&self) -> MutexGuard<'_, Codec> {
        self.codec.lock().unwrap_or_else(|e| e.into_inner())
    }
}

/// Packs and unpacks for one thread.
#[derive(Debug)]
pub struct Packer {
    packing: Arc<Packing>,
    codec: Codec,
    scratch: Vec<u64>,
}

impl Packer {
    /// Writes the packed form of `vector` into `packed`.
    pub fn pack(&mut self, vector: &[u8], packed: &mut Vec<u8>) {
        let mut words = Vec::new();
        let bytes = self.append(vector, &mut words);
        packed.clear();
        packed.extend_from_slice(as_bytes(&words, bytes));
    }

    /// Appends the packed form of `vector` to `words`, and says how many bytes it has.
    #[inline]
    pub(crate) fn append(&mut self, vector: &[u8], words: &mut Vec<u64>) -> usize {
        loop {
            match self.codec.encode(vector, &mut self.scratch, words) {
                Ok(bytes) => return bytes,
                Err(Unfit) => self.learn(vector),
            }
        }
    }

    /// As [`append`](Self::append), unless nobody has packed a vector in which as much varies.
    pub(crate) fn append_known(&mut self, vector: &[u8], words: &mut Vec<u64>) -> Option<usize> {
        if let Ok(bytes) = self.codec.encode(vector, &mut self.scratch, words) {
            return Some(bytes);
        }
        self.refresh();
        self.codec.encode(vector, &mut self.scratch, words).ok()
    }

    #[cold]
    fn learn(&mut self, vector: &[u8]) {
        let mut codec = self.packing.codec();
        codec.grow(vector);
        self.codec = codec.clone();
    }

    /// Learns what other threads have learnt.
    #[cold]
    fn refresh(&mut self) {
        self.codec = self.packing.codec().clone();
    }

    /// Writes the vector with this packed form into `vector`. The packed form may come from another
    /// packer of the same packing.
    #[inline]
    pub fn unpack(&mut self, packed: &[u8], vector: &mut Vec<u8>) {
        if !self.codec.knows(packed[0]) {
            self.refresh();
        }
        self.codec.decode(packed, &mut self.scratch, vector);
    }
}

/// The first `bytes` bytes of the words, in the order in which they are packed.
#[inline]
pub(crate) fn as_bytes(words: &[u64], bytes: usize) -> &[u8] {
    const { assert!(cfg!(target_endian = "little"), "little-endian machines only") };
    // SAFETY: every byte of a word is a byte, and `bytes` is no more than the words have.
    unsafe { std::slice::from_raw_parts(words.as_ptr().cast(), bytes.min(words.len() * 8)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packers_of_one_packing_understand_each_other() {
        let packing = Arc::new(Packing::default());
        let (mut one, mut other) = (packing.packer(), packing.packer());
        let (mut packed, mut back) = (Vec::new(), Vec::new());
        for n in 0..=255u8 {
            let vector = [1, 2, n, n / 2, 5];
            one.pack(&vector, &mut packed);
            other.unpack(&packed, &mut back);
            assert_eq!(back, vector);
            assert!(packed.len() <= 1 + 2);
        }
    }

    #[test]
    fn what_nobody_has_packed_is_not_learnt_by_asking() {
        let packing = Arc::new(Packing::trained([[0u8; 4].as_slice()].into_iter()));
        let mut packer = packing.packer();
        let mut words = Vec::new();
        assert_eq!(packer.append_known(&[9; 4], &mut words), None);
        packing.packer().append(&[9; 4], &mut Vec::new());
        assert!(packer.append_known(&[9; 4], &mut words).is_some());
    }
}
