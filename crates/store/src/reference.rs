//! A set that is too simple to be wrong: a map from the standard library behind a lock.
//!
//! Tests run the same searches with it as with the others, and compare.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use crate::{Answer, Budget, Insert, Keep, Marks, OutOfMemory, Packer, Packing};
use crate::{Parents, Recall, StateSet};

/// What a state is charged beside its vector.
const OVERHEAD: u64 = 64;

/// A map behind a lock. States are numbered as they come.
pub struct Reference {
    states: Mutex<States>,
    packing: Arc<Packing>,
    budget: Arc<Budget>,
    keep: Keep,
}

#[derive(Default)]
struct States {
    numbers: HashMap<Vec<u8>, usize>,
    list: Vec<State>,
    bytes: u64,
}

struct State {
    vector: Vec<u8>,
    parent: Option<usize>,
    marks: Vec<u8>,
}

impl Reference {
    fn states(&self) -> MutexGuard<'_, States> {
        self.states.lock().unwrap_or_else(|e| e.into_inner())
    }
}

impl StateSet for Reference {
    type Id = usize;
    const EXACT: bool = true;
    type Handle<'s> = ReferenceHandle<'s>;

    fn new(keep: Keep, packing: Arc<Packing>, budget: Arc<Budget>) -> Result<Self, OutOfMemory> {
        Ok(Reference { states: Mutex::default(), packing, budget, keep })
    }

    fn handle(&self) -> ReferenceHandle<'_> {
        ReferenceHandle { set: self, packer: self.packing.packer(), batch: Vec::new() }
    }

    fn rank(&self, id: usize) -> u64 {
        id as u64
    }

    fn bytes(&self) -> u64 {
        self.states().bytes
    }
}

impl Recall for Reference {
    fn vector(&self, id: usize, vector: &mut Vec<u8>) {
        vector.clone_from(&self.states().list[id].vector);
    }
}

impl Parents for Reference {
    fn parent(&self, id: usize) -> Option<usize> {
        self.states().list[id].parent
    }
}

impl Marks for Reference {
    fn marks(&self, id: usize, k: u8) -> u8 {
        self.states().list[id].marks.get(usize::from(k)).copied().unwrap_or(0)
    }

    fn change_marks(&self, id: usize, k: u8, set: u8, clear: u8) -> u8 {
        let mut states = self.states();
        let Some(marks) = states.list[id].marks.get_mut(usize::from(k)) else { return 0 };
        let before = *marks;
        *marks = (before | set) & !clear;
        before
    }
}

/// One thread's access to a [`Reference`] set.
pub struct ReferenceHandle<'s> {
    set: &'s Reference,
    packer: Packer,
    batch: Vec<(Vec<u8>, Option<usize>)>,
}

impl Insert for ReferenceHandle<'_> {
    type Id = usize;

    fn push(&mut self, vector: &[u8], parent: Option<usize>) {
        self.batch.push((vector.to_vec(), parent));
    }

    fn commit(
        &mut self,
        mut each: impl FnMut(Answer<usize>, &[u8]) -> Result<(), OutOfMemory>,
    ) -> Result<(), OutOfMemory> {
        let mut packed = Vec::new();
        for (vector, parent) in std::mem::take(&mut self.batch) {
            self.packer.pack(&vector, &mut packed);
            let answer = self.set.insert(vector, parent)?;
            each(answer, &packed)?;
        }
        Ok(())
    }

    fn find(&mut self, vector: &[u8]) -> Option<usize> {
        self.set.states().numbers.get(vector).copied()
    }

    fn packer(&mut self) -> &mut Packer {
        &mut self.packer
    }
}

impl Reference {
    fn insert(&self, vector: Vec<u8>, parent: Option<usize>) -> Result<Answer<usize>, OutOfMemory> {
        let mut states = self.states();
        if let Some(&id) = states.numbers.get(&vector) {
            return Ok(Answer { id, new: false });
        }
        let bytes = 2 * vector.len() as u64 + OVERHEAD;
        self.budget.charge(bytes)?;
        states.bytes += bytes;
        let id = states.list.len();
        states.numbers.insert(vector.clone(), id);
        let parent = parent.filter(|_| self.keep.parents);
        let marks = vec![0; usize::from(self.keep.mark_bytes)];
        states.list.push(State { vector, parent, marks });
        Ok(Answer { id, new: true })
    }
}
