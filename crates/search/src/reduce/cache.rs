//! Remembers which groups were chosen where the same processes stand at the same locations and the
//! same edges can be taken. Where nothing else was looked at, the choice is the same.

use isospin_machine::Successors;
use isospin_model::{LocationId, ProcTypeId};

use crate::expand::Group;
use crate::store::hash_bytes;

/// How many slots there are; a power of two.
const SLOTS: usize = 1 << 16;
/// What the keys may take together.
const MAX_BYTES: usize = 1 << 24;

/// What was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// These groups, with so many steps.
    Groups(Vec<usize>, usize),
    /// Nothing; the flag says whether a set was passed over because the property may see it.
    Nothing(bool),
}

struct Entry {
    start: usize,
    end: usize,
    choice: Choice,
}

/// A table that forgets nothing and takes in nothing more when it is full.
#[derive(Default)]
pub(super) struct Cache {
    key: Vec<u8>,
    slot: usize,
    slots: Vec<u32>,
    entries: Vec<Entry>,
    bytes: Vec<u8>,
}

impl Cache {
    /// The choice for a state, if it is known.
    pub fn look_up(
        &mut self,
        places: &[(ProcTypeId, LocationId)],
        steps: &Successors,
        groups: &[Group],
    ) -> Option<&Choice> {
        self.key.clear();
        for (ty, location) in places {
            self.key.extend_from_slice(&ty.to_le_bytes());
            self.key.extend_from_slice(&location.to_le_bytes());
        }
        for group in groups {
            self.key.push(group.pid as u8);
            self.key.extend_from_slice(&((group.to - group.from) as u32).to_le_bytes());
            for successor in &steps.list()[group.from..group.to] {
                self.key.extend_from_slice(&successor.step.edge.to_le_bytes());
            }
        }
        if self.slots.is_empty() {
            self.slots.resize(SLOTS, 0);
        }
        self.slot = hash_bytes(&self.key) as usize % SLOTS;
        let entry = self.entries.get((self.slots[self.slot] as usize).checked_sub(1)?)?;
        (self.bytes[entry.start..entry.end] == self.key[..]).then_some(&entry.choice)
    }

    /// Remembers the choice for the state that was looked up last.
    pub fn insert(&mut self, choice: Choice) {
        if self.slots[self.slot] != 0 || self.bytes.len() + self.key.len() > MAX_BYTES {
            return;
        }
        let start = self.bytes.len();
        self.bytes.extend_from_slice(&self.key);
        self.entries.push(Entry { start, end: self.bytes.len(), choice });
        self.slots[self.slot] = self.entries.len() as u32;
    }
}
