//! What an operation does at each level.

use std::collections::HashMap;
use std::hash::Hash;

use super::table::{Key, SETTLED};

/// What becomes of a level in a projection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Keep {
    /// It stays.
    Yes,
    /// It goes, whatever stands there.
    No,
    /// It goes, and vectors with another value there go, too.
    Equal(u32),
}

/// What a relation does with a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Touch {
    /// Nothing.
    No,
    /// It looks at the value: one level of the relation.
    Read,
    /// It replaces the value, or [copies](super::COPY) it: one level of the relation.
    Write,
    /// Both: two levels of the relation, first what was there and then what will be.
    Both,
}

/// What becomes of levels when a set moves to another space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// A level stays.
    Keep,
    /// A level goes.
    Drop,
    /// A level comes, with this value in all vectors.
    Insert(u32),
}

/// What an operation does at each level; from it on, nothing happens where there is nothing more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Plan(pub(super) u32);

/// Operations, in the lowest bits of their numbers. Operations with a plan have the position in it
/// above them, so that results for plans that go on alike are not mixed up.
pub(super) const UNION: u32 = 2;
pub(super) const MINUS: u32 = 3;
pub(super) const INTERSECT: u32 = 4;
pub(super) const PROJECT: u32 = 5;
pub(super) const PRODUCT: u32 = 6;
pub(super) const REVERSE: u32 = 7;
pub(super) const MOVE: u32 = 8;
const KINDS: u32 = 16;

/// All plans: the steps of each lie side by side.
#[derive(Default)]
pub(super) struct Plans {
    pub keep: Known<Keep>,
    pub touch: Known<Touch>,
    pub moves: Known<Move>,
}

impl Plans {
    /// The sets among the operands of an operation.
    pub fn operands<'k>(&self, key: &'k Key) -> &'k [u32] {
        match key[0] % KINDS {
            SETTLED => &key[3..],
            PROJECT | MOVE => &key[1..2],
            REVERSE => &key[1..4],
            _ => &key[1..3],
        }
    }
}

/// Plans of one sort, each once.
pub(super) struct Known<T> {
    pub steps: Vec<T>,
    /// For each step the position after the last step of its plan at which something happens.
    pub ends: Vec<u32>,
    plans: HashMap<Vec<T>, Plan>,
}

impl<T> Default for Known<T> {
    fn default() -> Self {
        Known { steps: Vec::new(), ends: Vec::new(), plans: HashMap::new() }
    }
}

impl<T: Copy + Eq + Hash> Known<T> {
    /// The plan with these steps; behind the last that is not `nothing` everything is over.
    pub fn plan(&mut self, steps: &[T], nothing: T) -> Plan {
        if let Some(&plan) = self.plans.get(steps) {
            return plan;
        }
        let plan = Plan(self.steps.len() as u32);
        let active = steps.iter().rposition(|s| *s != nothing).map_or(0, |last| last + 1);
        self.ends.extend(std::iter::repeat_n(plan.0 + active as u32, steps.len() + 1));
        self.steps.extend_from_slice(steps);
        // A step that is never taken: where the last one leads.
        self.steps.push(nothing);
        self.plans.insert(steps.to_vec(), plan);
        plan
    }
}

/// The number of an operation at a position of its plan.
#[inline]
pub(super) fn operation(kind: u32, at: u32) -> u32 {
    at * KINDS + kind
}
