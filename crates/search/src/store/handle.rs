//! One thread's access to a store.

use super::arena::Cursor;
use super::bits::prefetch;
use super::codec::{Codec, Unfit};
use super::epoch::Member;
use super::hash::hash_words;
use super::packing::{RAW, RAW_HEADER};
use super::table::Entries;
use super::{StateId, Store, PARENT_BYTES};
use crate::limits::OutOfMemory;

/// What the store says about a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The state.
    pub id: StateId,
    /// Whether it was not there before.
    pub new: bool,
}

/// A vector waiting to be looked up: its packed form is `words[start..end]`.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    hash: u64,
    start: u32,
    end: u32,
    bytes: u32,
    parent: u64,
}

/// One thread's access to a store. Vectors are [pushed](Self::push) into a batch, which starts to
/// fetch the memory that they will be looked up in, and then [committed](Self::commit) together.
pub struct Handle<'s, const SHARED: bool> {
    store: &'s Store<SHARED>,
    member: Member,
    codec: Codec,
    cursor: Cursor,
    scratch: Vec<u64>,
    words: Vec<u64>,
    waiting: Vec<Waiting>,
    outcomes: Vec<Outcome>,
}

impl<const SHARED: bool> Store<SHARED> {
    /// Access for the calling thread.
    pub fn handle(&self) -> Handle<'_, SHARED> {
        Handle {
            store: self,
            member: self.epochs.join(),
            codec: self.codec.lock().unwrap_or_else(|e| e.into_inner()).clone(),
            cursor: Cursor::default(),
            scratch: Vec::new(),
            words: Vec::new(),
            waiting: Vec::new(),
            outcomes: Vec::new(),
        }
    }
}

impl<const SHARED: bool> Handle<'_, SHARED> {
    /// The store.
    pub fn store(&self) -> &Store<SHARED> {
        self.store
    }

    /// How many vectors are in the batch.
    #[inline]
    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Whether the batch is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Adds a vector to the batch. The parent is kept if the store keeps parents and the vector
    /// turns out to be new.
    #[inline]
    pub fn push(&mut self, vector: &[u8], parent: Option<StateId>) {
        let start = self.words.len();
        let bytes = loop {
            match self.codec.encode(vector, &mut self.scratch, &mut self.words) {
                Ok(bytes) => break bytes,
                Err(Unfit) => self.grow(vector),
            }
        };
        let hash = hash_words(&self.words[start..]);
        self.store.table.prefetch(hash);
        self.waiting.push(Waiting {
            hash,
            start: start as u32,
            end: self.words.len() as u32,
            bytes: bytes as u32,
            parent: parent.map_or(0, |p| p.0),
        });
    }

    #[cold]
    fn grow(&mut self, vector: &[u8]) {
        let mut codec = self.store.codec.lock().unwrap_or_else(|e| e.into_inner());
        codec.grow(vector);
        self.codec = codec.clone();
    }

    /// Looks up every vector of the batch, adds those that are new, and empties the batch. The
    /// outcomes are in the order of the vectors; of two equal ones the first may be new.
    pub fn commit(&mut self) -> Result<&[Outcome], OutOfMemory> {
        let mut outcomes = std::mem::take(&mut self.outcomes);
        outcomes.clear();
        let result = self.commit_each(|outcome, _| {
            outcomes.push(outcome);
            Ok(())
        });
        self.outcomes = outcomes;
        result.map(|()| self.outcomes.as_slice())
    }

    /// As [`commit`](Self::commit); `each` gets every outcome together with the packed vector,
    /// which [`unpack`](Self::unpack) makes into a vector again.
    pub fn commit_each(
        &mut self,
        mut each: impl FnMut(Outcome, &[u8]) -> Result<(), OutOfMemory>,
    ) -> Result<(), OutOfMemory> {
        for waiting in &self.waiting {
            if let Some(address) = self.store.table.peek(waiting.hash) {
                // SAFETY: the address comes from the table.
                prefetch(unsafe { self.store.arena.pointer(address) });
            }
        }
        let mut result = Ok(());
        for waiting in &self.waiting {
            let words = &self.words[waiting.start as usize..waiting.end as usize];
            let mut entry = Entry {
                store: self.store,
                cursor: &mut self.cursor,
                words,
                bytes: waiting.bytes as usize,
                parent: waiting.parent,
            };
            let found = self.store.table.find_or_create(
                waiting.hash,
                &mut entry,
                &self.store.epochs,
                &self.store.budget,
            );
            result = found.and_then(|(address, new)| {
                let id = StateId(address);
                each(Outcome { id, new }, as_bytes(words, waiting.bytes as usize))
            });
            if result.is_err() {
                break;
            }
        }
        self.waiting.clear();
        self.words.clear();
        if SHARED {
            self.store.epochs.pass(&self.member);
        }
        result
    }

    /// Writes the vector with this packed form into `vector`. The packed form may come from
    /// another handle of the same store.
    pub fn unpack(&mut self, packed: &[u8], vector: &mut Vec<u8>) {
        if !self.codec.knows(packed[0]) {
            let codec = self.store.codec.lock().unwrap_or_else(|e| e.into_inner());
            self.codec = codec.clone();
        }
        self.codec.decode(packed, &mut self.scratch, vector);
    }

    /// Looks up a vector without adding it. The batch must be empty.
    pub fn find(&mut self, vector: &[u8]) -> Option<StateId> {
        self.words.clear();
        let bytes =
            self.codec.encode(vector, &mut self.scratch, &mut self.words).or_else(|Unfit| {
                // Other threads may have taught the codec more since.
                let codec = self.store.codec.lock().unwrap_or_else(|e| e.into_inner());
                self.codec = codec.clone();
                self.codec.encode(vector, &mut self.scratch, &mut self.words)
            });
        let found = bytes.ok().and_then(|bytes| {
            self.store.table.find(hash_words(&self.words), |address| {
                self.store.matches(address, &self.words, bytes)
            })
        });
        self.words.clear();
        found.map(StateId)
    }

    /// The calling thread will not use the store for a while.
    pub fn leave(&self) {
        self.store.epochs.leave(&self.member);
    }

    /// The calling thread uses the store again.
    pub fn come_back(&self) {
        self.store.epochs.come_back(&self.member);
    }
}

