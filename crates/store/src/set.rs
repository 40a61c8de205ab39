//! The seam between searches and sets of visited states.

use std::fmt::Debug;
use std::hash::Hash;
use std::sync::Arc;

use crate::{Budget, OutOfMemory, Packer, Packing};

/// What is kept with each state besides what tells it apart: a search asks for what it needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Keep {
    /// The state that it was first reached from, for [`Parents`].
    pub parents: bool,
    /// How many bytes of [`Marks`].
    pub mark_bytes: u8,
}

/// What a set says about a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer<I> {
    /// The state.
    pub id: I,
    /// Whether it was not there before.
    pub new: bool,
}

/// A set of states. What a state is, is known to those who use it: here it is a vector of bytes.
pub trait StateSet: Sized {
    /// Which state. An id means nothing to another set, and nothing but equality can be learnt
    /// from it.
    type Id: Copy + Eq + Hash + Debug + Send;

    /// Whether different vectors are always different states. Where they are not, a search that
    /// finds nothing wrong has not shown that nothing is.
    const EXACT: bool;

    /// One thread's access.
    type Handle<'s>: Insert<Id = Self::Id>
    where
        Self: 's;

    /// An empty set that keeps so much with each state and takes its memory from `budget`. Its
    /// handles pack vectors with `packing`.
    fn new(keep: Keep, packing: Arc<Packing>, budget: Arc<Budget>) -> Result<Self, OutOfMemory>;

    /// Access for the calling thread.
    fn handle(&self) -> Self::Handle<'_>;

    /// The place of a state in an order of all states. The order never changes, and different
    /// states have different places. Where only one thread adds states, one that is added later
    /// should have a higher place: the cycle condition of searches without a stack puts off more
    /// steps then.
    fn rank(&self, id: Self::Id) -> u64;

    /// How many bytes hold states. Room set aside for states to come is not counted.
    fn bytes(&self) -> u64;
}

/// One thread's access to a set. Vectors are [pushed](Self::push) into a batch, which may start to
/// fetch the memory that they will be looked up in, and [committed](Self::commit) together.
pub trait Insert {
    /// The ids of the set.
    type Id: Copy;

    /// Adds a vector to the batch. The parent is kept if the set keeps parents and the vector
    /// turns out to be new.
    fn push(&mut self, vector: &[u8], parent: Option<Self::Id>);

    /// Looks up every vector of the batch, adds those that are new, and empties the batch. `each`
    /// is told the answers in the order of the vectors; of two equal ones the first may be new.
    /// With each answer comes the vector as the handle's [packer](Self::packer) packs it: a
    /// frontier can keep that, and no set has to give vectors back for its sake.
    fn commit(
        &mut self,
        each: impl FnMut(Answer<Self::Id>, &[u8]) -> Result<(), OutOfMemory>,
    ) -> Result<(), OutOfMemory>;

    /// Looks up a vector without adding it. The batch must be empty.
    fn find(&mut self, vector: &[u8]) -> Option<Self::Id>;

    /// What the vectors of the batch are packed with.
    fn packer(&mut self) -> &mut Packer;

    /// The calling thread will not use the set for a while.
    fn leave(&self) {}

    /// The calling thread uses the set again.
    fn come_back(&self) {}

    /// [Commits](Self::commit) the batch and lists the answers.
    fn answers(&mut self) -> Result<Vec<Answer<Self::Id>>, OutOfMemory> {
        let mut answers = Vec::new();
        self.commit(|answer, _| {
            answers.push(answer);
            Ok(())
        })?;
        Ok(answers)
    }
}

/// A set that can give vectors back.
pub trait Recall: StateSet {
    /// Writes the vector of a state into `vector`.
    fn vector(&self, id: Self::Id, vector: &mut Vec<u8>);
}

/// A set that can keep with each state the one that it was first reached from.
pub trait Parents: StateSet {
    /// The parent of a state, if parents are kept and it has one.
    fn parent(&self, id: Self::Id) -> Option<Self::Id>;
}

/// A set that can keep a few bits with each state, none of which is set at first.
pub trait Marks: StateSet {
    /// Byte `k` of the marks of a state; 0 where it is not kept.
    fn marks(&self, id: Self::Id, k: u8) -> u8;

    /// Sets some marks of byte `k`, clears some, and says which were set before. Nothing happens
    /// where it is not kept.
    fn change_marks(&self, id: Self::Id, k: u8, set: u8, clear: u8) -> u8;
}
