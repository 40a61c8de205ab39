//! Packing vectors into the bits that vary.
//!
//! Most bits of a state vector never change: the types of processes, the upper bits of counters,
//! channels that are never full. The codec learns which bits do. For each length of vector it has a
//! *base*, and a chain of *generations*: masks, each containing the one before. A vector is packed
//! as the bits under the mask of the **first** generation that covers its difference from the base,
//! behind a byte, the *class*, that names length and generation. Generations are only ever added at
//! the end of the chain, so the packed form of a vector is the same for all time, and equal vectors
//! are equal when packed. A copy of the codec that lacks the newest generations packs the same way
//! or says that it cannot.

use std::sync::Arc;

use super::bits;
use super::stream::{
    covers, difference, differs_within, encode_raw, fill_down, pack, unpack, whole_bytes, Part,
    RAW, RAW_HEADER,
};

/// How many generations a length has at most; the last one covers everything.
const MAX_GENERATIONS: usize = 48;

/// The vector has bits that no generation covers: the codec must [grow](Codec::grow).
#[derive(Debug)]
pub(crate) struct Unfit;

/// See the [module](self).
#[derive(Clone, Default, Debug)]
pub(crate) struct Codec {
    /// By length.
    families: Vec<Option<Arc<Family>>>,
    /// By class: the length of the vector, and which generation.
    classes: Vec<(u32, u32)>,
    in_hardware: bool,
}

/// The vectors of one length.
#[derive(Clone, Debug)]
struct Family {
    base: Vec<u64>,
    generations: Vec<Generation>,
    /// No class is left for another generation: what does not fit is not packed.
    overflows: bool,
}

#[derive(Clone, Debug)]
struct Generation {
    class: u8,
    mask: Vec<u64>,
    /// The words with bits that vary.
    parts: Vec<Part>,
    /// What this generation covers and the one before does not.
    added: Vec<(u32, u64)>,
    /// How long a packed vector is, the class included.
    bytes: u32,
}

impl Generation {
    fn new(class: u8, mask: Vec<u64>, before: Option<&Generation>) -> Generation {
        let parts: Vec<Part> = (0..)
            .zip(&mask)
            .filter(|(_, &mask)| mask != 0)
            .map(|(word, &mask)| Part { word, bits: mask.count_ones(), mask })
            .collect();
        let added = parts
            .iter()
            .map(|p| (p.word, p.mask & !before.map_or(0, |b| b.mask[p.word as usize])))
            .filter(|&(_, added)| added != 0)
            .collect();
        let bits: u32 = parts.iter().map(|p| p.bits).sum();
        Generation { class, mask, parts, added, bytes: 1 + bits.div_ceil(8) }
    }
}

impl Codec {
    /// Appends the packed form of `vector` to `out`, in words, and says how many bytes it has.
    /// `scratch` is room to work in.
    #[inline]
    pub fn encode(
        &self,
        vector: &[u8],
        scratch: &mut Vec<u64>,
        out: &mut Vec<u64>,
    ) -> Result<usize, Unfit> {
        let Some(Some(family)) = self.families.get(vector.len()) else {
            return Err(Unfit);
        };
        let Some(first) = family.generations.first() else {
            return Ok(encode_raw(vector, out));
        };
        let generation = if differs_within(vector, &family.base, &first.mask, scratch) {
            first
        } else {
            match family.later(scratch) {
                Some(generation) => generation,
                None if family.overflows => return Ok(encode_raw(vector, out)),
                None => return Err(Unfit),
            }
        };
        pack(generation.class, &generation.parts, scratch, out, self.in_hardware);
        Ok(generation.bytes as usize)
    }

