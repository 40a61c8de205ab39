//! Runs a search, and begins again where it has to be made in another way.

use std::sync::Arc;
use std::time::Duration;

use isospin_analysis::facts::{label_changes, Facts, Objects};
use isospin_limits::attempt;
use isospin_machine::Machine;
use isospin_model::{Expr, Model};
use isospin_store::{Exact, Keep, Marks, Packing};
use isospin_symmetry::{Strategy, Symmetry};

use super::divergence::may_diverge;
use super::ends::Ends;
use super::lasso::{self, PathNode};
use super::product::Product;
use super::property::{PropertyAutomaton, Strength};
use super::visited::{Stopped, Visited};
use super::{component, copies, direct, nested, reachability, steps};
use super::{Emptiness, Fairness, Found, LivenessResult, Outcome};
use crate::door::Door;
use crate::expand::Movers;
use crate::limits::{Control, Incomplete, Progress};
use crate::marks;
use crate::options::Options;
use crate::reduce::{Ample, AmpleSets, ReductionCounts};
use crate::result::Verdict;
use crate::scout;

/// Looks for an execution that `automaton` accepts and that is fair. Partial-order reduction, if
/// the options ask for it, needs facts that know the automaton's atoms, and, under fairness, that
/// were found for [fairness](Facts::fair); the property must not count steps. `machine` executes
/// the model.
pub fn check_liveness<M: Machine>(
    machine: M,
    automaton: PropertyAutomaton,
    fairness: Fairness,
    emptiness: Emptiness,
    options: &Options,
    progress: &mut dyn FnMut(&Progress),
) -> LivenessResult {
    check_liveness_in::<Exact<false>, M>(machine, automaton, fairness, emptiness, options, progress)
}

/// As [`check_liveness`], with another set.
pub fn check_liveness_in<S: Marks, M: Machine>(
    mut machine: M,
    automaton: PropertyAutomaton,
    fairness: Fairness,
    emptiness: Emptiness,
    options: &Options,
    progress: &mut dyn FnMut(&Progress),
) -> LivenessResult {
    let emptiness = emptiness.resolve(automaton.state_based, fairness);
    // A search that only takes note of ends has no use for more of them.
    let automaton = match emptiness {
        Emptiness::Ends => automaton,
        _ => automaton.with_ends(may_diverge(machine.model())),
    };
    let search = Search { emptiness, automaton: Arc::new(automaton), fairness, options };
    let mut symmetry = options.symmetry.clone();
    symmetry.take_if(|_| !search.emptiness.knows_symmetry(fairness));
    loop {
        match attempt(|| search.attempt::<S, M>(machine, symmetry.take(), progress)) {
            Ok(Ok(result)) => return result,
            // The second time nothing can turn out not to be symmetric.
            Ok(Err(NotSymmetric(given_back))) => machine = given_back,
            // Memory ran out where no budget could foresee it.
            Err(_) => return nothing(),
        }
    }
}

/// The model is not symmetric after all. The machine, to begin again without symmetry.
struct NotSymmetric<M>(M);

/// What is looked for, and how.
struct Search<'o> {
    automaton: Arc<PropertyAutomaton>,
    fairness: Fairness,
    /// Which search it will be.
    emptiness: Emptiness,
    options: &'o Options,
}

