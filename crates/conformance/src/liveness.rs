//! Whether the liveness searches say the same as the brute-force oracle, and whether what they
//! hand out is what it claims to be.

use std::sync::Arc;

use isospin_analysis::facts::Facts;
use isospin_analysis::optimize::Optimizations;
use isospin_logic::is_stutter_invariant;
use isospin_machine::{Interpreter, Machine, NativeMachine, Passing, Step};
use isospin_model::{Expr, Model, Pid, Temporal};
use isospin_search::liveness::property::{to_logic, Cube};
use isospin_search::liveness::{
    check_liveness, Counterexample, Emptiness, Fairness, LivenessResult, PropertyAutomaton,
};
use isospin_search::{Options, Verdict};
use isospin_symmetry::{prepare, Strategy};

use crate::brute::Space;
use crate::lasso::{accepted, execute, holds, Executed};
use crate::oracle::Oracle;
use crate::reductions::optimized;
use crate::rng::Rng;
use crate::time::runs;

const FAIRNESS: [Fairness; 3] = [Fairness::None, Fairness::Weak, Fairness::Strong];

/// How many executions of a model are tried out when a formula is said to hold.
const SAMPLES: usize = 8;

/// What came out for one formula: which kinds of fairness leave it violated. `None` when the model
/// is too large.
pub type Verdicts = Option<[bool; 3]>;

/// Checks the first formula of `model` in every way. The error says what differs.
pub fn check_formula(model: &Arc<Model>, limit: usize, rng: &mut Rng) -> Result<Verdicts, String> {
    let Some(formula) = model.formulas.first() else { return Ok(None) };
    let Some(space) = Space::explore(model, limit) else { return Ok(None) };
    if space.processes() > 8 || model.layout.hidden > 0 {
        return Ok(None);
    }
    let buchi = PropertyAutomaton::violating(&formula.temporal, false);
    let generalized = PropertyAutomaton::violating(&formula.temporal, true);
    let (Ok(buchi), Ok(generalized)) = (buchi, generalized) else { return Ok(None) };
    let stutters =
        to_logic(&formula.temporal).is_ok_and(|(formula, _)| is_stutter_invariant(&formula));
    let Some(oracle) = Oracle::new(model, &space, &buchi, 20 * limit) else { return Ok(None) };
    let Some(second) = Oracle::new(model, &space, &generalized, 20 * limit) else {
        return Ok(None);
    };
    check_invariants(model, &space, &buchi.atoms, limit)?;
    for fairness in FAIRNESS {
        let (one, other) = (oracle.violated(fairness), second.violated(fairness));
        if one != other {
            return Err(format!("{fairness:?}: the two automata differ; one says {one}"));
        }
    }
    let property = Property {
        ways: &[
            ("nested", Emptiness::Nested, &buchi),
            ("components", Emptiness::Components, &buchi),
            ("generalised", Emptiness::Components, &generalized),
        ],
        stutters,
        is_shown: &|searched, _, executed| match holds(
            searched,
            &formula.temporal,
            &executed.states,
            executed.back,
        ) {
            true => Err("the formula holds on the counterexample".to_owned()),
            false => Ok(()),
        },
    };
    let verdicts = property.check(model, &oracle)?;
    if !verdicts[0] {
        for _ in 0..SAMPLES {
            let (states, back) = sample(&space, rng);
            if !states.is_empty() && !holds(model, &formula.temporal, &states, back) {
                return Err("it is said to hold, and an execution violates it".to_owned());
            }
        }
    }
    Ok(Some(verdicts))
}

/// Checks the labels of `model` in every way: acceptance, and progress.
pub fn check_labels(model: &Arc<Model>, limit: usize) -> Result<[Verdicts; 2], String> {
    let acceptance = check_automaton(model, limit, &PropertyAutomaton::acceptance(), true)
        .map_err(|why| format!("acceptance: {why}"))?;
    let progress = check_automaton(model, limit, &PropertyAutomaton::non_progress(), true)
        .map_err(|why| format!("progress: {why}"))?;
    Ok([acceptance, progress])
}

