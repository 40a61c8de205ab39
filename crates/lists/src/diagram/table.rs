//! Nodes, each once; what was computed before; what is not needed any more.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use isospin_store::{Budget, OutOfMemory};

use super::plan::Plans;

/// A set of vectors, by the number of its first node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct List(pub(crate) u32);

impl List {
    /// No vector.
    pub const EMPTY: List = List(0);
    /// The vector without values, and nothing else.
    pub const END: List = List(1);

    /// Whether there is no vector in it.
    pub fn is_empty(self) -> bool {
        self == List::EMPTY
    }
}

/// Why an operation was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// There is no more memory.
    Memory,
    /// Somebody asked for it.
    Asked,
}

impl From<OutOfMemory> for Stop {
    fn from(_: OutOfMemory) -> Stop {
        Stop::Memory
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Node {
    pub value: u32,
    pub down: List,
    pub right: List,
}

/// Stands for the down link of a node that is free; its right link is the next free node.
const FREE: List = List(u32::MAX);
const NOTHING: Node = Node { value: 0, down: FREE, right: List::EMPTY };

/// An operation: which one, and on what.
pub(super) type Key = [u32; 4];

#[derive(Clone, Copy, Default)]
struct Entry {
    key: Key,
    result: u32,
}

const FIRST_TABLE: usize = 1 << 14;
const FIRST_CACHE: usize = 1 << 14;
const MOST_CACHE: usize = 1 << 23;
/// Below this many nodes nothing is collected.
const FIRST_COLLECTION: usize = 1 << 20;

/// The nodes of all sets.
pub struct Lists {
    nodes: Vec<Node>,
    /// Numbers of nodes by hash, 0 for none; a power of two.
    table: Vec<u32>,
    cache: Vec<Entry>,
    free: List,
    /// How many nodes are in use.
    used: usize,
    peak: usize,
    /// With so many in use it is time to collect.
    due: usize,
    budget: Arc<Budget>,
    halt: Arc<AtomicBool>,
    pub(super) plans: Plans,
    /// Lists that are being put together: values with what follows them.
    pub(super) scratch: Vec<(u32, List)>,
    /// What is still needed though nobody outside knows of it.
    kept: Vec<List>,
}

impl Lists {
    /// No sets yet. They may take what the budget has; operations are given up once `halt` is set.
    pub fn new(budget: Arc<Budget>, halt: Arc<AtomicBool>) -> Result<Lists, Stop> {
        let mut lists = Lists {
            nodes: Vec::new(),
            table: Vec::new(),
            cache: Vec::new(),
            free: List::EMPTY,
            used: 0,
            peak: 0,
            due: FIRST_COLLECTION,
            budget,
            halt,
            plans: Plans::default(),
            scratch: Vec::new(),
            kept: Vec::new(),
        };
        lists.budget.reserve(&mut lists.nodes, 2)?;
        lists.nodes.extend([NOTHING; 2]);
        lists.resize_table(FIRST_TABLE)?;
        lists.resize_cache(FIRST_CACHE)?;
        Ok(lists)
    }

    /// How many nodes are in use.
    pub fn nodes(&self) -> usize {
        self.used
    }

    /// The most nodes that were in use at any time.
    pub fn peak(&self) -> usize {
        self.peak
    }

    /// The first value of a set that is not empty, what may follow it, and the rest.
    #[inline]
    pub(super) fn node(&self, list: List) -> Node {
        self.nodes[list.0 as usize]
    }

    /// The set of the vectors that begin with `value` and go on as in `down`, and those of `right`,
    /// which all begin with greater values. Nothing may follow nothing.
    pub(super) fn make(&mut self, value: u32, down: List, right: List) -> Result<List, Stop> {
        debug_assert!(!down.is_empty());
        let mask = self.table.len() - 1;
        let mut at = hash(value, down.0, right.0) as usize & mask;
        loop {
            let found = self.table[at];
            if found == 0 {
                break;
            }
            if self.nodes[found as usize] == (Node { value, down, right }) {
                return Ok(List(found));
            }
            at = (at + 1) & mask;
        }
        let node = Node { value, down, right };
        let id = if self.free.is_empty() {
            if self.nodes.len() >= u32::MAX as usize - 1 {
                return Err(Stop::Memory);
            }
            self.budget.reserve(&mut self.nodes, 1)?;
            self.nodes.push(node);
            List(self.nodes.len() as u32 - 1)
        } else {
            let id = self.free;
            self.free = self.node(id).right;
            self.nodes[id.0 as usize] = node;
            id
        };
        self.table[at] = id.0;
        self.used += 1;
        self.peak = self.peak.max(self.used);
        if self.used * 2 > self.table.len() {
            self.resize_table(self.table.len() * 2)?;
            if self.cache.len() < MOST_CACHE && self.used > self.cache.len() {
                // What was computed is worth less than room to go on.
                let _ = self.resize_cache(self.cache.len() * 4);
            }
        }
        Ok(id)
    }

    fn resize_table(&mut self, len: usize) -> Result<(), Stop> {
        self.budget.charge(4 * len as u64)?;
        self.budget.release(4 * self.table.len() as u64);
        self.table = vec![0; len];
        for id in 2..self.nodes.len() {
            if self.nodes[id].down != FREE {
                self.enter(id);
            }
        }
        Ok(())
    }

    fn enter(&mut self, id: usize) {
        let Node { value, down, right } = self.nodes[id];
        let mask = self.table.len() - 1;
        let mut at = hash(value, down.0, right.0) as usize & mask;
        while self.table[at] != 0 {
            at = (at + 1) & mask;
        }
        self.table[at] = id as u32;
    }

    fn resize_cache(&mut self, len: usize) -> Result<(), Stop> {
        let size = size_of::<Entry>();
        self.budget.charge((size * len) as u64)?;
        self.budget.release((size * self.cache.len()) as u64);
        let old = std::mem::replace(&mut self.cache, vec![Entry::default(); len]);
        for entry in old.into_iter().filter(|e| e.key != Key::default()) {
            let at = self.cached_at(&entry.key);
            self.cache[at] = entry;
        }
        Ok(())
    }

    #[inline]
    fn cached_at(&self, key: &Key) -> usize {
        let mixed = hash(key[0], key[1], key[2]) ^ u64::from(key[3]).wrapping_mul(MIX);
        mixed as usize & (self.cache.len() - 1)
    }

    /// What an operation yielded when it was done last, if that is remembered. Operations have
    /// numbers above 0. Looks whether it is time to stop.
    #[inline]
    pub(super) fn cached(&self, key: &Key) -> Result<Option<List>, Stop> {
        let entry = &self.cache[self.cached_at(key)];
        if entry.key == *key {
            return Ok(Some(List(entry.result)));
        }
        if self.halt.load(Ordering::Relaxed) {
            return Err(Stop::Asked);
        }
        Ok(None)
    }

    /// Remembers what an operation yielded.
    #[inline]
    pub(super) fn remember(&mut self, key: Key, result: List) -> List {
        let at = self.cached_at(&key);
        self.cache[at] = Entry { key, result: result.0 };
        result
    }

    /// What [`settled`](Self::settle) said of a set in a space.
    pub fn settled(&self, space: u32, level: usize, list: List) -> Result<Option<List>, Stop> {
        self.cached(&[SETTLED, space, level as u32, list.0])
    }

    /// Remembers that a set becomes `result` when everything is done that concerns its levels, of
    /// which the first is `level`.
    pub fn settle(&mut self, space: u32, level: usize, list: List, result: List) {
        self.remember([SETTLED, space, level as u32, list.0], result);
    }

    /// The list of what has been put together above `base`, in ascending order of values.
    pub(super) fn build(&mut self, base: usize) -> Result<List, Stop> {
        let mut list = List::EMPTY;
        while self.scratch.len() > base {
            if let Some((value, down)) = self.scratch.pop() {
                list = self.make(value, down, list)?;
            }
        }
        Ok(list)
    }

    /// The same where values stand in no order and more than once.
    pub(super) fn gather(&mut self, base: usize) -> Result<List, Stop> {
        self.scratch[base..].sort_unstable();
        let (mut from, mut to) = (base, base);
        while from < self.scratch.len() {
            let (value, mut down) = self.scratch[from];
            from += 1;
            while from < self.scratch.len() && self.scratch[from].0 == value {
                down = self.union(down, self.scratch[from].1)?;
                from += 1;
            }
            self.scratch[to] = (value, down);
            to += 1;
        }
        self.scratch.truncate(to);
        self.build(base)
    }

    /// The set of vectors that begin with one of these values and go on as in the set beside it.
    pub fn of_parts(&mut self, parts: &[(u32, List)]) -> Result<List, Stop> {
        let base = self.scratch.len();
        self.scratch.extend(parts.iter().filter(|(_, down)| !down.is_empty()));
        self.gather(base)
    }

    /// The values that vectors of a set begin with, each with how they go on.
    pub fn parts(&self, mut list: List, parts: &mut Vec<(u32, List)>) {
        while list.0 > 1 {
            let node = self.node(list);
            parts.push((node.value, node.down));
            list = node.right;
        }
    }

    /// Keeps a set from being collected until [`release`](Self::release); says where.
    pub fn keep(&mut self, list: List) -> usize {
        self.kept.push(list);
        self.kept.len() - 1
    }

    /// Puts another set in the place of one that is kept.
    pub fn keep_instead(&mut self, at: usize, list: List) {
        self.kept[at] = list;
    }

    /// Forgets what was kept at a place and after it.
    pub fn release(&mut self, at: usize) {
        self.kept.truncate(at);
    }

    /// Whether it is time to collect.
    pub fn is_due(&self) -> bool {
        self.used >= self.due
    }

    /// Frees the nodes of all sets but those that are kept and those given here.
    pub fn collect(&mut self, roots: impl IntoIterator<Item = List>) {
        let mut marked = vec![false; self.nodes.len()];
        let mut todo: Vec<List> = self.kept.clone();
        todo.extend(roots);
        while let Some(list) = todo.pop() {
            if list.0 > 1 && !std::mem::replace(&mut marked[list.0 as usize], true) {
                let node = self.node(list);
                todo.extend([node.right, node.down]);
            }
        }
        self.free = List::EMPTY;
        self.used = 0;
        for id in (2..self.nodes.len()).rev() {
            if marked[id] {
                self.used += 1;
            } else {
                self.nodes[id] = Node { value: 0, down: FREE, right: self.free };
                self.free = List(id as u32);
            }
        }
        self.table.fill(0);
        for (id, _) in marked.iter().enumerate().filter(|(_, marked)| **marked) {
            self.enter(id);
        }
        // What was computed stays known where nothing of it has gone.
        let plans = &self.plans;
        let here = |list: u32| list < 2 || marked.get(list as usize) == Some(&true);
        for entry in &mut self.cache {
            let operands = plans.operands(&entry.key);
            if !(here(entry.result) && operands.iter().all(|&l| here(l))) {
                *entry = Entry::default();
            }
        }
        self.due = (2 * self.used).max(FIRST_COLLECTION);
    }

    /// The memory that nodes, tables and results take.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }
}

/// The operation whose results are what [`Lists::settle`] remembers.
pub(super) const SETTLED: u32 = 1;

const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

#[inline]
fn hash(a: u32, b: u32, c: u32) -> u64 {
    let mut h = (u64::from(a) << 32 | u64::from(b)).wrapping_mul(MIX);
    h ^= h >> 29;
    h = (h ^ u64::from(c)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    h ^ h >> 32
}
