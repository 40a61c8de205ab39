//! Sets of slots.

/// A set of small numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Bits(Vec<u64>);

impl Bits {
    /// All numbers below `len`.
    pub fn all(len: usize) -> Bits {
        (0..len).collect()
    }

    /// Adds a number; says whether it is new.
    pub fn insert(&mut self, bit: usize) -> bool {
        let word = bit / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        let new = self.0[word] & 1 << (bit % 64) == 0;
        self.0[word] |= 1 << (bit % 64);
        new
    }

    /// Takes a number out.
    pub fn remove(&mut self, bit: usize) {
        if let Some(word) = self.0.get_mut(bit / 64) {
            *word &= !(1 << (bit % 64));
        }
    }

    /// Whether a number is in it.
    pub fn has(&self, bit: usize) -> bool {
        self.0.get(bit / 64).is_some_and(|word| word & 1 << (bit % 64) != 0)
    }

    /// Adds another set.
    pub fn add(&mut self, other: &Bits) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine |= theirs;
        }
    }

    /// Whether every number of it is in the other.
    pub fn is_within(&self, other: &Bits) -> bool {
        self.iter().all(|bit| other.has(bit))
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    /// The numbers, in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(k, &word)| {
            let mut left = word;
            std::iter::from_fn(move || {
                (left != 0).then(|| {
                    let bit = left.trailing_zeros() as usize;
                    left &= left - 1;
                    64 * k + bit
                })
            })
        })
    }
}

impl FromIterator<usize> for Bits {
    fn from_iter<I: IntoIterator<Item = usize>>(numbers: I) -> Self {
        let mut bits = Bits::default();
        for bit in numbers {
            bits.insert(bit);
        }
        bits
    }
}