/// Checks the first claim of `model` in every way, and says whether it is known not to count steps.
pub fn check_claim(model: &Arc<Model>, limit: usize) -> Result<Option<(bool, [bool; 3])>, String> {
    let claim = model.claims.first().and_then(PropertyAutomaton::never);
    let Some(automaton) = claim else { return Ok(None) };
    let stutters = automaton.is_stutter_closed();
    let verdicts = check_automaton(model, limit, &automaton, stutters)?;
    Ok(verdicts.map(|verdicts| (stutters, verdicts)))
}

fn check_automaton(
    model: &Arc<Model>,
    limit: usize,
    automaton: &PropertyAutomaton,
    stutters: bool,
) -> Result<Verdicts, String> {
    let Some(space) = Space::explore(model, limit) else { return Ok(None) };
    if space.processes() > 8 || model.layout.hidden > 0 {
        return Ok(None);
    }
    let Some(oracle) = Oracle::new(model, &space, automaton, 20 * limit) else { return Ok(None) };
    let property = Property {
        ways: &[
            ("nested", Emptiness::Nested, automaton),
            ("components", Emptiness::Components, automaton),
        ],
        stutters,
        is_shown: &|searched, found, executed| match accepted(searched, automaton, found, executed)
        {
            true => Ok(()),
            false => Err("the counterexample is none".to_owned()),
        },
    };
    property.check(model, &oracle).map(Some)
}

/// Says what is wrong with a counterexample, if something is.
type Judge<'a> = dyn Fn(&Arc<Model>, &Counterexample, &Executed) -> Result<(), String> + 'a;

/// A property, and how it is looked at.
struct Property<'a> {
    ways: &'a [(&'static str, Emptiness, &'a PropertyAutomaton)],
    stutters: bool,
    is_shown: &'a Judge<'a>,
}

impl Property<'_> {
    /// Compares every way, with and without reductions, with what the oracle says.
    fn check(&self, model: &Arc<Model>, oracle: &Oracle<'_>) -> Result<[bool; 3], String> {
        let atoms = &self.ways[0].2.atoms;
        let mut verdicts = [false; 3];
        for (k, fairness) in FAIRNESS.into_iter().enumerate() {
            verdicts[k] = oracle.violated(fairness);
            let mut models = vec![("plain", Arc::clone(model), None)];
            if self.stutters {
                let all = optimized(model, atoms, optimizations(fairness));
                for (name, changed) in [("reduced", model), ("optimised and reduced", &all)] {
                    let facts = match fairness {
                        Fairness::None => Facts::of(changed, atoms),
                        _ => Facts::fair(changed, atoms),
                    };
                    if facts.obstacle.is_none() {
                        models.push((name, Arc::clone(changed), Some(Arc::new(facts))));
                    }
                }
                models.push(("optimised", all, None));
            }
            for (name, changed, facts) in &models {
                for &(way, emptiness, automaton) in self.ways {
                    if emptiness == Emptiness::Nested && fairness == Fairness::Strong {
                        continue;
                    }
                    let options = Options { reduction: facts.clone(), ..Options::default() };
                    let how = format!("{fairness:?}, {name}, {way}");
                    let asked = Asked { automaton, fairness, emptiness, options: &options };
                    check_one(model, changed, &asked, verdicts[k], self.is_shown)
                        .map_err(|why| format!("{how}: {why}"))?;
                }
            }
        }
        self.check_under_symmetry(model, verdicts[0])?;
        Ok(verdicts)
    }

    /// The same under symmetry, with and without reduction. Fairness does not go with it.
    fn check_under_symmetry(&self, model: &Arc<Model>, expected: bool) -> Result<(), String> {
        let atoms = &self.ways[0].2.atoms;
        let which = self.stutters.then(|| optimizations(Fairness::None));
        let prepared = prepare(model, atoms, which);
        let Some(symmetry) = &prepared.detection.symmetry else { return Ok(()) };
        let searched = &prepared.model;
        let facts = Some(Facts::of(searched, atoms)).filter(|f| f.obstacle.is_none());
        let facts = facts.filter(|_| self.stutters).map(Arc::new);
        let ways = self.ways.iter().filter(|(_, emptiness, _)| *emptiness == Emptiness::Nested);
        for &(_, emptiness, automaton) in ways.filter(|(.., automaton)| automaton.state_based) {
            for strategy in [Strategy::Full, Strategy::Segmented, Strategy::Refined] {
                for reduction in [None, facts.clone()] {
                    let how = format!("{}, reduction {}", strategy.name(), reduction.is_some());
                    let symmetry = Some((Arc::clone(symmetry), strategy));
                    let options = Options { reduction, symmetry, ..Options::default() };
                    let fairness = Fairness::None;
                    let asked = Asked { automaton, fairness, emptiness, options: &options };
                    let result = asked.of(Interpreter::new(Arc::clone(searched)));
                    check_result(searched, &asked, result, expected, self.is_shown)
                        .map_err(|why| format!("{how}: {why}"))?;
                }
            }
        }
        Ok(())
    }
}

