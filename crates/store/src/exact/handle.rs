//! One thread's access to an exact set.

use super::arena::Cursor;
use super::epoch::Member;
use super::memory::prefetch;
use super::table::Entries;
use super::{Exact, StateId, PARENT_BYTES};
use crate::hash::hash_words;
use crate::packing::{as_bytes, RAW, RAW_HEADER};
use crate::{Answer, Insert, OutOfMemory, Packer};

/// A vector waiting to be looked up: its packed form is `words[start..end]`.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    hash: u64,
    start: u32,
    end: u32,
    bytes: u32,
    /// The address of its parent; 0 for none.
    parent: u64,
}

/// One thread's access to an [`Exact`] set.
pub struct ExactHandle<'s, const SHARED: bool> {
    set: &'s Exact<SHARED>,
    member: Member,
    packer: Packer,
    cursor: Cursor,
    words: Vec<u64>,
    waiting: Vec<Waiting>,
}

impl<'s, const SHARED: bool> ExactHandle<'s, SHARED> {
    pub(super) fn new(set: &'s Exact<SHARED>) -> Self {
        ExactHandle {
            set,
            member: set.epochs.join(),
            packer: set.packing.packer(),
            cursor: Cursor::default(),
            words: Vec::new(),
            waiting: Vec::new(),
        }
    }
}

impl<const SHARED: bool> Insert for ExactHandle<'_, SHARED> {
    type Id = StateId;

    #[inline]
    fn push(&mut self, vector: &[u8], parent: Option<StateId>) {
        let start = self.words.len();
        let bytes = self.packer.append(vector, &mut self.words);
        let hash = hash_words(&self.words[start..]);
        self.set.table.prefetch(hash);
        self.waiting.push(Waiting {
            hash,
            start: start as u32,
            end: self.words.len() as u32,
            bytes: bytes as u32,
            parent: parent.map_or(0, |p| p.0),
        });
    }

    #[inline]
    fn commit(
        &mut self,
        mut each: impl FnMut(Answer<StateId>, &[u8]) -> Result<(), OutOfMemory>,
    ) -> Result<(), OutOfMemory> {
        for waiting in &self.waiting {
            if let Some(address) = self.set.table.peek(waiting.hash) {
                // SAFETY: the address comes from the table.
                prefetch(unsafe { self.set.arena.pointer(address) });
            }
        }
        let mut result = Ok(());
        for waiting in &self.waiting {
            let words = &self.words[waiting.start as usize..waiting.end as usize];
            let mut entry = Entry {
                set: self.set,
                cursor: &mut self.cursor,
                words,
                bytes: waiting.bytes as usize,
                parent: waiting.parent,
            };
            let found = self.set.table.find_or_create(
                waiting.hash,
                &mut entry,
                &self.set.epochs,
                &self.set.budget,
            );
            result = found.and_then(|(address, new)| {
                let id = StateId(address);
                each(Answer { id, new }, as_bytes(words, waiting.bytes as usize))
            });
            if result.is_err() {
                break;
            }
        }
        self.waiting.clear();
        self.words.clear();
        if SHARED {
            self.set.epochs.pass(&self.member);
        }
        result
    }

    fn find(&mut self, vector: &[u8]) -> Option<StateId> {
        debug_assert!(self.waiting.is_empty(), "the batch is looked up first");
        self.words.clear();
        let bytes = self.packer.append_known(vector, &mut self.words);
        let found = bytes.and_then(|bytes| {
            self.set.table.find(hash_words(&self.words), |address| {
                self.set.matches(address, &self.words, bytes)
            })
        });
        self.words.clear();
        found.map(StateId)
    }

    #[inline]
    fn packer(&mut self) -> &mut Packer {
        &mut self.packer
    }

    fn leave(&self) {
        self.set.epochs.leave(&self.member);
    }

    fn come_back(&self) {
        self.set.epochs.come_back(&self.member);
    }
}

impl<const SHARED: bool> Drop for ExactHandle<'_, SHARED> {
    fn drop(&mut self) {
        self.set.arena.retire(&mut self.cursor);
    }
}

impl<const SHARED: bool> Exact<SHARED> {
    /// Whether the packed vector at `address` is this one.
    #[inline]
    fn matches(&self, address: u64, words: &[u64], bytes: usize) -> bool {
        // SAFETY: the address comes from the table, so a vector lies there; its first byte is its
        // class, and what has the same class has the same length. Vectors that are not packed have
        // their length behind their class.
        unsafe {
            let at = self.arena.pointer(address);
            let class = words[0] as u8;
            *at == class && (class != RAW || same(at, words, RAW_HEADER)) && same(at, words, bytes)
        }
    }
}

/// Whether the `bytes` bytes at `at` are the first of `words`. Vectors are short: this is faster
/// than a call.
///
/// # Safety
/// There must be that many bytes at `at`, and in `words`.
#[inline]
unsafe fn same(at: *const u8, words: &[u64], bytes: usize) -> bool {
    let (whole, rest) = (bytes / 8, bytes % 8);
    for (k, word) in words[..whole].iter().enumerate() {
        // SAFETY: lies within the bytes.
        if unsafe { at.add(8 * k).cast::<u64>().read_unaligned() } != *word {
            return false;
        }
    }
    if rest == 0 {
        return true;
    }
    let last = words[whole];
    // SAFETY: what is read lies within the bytes.
    unsafe {
        if bytes >= 8 {
            // The last eight bytes, of which the first ones have been compared already.
            let tail = at.add(bytes - 8).cast::<u64>().read_unaligned();
            return tail >> (64 - 8 * rest) == last;
        }
        (0..rest).all(|k| *at.add(k) == (last >> (8 * k)) as u8)
    }
}

/// A vector being looked up.
struct Entry<'e, const SHARED: bool> {
    set: &'e Exact<SHARED>,
    cursor: &'e mut Cursor,
    words: &'e [u64],
    bytes: usize,
    parent: u64,
}

impl<const SHARED: bool> Entries for Entry<'_, SHARED> {
    #[inline]
    fn matches(&mut self, address: u64) -> bool {
        self.set.matches(address, self.words, self.bytes)
    }

    #[inline]
    fn create(&mut self) -> Result<u64, OutOfMemory> {
        let keep = self.set.keep;
        let front = self.set.front();
        let len = front + self.bytes;
        let at = self.set.arena.allocate(self.cursor, len, &self.set.budget)?;
        // SAFETY: `len` bytes at `at` were set aside for this thread alone, until the address is
        // published by the table.
        unsafe {
            let to = self.set.arena.pointer(at);
            if keep.parents {
                let parent = self.parent.to_le_bytes();
                to.copy_from_nonoverlapping(parent.as_ptr(), PARENT_BYTES);
            }
            let marks = usize::from(keep.mark_bytes);
            if marks != 0 {
                to.add(front - marks).write_bytes(0, marks);
            }
            let record = as_bytes(self.words, self.bytes);
            to.add(front).copy_from_nonoverlapping(record.as_ptr(), record.len());
        }
        Ok(at + front as u64)
    }

    fn discard(&mut self, address: u64) {
        let front = self.set.front();
        let (at, len) = (address - front as u64, front + self.bytes);
        self.set.arena.give_back(self.cursor, at, len);
    }
}
