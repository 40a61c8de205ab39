//! Whether the liveness searches say the same as the brute-force oracle, and whether what they
//! hand out is what it claims to be.

use std::sync::Arc;

use isospin_analysis::facts::Facts;
use isospin_analysis::optimize::Optimizations;
use isospin_check::{
    AmpleSets, Asked, EmptinessChoice, MachineKind, Options, Strategy, SymmetryChoice, Wanted,
};
use isospin_machine::{Interpreter, Machine, Truth};
use isospin_model::{Expr, Model, Temporal};
use isospin_replay::holds;
use isospin_search::liveness::property::Cube;
use isospin_search::liveness::{check_liveness, Emptiness, Fairness, PropertyAutomaton};

use crate::brute::Space;
use crate::checks::{expect_verdict, run};
use crate::oracle::Oracle;
use crate::reductions::optimized;
use crate::rng::Rng;

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
    let Some(oracle) = Oracle::new(model, &space, &buchi, 20 * limit) else { return Ok(None) };
    let Some(second) = Oracle::new(model, &space, &generalized, 20 * limit) else {
        return Ok(None);
    };
    // What is inside of sequences, and what cannot be evaluated, is for each formula alone.
    if space.inside.is_empty() && !buchi.atoms.iter().any(Expr::may_fail) {
        check_invariants(model, &space, &buchi.atoms, limit)?;
    }
    let unreadable = oracle.unreadable() || second.unreadable();
    for fairness in FAIRNESS {
        let (one, other) = (oracle.violated(fairness), second.violated(fairness));
        // What cannot be evaluated may be asked by one automaton and not by the other.
        if one != other && !unreadable {
            return Err(format!("{fairness:?}: the two automata differ; one says {one}"));
        }
    }
    let asked = Asked { properties: vec![formula.name.clone()], ..Asked::default() };
    let verdicts = check_in_every_way(model, &asked, &oracle, &second)?;
    if !verdicts[0] && !unreadable {
        for _ in 0..SAMPLES {
            let (states, back) = sample(&space, rng);
            if !states.is_empty() && !holds(model, &formula.temporal, states, back) {
                return Err("it is said to hold, and an execution violates it".to_owned());
            }
        }
    }
    Ok(Some(verdicts))
}

/// Checks the labels of `model` in every way: acceptance, and progress.
pub fn check_labels(model: &Arc<Model>, limit: usize) -> Result<[Verdicts; 2], String> {
    // With a claim in it, acceptance cycles are something else.
    let model = &Arc::new(Model { claims: Vec::new(), ..Model::clone(model) });
    let asked = Asked { acceptance: true, ..Asked::default() };
    let acceptance = check_automaton(model, limit, &PropertyAutomaton::acceptance(), &asked)
        .map_err(|why| format!("acceptance: {why}"))?;
    let asked = Asked { progress: true, ..Asked::default() };
    let progress = check_automaton(model, limit, &PropertyAutomaton::non_progress(), &asked)
        .map_err(|why| format!("progress: {why}"))?;
    Ok([acceptance, progress])
}

/// Checks the first claim of `model` in every way, and says whether it is known not to count steps.
pub fn check_claim(model: &Arc<Model>, limit: usize) -> Result<Option<(bool, [bool; 3])>, String> {
    let Some(claim) = model.claims.first() else { return Ok(None) };
    let Some(automaton) = PropertyAutomaton::never(claim) else { return Ok(None) };
    let asked = Asked { properties: vec![claim.name.clone()], ..Asked::default() };
    let verdicts = check_automaton(model, limit, &automaton, &asked)?;
    Ok(verdicts.map(|verdicts| (automaton.is_stutter_closed(), verdicts)))
}

fn check_automaton(
    model: &Arc<Model>,
    limit: usize,
    automaton: &PropertyAutomaton,
    asked: &Asked,
) -> Result<Verdicts, String> {
    let Some(space) = Space::explore(model, limit) else { return Ok(None) };
    if space.processes() > 8 || model.layout.hidden > 0 {
        return Ok(None);
    }
    let Some(oracle) = Oracle::new(model, &space, automaton, 20 * limit) else { return Ok(None) };
    check_in_every_way(model, asked, &oracle, &oracle).map(Some)
}

/// Compares every search, with and without reductions, with what the oracle says. Which reductions
/// apply is for the façade to know.
fn check_in_every_way(
    model: &Arc<Model>,
    asked: &Asked,
    oracle: &Oracle<'_>,
    generalized: &Oracle<'_>,
) -> Result<[bool; 3], String> {
    let mut verdicts = [false; 3];
    let (all, none) = (Optimizations::ALL, Optimizations::NONE);
    let por = Some(AmpleSets::default());
    for (k, fairness) in FAIRNESS.into_iter().enumerate() {
        verdicts[k] = oracle.violated(fairness);
        for emptiness in [EmptinessChoice::Nested, EmptinessChoice::Components] {
            let nested = emptiness == EmptinessChoice::Nested;
            if nested && fairness == Fairness::Strong {
                continue;
            }
            let ways = [(none, None), (none, por), (all, None), (all, por)];
            for (number, (optimize, por)) in ways.into_iter().enumerate() {
                // Making machine code takes longer than all the searches, so it gets one turn.
                let native = nested && fairness == Fairness::None && number == 0;
                let machine = if native { MachineKind::Native } else { MachineKind::Interpreter };
                let options = Options {
                    fairness,
                    emptiness,
                    machine: Some(machine),
                    wanted: Wanted { optimize, por, ..Wanted::none() },
                    ..Options::default()
                };
                let expected = if nested { verdicts[k] } else { generalized.violated(fairness) };
                check_one(model, asked, &options, expected)?;
            }
        }
    }
    for strategy in [Strategy::Full, Strategy::Segmented, Strategy::Refined] {
        for por in [None, por] {
            let symmetry = SymmetryChoice::Strategy(strategy);
            let options = Options {
                emptiness: EmptinessChoice::Nested,
                machine: Some(MachineKind::Interpreter),
                wanted: Wanted { optimize: all, por, symmetry, main_array: None },
                ..Options::default()
            };
            check_one(model, asked, &options, verdicts[0])?;
        }
    }
    Ok(verdicts)
}

fn check_one(
    model: &Arc<Model>,
    asked: &Asked,
    options: &Options,
    expected: bool,
) -> Result<(), String> {
    let how = || format!("{:?}, {:?}, {:?}", options.fairness, options.emptiness, options.wanted);
    let report = run(model, asked, options).map_err(|why| format!("{}: {why}", how()))?;
    expect_verdict(&report, expected).map_err(|why| format!("{}: {why}", how()))
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
        let values = machine.watched(&state.bytes, state.quiet);
        let as_asked = |&(atom, yes): &(u16, bool)| {
            values[atom as usize] == if yes { Truth::True } else { Truth::False }
        };
        let holds = |cube: &Cube| cube.iter().all(as_asked);
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
            &isospin_search::Options { reduction, ..isospin_search::Options::default() },
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
