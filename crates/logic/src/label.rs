//! Labels of edges: sums of products of literals over atoms.

/// A conjunction of atoms and negated atoms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cube {
    /// The atoms that must hold, one bit each.
    pub positive: u64,
    /// The atoms that must not hold.
    pub negative: u64,
}

impl Cube {
    /// The empty conjunction, which always holds.
    pub const TRUE: Cube = Cube { positive: 0, negative: 0 };

    /// Whether it holds under a valuation, one bit for each atom that is true.
    #[inline]
    pub fn holds(self, valuation: u64) -> bool {
        valuation & self.positive == self.positive && valuation & self.negative == 0
    }

    /// Its literals, by atom: the index and whether the atom is positive.
    pub fn literals(self) -> impl Iterator<Item = (usize, bool)> {
        (0..64).filter_map(move |atom| {
            let bit = 1u64 << atom;
            if self.positive & bit != 0 {
                Some((atom, true))
            } else if self.negative & bit != 0 {
                Some((atom, false))
            } else {
                None
            }
        })
    }

    /// Both at once, unless they contradict each other.
    pub fn and(self, other: Cube) -> Option<Cube> {
        let both = Cube {
            positive: self.positive | other.positive,
            negative: self.negative | other.negative,
        };
        (both.positive & both.negative == 0).then_some(both)
    }
}

/// A disjunction of cubes; the empty one never holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Label {
    /// The cubes, in no particular order.
    pub cubes: Vec<Cube>,
}

impl Label {
    /// The label that always holds.
    pub fn always() -> Self {
        Self { cubes: vec![Cube::TRUE] }
    }

    /// Whether it holds under a valuation.
    #[inline]
    pub fn holds(&self, valuation: u64) -> bool {
        self.cubes.iter().any(|cube| cube.holds(valuation))
    }

    /// Whether it is written as `true`.
    pub fn is_always(&self) -> bool {
        self.cubes.contains(&Cube::TRUE)
    }

    /// The atoms that it mentions, one bit each.
    pub fn atoms(&self) -> u64 {
        self.cubes.iter().fold(0, |atoms, cube| atoms | cube.positive | cube.negative)
    }
}
