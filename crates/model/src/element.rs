//! Which element of a variable a place is.

use crate::expr::{Index, Place};
use crate::layout::Slot;

/// An index of an element, for one of the arrays in the variable's name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ElementIndex<'p> {
    /// It is known, and part of the place's offset.
    Known(u32),
    /// It is computed when the model runs.
    Computed(&'p Index),
}

impl Slot {
    /// For each array in the variable's name how many elements it has and how many bytes apart they
    /// are, outermost first.
    pub fn dimensions(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.path.iter().filter_map(|segment| segment.array)
    }

    /// The indices of a place that is an element of this variable, outermost first; `None` if it is
    /// none.
    pub fn element<'p>(&self, place: &'p Place) -> Option<Vec<ElementIndex<'p>>> {
        let mut rest = place.offset.checked_sub(self.offset)?;
        let mut computed = place.indices.iter().peekable();
        let mut indices = Vec::new();
        for (len, stride) in self.dimensions() {
            // What is known of outer indices is a multiple of more bytes than inner ones reach.
            let known = rest.checked_div(stride)?;
            match computed.next_if(|i| (i.len, i.stride) == (len, stride)) {
                Some(index) if known == 0 => indices.push(ElementIndex::Computed(index)),
                None if known < len => indices.push(ElementIndex::Known(known)),
                _ => return None,
            }
            rest -= known * stride;
        }
        (rest == 0 && computed.peek().is_none() && self.ty == place.ty).then_some(indices)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::{Expr, Region};
    use crate::layout::Segment;
    use crate::scalar::Scalar;

    /// `a[3].b[2]`, where an element of `a` has five bytes and `b` starts at its second.
    fn slot() -> Slot {
        let segment =
            |name: &str, len, stride| Segment { name: name.to_owned(), array: Some((len, stride)) };
        let path = vec![segment("a", 3, 5), segment("b", 2, 2)];
        Slot { path, offset: 11, ty: Scalar::SHORT, parameter: false }
    }

    fn place(offset: u32, computed: &[(u32, u32)]) -> Place {
        let index = |&(len, stride)| Index { expr: Expr::Pid, len, stride };
        let indices = computed.iter().map(index).collect();
        Place { region: Region::Global, offset, indices, ty: Scalar::SHORT }
    }

    #[test]
    fn known_indices_are_part_of_the_offset() {
        let known = |a, b| Some(vec![ElementIndex::Known(a), ElementIndex::Known(b)]);
        assert_eq!(slot().element(&place(11, &[])), known(0, 0));
        assert_eq!(slot().element(&place(11 + 5 + 2, &[])), known(1, 1));
        assert_eq!(slot().element(&place(11 + 15, &[])), None);
        assert_eq!(slot().element(&place(12, &[])), None);
        assert_eq!(slot().element(&place(10, &[])), None);
    }

    #[test]
    fn indices_are_known_or_computed_one_by_one() {
        let (outer, inner) = (place(13, &[(3, 5)]), place(16, &[(2, 2)]));
        assert!(matches!(
            slot().element(&outer).as_deref(),
            Some([ElementIndex::Computed(_), ElementIndex::Known(1)])
        ));
        assert!(matches!(
            slot().element(&inner).as_deref(),
            Some([ElementIndex::Known(1), ElementIndex::Computed(_)])
        ));
        assert!(slot().element(&place(11, &[(3, 5), (2, 2)])).is_some());
        assert_eq!(slot().element(&place(11, &[(2, 2), (3, 5)])), None);
        assert_eq!(slot().element(&place(16, &[(3, 5)])), None);
    }

    #[test]
    fn an_element_has_the_type_of_its_variable() {
        let other = Place { ty: Scalar::BYTE, ..place(11, &[]) };
        assert_eq!(slot().element(&other), None);
    }
}
