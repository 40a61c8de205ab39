//! Formulas, claims and cycles: one search each.

use std::sync::Arc;
use std::time::Duration;

use isospin_analysis::facts::{Facts, Obstacle};
use isospin_search::liveness::{
    Counterexample, Emptiness, Fairness, LivenessResult, PropertyAutomaton,
};
use isospin_search::{Incomplete, Verdict};
use isospin_symmetry::{Strategy, Symmetry};

use crate::applicable::{applicable, Job, Reason, Reduction, SearchKind, Stuttering};
use crate::automaton::{search_kind, stuttering, to_blame, violating};
use crate::evidence::{of_lasso, property};
use crate::failure::Failure;
use crate::machines::Chosen;
use crate::options::{SymmetryChoice, Wanted};
use crate::plan::Question;
use crate::prepare::prepare_for;
use crate::report::{Method, Note, Open, PropertyKind};
use crate::run::{add_counts, unhindered, Run};

/// Answers one question and adds the answer to the report. The properties in `known` are known to
/// hold.
pub fn check(run: &mut Run, question: &Question, known: &[String]) -> Result<(), Failure> {
    let (name, kind) = (question.name.as_str(), question.kind);
    if known.contains(&question.name) {
        run.report.properties.push(property(name, kind, Vec::new(), None));
        return Ok(());
    }
    // Of thousands of questions none may begin when the time is up.
    isospin_limits::check_many(u32::MAX);
    let Some(automaton) = violating(run.model, question, run.options)? else {
        let open = Some(Open::NotChecked);
        run.report.properties.push(property(name, kind, Vec::new(), open));
        return Ok(());
    };
    let job = Job {
        search: search_kind(run.model, run.options, &automaton),
        fairness: run.options.fairness,
        stuttering: stuttering(run.model, question, &automaton),
    };
    let allowed = applicable(&job);
    explain(run, question, &job);
    // That fairness rules symmetry out has been said already.
    let symmetry = match run.options.wanted.symmetry {
        choice if allowed.allows(Reduction::Symmetry) => choice,
        _ => SymmetryChoice::Off,
    };
    let wanted = Wanted { symmetry, ..run.options.wanted.clone() };
    let prepared = prepare_for(&wanted, &allowed, run.model, &automaton.atoms, Some(&automaton));
    if let Some(note) = prepared.note.clone() {
        run.report.note(note);
    }
    let machine = run.machines.machine(run.options.machine, &prepared.model)?;
    let reduced = wanted.por.is_some() && allowed.allows(Reduction::PartialOrder);
    let facts = reduced.then(|| match job.fairness {
        Fairness::None => Facts::of(&prepared.model, &automaton.atoms),
        Fairness::Weak | Fairness::Strong => Facts::fair(&prepared.model, &automaton.atoms),
    });
    if let Some(obstacle @ Obstacle::Timeout) = facts.as_ref().and_then(|f| f.obstacle) {
        run.report.note(Note::Obstacle(obstacle));
    }
    let facts = facts.filter(|f| f.obstacle.is_none()).map(Arc::new);
    let emptiness = match job.search {
        SearchKind::Nested => Emptiness::Nested,
        SearchKind::Direct => Emptiness::Direct,
        _ => Emptiness::Components,
    };
    let shorter = run.options.shorten && emptiness == Emptiness::Nested;
    let again = shorter.then(|| automaton.clone());
    let stronger = (job.fairness == Fairness::Weak).then(|| automaton.clone());
    let options = run.search_options(facts, prepared.symmetry.clone());
    let mut result = run.search_liveness(&machine, automaton, emptiness, &options);
    statistics(run, &result);
    if let Some(automaton) = again.filter(|_| result.counterexample.is_some()) {
        // The cycle that a component-based search gives is put together from shortest ways.
        let options = run.search_options(None, None);
        let other = run.search_liveness(&machine, automaton, Emptiness::Components, &options);
        run.report.statistics.search += other.time;
        let length = |r: &LivenessResult| r.counterexample.as_ref().map(|c| c.steps.len());
        if length(&other).is_some_and(|n| Some(n) < length(&result)) {
            result.counterexample = other.counterexample;
        }
    }
    let cycles = result.counterexample.as_ref().is_some_and(goes_round);
    if let Some(automaton) = stronger.filter(|_| cycles) {
        let options = run.search_options(options.reduction, prepared.symmetry.clone());
        ask_strong(run, question, &machine, automaton, options, result.time);
    }
    let used = prepared.symmetry.as_ref().zip(result.symmetry);
    match used {
        Some(((symmetry, _), strategy)) if kind != PropertyKind::Time => {
            cost(run, question, symmetry, strategy);
        }
        None if prepared.symmetry.is_some() => run.report.note(Note::Asymmetric),
        _ => {}
    }
    let used = used.map(|((symmetry, _), strategy)| (symmetry.group.order(), strategy));
    set_method(run, job.search, &machine, used);
    run.note_limit(result.incomplete, result.time);
    run.failed |= result.failed;
    run.report.exhausted &= result.verdict == Verdict::Holds;
    let findings = (result.counterexample.iter())
        .map(|c| unhindered(|| of_lasso(run.model, question, c, job.fairness, &prepared)))
        .collect();
    let open = match result.verdict {
        Verdict::Holds if result.failed => Some(Open::RuntimeErrors),
        Verdict::Holds | Verdict::Violated => None,
        Verdict::Incomplete => Some(Open::Limit(result.incomplete.unwrap_or(Incomplete::Memory))),
    };
    run.report.properties.push(property(name, kind, findings, open));
    Ok(())
}

