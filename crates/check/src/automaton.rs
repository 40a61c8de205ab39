//! The automaton that accepts what violates a property, and what is known of it.

use isospin_analysis::Optimizations;
use isospin_logic::Label;
use isospin_model::{Expr, Model, ProcKind, ProcType, Temporal};
use isospin_search::liveness::property::{coarse, to_logic, Cube, PropertyEdge, PropertyState};
use isospin_search::liveness::{may_diverge, Emptiness, PropertyAutomaton};
use isospin_symmetry::{prepare, prepare_for};

use crate::applicable::{SearchKind, Stuttering};
use crate::asked::GivenAutomaton;
use crate::failure::Failure;
use crate::options::{EmptinessChoice, Options, SymmetryChoice};
use crate::plan::Question;
use crate::report::PropertyKind;

/// The automaton that accepts what violates the property; `None` where there is none.
pub fn violating(
    model: &Model,
    question: &Question,
    options: &Options,
) -> Result<Option<PropertyAutomaton>, Failure> {
    if let Some(given) = &question.automaton {
        return from_given(given, options).map(Some);
    }
    Ok(match question.kind {
        PropertyKind::Ltl => {
            let formula = model.formulas.iter().find(|f| f.name == question.name);
            let generalized = is_generalized(model, options);
            let temporal = formula.map(|f| formula_of(model, &f.temporal, options));
            match temporal.map(|f| PropertyAutomaton::violating(&f, generalized)) {
                Some(Ok(automaton)) => Some(automaton),
                Some(Err(error)) => {
                    let (name, why) = (question.name.clone(), error.to_string());
                    return Err(Failure::Formula { name, why });
                }
                None => None,
            }
        }
        PropertyKind::Never => {
            model.claims.iter().find(|c| c.name == question.name).and_then(PropertyAutomaton::never)
        }
        PropertyKind::Acceptance => match never_claim(model) {
            Some(claim) => PropertyAutomaton::never(claim).map(|claim| {
                if has_accept(model) {
                    claim.with_labels()
                } else {
                    claim
                }
            }),
            None => Some(PropertyAutomaton::acceptance()),
        },
        // The direct search looks at labels itself.
        PropertyKind::Progress if emptiness(model, options, true) == Emptiness::Direct => {
            let atoms = PropertyAutomaton::non_progress().atoms;
            let mut automaton = PropertyAutomaton { atoms, ..PropertyAutomaton::acceptance() };
            automaton.states.iter_mut().for_each(|s| s.endless = true);
            Some(automaton)
        }
        PropertyKind::Progress => Some(PropertyAutomaton::non_progress()),
        PropertyKind::Time => Some(PropertyAutomaton::zero_cycles()),
        _ => None,
    })
}

/// The formula with the atoms that are looked at: with fewer of them, where that leaves more of the
/// model's symmetry.
pub fn formula_of(model: &Model, formula: &Temporal, options: &Options) -> Temporal {
    let coarse = coarse(formula);
    if options.wanted.symmetry == SymmetryChoice::Off || coarse == *formula {
        return formula.clone();
    }
    let which = options.wanted.optimize;
    let of_atoms = |atoms: &[Expr]| {
        let found = prepare(model, atoms, Some(which)).detection;
        found.symmetry.map_or(1.0, |s| s.group.order())
    };
    let generalized = is_generalized(model, options);
    let order = |formula: &Temporal| {
        let automaton = PropertyAutomaton::violating(formula, generalized);
        automaton.map_or(1.0, |automaton| permutations_left(model, &automaton, which))
    };
    // An automaton with many atoms takes its time, and is made only where it may be of use.
    let fine = to_logic(formula).map_or(1.0, |(_, atoms)| of_atoms(&atoms));
    let less = order(&coarse);
    if less > fine && (less == of_atoms(&[]) || less > order(formula)) {
        coarse
    } else {
        formula.clone()
    }
}

/// Whether formulas become automata with acceptance sets of edges: if acceptance can be read off
/// the states, is that of any use?
fn is_generalized(model: &Model, options: &Options) -> bool {
    emptiness(model, options, true) == Emptiness::Components
}

/// How many permutations of a model a property leaves, given the automaton of what violates it.
fn permutations_left(model: &Model, automaton: &PropertyAutomaton, which: Optimizations) -> f64 {
    let found = prepare_for(model, &automaton.atoms, Some(automaton), Some(which)).detection;
    found.symmetry.map_or(1.0, |s| s.group.order())
}

/// How many permutations of a model one of its formulas leaves to a search without fairness.
pub fn permutations_of(model: &Model, formula: &Temporal) -> f64 {
    let options = Options::default();
    let formula = formula_of(model, formula, &options);
    let generalized = is_generalized(model, &options);
    let Ok(automaton) = PropertyAutomaton::violating(&formula, generalized) else { return 1.0 };
    permutations_left(model, &automaton, Optimizations::ALL)
}

