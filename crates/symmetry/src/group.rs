//! Groups of permutations, as products of what was found for each domain.

use crate::family::{Domain, Element};
use crate::reader::{shift_after, Shift};

/// Members of a domain that can change places in every way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Which domain.
    pub domain: usize,
    /// Which of its members, in order.
    pub members: Vec<u8>,
}

/// A few permutations of the members of one domain that form a group: the rotations of a ring, say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Which domain.
    pub domain: usize,
    /// All of them, the identity first.
    pub permutations: Vec<Vec<u8>>,
}

/// A group: every block permuted in every way, and one permutation of each list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Group {
    /// Full symmetric groups.
    pub blocks: Vec<Block>,
    /// Other groups.
    pub listed: Vec<Listed>,
}

impl Group {
    /// Whether only the identity is left.
    pub fn is_trivial(&self) -> bool {
        self.blocks.is_empty() && self.listed.is_empty()
    }

    /// How many permutations there are; as a float, because it grows as a factorial.
    pub fn order(&self) -> f64 {
        let factorial = |n: usize| (1..=n).map(|k| k as f64).product::<f64>();
        let blocks: f64 = self.blocks.iter().map(|b| factorial(b.members.len())).product();
        blocks * self.listed.iter().map(|l| l.permutations.len() as f64).product::<f64>()
    }
}

/// The permutation that exchanges two members.
pub fn transposition(domains: &[Domain], domain: usize, a: usize, b: usize) -> Element {
    let mut element = crate::family::identity(domains);
    element[domain].swap(a, b);
    element
}

/// All permutations that a few generate, the identity first, with what each of them does to the
/// states of a reader; `None` if there are more than `most`.
pub(crate) fn generated(
    generators: &[(Vec<u8>, Shift)],
    size: usize,
    most: usize,
) -> Option<(Vec<Vec<u8>>, Vec<Shift>)> {
    let identity: Vec<u8> = (0..size as u8).collect();
    let (mut all, mut shifts) = (vec![identity], vec![Shift::new()]);
    let mut k = 0;
    while k < all.len() {
        for (generator, shift) in generators {
            let next = after(&all[k], generator);
            if !all.contains(&next) {
                if all.len() == most {
                    return None;
                }
                all.push(next);
                shifts.push(shift_after(&shifts[k], shift));
            }
        }
        k += 1;
    }
    Some((all, shifts))
}

/// First `first`, then `second`.
pub fn after(first: &[u8], second: &[u8]) -> Vec<u8> {
    first.iter().map(|&k| second[usize::from(k)]).collect()
}

/// How often an element has to be carried out until nothing has moved.
pub fn order_of(element: &Element) -> u64 {
    let mut order: u64 = 1;
    for permutation in element {
        let mut seen = vec![false; permutation.len()];
        for first in 0..permutation.len() {
            let (mut at, mut length) = (first, 0);
            while !std::mem::replace(&mut seen[at], true) {
                at = usize::from(permutation[at]);
                length += 1;
            }
            if length > 1 {
                let (mut a, mut b) = (order, length);
                while b != 0 {
                    (a, b) = (b, a % b);
                }
                order = (order / a).saturating_mul(length);
            }
        }
    }
    order
}

/// The permutation that undoes another.
pub fn inverse(permutation: &[u8]) -> Vec<u8> {
    let mut inverse = vec![0; permutation.len()];
    for (k, &to) in permutation.iter().enumerate() {
        inverse[usize::from(to)] = k as u8;
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_that_of_a_product() {
        let block = Block { domain: 0, members: vec![0, 2, 3] };
        let listed = Listed { domain: 1, permutations: vec![vec![0, 1], vec![1, 0]] };
        let group = Group { blocks: vec![block.clone(), block], listed: vec![listed] };
        assert_eq!(group.order(), 6.0 * 6.0 * 2.0);
        assert!(!group.is_trivial());
        assert!(Group::default().is_trivial());
        assert_eq!(Group::default().order(), 1.0);
    }

    #[test]
    fn a_rotation_and_a_reflection_generate_the_symmetries_of_a_square() {
        let [rotation, reflection] =
            [vec![1, 2, 3, 0], vec![0, 3, 2, 1]].map(|p| (p, Shift::new()));
        assert_eq!(generated(std::slice::from_ref(&rotation), 4, 8).map(|g| g.0.len()), Some(4));
        let (all, _) = generated(&[rotation.clone(), reflection.clone()], 4, 8).expect("eight");
        assert_eq!(all.len(), 8);
        assert_eq!(all[0], [0, 1, 2, 3], "the identity comes first");
        assert_eq!(generated(&[rotation, reflection], 4, 7), None);
    }

    #[test]
    fn permutations_are_carried_out_one_after_the_other_and_undone() {
        let (first, second) = (vec![1, 2, 0], vec![0, 2, 1]);
        // 0 goes to 1, and 1 to 2.
        assert_eq!(after(&first, &second), [2, 1, 0]);
        for p in [&first, &second] {
            assert_eq!(after(p, &inverse(p)), [0, 1, 2]);
            assert_eq!(after(&inverse(p), p), [0, 1, 2]);
        }
    }
}