/// Whether one search finds out about several invariants what is so: that each of the atoms always
/// holds, and that it never does.
fn check_invariants(
    model: &Arc<Model>,
    space: &Space,
    atoms: &[Expr],
    limit: usize,
) -> Result<(), String> {
    let mut automata = Vec::new();
    for (k, expr) in atoms.iter().enumerate() {
        let atom = Temporal::Atom { expr: expr.clone(), text: format!("atom {k}") };
        for inner in [atom.clone(), Temporal::Not(Box::new(atom))] {
            let automaton = PropertyAutomaton::violating(&Temporal::Always(Box::new(inner)), false);
            automata.extend(automaton.ok().filter(PropertyAutomaton::violates_invariant));
        }
    }
    if automata.is_empty() {
        return Ok(());
    }
    let together = PropertyAutomaton::leaving(&automata);
    let mut machine = Interpreter::new(Arc::clone(model));
    machine.watch(&together.atoms);
    let mut somewhere = vec![false; automata.len() + 1];
    for state in &space.states {
        let values = machine.watched(&state.bytes);
        let holds = |cube: &Cube| cube.iter().all(|&(atom, yes)| values[atom as usize] == yes);
        for edge in &together.states[0].edges {
            somewhere[edge.to as usize] |= edge.guard.iter().any(holds);
        }
    }
    let all = optimized(model, &together.atoms, optimizations(Fairness::None));
    let (plain, best) = (Facts::of(model, &together.atoms), Facts::of(&all, &together.atoms));
    for (name, searched, facts) in [
        ("plain", model, None),
        ("reduced", model, Some(plain)),
        ("optimised and reduced", &all, Some(best)),
    ] {
        let reduction = facts.filter(|f| f.obstacle.is_none()).map(Arc::new);
        let result = check_liveness(
            Interpreter::new(Arc::clone(searched)),
            together.clone(),
            Fairness::None,
            Emptiness::Ends,
            &Options { reduction, ..Options::default() },
            &mut |_| {},
        );
        // Without a complete search every one of them was come to.
        let all_ends = (1..=automata.len() as u32).collect();
        let ends: Vec<u32> = result.ends.unwrap_or(all_ends);
        for (automaton, end) in automata.iter().zip(1u32..) {
            let Some(oracle) = Oracle::new(model, space, automaton, 20 * limit) else { continue };
            let (found, there) = (ends.contains(&end), somewhere[end as usize]);
            let must = oracle.violated(Fairness::None) || (there && name == "plain");
            if found && !there || must && !found {
                let atoms = &automaton.atoms;
                return Err(format!("{name}: invariant of {atoms:?}: {found}, should be {must}"));
            }
        }
    }
    Ok(())
}

