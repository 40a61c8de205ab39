//! Types, with their names resolved.

use super::{MtypeId, ScalarsetId, TypedefId};

/// The type of a variable, a field or a message's field, without its array bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// `bit`
    Bit,
    /// `bool`
    Bool,
    /// `byte`
    Byte,
    /// `pid`
    Pid,
    /// `short`
    Short,
    /// `int`
    Int,
    /// `unsigned`, of so many bits
    Unsigned(u32),
    /// `mtype`
    Mtype(MtypeId),
    /// `chan`
    Chan,
    /// `timer`
    Timer,
    /// `scalarset`
    Scalarset(ScalarsetId),
    /// A typedef's structure.
    Record(TypedefId),
}

impl Kind {
    /// The least and the greatest value of the type, if it is a number's.
    pub fn range(self) -> Option<(i64, i64)> {
        Some(match self {
            Kind::Bit | Kind::Bool => (0, 1),
            Kind::Byte | Kind::Pid | Kind::Mtype(_) | Kind::Scalarset(_) => (0, 255),
            Kind::Short => (i64::from(i16::MIN), i64::from(i16::MAX)),
            Kind::Int | Kind::Timer => (i64::from(i32::MIN), i64::from(i32::MAX)),
            Kind::Unsigned(width) => (0, (1i64 << width.min(32)) - 1),
            Kind::Chan | Kind::Record(_) => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_ranges_and_channels_and_structures_have_none() {
        assert_eq!(Kind::Unsigned(4).range(), Some((0, 15)));
        assert_eq!(Kind::Short.range(), Some((-32768, 32767)));
        assert_eq!(Kind::Chan.range(), None);
        assert_eq!(Kind::Record(TypedefId(0)).range(), None);
    }
}
