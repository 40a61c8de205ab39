//! Numbers that cannot be taken for one another.

use std::fmt;

/// Declares a number that counts things of one kind.
macro_rules! id {
    ($(#[$doc:meta])* $name:ident($number:ty)) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub $number);

        impl $name {
            /// The thing at this position. Positions come from lists that are short enough.
            #[inline]
            pub const fn at(position: usize) -> $name {
                $name(position as $number)
            }

            /// The position in the list that it counts.
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

id! {
    /// The number of a process in a state: the position of its frame.
    Pid(u8)
}
id! {
    /// The number of a process type in [`Model::proctypes`](crate::Model::proctypes).
    ProcTypeId(u16)
}
id! {
    /// The number of a location within its automaton.
    LocationId(u32)
}
id! {
    /// The number of an edge within its automaton.
    EdgeId(u32)
}
id! {
    /// The number of a channel type in [`Model::channel_types`](crate::Model::channel_types).
    ChannelTypeId(u16)
}