/// What keeps a property that is stutter-invariant.
pub fn optimizations(fairness: Fairness) -> Optimizations {
    Optimizations { merge: fairness == Fairness::None, ..Optimizations::ALL }
}

/// What a search is asked, and how.
struct Asked<'a> {
    automaton: &'a PropertyAutomaton,
    fairness: Fairness,
    emptiness: Emptiness,
    options: &'a Options,
}

impl Asked<'_> {
    fn of<M: Machine>(&self, machine: M) -> LivenessResult {
        let (automaton, options) = (self.automaton.clone(), self.options);
        check_liveness(machine, automaton, self.fairness, self.emptiness, options, &mut |_| {})
    }
}

fn check_one(
    model: &Arc<Model>,
    searched: &Arc<Model>,
    asked: &Asked<'_>,
    expected: bool,
    is_shown: &Judge<'_>,
) -> Result<(), String> {
    // Making machine code takes longer than all the searches, so it gets one turn.
    let nested = (asked.fairness, asked.emptiness) == (Fairness::None, Emptiness::Nested);
    let plain = asked.options.reduction.is_none() && Arc::ptr_eq(model, searched);
    let native = match nested && plain {
        true => NativeMachine::new(Arc::clone(searched)).ok(),
        false => None,
    };
    let result = match native {
        Some(machine) => asked.of(machine),
        None => asked.of(Interpreter::new(Arc::clone(searched))),
    };
    let Some(found) = check_result(searched, asked, result, expected, is_shown)? else {
        return Ok(());
    };
    if !Arc::ptr_eq(model, searched) && !can_be_taken(model, &found.steps) {
        return Err("the execution is not one of the model as written".to_owned());
    }
    Ok(())
}

/// Whether the verdict is the expected one, and the counterexample, which it gives back, is one.
fn check_result(
    searched: &Arc<Model>,
    asked: &Asked<'_>,
    result: LivenessResult,
    expected: bool,
    is_shown: &Judge<'_>,
) -> Result<Option<Counterexample>, String> {
    let violated = match result.verdict {
        Verdict::Violated => true,
        Verdict::Holds => false,
        Verdict::Incomplete => return Err("incomplete".to_owned()),
    };
    if violated != expected {
        return Err(format!("violated: {violated}; the oracle: {expected}"));
    }
    let Some(found) = result.counterexample else { return Ok(None) };
    let executed = execute(searched, &found, asked.fairness)?;
    is_shown(searched, &found, &executed)?;
    Ok(Some(found))
}

/// Whether the steps can be taken one after the other.
fn can_be_taken(model: &Arc<Model>, steps: &[Step]) -> bool {
    let mut machine = Interpreter::new(Arc::clone(model));
    let mut state = Vec::new();
    if machine.initial(&mut state).is_err() {
        return false;
    }
    let steps = steps.iter().flat_map(|step| match step {
        Step::Time(Passing::Units(units)) => vec![Step::units(1); *units as usize],
        _ => vec![*step],
    });
    steps.into_iter().all(|step| {
        let quiet = !(0..machine.process_count(&state))
            .any(|p| machine.can_move(&state, Pid::at(p), false));
        let timeout = quiet && !runs(model, &state);
        (quiet || !step.is_time()) && machine.take(&mut state, step, timeout).is_some()
    })
}

/// A random execution: its states, and where it goes back to. Empty where it cannot go on.
fn sample(space: &Space, rng: &mut Rng) -> (Vec<Vec<u8>>, usize) {
    let mut path = vec![0usize];
    loop {
        let arcs = &space.states[path[path.len() - 1]].arcs;
        if arcs.is_empty() {
            return (Vec::new(), 0);
        }
        let to = rng.pick(arcs).to;
        if let Some(back) = path.iter().position(|&n| n == to) {
            // Not always at the first chance.
            if rng.chance(60) || path.len() > 200 {
                let states = path.iter().map(|&n| space.states[n].bytes.clone()).collect();
                return (states, back);
            }
        }
        path.push(to);
    }
}
