//! Applying a permutation to a state vector.
//!
//! Everything here is worked out once, for states in which all processes are there: which bytes
//! move with which name, and which bytes hold names.

mod build;
mod parts;
mod program;

use isospin_model::ProcTypeId;

use crate::family::{Domain, Element};
use crate::sorts::ChannelArray;
pub use parts::{Array, Channel, Fields, Named};

/// A sort that holds names: 0 for process numbers, 1 for channels, then the domains.
pub type SortId = u8;
/// Process numbers.
pub const PIDS: SortId = 0;
/// Channel numbers.
pub const CHANNELS: SortId = 1;

/// What is known of the frames of a process type.
#[derive(Clone, Debug, Default)]
pub struct Frames {
    /// For each location, the values that hold names there.
    pub named: Vec<Vec<Named>>,
    /// For each location, bytes whose value does not count there: where and how many.
    pub dead: Vec<Vec<(u32, u32)>>,
    /// For each location, the bytes that hold neither: where and how many.
    pub plain: Vec<Vec<(u32, u32)>>,
    /// Arrays whose elements move.
    pub arrays: Vec<Array>,
}

/// How permutations act on states.
#[derive(Clone, Debug)]
pub struct GroupAction {
    /// The domains.
    pub domains: Vec<Domain>,
    /// For each process its type, where its frame starts, and how long it is.
    pub frames: Vec<(ProcTypeId, u32, u32)>,
    /// By process type.
    pub types: Vec<Frames>,
    /// Global values that hold names and are no elements of moving arrays.
    pub globals: Vec<Named>,
    /// Global arrays whose elements move.
    pub arrays: Vec<Array>,
    /// All channels.
    pub channels: Vec<Channel>,
    /// How channel numbers move: the array and index of global ones.
    pub channel_moves: Vec<(ChannelArray, SortId)>,
    /// The first channel of each process.
    pub first_channel: Vec<u32>,
    locations: Vec<u32>,
    /// How many bytes a state has in which all processes are there.
    length: u32,
}

/// A permutation as tables, by sort.
#[derive(Clone, Debug)]
pub struct Renaming {
    /// Where each value goes.
    pub tables: Vec<[u8; 256]>,
}

impl GroupAction {
    /// Where a process stands.
    #[inline]
    pub fn location(&self, state: &[u8], pid: usize) -> usize {
        let (ty, at, _) = self.frames[pid];
        let at = at as usize + 1;
        match self.locations[ty.index()] {
            1 => usize::from(state[at]),
            _ => usize::from(u16::from_le_bytes([state[at], state[at + 1]])),
        }
    }

    /// Adds a byte for each process behind the state, in the order of their numbers.
    pub fn add_bytes(&mut self) {
        let processes = self.frames.len() as u32;
        let dims = vec![(processes, 1, Some(PIDS))];
        self.arrays.push(Array { offset: self.length, width: 1, dims, value: None });
        self.length += processes;
    }

    /// Adds a byte for each name of every domain whose names no process bears, behind the state, by
    /// the values that they are.
    pub fn add_names(&mut self) {
        for (d, domain) in self.domains.iter().enumerate() {
            if domain.families.is_empty() {
                let dims = vec![(domain.span() as u32, 1, Some(2 + d as SortId))];
                self.arrays.push(Array { offset: self.length, width: 1, dims, value: None });
                self.length += domain.span() as u32;
            }
        }
    }

    /// A renaming that changes nothing.
    pub fn no_renaming(&self) -> Renaming {
        let mut identity = [0; 256];
        for (k, to) in identity.iter_mut().enumerate() {
            *to = k as u8;
        }
        Renaming { tables: vec![identity; 2 + self.domains.len()] }
    }

    /// Writes the tables of an element into `renaming`.
    pub fn rename(&self, element: &Element, renaming: &mut Renaming) {
        let tables = &mut renaming.tables;
        for (d, (domain, to)) in self.domains.iter().zip(element).enumerate() {
            for (m, &to) in to.iter().enumerate() {
                let to = usize::from(to);
                for family in &domain.families {
                    tables[usize::from(PIDS)][family.pids[m]] = family.pids[to] as u8;
                }
                if domain.sort.is_some() {
                    tables[2 + d][usize::from(domain.values[m])] = domain.values[to];
                }
            }
        }
        if self.channels.len() > self.first_channel.first().map_or(0, |&f| f as usize) {
            for pid in 0..self.frames.len() {
                let to = usize::from(tables[usize::from(PIDS)][pid]);
                let (from, to) = (self.first_channel[pid], self.first_channel[to]);
                let last = self.first_channel.get(pid + 1).copied();
                let own = last.unwrap_or(self.channels.len() as u32) - from;
                for k in 0..own {
                    tables[usize::from(CHANNELS)][(from + k + 1) as usize] = (to + k + 1) as u8;
                }
            }
        }
        for &(array, sort) in &self.channel_moves {
            let ChannelArray { owner, first, len, stride } = array;
            for k in 0..len {
                let to = u32::from(tables[usize::from(sort)][k as usize]);
                let (from, to) = (u32::from(first) + k * stride, u32::from(first) + to * stride);
                match owner {
                    None => tables[usize::from(CHANNELS)][from as usize + 1] = to as u8 + 1,
                    Some(ty) => {
                        let of_type = |pid: &usize| self.frames[*pid].0 == ty;
                        for pid in (0..self.frames.len()).filter(of_type) {
                            let image = usize::from(tables[usize::from(PIDS)][pid]);
                            let from = self.first_channel[pid] + from + 1;
                            let to = self.first_channel[image] + to + 1;
                            tables[usize::from(CHANNELS)][from as usize] = to as u8;
                        }
                    }
                }
            }
        }
    }

    /// Writes the image of `state` into `out`. This is the definition; machine code is made of
    /// [`program`](GroupAction::program) for the same.
    pub fn apply(&self, renaming: &Renaming, state: &[u8], out: &mut Vec<u8>) {
        out.clear();
        out.extend_from_slice(state);
        let tables = &renaming.tables;
        let pids = &tables[usize::from(PIDS)];
        for (pid, &(ty, from, len)) in self.frames.iter().enumerate() {
            let image = usize::from(pids[pid]);
            let to = self.frames[image].1;
            if image != pid {
                let (from, to, len) = (from as usize, to as usize, len as usize);
                out[to..to + len].copy_from_slice(&state[from..from + len]);
            }
            for array in &self.types[ty.index()].arrays {
                array.apply(tables, state, from, out, to);
            }
        }
        for array in &self.arrays {
            array.apply(tables, state, 0, out, 0);
        }
        let numbers = &tables[usize::from(CHANNELS)];
        for channel in &self.channels {
            let to = usize::from(numbers[usize::from(channel.number)]);
            if to != usize::from(channel.number) {
                let (from, to) = (channel.offset as usize, self.channels[to - 1].offset as usize);
                let size = channel.ty.size() as usize;
                out[to..to + size].copy_from_slice(&state[from..from + size]);
            }
        }
        // What was moved is renamed where it is now.
        for named in &self.globals {
            named.rename(tables, out, 0);
        }
        for (pid, &(ty, at, _)) in self.frames.iter().enumerate() {
            let location = self.location(out, pid);
            for named in &self.types[ty.index()].named[location] {
                named.rename(tables, out, at as usize);
            }
        }
        for channel in &self.channels {
            channel.rename(tables, out);
        }
    }
}