impl Search<'_> {
    fn attempt<S: Marks, M: Machine>(
        &self,
        mut machine: M,
        symmetry: Option<(Arc<Symmetry>, Strategy)>,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<LivenessResult, NotSymmetric<M>> {
        let control = self.options.control();
        let mut result = nothing();
        let symmetry = symmetry.map(|(symmetry, strategy)| {
            let again = self.emptiness.comes_again();
            (symmetry, if again { strategy.canonical() } else { strategy })
        });
        result.symmetry = symmetry.as_ref().map(|s| s.1);
        let samples = samples(&mut machine, self.automaton.states.len(), &control);
        let packing = Arc::new(Packing::trained(samples.iter().map(Vec::as_slice)));
        drop(samples);
        let new_set = |mark_bytes| {
            let keep = Keep { parents: false, mark_bytes };
            S::new(keep, Arc::clone(&packing), Arc::clone(&control.budget))
        };
        let copied = self.has_copies() && symmetry.is_none();
        let Ok(set) = new_set(self.mark_bytes(copied)) else { return Ok(result) };
        let second;
        let reducer = self.reducer(machine.model(), symmetry.is_some());
        let hidden = machine.model().layout.hidden as usize;
        let waits = self.has_copies() && !copied;
        let symmetry = symmetry.map(|(symmetry, strategy)| {
            let watching = if waits { Arc::new(symmetry.with_bytes()) } else { symmetry };
            let tracking = watching.is_tracking().then(|| Arc::new(watching.with_tracks()));
            (tracking.unwrap_or(watching), strategy)
        });
        let door = Door::new(hidden, &Options { symmetry, ..self.options.clone() });
        let mut product =
            Product::new(machine, Arc::clone(&self.automaton), reducer, door, &control);
        product.fan.fair = self.fairness != Fairness::None;
        product.follow_first_twins(self.options.twins);
        if waits {
            product.wait();
        }
        if self.emptiness == Emptiness::Ends {
            product.ends = Some(Ends::of(product.automaton()));
        }
        let mut visited = Visited::new(&set, &control, self.options.depth, progress);
        let found = match self.find(&mut product, &mut visited, self.emptiness) {
            Some(found) => found,
            None => {
                // Too many processes for copies: the component-based search starts anew.
                second = match new_set(1) {
                    Ok(second) => second,
                    Err(_) => return Ok(result),
                };
                visited = visited.restart(&second);
                let found = self.find(&mut product, &mut visited, Emptiness::Components);
                found.unwrap_or(Err(Stopped))
            }
        };
        product.watch(&control);
        if product.is_asymmetric() {
            return Err(NotSymmetric(product.into_machine()));
        }
        result.incomplete = control.reason();
        result.verdict = match &found {
            _ if self.emptiness == Emptiness::Reachability => Verdict::Incomplete,
            Ok(None) if result.incomplete.is_none() && S::EXACT => Verdict::Holds,
            Ok(Some(_)) => Verdict::Violated,
            _ => Verdict::Incomplete,
        };
        if let (Some(ends), Verdict::Holds) = (&product.ends, result.verdict) {
            result.ends = Some(ends.seen().to_vec());
            if !ends.seen().is_empty() {
                // They say nothing about infinite executions.
                result.verdict = Verdict::Incomplete;
            }
        } else if let Ok(Some(found)) = found {
            result.incomplete = None;
            let found = match found {
                Found::Cycle(lasso) if self.options.shorten => {
                    Found::Cycle(lasso::shorten_stem(&mut product, lasso))
                }
                found => found,
            };
            result.counterexample = Some(steps::counterexample(&mut product, found));
        }
        result.failed = product.failed;
        result.reduction = product.reduction();
        result.states = visited.states;
        result.transitions = visited.transitions;
        result.depth = visited.depth;
        // What was set aside for nodes to come does not count.
        drop(visited);
        result.store_bytes = set.bytes();
        result.peak_bytes = control.budget.peak();
        result.time = control.start.elapsed();
        Ok(result)
    }

    /// Whether nodes exist in copies; up to symmetry, with the processes that are waited for.
    fn has_copies(&self) -> bool {
        self.emptiness == Emptiness::Nested && self.fairness == Fairness::Weak
    }

    /// How many bytes of marks a node needs.
    fn mark_bytes(&self, copied: bool) -> u8 {
        match self.emptiness {
            Emptiness::Reachability => 0,
            _ if copied => marks::copies::BYTES,
            _ => 1,
        }
    }

    /// The reduction that the options ask for, where it can be made.
    fn reducer(&self, model: &Model, symmetric: bool) -> Option<Ample> {
        let facts = self.options.reduction.as_ref()?;
        // What is on the stack differs between copies of a node.
        if self.has_copies() || !facts.fair && self.fairness != Fairness::None {
            return None;
        }
        let ample = invisible(model, &self.automaton, facts, self.options.ample);
        // The second search of a nested one has to choose as the first did, and for all states of
        // an orbit the choice has to be the same.
        let nested = matches!(self.emptiness, Emptiness::Nested | Emptiness::Ends);
        let twice = nested && Strength::of(&self.automaton).any_mixed();
        Some(if twice || symmetric { ample.steady() } else { ample })
    }

    /// Runs the search; `None` when it cannot do it.
    fn find<M: Machine, S: Marks>(
        &self,
        product: &mut Product<'_, M>,
        visited: &mut Visited<'_, S>,
        emptiness: Emptiness,
    ) -> Option<Outcome> {
        // A model without an initial state is a matter of safety.
        let Ok(initial) = product.initial() else {
            product.failed = true;
            return Some(Ok(None));
        };
        if product.at_end(&initial) {
            let node = PathNode { bytes: initial, movers: Movers::default() };
            return Some(Ok(Some(Found::ClaimEnd(vec![node]))));
        }
        Some(match emptiness {
            Emptiness::Direct => direct::search(product, visited, &initial),
            Emptiness::Reachability => {
                reachability::search(product, visited, &initial).map(|()| None)
            }
            Emptiness::Nested if self.fairness == Fairness::Weak && !product.waits() => {
                return copies::search(product, visited, &initial);
            }
            Emptiness::Nested | Emptiness::Ends => nested::search(product, visited, &initial),
            Emptiness::Auto | Emptiness::Components => {
                component::search(product, visited, self.fairness, &initial)
            }
        })
    }
}

/// The result of a search that had no memory to begin with.
fn nothing() -> LivenessResult {
    LivenessResult {
        verdict: Verdict::Incomplete,
        counterexample: None,
        states: 0,
        transitions: 0,
        depth: 0,
        ends: None,
        failed: false,
        incomplete: Some(Incomplete::Memory),
        symmetry: None,
        reduction: ReductionCounts::default(),
        store_bytes: 0,
        peak_bytes: 0,
        time: Duration::ZERO,
    }
}

/// A reduction that puts nothing off which the automaton could see.
fn invisible(
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
fn samples<M: Machine>(
    machine: &mut M,
    automaton_states: usize,
    control: &Control,
) -> Vec<Vec<u8>> {
    let mut samples = scout::samples(machine, &mut || !control.poll());
    for (k, sample) in samples.iter_mut().enumerate() {
        sample.extend_from_slice(&((k % automaton_states.max(1)) as u32).to_le_bytes());
    }
    samples
}
