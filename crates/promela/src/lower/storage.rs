//! Where variables live.

use isospin_model::{ChannelOwner, Place, Region, Scalar};

use super::types::VarType;

/// Where a variable lives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Home {
    /// In the part of the vector that is always there.
    Global(u32),
    /// In the frame of its process.
    Local(u32),
    /// Nowhere: a channel, or an array of channels, whose name never comes to mean another.
    Channels(ChannelOwner, u16),
}

/// How a variable is stored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Storage {
    pub ty: VarType,
    pub array: Option<u32>,
    pub home: Home,
    /// How many messages the channel holds that it was declared with.
    pub capacity: Option<u16>,
}

impl Storage {
    /// The place of a single value: the variable, or the first element of an array.
    pub fn first_place(self, ty: Scalar) -> Option<Place> {
        let (region, offset) = match self.home {
            Home::Global(offset) => (Region::Global, offset),
            Home::Local(offset) => (Region::Local, offset),
            Home::Channels(..) => return None,
        };
        Some(Place { region, offset, indices: Vec::new(), ty })
    }
}
