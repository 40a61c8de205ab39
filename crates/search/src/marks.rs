//! Every bit that a search keeps with a state, and what it means.
//!
//! Each search has a set of marks of its own; no two searches use one store. Marks are kept in
//! bytes, and all but those of copies are in the first.

/// Depth-first search for safety, where steps may be put off.
pub(crate) mod depth_first {
    /// The state and everything above it on the stack are done with.
    pub const FINISHED: u8 = 1;
    /// All steps of the state were followed.
    pub const FULL: u8 = 2;
}

/// Searches for safety without a stack, where steps may be put off.
pub(crate) mod stackless {
    /// All steps of the state were followed.
    pub const FULL: u8 = 1;
}

/// What all searches for cycles have in common.
pub(crate) mod product {
    /// On the stack of the search that decides how nodes are expanded.
    pub const ON_STACK: u8 = 4;
    /// Entered by the search that visits every node. Nodes are stored when an arc to them is found.
    pub const ENTERED: u8 = 16;
}

/// Nested search.
pub(crate) mod nested {
    pub use super::product::{ENTERED, ON_STACK};
    /// Visited by the second search.
    pub const SECOND: u8 = 2;
    /// All arcs were followed, though fewer would have been chosen.
    pub const FULL: u8 = 8;
}

/// Component-based search.
pub(crate) mod component {
    pub use super::product::{ENTERED, ON_STACK};
    /// The node's component is complete.
    pub const COMPLETE: u8 = 1;
}

/// Direct search for non-progress cycles.
pub(crate) mod direct {
    /// Visited by the second search.
    pub const SECOND: u8 = 2;
    /// On the stack of the second search.
    pub const ON_SECOND_STACK: u8 = 4;
}

/// Nested search under weak fairness: three bits for each copy of a node, behind the first byte.
pub(crate) mod copies {
    /// Visited by the first search.
    pub const FIRST: u8 = 1;
    /// Visited by the second search.
    pub const SECOND: u8 = 2;
    /// On the stack of the first search.
    pub const ON_STACK: u8 = 4;

    /// More copies than this do not fit: one for each process, and one.
    pub const MAX: u8 = 21;
    /// How many bytes the marks of a node take.
    pub const BYTES: u8 = 1 + (3 * MAX).div_ceil(8);

    /// Where the marks of a copy are: the byte in which they start, and the bit.
    pub const fn place(copy: u8) -> (u8, u8) {
        (1 + 3 * copy / 8, 3 * copy % 8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_marks_of_a_search_are_different_bits() {
        let sets: [&[u8]; 6] = [
            &[depth_first::FINISHED, depth_first::FULL],
            &[stackless::FULL],
            &[nested::SECOND, nested::ON_STACK, nested::FULL, nested::ENTERED],
            &[component::COMPLETE, component::ON_STACK, component::ENTERED],
            &[direct::SECOND, direct::ON_SECOND_STACK, product::ENTERED],
            &[copies::FIRST, copies::SECOND, copies::ON_STACK],
        ];
        for set in sets {
            assert!(set.iter().all(|mark| mark.is_power_of_two()));
            assert_eq!(set.iter().sum::<u8>(), set.iter().fold(0, |all, mark| all | mark));
        }
    }

    #[test]
    fn copies_have_places_of_their_own_behind_the_first_byte() {
        let bits = |copy| {
            let (byte, bit) = copies::place(copy);
            (0..3).map(move |k| 8 * u32::from(byte) + u32::from(bit) + k)
        };
        let all: Vec<u32> = (0..copies::MAX).flat_map(bits).collect();
        assert!(all.iter().zip(8..).all(|(&bit, expected)| bit == expected));
        assert!(all.last() < Some(&(8 * u32::from(copies::BYTES))));
    }
}
