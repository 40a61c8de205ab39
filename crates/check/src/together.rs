//! Invariants that are looked at in one search.
//!
//! Formulas `[] p` that search the same model are put into one automaton. What that search shows to
//! hold needs no search of its own; everything else gets one as if this had not been, so verdicts
//! and executions are the same as one by one.

use std::sync::Arc;

use isospin_analysis::facts::Facts;
use isospin_model::Expr;
use isospin_search::liveness::{Emptiness, Fairness, PropertyAutomaton};

use crate::applicable::{applicable, Reduction, Stuttering};
use crate::automaton::{stuttering, violating};
use crate::failure::Failure;
use crate::options::EmptinessChoice;
use crate::plan::Question;
use crate::prepare::{prepare, Prepared};
use crate::report::PropertyKind;
use crate::run::Run;
use crate::temporal::{cost, set_method, statistics, INVARIANTS};

/// Invariants that search the same model.
struct Group {
    names: Vec<String>,
    automata: Vec<PropertyAutomaton>,
    prepared: Prepared,
}

/// Finds out in as few searches as possible which invariants hold, and gives their names. There may
/// be more of them.
pub fn holding(run: &mut Run, questions: &[Question]) -> Result<Vec<String>, Failure> {
    let options = run.options;
    if options.fairness != Fairness::None || options.emptiness != EmptinessChoice::Auto {
        return Ok(Vec::new());
    }
    let mut groups: Vec<Group> = Vec::new();
    for question in questions.iter().filter(|q| q.kind == PropertyKind::Ltl) {
        let Some(automaton) = violating(run.model, question, options)? else { continue };
        let stutters = stuttering(run.model, question, &automaton) != Stuttering::Counted;
        // What cannot be evaluated is told of each property by itself.
        let readable = !automaton.atoms.iter().any(Expr::may_fail);
        if !stutters || !readable || !automaton.violates_invariant() {
            continue;
        }
        let prepared = prepared(run, &automaton.atoms);
        let name = question.name.clone();
        match groups.iter_mut().find(|g| g.prepared.is_like(&prepared)) {
            Some(group) => {
                group.names.push(name);
                group.automata.push(automaton);
            }
            None => {
                groups.push(Group { names: vec![name], automata: vec![automaton], prepared });
            }
        }
    }
    let mut holding = Vec::new();
    for group in groups.into_iter().filter(|g| g.names.len() > 1) {
        holding.extend(search(run, group, questions)?);
    }
    Ok(holding)
}

/// One search for a group: those of it that hold.
fn search(run: &mut Run, group: Group, questions: &[Question]) -> Result<Vec<String>, Failure> {
    let automaton = PropertyAutomaton::leaving(&group.automata);
    let together = prepared(run, &automaton.atoms);
    if !together.is_like(&group.prepared) {
        // A model that all of them can look at may have more states than each of theirs.
        return Ok(Vec::new());
    }
    let machine = run.machines.machine(run.options.machine, &together.model)?;
    let reduced =
        run.options.wanted.por.is_some() && applicable(&INVARIANTS).allows(Reduction::PartialOrder);
    let facts = reduced
        .then(|| Facts::of(&together.model, &automaton.atoms))
        .filter(|f| f.obstacle.is_none())
        .map(Arc::new);
    let options = run.search_options(facts, together.symmetry.clone());
    let result = run.search_liveness(&machine, automaton, Emptiness::Ends, &options);
    statistics(run, &result);
    let used = together.symmetry.as_ref().zip(result.symmetry);
    let used = used.map(|((symmetry, _), strategy)| (symmetry.group.order(), strategy));
    set_method(run, INVARIANTS.search, &machine, used);
    let Some(ends) = result.ends.filter(|_| !result.failed) else { return Ok(Vec::new()) };
    let stays = |&(_, end): &(String, u32)| !ends.contains(&end);
    let named = group.names.into_iter().zip(1..).filter(stays);
    let holding: Vec<String> = named.map(|(name, _)| name).collect();
    if let Some((symmetry, strategy)) = together.symmetry.as_ref().filter(|_| used.is_some()) {
        for question in questions.iter().filter(|q| holding.contains(&q.name)) {
            cost(run, question, symmetry, *strategy);
        }
    }
    Ok(holding)
}

/// The model that is searched for what looks at `atoms`, as for a formula alone.
fn prepared(run: &Run, atoms: &[Expr]) -> Prepared {
    prepare(&run.options.wanted, &applicable(&INVARIANTS), run.model, atoms)
}
