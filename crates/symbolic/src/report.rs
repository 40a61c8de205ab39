//! What was found.

use std::time::Duration;

use isospin_relation::interpret::State;
use isospin_relation::{Place, Relation, VarId};

use crate::count::Count;
use crate::order::Order;

/// An execution: states, each with the inputs of the transition that leaves it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// The states.
    pub states: Vec<State>,
    /// The state that follows the last one, where the execution goes on forever.
    pub back: Option<usize>,
    /// Executions that begin in a state of this one and show something else about it.
    pub branches: Vec<(usize, Trace)>,
    /// Whether paths alone cannot show the rest: what is claimed of the last state is about all
    /// paths, or that there are none.
    pub partial: bool,
}

impl Trace {
    /// The same infinite execution with its loop written down as early as it begins. Only for
    /// executions without branches.
    pub(crate) fn shortened(mut self) -> Trace {
        while let Some(back @ 1..) = self.back {
            if self.states.last() != self.states.get(back - 1) {
                break;
            }
            self.states.pop();
            self.back = Some(back - 1);
        }
        self
    }
}

/// The length of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Length {
    /// So many transitions.
    Steps(u64),
    /// There is none, or it does not end.
    Infinite,
    /// There is no state to start in.
    Undefined,
}

/// What was found out about a specification.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It holds.
    Holds,
    /// It does not.
    Violated,
    /// The length that was asked for.
    Length(Length),
    /// Nothing: the search was cut short.
    Incomplete,
}

/// A specification and what was found out about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// What was found out.
    pub verdict: Verdict,
    /// An execution that shows it, confirmed by the interpreter.
    pub trace: Option<Trace>,
    /// Whether it holds only because no initial state begins a path that goes on forever.
    pub vacuous: bool,
    /// How long it took.
    pub time: Duration,
}

/// What is wrong with a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wrong {
    /// What an expression lacks, or which variable's domain is left.
    pub what: Problem,
    /// Where it was written.
    pub place: Option<Place>,
    /// Values of variables (the second says whether they are next values) where it goes wrong.
    pub values: Vec<(VarId, bool, i64)>,
}

/// What is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Problem {
    /// An expression has no value.
    Undefined(isospin_relation::Trouble),
    /// A value outside the domain of the variable that it is assigned to.
    OutsideDomain(VarId),
}

/// How a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Everything was looked at.
    Complete,
    /// Everything that was asked for was decided before all states were found.
    Enough,
    /// There was no room for more nodes.
    Nodes,
    /// It was told to stop.
    Stopped,
    /// The model means nothing: see what is wrong.
    Refused,
}

/// The whole result.
#[derive(Clone, Debug)]
pub struct Report {
    /// How the search ended.
    pub status: Status,
    /// What is wrong with the model.
    pub wrong: Vec<Wrong>,
    /// The number of reachable states, if all of them were found.
    pub reachable: Option<Count>,
    /// The number of rings, the initial states being the first; nothing if states were not found
    /// ring by ring.
    pub diameter: Option<usize>,
    /// The number of rings that were found.
    pub rings: usize,
    /// The number of nodes at the end, and the largest number that was seen.
    pub nodes: (usize, usize),
    /// A reachable state without successor, and how it is reached.
    pub deadlock: Option<Trace>,
    /// Whether there are initial states.
    pub has_initial: bool,
    /// One for each specification.
    pub found: Vec<Found>,
    /// The order of the bits.
    pub order: Order,
    /// Executions that the interpreter did not confirm: errors of the engine.
    pub unconfirmed: usize,
}

impl Report {
    /// A report in which nothing is decided yet.
    pub(crate) fn new(relation: &Relation, order: Order) -> Report {
        let undecided = Found {
            verdict: Verdict::Incomplete,
            trace: None,
            vacuous: false,
            time: Duration::ZERO,
        };
        Report {
            status: Status::Complete,
            wrong: Vec::new(),
            reachable: None,
            diameter: None,
            rings: 0,
            nodes: (0, 0),
            deadlock: None,
            has_initial: true,
            found: vec![undecided; relation.specifications.len()],
            order,
            unconfirmed: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_is_written_down_as_early_as_it_begins() {
        let of = |values: &[i64], back| {
            let states = values.iter().map(|v| vec![*v]).collect();
            Trace { states, back: Some(back), branches: Vec::new(), partial: false }
        };
        assert_eq!(of(&[0, 1, 2, 3, 0, 1], 2).shortened(), of(&[0, 1, 2, 3], 0));
        assert_eq!(of(&[7, 1, 2, 1], 2).shortened(), of(&[7, 1, 2], 1));
        assert_eq!(of(&[5, 5, 5], 2).shortened(), of(&[5], 0));
        assert_eq!(of(&[0, 1, 2], 1).shortened(), of(&[0, 1, 2], 1));
    }
}
