//! Formulas, claims and cycles: one search each.

use std::sync::Arc;

use isospin_analysis::facts::Facts;
use isospin_machine::Interpreter;
use isospin_model::{Model, ProcKind};
use isospin_report::check::{CheckReport, Property, PropertyKind, Verdict};
use isospin_search::liveness::property::to_logic;
use isospin_search::liveness::{
    check_liveness, Counterexample, Emptiness, Fairness, LivenessResult, PropertyAutomaton,
};
use isospin_search::{settle_cycle, take_away_ended, Options, Progress, Verdict as Outcome};
use isospin_symmetry::{Strategy, Symmetry};

use super::findings::Findings;
use super::machine::Chosen;
use super::plan::Question;
use super::progress::ProgressLine;
use super::reductions::{self, Wanted};
use super::{notes, symmetry, Context};
use crate::args;
use crate::failure::Failure;

/// Answers one question and adds the answer to the report. The properties in `known` are known to
/// hold.
pub fn check(
    context: &Context,
    question: &Question,
    known: &[String],
    findings: &mut Findings,
    report: &mut CheckReport,
) -> Result<(), Failure> {
    if known.contains(&question.name) {
        report.properties.push(Property {
            name: question.name.clone(),
            kind: question.kind,
            verdict: Verdict::Holds,
            message: String::new(),
            findings: Vec::new(),
        });
        return Ok(());
    }
    let Some(automaton) = automaton(context, question)? else {
        report.properties.push(Property {
            name: question.name.clone(),
            kind: question.kind,
            verdict: Verdict::Incomplete,
            message: "not checked: this version cannot do it yet (--safety leaves it out)"
                .to_owned(),
            findings: Vec::new(),
        });
        return Ok(());
    };
    let wanted = Wanted::new(context.args);
    let stutters = is_stutter_invariant(context, question, &automaton);
    let closed = stutters && is_stutter_closed(question, &automaton);
    if wanted.optimize && !stutters {
        let counts = match question.kind {
            PropertyKind::Ltl => "counts steps",
            _ => "may count steps",
        };
        let name = &question.name;
        report.notes.push(format!("`{name}` {counts}, so nothing is merged or put off for it."));
    }
    // A merged step passes over the moment in which a process cannot move for want of a partner,
    // and such a moment may be what makes an execution fair.
    let merge = context.args.fair == args::Fairness::None;
    let emptiness = emptiness(context.args, automaton.state_based);
    let symmetric = wanted.symmetry && emptiness == Emptiness::Nested;
    let prepared = symmetry::prepare(
        &Wanted { symmetry: symmetric, ..wanted },
        context.args,
        &context.loaded.model,
        &automaton.atoms,
        merge,
        stutters,
    );
    let searched = Arc::clone(&prepared.model);
    let machine = context.made.machine(context.args.machine, &searched)?;
    let copies = emptiness == Emptiness::Nested && context.args.fair != args::Fairness::None;
    if wanted.por && stutters && !closed {
        let name = &question.name;
        report.notes.push(format!(
            "`{name}`: nothing is put off, because its automaton may have to know what comes."
        ));
    }
    let reducible = closed && emptiness != Emptiness::Direct && wanted.por;
    if reducible && copies {
        let name = &question.name;
        report
            .notes
            .push(format!("`{name}`: nothing is put off in a nested search under fairness."));
    }
    let reducible = reducible && !copies;
    let facts = reducible.then(|| match context.args.fair {
        args::Fairness::None => Facts::of(&searched, &automaton.atoms),
        _ => Facts::fair(&searched, &automaton.atoms),
    });
    let facts = facts.filter(|f| f.obstacle.is_none()).map(Arc::new);
    let again = (context.args.shorten && emptiness == Emptiness::Nested).then(|| automaton.clone());
    let symmetry = prepared.symmetry.clone();
    let mut result = search(context, &machine, automaton, facts, symmetry.clone(), emptiness);
    statistics(report, &result);
    if let Some(automaton) = again.filter(|_| result.counterexample.is_some()) {
        // The cycle that a component-based search gives is put together from shortest ways.
        let kind = Emptiness::Components;
        let other = search(context, &machine, automaton, None, None, kind);
        report.statistics.search += other.time;
        let length = |r: &LivenessResult| r.counterexample.as_ref().map(|c| c.steps.len());
        if length(&other).is_some_and(|n| Some(n) < length(&result)) {
            result.counterexample = other.counterexample;
        }
    }
    if let (true, Some(found)) = (prepared.keeps_ended, &mut result.counterexample) {
        without_ended(&context.loaded.model, found);
    }
    if let Some(found) = &mut result.counterexample {
        let model = &context.loaded.model;
        found.cycle = found.cycle.map(|start| settle_cycle(model, &mut found.steps, start));
    }
    if let (Some((symmetry, strategy)), false) = (&symmetry, question.kind == PropertyKind::Time) {
        cost(context, &question.name, symmetry, *strategy, report);
    }
    if report.method.is_empty() {
        report.method = method(context, emptiness);
    }
    notes::add_limit(context, result.incomplete, result.time, report);
    let verdict = match result.verdict {
        Outcome::Holds => Verdict::Holds,
        Outcome::Violated => Verdict::Violated,
        Outcome::Incomplete => Verdict::Incomplete,
    };
    report.exhausted &= verdict == Verdict::Holds;
    let found = result
        .counterexample
        .iter()
        .map(|c| findings.add_cycle(c, question.kind, &question.name))
        .collect();
    let message = match verdict {
        Verdict::Incomplete => notes::limit(result.incomplete),
        _ => String::new(),
    };
    report.properties.push(Property {
        name: question.name.clone(),
        kind: question.kind,
        verdict,
        message,
        findings: found,
    });
    Ok(())
}

