//! Liveness: is there an infinite execution that a property automaton accepts?
//!
//! | module | what lives there |
//! | --- | --- |
//! | [`property`] | properties as automata: formulas, claims, acceptance, progress |
//! | `emptiness` | which executions count; which search it will be |
//! | `check` | runs the search, and begins again where it has to |
//! | `product` | model and automaton together, node by node |
//! | `tracked` | nodes as vectors that permutations act on |
//! | `reading` | which edges an automaton can take where |
//! | `arcs` | arcs of the product, as they are found and on a stack |
//! | `stack` | the stack of a depth-first search |
//! | `visited` | the nodes that a search has visited, and how far it may go |
//! | `proviso` | partial-order reduction: which arcs of a node are followed |
//! | `nested` | emptiness by nested depth-first search |
//! | `copies` | weak fairness in a nested search |
//! | `waiting` | the same up to symmetry |
//! | `component` | emptiness by components; weak fairness |
//! | `classes` | which processes take each other's places, up to symmetry |
//! | `quotient` | a component up to symmetry, written out |
//! | `strong` | strong fairness, on a component |
//! | `tour` | fair cycles up to symmetry |
//! | `direct` | non-progress cycles without an automaton |
//! | `reachability` | all nodes and no cycles, to measure against |
//! | `ends` | which ends of an automaton could be come to |
//! | `divergence` | atomic sequences that go round for ever |
//! | `lasso` | counterexamples: a stem and a cycle |
//! | `orbit` | cycles up to symmetry as cycles |
//! | `steps` | from a path of states to the steps of the model between them |

mod arcs;
mod check;
mod classes;
mod component;
mod copies;
mod direct;
mod divergence;
mod emptiness;
mod ends;
mod lasso;
mod nested;
mod orbit;
mod product;
pub mod property;
mod proviso;
mod quotient;
mod reachability;
mod reading;
mod stack;
mod steps;
mod strong;
mod tour;
mod tracked;
mod visited;
mod waiting;

use std::time::Duration;

use isospin_machine::Step;
use isospin_symmetry::{Element, Strategy};

pub use check::{check_liveness, check_liveness_in};
pub use divergence::may_diverge;
pub use emptiness::{Emptiness, Fairness};
use lasso::{Lasso, PathNode};
pub use property::PropertyAutomaton;
use visited::Stopped;

use crate::limits::Incomplete;
use crate::reduce::ReductionCounts;
use crate::result::Verdict;

/// What a liveness search found, as nodes of the product.
enum Found {
    /// An accepting cycle.
    Cycle(Lasso),
    /// A never claim that ran to its end.
    ClaimEnd(Vec<PathNode>),
}

/// What came of a search: what it found, unless it was stopped.
type Outcome = Result<Option<Found>, Stopped>;

/// An execution that violates a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// Every step from the initial state on.
    pub steps: Vec<Step>,
    /// The number of steps before the cycle; it repeats for ever. When there is no step in the
    /// cycle, the execution ends and the last state stays. `None` for a claim that ran to its end,
    /// and where the property cannot be evaluated.
    pub cycle: Option<usize>,
    /// Whether it is that the property cannot be evaluated in the last state.
    pub unreadable: bool,
    /// Where the cycle does not come back to the state that it starts from but to its image under
    /// this permutation of the model's names: it goes on from there, renamed, and so on. That is
    /// how a cycle is told that would be too long to be written out.
    pub renaming: Option<Element>,
}

/// What came out of a liveness search.
#[derive(Clone, Debug)]
pub struct LivenessResult {
    /// The answer.
    pub verdict: Verdict,
    /// The execution that shows a violation.
    pub counterexample: Option<Counterexample>,
    /// Nodes of the product that were entered.
    pub states: u64,
    /// Arrivals at nodes.
    pub transitions: u64,
    /// The deepest stack.
    pub depth: u64,
    /// The states at which the automaton ends and that it could come to, if that was asked and
    /// everything was visited.
    pub ends: Option<Vec<u32>>,
    /// Whether some execution ended in a run-time error, or could not begin: the answer says nothing
    /// about those.
    pub failed: bool,
    /// Why the search ended early.
    pub incomplete: Option<Incomplete>,
    /// How nodes were counted up to symmetry, if they were.
    pub symmetry: Option<Strategy>,
    /// How often partial-order reduction applied.
    pub reduction: ReductionCounts,
    /// How many bytes the store holds.
    pub store_bytes: u64,
    /// The most that the search held at any time.
    pub peak_bytes: u64,
    /// How long it took.
    pub time: Duration,
}
