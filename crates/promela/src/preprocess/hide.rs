//! Hide sets: which macros may not expand in a token.

use isospin_source::Name;
use std::rc::Rc;

/// The macros that may not expand in a token any more: a list that shares its
/// tail with those it grew from.
pub(super) type HideSet = Option<Rc<Hide>>;

pub(super) struct Hide {
    name: Name,
    others: HideSet,
    /// How many macros these are.
    count: usize,
}

fn names(set: &HideSet) -> impl Iterator<Item = &Name> {
    std::iter::successors(set.as_deref(), |h| h.others.as_deref()).map(|h| &h.name)
}

/// Whether the name is in the set.
pub(super) fn hides(set: &HideSet, name: &Name) -> bool {
    names(set).any(|n| n == name)
}

fn same(a: &HideSet, b: &HideSet) -> bool {
    match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => Rc::ptr_eq(a, b),
        _ => false,
    }
}

/// How many macros these are.
pub(super) fn count(set: &HideSet) -> usize {
    set.as_ref().map_or(0, |h| h.count)
}

/// The set with one name more.
pub(super) fn with(set: &HideSet, name: &Name) -> HideSet {
    Some(Rc::new(Hide { name: name.clone(), others: set.clone(), count: count(set) + 1 }))
}

/// Whether the list grew from the other.
fn grew_from(set: &HideSet, other: &HideSet) -> bool {
    let mut at = set;
    loop {
        if count(at) <= count(other) {
            return same(at, other);
        }
        let Some(hide) = at else { return false };
        at = &hide.others;
    }
}

/// The names of either.
pub(super) fn union(a: &HideSet, b: &HideSet) -> HideSet {
    if a.is_none() || grew_from(b, a) {
        return b.clone();
    }
    let new: Vec<&Name> = names(b).filter(|n| !hides(a, n)).collect();
    new.into_iter().fold(a.clone(), |set, name| with(&set, name))
}

/// The names of both.
pub(super) fn intersection(a: &HideSet, b: &HideSet) -> HideSet {
    if same(a, b) {
        return a.clone();
    }
    let both = names(a).filter(|n| hides(b, n));
    both.fold(None, |set, name| with(&set, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names_of: &[&str]) -> HideSet {
        names_of.iter().fold(None, |set, name| with(&set, &Name::from(*name)))
    }

    fn sorted(set: &HideSet) -> Vec<&str> {
        let mut all: Vec<&str> = names(set).map(Name::as_str).collect();
        all.sort_unstable();
        all
    }

    #[test]
    fn sets_are_joined_and_met_as_sets() {
        let (a, b) = (set(&["f", "g"]), set(&["g", "h"]));
        assert_eq!(sorted(&union(&a, &b)), ["f", "g", "h"]);
        assert_eq!(sorted(&intersection(&a, &b)), ["g"]);
        assert_eq!(sorted(&intersection(&a, &None)), [""; 0]);
    }

    #[test]
    fn a_set_that_grew_from_the_other_is_their_union_as_it_is() {
        let small = set(&["f"]);
        let large = with(&small, &"g".into());
        assert!(same(&union(&small, &large), &large));
        assert!(hides(&large, &"f".into()));
        assert!(!hides(&small, &"g".into()));
    }
}