    /// Adds what it takes to pack `vector`.
    pub fn grow(&mut self, vector: &[u8]) {
        self.in_hardware = bits::gathers_in_hardware();
        let len = vector.len();
        if self.families.len() <= len {
            self.families.resize(len + 1, None);
        }
        let room = self.classes.len() < RAW as usize;
        let class = self.classes.len() as u8;
        match &mut self.families[len] {
            slot @ None => {
                let mut base = Vec::new();
                let words = len.div_ceil(8);
                difference(vector, &vec![0; words], &mut base);
                let mut generations = Vec::new();
                if room {
                    self.classes.push((len as u32, 0));
                    generations.push(Generation::new(class, vec![0; words], None));
                }
                *slot = Some(Arc::new(Family { base, generations, overflows: !room }));
            }
            Some(family) => {
                let mut varying = Vec::new();
                difference(vector, &family.base, &mut varying);
                if family.overflows || family.generations.iter().any(|g| covers(&g.mask, &varying))
                {
                    return;
                }
                let family = Arc::make_mut(family);
                if !room {
                    family.overflows = true;
                    return;
                }
                let mask = family.widened(&varying, len, class);
                let number = family.generations.len() as u32;
                self.classes.push((len as u32, number));
                let generation = Generation::new(class, mask, family.generations.last());
                family.generations.push(generation);
            }
        }
    }

    /// Starts over with one generation per length of vector, for the bits that vary among the
    /// samples.
    pub fn train<'v>(&mut self, samples: impl Iterator<Item = &'v [u8]>) {
        let mut drafts: Vec<Option<(Vec<u64>, Vec<u64>)>> = Vec::new();
        let mut varying = Vec::new();
        for sample in samples {
            if drafts.len() <= sample.len() {
                drafts.resize(sample.len() + 1, None);
            }
            let words = sample.len().div_ceil(8);
            let (base, mask) = drafts[sample.len()].get_or_insert_with(|| {
                let mut base = Vec::new();
                difference(sample, &vec![0; words], &mut base);
                (base, vec![0; words])
            });
            difference(sample, base, &mut varying);
            for (mask, varying) in mask.iter_mut().zip(&varying) {
                *mask |= varying;
            }
        }
        *self = Codec { in_hardware: bits::gathers_in_hardware(), ..Codec::default() };
        // Half of the classes remain for what the samples do not show.
        for (len, draft) in drafts.into_iter().enumerate() {
            let family = draft.filter(|_| self.classes.len() < RAW as usize / 2);
            self.families.push(family.map(|(base, mask)| {
                let class = self.classes.len() as u8;
                self.classes.push((len as u32, 0));
                let mask = mask.into_iter().map(fill_down).collect();
                Arc::new(Family {
                    base,
                    generations: vec![Generation::new(class, mask, None)],
                    overflows: false,
                })
            }));
        }
    }

    /// How many bytes the packed form of this class takes. `header` yields the first
    /// [`RAW_HEADER`] bytes of one that is not packed.
    pub fn record_len<'r>(&self, class: u8, header: impl FnOnce() -> &'r [u8]) -> usize {
        if class == RAW {
            let header = header();
            let len = u32::from_le_bytes(header[1..RAW_HEADER].try_into().expect("four bytes"));
            return RAW_HEADER + len as usize;
        }
        let (len, number) = self.classes[class as usize];
        match &self.families[len as usize] {
            Some(family) => family.generations[number as usize].bytes as usize,
            None => 1,
        }
    }

    /// Whether this copy of the codec can unpack the class.
    pub fn knows(&self, class: u8) -> bool {
        class == RAW || (class as usize) < self.classes.len()
    }

    /// Writes the vector with the packed form `record` into `vector`. `scratch` is room to work
    /// in.
    pub fn decode(&self, record: &[u8], scratch: &mut Vec<u64>, vector: &mut Vec<u8>) {
        vector.clear();
        if record[0] == RAW {
            vector.extend_from_slice(&record[RAW_HEADER..]);
            return;
        }
        let (len, number) = self.classes[record[0] as usize];
        let Some(family) = &self.families[len as usize] else {
            return;
        };
        let generation = &family.generations[number as usize];
        // The record as words, with a word to spare, then the vector as words.
        scratch.clear();
        let words = record.chunks_exact(8);
        let tail = words.remainder();
        scratch.extend(words.map(|w| u64::from_le_bytes(w.try_into().expect("eight bytes"))));
        let mut last = [0; 8];
        last[..tail.len()].copy_from_slice(tail);
        scratch.extend([u64::from_le_bytes(last), 0]);
        let split = scratch.len();
        scratch.extend_from_slice(&family.base);
        let (packed, words) = scratch.split_at_mut(split);
        unpack(&generation.parts, packed, words, self.in_hardware);
        vector.extend(words.iter().flat_map(|w| w.to_le_bytes()));
        vector.truncate(len as usize);
    }
}

