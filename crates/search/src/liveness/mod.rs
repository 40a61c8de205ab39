//! Liveness: is there an infinite execution that a property automaton accepts?
//!
//! | module | what lives there |
//! | --- | --- |
//! | [`property`] | properties as automata: formulas, acceptance, progress |
//! | `claim` | never claims as automata |
//! | `stutter` | automata that are known not to count steps |
//! | [`product`] | model and automaton together, node by node |
//! | `arcs` | arcs of the product, as they are found and on a stack |
//! | `nested` | emptiness by nested depth-first search |
//! | `strength` | which parts of an automaton need no second search |
//! | `direct` | non-progress cycles without an automaton |
//! | `copies` | weak fairness in a nested search |
//! | `proviso` | partial-order reduction: which arcs of a node are followed |
//! | `component` | emptiness by components; weak fairness |
//! | `strong` | strong fairness, on a component |
//! | `reachability` | all nodes and no cycles, to measure against |
//! | `orbit` | cycles up to symmetry as cycles |
//! | `invariants` | several invariants in one search |
//! | [`lasso`] | counterexamples: a stem and a cycle |
//! | `stack` | the stack of a depth-first search |
//! | `steps` | from a path of states to the steps of the model between them |

mod arcs;
mod claim;
mod component;
mod copies;
mod direct;
mod invariants;
pub mod lasso;
mod nested;
mod orbit;
pub mod product;
pub mod property;
mod proviso;
mod reachability;
mod stack;
mod steps;
mod strength;
mod strong;
mod stutter;
mod visited;

use std::sync::Arc;
use std::time::Duration;

use isospin_analysis::facts::{label_changes, Facts, Objects};
use isospin_machine::{Machine, Step};
use isospin_model::{Expr, Model};
use isospin_store::{Exact, Keep, Marks, Packing, StateSet};

use crate::door::Door;
use crate::limits::Progress;
use crate::marks;
use crate::options::Options;
use crate::reduce::{Ample, AmpleSets, ReductionCounts};
use crate::result::{Incomplete, Verdict};
use crate::scout;
use invariants::Ends;
use lasso::{Lasso, Node};
use product::Product;
pub use property::PropertyAutomaton;
use strength::Strength;
use visited::{Stopped, Visited};

/// Which executions count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Fairness {
    /// All of them.
    #[default]
    None,
    /// Those on which no process can move from some point on and never does.
    Weak,
    /// Those on which every process that can move infinitely often does.
    Strong,
}

/// How a cycle is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Emptiness {
    /// Whichever suits the property.
    #[default]
    Auto,
    /// Nested depth-first search: no or weak fairness, acceptance in states.
    Nested,
    /// By components.
    Components,
    /// Cycles without progress, whatever the automaton: no fairness, no reductions.
    Direct,
    /// Not at all: every node is visited, and the ends that the automaton could come to are taken
    /// note of, see [`LivenessResult::ends`]. The automaton has no accepting states.
    Ends,
    /// Not at all: every node is visited, without reductions, and nothing is decided. What the
    /// other searches cost is measured against it.
    Reachability,
}

/// What a liveness search found, as nodes of the product.
pub(crate) enum Found {
    /// An accepting cycle.
    Cycle(Lasso),
    /// A never claim that ran to its end.
    ClaimEnd(Vec<Node>),
}

/// An execution that violates a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// Every step from the initial state on.
    pub steps: Vec<Step>,
    /// The number of steps before the cycle; it repeats for ever. When there is no step in the
    /// cycle, the execution ends and the last state stays. `None` for a claim that ran to its end.
    pub cycle: Option<usize>,
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
    /// Why the search ended early.
    pub incomplete: Option<Incomplete>,
    /// How often partial-order reduction applied.
    pub reduction: ReductionCounts,
    /// How many bytes the store holds.
    pub store_bytes: u64,
    /// The most that the search held at any time.
    pub peak_bytes: u64,
    /// How long it took.
    pub time: Duration,
}