/// The text of the first atom of a formula that costs some of so many permutations by itself.
pub fn to_blame(
    model: &Model,
    question: &Question,
    options: &Options,
    whole: f64,
) -> Option<String> {
    let formula = model.formulas.iter().find(|f| f.name == question.name)?;
    let temporal = formula_of(model, &formula.temporal, options);
    let (logic, atoms) = to_logic(&temporal).ok()?;
    let costs = |atom: &Expr| {
        let atom = std::slice::from_ref(atom);
        let found = prepare(model, atom, Some(options.wanted.optimize)).detection;
        found.symmetry.map_or(1.0, |s| s.group.order()) < whole
    };
    atoms.iter().position(costs).map(|k| logic.atoms().name(k).to_owned())
}

/// The never claim of a model that has one.
pub fn never_claim(model: &Model) -> Option<&ProcType> {
    model.claims.iter().find(|c| c.kind == ProcKind::NeverClaim)
}

/// Whether some process has an `accept` label.
pub fn has_accept(model: &Model) -> bool {
    model.proctypes.iter().flat_map(|p| &p.automaton.locations).any(|l| l.accept)
}

fn from_given(given: &GivenAutomaton, options: &Options) -> Result<PropertyAutomaton, Failure> {
    let buchi = given.automaton.as_buchi();
    if options.emptiness == EmptinessChoice::Nested && buchi.is_none() {
        return Err(Failure::Impossible(
            "a nested search needs accepting states, and the automaton has accepting edges: leave \
             --emptiness out, or choose components",
        ));
    }
    let states = given.automaton.edges.iter().enumerate().map(|(q, edges)| PropertyState {
        edges: edges
            .iter()
            .map(|e| PropertyEdge { guard: cubes(&e.label), to: e.to as u32, marks: e.marks })
            .collect(),
        accepting: buchi.as_ref().is_some_and(|b| b.accepting[q]),
        ..PropertyState::default()
    });
    Ok(PropertyAutomaton {
        atoms: given.atoms.clone(),
        initial: given.automaton.initial as u32,
        states: states.collect(),
        sets: given.automaton.sets,
        accept_labels: false,
        state_based: buchi.is_some(),
    })
}

fn cubes(label: &Label) -> Vec<Cube> {
    label.cubes.iter().map(|c| c.literals().map(|(a, p)| (a as u16, p)).collect()).collect()
}

/// What the property notices of steps that change nothing it looks at.
pub fn stuttering(model: &Model, question: &Question, automaton: &PropertyAutomaton) -> Stuttering {
    let formula = model.formulas.iter().find(|f| f.name == question.name);
    let given = question.automaton.is_some();
    let insensitive = match (question.kind, formula) {
        (PropertyKind::Ltl, Some(formula)) => to_logic(&formula.temporal)
            .is_ok_and(|(formula, _)| isospin_logic::is_stutter_invariant(&formula)),
        // Labels are seen where they are; what stands between them is not.
        (PropertyKind::Acceptance, _) if never_claim(model).is_none() => true,
        (PropertyKind::Progress | PropertyKind::Time, _) => true,
        (PropertyKind::Never | PropertyKind::Acceptance, _) => automaton.is_stutter_closed(),
        _ => false,
    };
    // The same of the automaton, which reduction in a product with it needs as well. Those of
    // labels and of time guess no more than that something has happened for the last time, which
    // they can do at any later moment, too.
    let closed = question.kind != PropertyKind::Ltl || given || automaton.is_stutter_closed();
    match (insensitive, closed) {
        (true, true) => Stuttering::Unnoticed,
        (true, false) => Stuttering::LooksAhead,
        (false, _) => Stuttering::Counted,
    }
}

/// Which search it will be.
pub fn search_kind(model: &Model, options: &Options, automaton: &PropertyAutomaton) -> SearchKind {
    match emptiness(model, options, automaton.state_based) {
        Emptiness::Nested => SearchKind::Nested,
        Emptiness::Direct => SearchKind::Direct,
        _ => SearchKind::Components,
    }
}

/// The same for an automaton whose acceptance can be read off its states, or not.
fn emptiness(model: &Model, options: &Options, state_based: bool) -> Emptiness {
    let asked = match options.emptiness {
        EmptinessChoice::Auto => Emptiness::Auto,
        EmptinessChoice::Nested => Emptiness::Nested,
        EmptinessChoice::Components => Emptiness::Components,
        // A search without an automaton has nothing to follow such a sequence with.
        EmptinessChoice::Direct if may_diverge(model) => Emptiness::Auto,
        EmptinessChoice::Direct => Emptiness::Direct,
    };
    asked.resolve(state_based, options.fairness)
}
