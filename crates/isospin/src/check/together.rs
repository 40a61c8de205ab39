//! Invariants that are looked at in one search.
//!
//! Formulas `[] p` that search the same model are put into one automaton. What that search shows to
//! hold needs no search of its own; everything else gets one as if this had not been, so verdicts
//! and executions are the same as one by one.

use std::sync::Arc;

use isospin_analysis::facts::Facts;
use isospin_model::Expr;
use isospin_report::check::{CheckReport, PropertyKind};
use isospin_search::liveness::{Emptiness, PropertyAutomaton};

use super::plan::Question;
use super::reductions::Wanted;
use super::symmetry::{prepare, Prepared};
use super::{temporal, Context};
use crate::args::{EmptinessChoice, Fairness};
use crate::failure::Failure;

/// Invariants that search the same model.
struct Group {
    names: Vec<String>,
    automata: Vec<PropertyAutomaton>,
    prepared: Prepared,
}

/// Finds out in as few searches as possible which invariants hold, and gives their names. There may
/// be more of them.
pub fn holding(
    context: &Context,
    questions: &[Question],
    report: &mut CheckReport,
) -> Result<Vec<String>, Failure> {
    let args = context.args;
    if args.fair != Fairness::None || args.emptiness != EmptinessChoice::Auto {
        return Ok(Vec::new());
    }
    let mut groups: Vec<Group> = Vec::new();
    for question in questions.iter().filter(|q| q.kind == PropertyKind::Ltl) {
        let Some(automaton) = temporal::automaton(context, question)? else { continue };
        let stutters = temporal::is_stutter_invariant(context, question, &automaton);
        if !stutters || !automaton.violates_invariant() {
            continue;
        }
        let prepared = prepared(context, &automaton.atoms);
        let name = question.name.clone();
        match groups.iter_mut().find(|g| same(&g.prepared, &prepared)) {
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
        holding.extend(search(context, group, report)?);
    }
    Ok(holding)
}

/// One search for a group: those of it that hold.
fn search(
    context: &Context,
    group: Group,
    report: &mut CheckReport,
) -> Result<Vec<String>, Failure> {
    let automaton = PropertyAutomaton::leaving(&group.automata);
    let together = prepared(context, &automaton.atoms);
    if !same(&together, &group.prepared) {
        // A model that all of them can look at may have more states than each of theirs.
        return Ok(Vec::new());
    }
    let machine = context.made.machine(context.args.machine, &together.model)?;
    let facts = Wanted::new(context.args)
        .por
        .then(|| Facts::of(&together.model, &automaton.atoms))
        .filter(|f| f.obstacle.is_none())
        .map(Arc::new);
    let symmetry = together.symmetry.clone();
    let kind = Emptiness::Ends;
    let result = temporal::search(context, &machine, automaton, facts, symmetry.clone(), kind);
    temporal::statistics(report, &result);
    if report.method.is_empty() {
        report.method = temporal::method(context, kind);
    }
    let Some(ends) = result.ends else { return Ok(Vec::new()) };
    let stays = |&(_, end): &(String, u32)| !ends.contains(&end);
    let named = group.names.into_iter().zip(1..).filter(stays);
    let holding: Vec<String> = named.map(|(name, _)| name).collect();
    if let Some((symmetry, strategy)) = symmetry.as_ref().filter(|_| result.symmetry) {
        for name in &holding {
            temporal::cost(context, name, symmetry, *strategy, report);
        }
    }
    Ok(holding)
}

/// The model that is searched for what looks at `atoms`, as for a formula alone.
fn prepared(context: &Context, atoms: &[Expr]) -> Prepared {
    let wanted = Wanted::new(context.args);
    prepare(&wanted, context.args, &context.loaded.model, atoms, true, true)
}

/// Whether both are searched alike.
fn same(a: &Prepared, b: &Prepared) -> bool {
    let order = |p: &Prepared| p.symmetry.as_ref().map(|s| (s.0.group.order(), s.1));
    a.model == b.model && a.keeps_ended == b.keeps_ended && order(a) == order(b)
}