/// Whether a counterexample is a cycle with steps: what has come to its end is fair in every way.
fn goes_round(found: &Counterexample) -> bool {
    !found.unreadable && found.cycle.is_some_and(|start| start < found.steps.len())
}

/// The least time that a second search gets.
const SECOND_LOOK: Duration = Duration::from_secs(1);
/// How much longer than the first one it may take.
const PATIENCE: u32 = 4;

/// Finds out whether a property that is violated under weak fairness holds under strong fairness.
/// That is not what was asked, so it does not take much longer than the answer did.
fn ask_strong(
    run: &mut Run,
    question: &Question,
    machine: &Chosen,
    automaton: PropertyAutomaton,
    mut options: isospin_search::Options,
    first: Duration,
) {
    let most = SECOND_LOOK.max(first * PATIENCE);
    options.time = Some(options.time.map_or(most, |left| left.min(most)));
    let (fairness, components) = (Fairness::Strong, Emptiness::Components);
    let found = run.search_fair(machine, automaton, fairness, components, &options);
    run.report.statistics.search += found.time;
    if found.verdict == Verdict::Holds && !found.failed {
        run.report.note(Note::HoldsIfStrong { property: question.name.clone() });
    }
}

/// Says which reductions that were wanted do not apply.
fn explain(run: &mut Run, question: &Question, job: &Job) {
    let allowed = applicable(job);
    let wanted = &run.options.wanted;
    let optimized = wanted.optimize != isospin_analysis::Optimizations::NONE;
    let reason = match allowed.why_not(Reduction::PartialOrder) {
        Some(Reason::CountsSteps) if optimized => Some(Reason::CountsSteps),
        Some(reason @ (Reason::LooksAhead | Reason::Copies)) if wanted.por.is_some() => {
            Some(reason)
        }
        _ => None,
    };
    if let Some(reason) = reason {
        let (property, kind) = (question.name.clone(), question.kind);
        run.report.note(Note::NotApplicable { property, kind, reason });
    }
}

/// Says what a property cost of the model's symmetry.
pub fn cost(run: &mut Run, question: &Question, symmetry: &Symmetry, strategy: Strategy) {
    let whole = run.whole.permutations();
    let left = symmetry.group.order();
    run.report.applied.symmetry.get_or_insert(strategy);
    if left < whole {
        let atom = to_blame(run.model, question, run.options, whole);
        let property = question.name.clone();
        run.report.note(Note::SymmetryCost { property, left, whole, atom });
    }
}

/// Adds what a search did to the report.
pub fn statistics(run: &mut Run, result: &LivenessResult) {
    let s = &mut run.report.statistics;
    s.states += result.states;
    s.transitions += result.transitions;
    s.depth = s.depth.max(result.depth);
    s.errors += u64::from(result.verdict == Verdict::Violated);
    s.search += result.time;
    s.peak_bytes = s.peak_bytes.max(result.peak_bytes);
    s.store_bytes = s.store_bytes.max(result.store_bytes);
    add_counts(&mut run.report.applied.counts, &result.reduction);
}

/// How the answers were found, if nothing has said it before.
pub fn set_method(
    run: &mut Run,
    search: SearchKind,
    machine: &Chosen,
    symmetry: Option<(f64, Strategy)>,
) {
    let (order, fairness) = (run.options.order, run.options.fairness);
    let machine = machine.kind();
    run.report.method.get_or_insert(Method {
        search,
        order,
        threads: 1,
        fairness,
        machine,
        reduction: None,
        symmetry,
    });
}

/// The job of a search for several invariants.
pub const INVARIANTS: Job = Job {
    search: SearchKind::Invariants,
    fairness: Fairness::None,
    stuttering: Stuttering::Unnoticed,
};
