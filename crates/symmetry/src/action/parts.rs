//! The parts of a state vector that names show in.

use std::collections::HashMap;

use isospin_model::ChannelType;

use super::SortId;

/// A value that holds a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named {
    /// Where it is.
    pub offset: u32,
    /// How many bytes it has.
    pub width: u8,
    /// What it names.
    pub sort: SortId,
}

/// An array whose elements move.
#[derive(Clone, Debug)]
pub struct Array {
    /// Where it starts: in the vector, or in the frame.
    pub offset: u32,
    /// How many bytes an element has.
    pub width: u32,
    /// For each dimension its length, the distance of its elements, and what indexes it.
    pub dims: Vec<(u32, u32, Option<SortId>)>,
    /// What its values name, if they do.
    pub value: Option<SortId>,
}

/// A channel whose messages hold names, or that moves.
#[derive(Clone, Debug)]
pub struct Channel {
    /// Its number.
    pub number: u8,
    /// Where it is in the vector.
    pub offset: u32,
    /// What it can hold.
    pub ty: ChannelType,
    /// What the fields of a message name, by first field where that counts.
    pub fields: Fields,
    /// The process that created it.
    pub owner: Option<usize>,
}

/// What the fields of messages name.
#[derive(Clone, Debug)]
pub enum Fields {
    /// The same in all messages.
    All(Vec<Named>),
    /// It depends on the first field.
    ByTag(HashMap<i32, Vec<Named>>),
}

impl Named {
    /// The value.
    #[inline]
    pub fn load(&self, state: &[u8], base: usize) -> usize {
        let at = base + self.offset as usize;
        match self.width {
            1 => usize::from(state[at]),
            2 => usize::from(u16::from_le_bytes([state[at], state[at + 1]])),
            _ => u32::from_le_bytes([state[at], state[at + 1], state[at + 2], state[at + 3]])
                as usize,
        }
    }

    #[inline]
    pub(super) fn rename(&self, tables: &[[u8; 256]], state: &mut [u8], base: usize) {
        let value = self.load(state, base);
        if value < 256 {
            // Names fit into a byte, whatever the width; the bytes above are 0.
            state[base + self.offset as usize] = tables[usize::from(self.sort)][value];
        }
    }
}

impl Array {
    /// Calls `visit` with the index in every dimension and the offset of each element.
    pub fn each(&self, visit: &mut dyn FnMut(&[u32], u32)) {
        let mut index = vec![0; self.dims.len()];
        loop {
            let offset: u32 = index.iter().zip(&self.dims).map(|(i, d)| i * d.1).sum();
            visit(&index, self.offset + offset);
            let mut d = self.dims.len();
            loop {
                if d == 0 {
                    return;
                }
                d -= 1;
                index[d] += 1;
                if index[d] < self.dims[d].0 {
                    break;
                }
                index[d] = 0;
            }
        }
    }

    #[inline]
    pub(super) fn apply(
        &self,
        tables: &[[u8; 256]],
        state: &[u8],
        from: u32,
        out: &mut [u8],
        to: u32,
    ) {
        let mut move_one = |offset: u32, image: u32| {
            let source = (from + offset) as usize;
            let target = (to + image) as usize;
            let width = self.width as usize;
            out[target..target + width].copy_from_slice(&state[source..source + width]);
            if let Some(sort) = self.value {
                let named = Named { offset: 0, width: self.width as u8, sort };
                named.rename(tables, out, target);
            }
        };
        if let [(len, stride, sort)] = self.dims[..] {
            for k in 0..len {
                let to = image(tables, sort, k);
                move_one(self.offset + k * stride, self.offset + to * stride);
            }
            return;
        }
        self.each(&mut |index, offset| {
            let to: u32 = index
                .iter()
                .zip(&self.dims)
                .map(|(&k, &(_, stride, sort))| image(tables, sort, k) * stride)
                .sum();
            move_one(offset, self.offset + to);
        });
    }
}

/// Where an index goes.
#[inline]
fn image(tables: &[[u8; 256]], sort: Option<SortId>, index: u32) -> u32 {
    let table = sort.map(|s| &tables[usize::from(s)]);
    table.and_then(|t| t.get(index as usize)).map_or(index, |&to| u32::from(to))
}

impl Fields {
    /// What the fields of the message at `message` name.
    #[inline]
    pub fn of(&self, ty: &ChannelType, state: &[u8], message: usize) -> &[Named] {
        match self {
            Fields::All(named) => named,
            Fields::ByTag(by_tag) => {
                let tag = ty.fields[0].load(state, message);
                by_tag.get(&tag).or_else(|| by_tag.get(&i32::MIN)).map_or(&[], Vec::as_slice)
            }
        }
    }

    /// Whether no message holds a name.
    pub fn is_empty(&self) -> bool {
        match self {
            Fields::All(named) => named.is_empty(),
            Fields::ByTag(by_tag) => by_tag.values().all(Vec::is_empty),
        }
    }
}

impl Channel {
    pub(super) fn rename(&self, tables: &[[u8; 256]], state: &mut [u8]) {
        if self.fields.is_empty() {
            return;
        }
        let at = self.offset as usize;
        for slot in 0..self.ty.len(state, at) {
            let message = self.ty.message(at, slot);
            // The first field tells the rest apart, and is no name itself then.
            for named in self.fields.of(&self.ty, state, message).to_vec() {
                named.rename(tables, state, message);
            }
        }
    }
}
