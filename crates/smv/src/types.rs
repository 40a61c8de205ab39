//! The types of expressions, as NuSMV distinguishes them.

use isospin_relation::Sort;

/// The type of an expression, or of a set's elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ty {
    Boolean,
    Integer,
    /// Symbolic constants.
    Symbolic,
    /// Integers and symbolic constants.
    Mixed,
    Word {
        signed: bool,
        width: u32,
    },
}

impl Ty {
    pub(crate) fn sort(self) -> Sort {
        match self {
            Ty::Boolean => Sort::Boolean,
            Ty::Integer | Ty::Symbolic | Ty::Mixed => Sort::Scalar,
            Ty::Word { signed, width } => Sort::Word { signed, width },
        }
    }

    pub(crate) fn is_word(self) -> bool {
        matches!(self, Ty::Word { .. })
    }

    fn is_scalar(self) -> bool {
        matches!(self, Ty::Integer | Ty::Symbolic | Ty::Mixed)
    }

    /// In a sentence.
    pub(crate) fn words(self) -> String {
        match self {
            Ty::Boolean => "a truth value".into(),
            Ty::Integer => "an integer".into(),
            Ty::Symbolic => "a symbolic constant".into(),
            Ty::Mixed => "an integer or a symbolic constant".into(),
            Ty::Word { signed, width } => {
                format!("{} word of {width} bits", if signed { "a signed" } else { "an unsigned" })
            }
        }
    }

    /// The type of what is one or the other, if there is one.
    pub(crate) fn join(self, other: Ty) -> Option<Ty> {
        if self == other {
            Some(self)
        } else {
            (self.is_scalar() && other.is_scalar()).then_some(Ty::Mixed)
        }
    }

    /// Whether values of both can be compared or assigned to each other.
    pub(crate) fn is_comparable(self, other: Ty) -> bool {
        self == other || self.is_scalar() && other.is_scalar() && [self, other].contains(&Ty::Mixed)
    }
}