impl<const SHARED: bool> Drop for Handle<'_, SHARED> {
    fn drop(&mut self) {
        self.store.arena.retire(&mut self.cursor);
    }
}

/// The words as bytes, in the order in which they are packed.
#[inline]
fn as_bytes(words: &[u64], bytes: usize) -> &[u8] {
    const { assert!(cfg!(target_endian = "little"), "little-endian machines only") };
    // SAFETY: every byte of a word is a byte, and `bytes` is no more than the words have.
    unsafe { std::slice::from_raw_parts(words.as_ptr().cast(), bytes.min(words.len() * 8)) }
}

impl<const SHARED: bool> Store<SHARED> {
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
    store: &'e Store<SHARED>,
    cursor: &'e mut Cursor,
    words: &'e [u64],
    bytes: usize,
    parent: u64,
}

impl<const SHARED: bool> Entries for Entry<'_, SHARED> {
    #[inline]
    fn matches(&mut self, address: u64) -> bool {
        self.store.matches(address, self.words, self.bytes)
    }

    #[inline]
    fn create(&mut self) -> Result<u64, OutOfMemory> {
        let extras = self.store.extras;
        let front = extras.bytes();
        let len = front + self.bytes;
        let at = self.store.arena.allocate(self.cursor, len, &self.store.budget)?;
        // SAFETY: `len` bytes at `at` were set aside for this thread alone, until the address is
        // published by the table.
        unsafe {
            let to = self.store.arena.pointer(at);
            if extras.parents {
                let parent = self.parent.to_le_bytes();
                to.copy_from_nonoverlapping(parent.as_ptr(), PARENT_BYTES);
            }
            if extras.flags {
                let flags = 1 + extras.copies as usize;
                to.add(front - flags).write_bytes(0, flags);
            }
            let record = as_bytes(self.words, self.bytes);
            to.add(front).copy_from_nonoverlapping(record.as_ptr(), record.len());
        }
        Ok(at + front as u64)
    }

    fn discard(&mut self, address: u64) {
        let front = self.store.extras.bytes();
        let (at, len) = (address - front as u64, front + self.bytes);
        self.store.arena.give_back(self.cursor, at, len);
    }
}