/// Says what the property with this name cost of the model's symmetry.
pub(super) fn cost(
    context: &Context,
    name: &str,
    symmetry: &Symmetry,
    strategy: Strategy,
    report: &mut CheckReport,
) {
    let whole = context.prepared.symmetry.as_ref().map_or(1.0, |s| s.0.group.order());
    let left = symmetry.group.order();
    if report.reductions.symmetry == "off" {
        strategy.name().clone_into(&mut report.reductions.symmetry);
    }
    if left < whole {
        report
            .notes
            .push(format!("`{name}` leaves {left:.0} of {whole:.0} permutations of names."));
    }
}

/// Takes ended processes away from an execution in which they stayed. Should that be necessary on
/// the cycle, it is so in the first round only.
fn without_ended(model: &Arc<Model>, found: &mut Counterexample) {
    let ends = found.cycle.is_none_or(|start| start == found.steps.len());
    let (steps, numbers) = take_away_ended(model, &found.steps, ends);
    let Some(start) = found.cycle else {
        found.steps = steps;
        return;
    };
    let given = found.steps.len();
    let before = numbers.get(start).copied().unwrap_or(steps.len());
    let in_cycle = steps.len() - before > given - start;
    let cycle = found.steps.split_off(start);
    found.steps = steps;
    found.cycle = Some(match (in_cycle, cycle.is_empty()) {
        (_, true) => found.steps.len(),
        (false, _) => before,
        (true, _) => {
            let start = found.steps.len();
            found.steps.extend(cycle);
            start
        }
    });
}