/// Looks for an execution that `automaton` accepts and that is fair. Partial-order reduction, if
/// the options ask for it, needs facts that know the automaton's atoms, and, under fairness, that
/// were found for [fairness](isospin_analysis::facts::Facts::fair); the property must not count steps.
/// `machine` executes the model.
pub fn check_liveness<M: Machine>(
    mut machine: M,
    automaton: PropertyAutomaton,
    fairness: Fairness,
    emptiness: Emptiness,
    options: &Options,
    progress: &mut dyn FnMut(&Progress),
) -> LivenessResult {
    let control = options.control();
    let nested = match emptiness {
        Emptiness::Nested => automaton.state_based && fairness != Fairness::Strong,
        Emptiness::Ends => true,
        Emptiness::Components | Emptiness::Direct | Emptiness::Reachability => false,
        Emptiness::Auto => automaton.state_based && fairness == Fairness::None,
    };
    let mut result = LivenessResult {
        verdict: Verdict::Incomplete,
        counterexample: None,
        states: 0,
        transitions: 0,
        depth: 0,
        ends: None,
        incomplete: Some(Incomplete::Memory),
        reduction: ReductionCounts::default(),
        store_bytes: 0,
        peak_bytes: 0,
        time: Duration::ZERO,
    };
    let copied = nested && fairness == Fairness::Weak;
    let mark_bytes = match emptiness {
        Emptiness::Reachability => 0,
        _ if copied => marks::copies::BYTES,
        _ => 1,
    };
    let samples = samples(&mut machine, automaton.states.len());
    let packing = Arc::new(Packing::trained(samples.iter().map(Vec::as_slice)));
    drop(samples);
    let new_set = |mark_bytes| {
        let keep = Keep { parents: false, mark_bytes };
        Exact::<false>::new(keep, Arc::clone(&packing), Arc::clone(&control.budget))
    };
    let Ok(store) = new_set(mark_bytes) else { return result };
    let reducer = match &options.reduction {
        // What is on the stack differs between copies of a node.
        Some(facts) if !copied && (facts.fair || fairness == Fairness::None) => {
            let ample = reducer(machine.model(), &automaton, facts, options.ample);
            // The second search of a nested one has to choose as the first did, and for all states
            // of an orbit the choice has to be the same.
            let twice = nested && Strength::of(&automaton).any_mixed();
            Some(if twice || options.symmetry.is_some() { ample.steady() } else { ample })
        }
        _ => None,
    };
    // Components and fairness do not know symmetry.
    let symmetry = options.symmetry.clone().filter(|_| nested && fairness == Fairness::None);
    let hidden = machine.model().layout.hidden as usize;
    let door = Door::new(hidden, &Options { symmetry, ..options.clone() });
    let automaton = Arc::new(automaton);
    let second;
    let mut product = Product::new(machine, automaton, reducer, door, &control);
    if emptiness == Emptiness::Ends {
        product.ends = Some(Ends::of(product.automaton()));
    }
    let mut visited = Visited::new(&store, &control, options.depth, progress);
    let way = match (emptiness, nested) {
        (Emptiness::Direct | Emptiness::Reachability, _) => emptiness,
        (_, true) => Emptiness::Nested,
        (_, false) => Emptiness::Components,
    };
    let found = match find(&mut product, &mut visited, fairness, way) {
        Some(found) => found,
        None => {
            // Too many processes for copies: the component-based search starts anew.
            second = match new_set(1) {
                Ok(second) => second,
                Err(_) => return result,
            };
            visited = visited.restart(&second);
            find(&mut product, &mut visited, fairness, Emptiness::Components)
                .unwrap_or(Err(Stopped))
        }
    };
    product.watch(&control);
    result.incomplete = control.reason();
    result.verdict = match &found {
        _ if emptiness == Emptiness::Reachability => Verdict::Incomplete,
        Ok(None) if result.incomplete.is_none() => Verdict::Holds,
        Ok(Some(_)) => Verdict::Violated,
        _ => Verdict::Incomplete,
    };
    if product.is_asymmetric() {
        result.verdict = Verdict::Incomplete;
        result.incomplete = Some(Incomplete::Asymmetric);
    } else if let (Some(ends), Verdict::Holds) = (&product.ends, result.verdict) {
        result.ends = Some(ends.seen().to_vec());
        if !ends.seen().is_empty() {
            // They say nothing about infinite executions.
            result.verdict = Verdict::Incomplete;
        }
    } else if let Ok(Some(found)) = found {
        result.incomplete = None;
        let found = match found {
            Found::Cycle(lasso) if options.shorten => {
                Found::Cycle(lasso::shorten_stem(&mut product, lasso))
            }
            found => found,
        };
        result.counterexample = Some(steps::counterexample(&mut product, found));
    }
    result.reduction = product.reduction();
    result.states = visited.states;
    result.transitions = visited.transitions;
    result.depth = visited.depth;
    // What was set aside for nodes to come does not count.
    drop(visited);
    result.store_bytes = store.bytes();
    result.peak_bytes = control.budget.peak();
    result.time = control.start.elapsed();
    result
}

/// A reduction that puts nothing off which the automaton could see.
fn reducer(
    model: &Model,
    automaton: &PropertyAutomaton,
    facts: &Arc<Facts>,
    kind: AmpleSets,
) -> Ample {
    let (labels, others): (Vec<&Expr>, _) =
        automaton.atoms.iter().partition(|e| **e == Expr::NonProgress);
    let mut observed = Objects::default();
    for atom in others {
        observed.add(&facts.observed(model, atom));
    }
    let mut ample = Ample::new(Arc::clone(facts), &observed, kind);
    if !labels.is_empty() {
        ample = ample.seeing(&label_changes(model, |l| l.progress));
    }
    if automaton.accept_labels {
        ample = ample.seeing(&label_changes(model, |l| l.accept));
    }
    ample
}

/// Nodes like those to come, for the store to learn from: states of the model with states of the
/// automaton.
fn samples<M: Machine>(machine: &mut M, automaton_states: usize) -> Vec<Vec<u8>> {
    let mut samples = scout::samples(machine);
    for (k, sample) in samples.iter_mut().enumerate() {
        sample.extend_from_slice(&((k % automaton_states.max(1)) as u32).to_le_bytes());
    }
    samples
}

/// Runs the search; `None` when it cannot do it.
fn find<M: Machine, S: Marks>(
    product: &mut Product<'_, M>,
    visited: &mut Visited<'_, S>,
    fairness: Fairness,
    way: Emptiness,
) -> Option<Result<Option<Found>, Stopped>> {
    // A model without an initial state is a matter of safety.
    let Ok(initial) = product.initial() else { return Some(Ok(None)) };
    if product.at_end(&initial) {
        let movers = crate::expand::Movers::default();
        return Some(Ok(Some(Found::ClaimEnd(vec![Node { bytes: initial, movers }]))));
    }
    match (way, fairness) {
        (Emptiness::Direct, _) => Some(direct::search(product, visited, &initial)),
        (Emptiness::Reachability, _) => {
            Some(reachability::search(product, visited, &initial).map(|()| None))
        }
        (Emptiness::Nested, Fairness::Weak) => copies::search(product, visited, &initial),
        (Emptiness::Nested, _) => Some(nested::search(product, visited, &initial)),
        _ => Some(component::search(product, visited, fairness, &initial)),
    }
}