impl Family {
    /// The first generation after generation 0 that covers the difference.
    fn later(&self, varying: &[u64]) -> Option<&Generation> {
        let last = self.generations.last()?;
        if !covers(&last.mask, varying) {
            return None;
        }
        self.generations.iter().rev().find(|generation| {
            generation.added.iter().any(|&(word, added)| varying[word as usize] & added != 0)
        })
    }

    /// The mask of the next generation, which gets this class. The longer the chain and the fewer
    /// classes remain, the more is added at a time.
    fn widened(&self, varying: &[u64], len: usize, class: u8) -> Vec<u64> {
        let number = self.generations.len();
        let last = &self.generations[number - 1].mask;
        let everything = number + 1 >= MAX_GENERATIONS || class >= 3 * (RAW / 4);
        let bytes = number >= 2 * MAX_GENERATIONS / 3 || class >= RAW / 2;
        let widen = |(&mask, &varying): (&u64, &u64)| {
            if everything {
                u64::MAX
            } else if bytes {
                mask | whole_bytes(varying & !mask)
            } else {
                fill_down(mask | varying)
            }
        };
        let mut mask: Vec<u64> = last.iter().zip(varying).map(widen).collect();
        if let (Some(word), used @ 1..) = (mask.last_mut(), len % 8) {
            *word &= u64::MAX >> (64 - 8 * used);
        }
        mask
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    fn encode(codec: &mut Codec, vector: &[u8]) -> Vec<u8> {
        let (mut scratch, mut out) = (Vec::new(), Vec::new());
        let bytes = loop {
            match codec.encode(vector, &mut scratch, &mut out) {
                Ok(bytes) => break bytes,
                Err(Unfit) => codec.grow(vector),
            }
        };
        let mut record: Vec<u8> = out.iter().flat_map(|w| w.to_le_bytes()).collect();
        assert_eq!(record.len(), bytes.next_multiple_of(8));
        record.truncate(bytes);
        record
    }

    fn vectors() -> impl Strategy<Value = Vec<Vec<u8>>> {
        // Mostly small values, as in a model, and a few that are not.
        let byte = prop_oneof![8 => 0u8..3, 1 => any::<u8>()];
        vec(vec(byte, 0..40), 1..200)
    }

    proptest! {
        #[test]
        fn what_was_packed_can_be_unpacked(vectors in vectors(), trained in 0usize..100) {
            let mut codec = Codec::default();
            codec.train(vectors.iter().take(trained).map(|v| v.as_slice()));
            let records: Vec<_> = vectors.iter().map(|v| encode(&mut codec, v)).collect();
            let mut back = Vec::new();
            for (record, vector) in records.iter().zip(&vectors) {
                codec.decode(record, &mut Vec::new(), &mut back);
                prop_assert_eq!(&back, vector);
                // The packed form does not change as the codec grows.
                prop_assert_eq!(&encode(&mut codec, vector), record);
                prop_assert_eq!(codec.record_len(record[0], || record), record.len());
            }
        }

        #[test]
        fn software_packs_as_hardware_does(vectors in vectors()) {
            let mut codec = Codec::default();
            for vector in &vectors {
                let record = encode(&mut codec, vector);
                let mut soft = Codec { in_hardware: false, ..codec.clone() };
                prop_assert_eq!(encode(&mut soft, vector), record);
            }
        }
    }

    #[test]
    fn vectors_beyond_all_classes_are_kept_as_they_are() {
        let mut codec = Codec::default();
        let vectors: Vec<Vec<u8>> = (0..600).map(|n| vec![n as u8; n]).collect();
        let records: Vec<_> = vectors.iter().map(|v| encode(&mut codec, v)).collect();
        assert_eq!(records[599][0], RAW);
        let mut back = Vec::new();
        for (record, vector) in records.iter().zip(&vectors) {
            codec.decode(record, &mut Vec::new(), &mut back);
            assert_eq!(&back, vector);
        }
    }

    #[test]
    fn constant_bytes_cost_nothing() {
        let mut codec = Codec::default();
        let vectors: Vec<Vec<u8>> = (0..4u8).map(|n| [[7; 50].as_slice(), &[n]].concat()).collect();
        codec.train(vectors.iter().map(|v| v.as_slice()));
        assert_eq!(encode(&mut codec, &vectors[2]).len(), 2);
    }
}