/// The automaton that accepts what violates the property; `None` where there is none.
pub(super) fn automaton(
    context: &Context,
    question: &Question,
) -> Result<Option<PropertyAutomaton>, Failure> {
    if question.automaton.is_some() {
        return Ok(question.automaton.clone());
    }
    let model = &context.loaded.model;
    Ok(match question.kind {
        PropertyKind::Ltl => {
            let formula = model.formulas.iter().find(|f| f.name == question.name);
            let generalized = emptiness(context.args, true) == Emptiness::Components;
            match formula.map(|f| PropertyAutomaton::violating(&f.temporal, generalized)) {
                Some(Ok(automaton)) => Some(automaton),
                Some(Err(error)) => {
                    return Err(Failure::new(format_args!("`{}`: {error}", question.name)))
                }
                None => None,
            }
        }
        PropertyKind::Never => {
            model.claims.iter().find(|c| c.name == question.name).and_then(PropertyAutomaton::never)
        }
        PropertyKind::Acceptance => match never_claim(model) {
            Some(claim) => PropertyAutomaton::never(claim).map(|claim| match has_accept(model) {
                true => claim.with_labels(),
                false => claim,
            }),
            None => Some(PropertyAutomaton::acceptance()),
        },
        // The direct search looks at labels itself.
        PropertyKind::Progress if context.args.emptiness == args::EmptinessChoice::Direct => {
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

fn never_claim(model: &Model) -> Option<&isospin_model::ProcType> {
    model.claims.iter().find(|c| c.kind == ProcKind::NeverClaim)
}

/// Whether some process has an `accept` label.
fn has_accept(model: &Model) -> bool {
    model.proctypes.iter().flat_map(|p| &p.automaton.locations).any(|l| l.accept)
}

/// Whether it is known that the property cannot tell apart executions that differ only in how long
/// they stay in equal states.
pub(super) fn is_stutter_invariant(
    context: &Context,
    question: &Question,
    automaton: &PropertyAutomaton,
) -> bool {
    let formula = context.loaded.model.formulas.iter().find(|f| f.name == question.name);
    match (question.kind, formula) {
        (PropertyKind::Ltl, Some(formula)) => to_logic(&formula.temporal)
            .is_ok_and(|(formula, _)| isospin_logic::is_stutter_invariant(&formula)),
        // Labels are seen where they are; what stands between them is not.
        (PropertyKind::Acceptance, _) if never_claim(&context.loaded.model).is_none() => true,
        (PropertyKind::Progress | PropertyKind::Time, _) => true,
        (PropertyKind::Never | PropertyKind::Acceptance, _) => automaton.is_stutter_closed(),
        _ => false,
    }
}

/// The same of the automaton, which reduction in a product with it needs as well; see
/// `search::liveness::proviso`. Those of labels and of time guess no more than that something has
/// happened for the last time, which they can do at any later moment, too.
fn is_stutter_closed(question: &Question, automaton: &PropertyAutomaton) -> bool {
    question.kind != PropertyKind::Ltl || automaton.is_stutter_closed()
}

/// Which search it will be, for an automaton whose acceptance can be read off its states or not.
fn emptiness(args: &args::CheckArgs, state_based: bool) -> Emptiness {
    let asked = match args.emptiness {
        args::EmptinessChoice::Auto => Emptiness::Auto,
        args::EmptinessChoice::Nested => Emptiness::Nested,
        args::EmptinessChoice::Components => Emptiness::Components,
        args::EmptinessChoice::Direct => Emptiness::Direct,
    };
    asked.resolve(state_based, fairness(args))
}

fn fairness(args: &args::CheckArgs) -> Fairness {
    match args.fair {
        args::Fairness::None => Fairness::None,
        args::Fairness::Weak => Fairness::Weak,
        args::Fairness::Strong => Fairness::Strong,
    }
}

/// Looks for an execution that the automaton accepts.
pub(super) fn search(
    context: &Context,
    machine: &Chosen,
    automaton: PropertyAutomaton,
    facts: Option<Arc<Facts>>,
    symmetry: Option<(Arc<Symmetry>, Strategy)>,
    kind: Emptiness,
) -> LivenessResult {
    let args = context.args;
    let options = Options {
        memory: context.memory,
        time: args.time,
        depth: args.depth,
        interrupt: Some(Arc::clone(&context.interrupt)),
        reduction: facts,
        shorten: args.shorten,
        symmetry,
        ample: Wanted::new(args).ample,
        ..Options::default()
    };
    let fairness = fairness(args);
    let mut line = ProgressLine::new(args.reading.quiet);
    let mut progress = |p: &Progress| line.show(p);
    let result = match machine {
        Chosen::Interpreter(model) => {
            let machine = Interpreter::new(Arc::clone(model));
            check_liveness(machine, automaton, fairness, kind, &options, &mut progress)
        }
        Chosen::Native(native) => {
            let machine = (**native).clone();
            check_liveness(machine, automaton, fairness, kind, &options, &mut progress)
        }
    };
    line.clear();
    result
}

/// Adds what a search did to the report.
pub(super) fn statistics(report: &mut CheckReport, result: &LivenessResult) {
    let s = &mut report.statistics;
    s.states += result.states;
    s.transitions += result.transitions;
    s.depth = s.depth.max(result.depth);
    s.errors += u64::from(result.verdict == Outcome::Violated);
    reductions::add(&mut report.reductions.reduced, &result.reduction);
    s.search += result.time;
    s.peak_bytes = s.peak_bytes.max(result.peak_bytes);
    s.store_bytes = s.store_bytes.max(result.store_bytes);
}

/// How the answers were found.
pub(super) fn method(context: &Context, emptiness: Emptiness) -> String {
    let search = match emptiness {
        Emptiness::Components => "component-based search",
        Emptiness::Direct => "direct search for non-progress cycles",
        Emptiness::Ends => "depth-first search for several invariants",
        _ => "nested depth-first search",
    };
    let fair = match context.args.fair {
        args::Fairness::None => "",
        args::Fairness::Weak => ", weak fairness",
        args::Fairness::Strong => ", strong fairness",
    };
    format!("{search}{fair}, {}", context.machine.name())
}
