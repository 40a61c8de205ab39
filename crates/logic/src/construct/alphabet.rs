//! Letters: valuations of the atoms, up to what the labels of some automata can tell apart.

use std::collections::{BTreeSet, HashMap};

use crate::bdd::{Bdd, Manager};
use crate::error::Error;
use crate::label::{Cube, Label};

/// A set of letters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Letters(Box<[u64]>);

impl Letters {
    pub fn none(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64)].into())
    }

    /// The number of machine words that the set takes.
    pub fn words(&self) -> usize {
        self.0.len()
    }

    pub fn insert(&mut self, letter: usize) {
        self.0[letter / 64] |= 1 << (letter % 64);
    }

    pub fn contains(&self, letter: usize) -> bool {
        self.0[letter / 64] >> (letter % 64) & 1 == 1
    }

    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    pub fn intersects(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|(&a, &b)| a & b != 0)
    }

    /// Whether every letter of the other set is in this one.
    pub fn covers(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(&a, &b)| b & !a == 0)
    }

    pub fn add(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, &b)| *a |= b);
    }

    pub fn remove(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, &b)| *a &= !b);
    }

    pub fn keep(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, &b)| *a &= b);
    }

    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(index, &word)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| index * 64 + bit)
        })
    }
}

/// The letters of some automata, as sets of valuations.
pub(crate) struct Alphabet {
    letters: Vec<Bdd>,
    /// The letter that a label is, where labels are letters and too many to compare.
    by_label: HashMap<Bdd, usize>,
}

/// The most labels to compare with each other.
const MAX_COMPARED: usize = 500;

impl Alphabet {
    /// The coarsest partition that can express every label.
    pub fn of(
        bdds: &mut Manager,
        labels: impl IntoIterator<Item = Bdd>,
        limit: usize,
    ) -> Result<Self, Error> {
        let mut letters = vec![Bdd::TRUE];
        let labels: BTreeSet<Bdd> = labels.into_iter().collect();
        for label in labels {
            let mut refined = Vec::with_capacity(letters.len());
            for letter in letters {
                let inside = bdds.and(letter, label)?;
                let outside = bdds.minus(letter, label)?;
                refined.extend([inside, outside].into_iter().filter(|&part| part != Bdd::FALSE));
            }
            if refined.len() > limit {
                return Err(Error::TooLarge { what: "different letters", limit });
            }
            letters = refined;
        }
        Ok(Self { letters, by_label: HashMap::new() })
    }

    /// The labels themselves as letters, for automata that tell too many valuations apart.
    ///
    /// A label is the set of the letters that imply it. Then whatever holds of sets of letters
    /// (one contains the other, one is what remains of another) holds of the labels, though not
    /// the other way round: reductions stay sound, but find less. Words cannot be spelled with
    /// such letters, so products and powersets are out of the question.
    pub fn opaque(labels: impl IntoIterator<Item = Bdd>) -> Self {
        let labels: BTreeSet<Bdd> = labels.into_iter().collect();
        let letters: Vec<Bdd> = labels.into_iter().collect();
        let mut by_label = HashMap::new();
        if letters.len() > MAX_COMPARED {
            by_label.extend(letters.iter().enumerate().map(|(letter, &label)| (label, letter)));
        }
        Self { letters, by_label }
    }

    pub fn len(&self) -> usize {
        self.letters.len()
    }

    /// The letters that make up a label, which the partition must be able to express.
    pub fn letters(&self, bdds: &mut Manager, label: Bdd) -> Result<Letters, Error> {
        let mut set = Letters::none(self.len());
        if let Some(&letter) = self.by_label.get(&label) {
            set.insert(letter);
            return Ok(set);
        }
        for (index, &letter) in self.letters.iter().enumerate() {
            if bdds.minus(letter, label)? == Bdd::FALSE {
                set.insert(index);
            }
        }
        Ok(set)
    }

    /// The label that stands for some letters.
    pub fn label(
        &self,
        bdds: &mut Manager,
        letters: &Letters,
        memo: &mut HashMap<Letters, Label>,
    ) -> Result<Label, Error> {
        if let Some(label) = memo.get(letters) {
            return Ok(label.clone());
        }
        let mut sum = Bdd::FALSE;
        for letter in letters.iter() {
            sum = bdds.or(sum, self.letters[letter])?;
        }
        let cubes = bdds.products(sum)?.into_iter().map(|product| {
            let mut cube = Cube::TRUE;
            for (atom, positive) in product {
                let side = if positive { &mut cube.positive } else { &mut cube.negative };
                *side |= 1 << atom;
            }
            cube
        });
        let label = Label { cubes: cubes.collect() };
        memo.insert(letters.clone(), label.clone());
        Ok(label)
    }
}
