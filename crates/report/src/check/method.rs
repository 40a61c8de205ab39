//! How the answers were found, in a line.

use isospin_check::applicable::SearchKind;
use isospin_check::report::Method;
use isospin_check::{Fairness, MachineKind, Order, ReductionCounts, Strategy};

use super::Outcome;

/// The line.
pub fn line(outcome: &Outcome) -> String {
    let Some(method) = &outcome.report.method else { return String::new() };
    if method.search == SearchKind::Safety {
        return safety(outcome, method);
    }
    if method.search == SearchKind::Sets {
        return sets(outcome, method);
    }
    let search = match method.search {
        SearchKind::Components => "component-based search",
        SearchKind::Direct => "direct search for non-progress cycles",
        SearchKind::Invariants => "depth-first search for several invariants",
        SearchKind::Nested | SearchKind::Safety | SearchKind::Sets => "nested depth-first search",
    };
    let fair = match method.fairness {
        Fairness::None => "",
        Fairness::Weak => ", weak fairness",
        Fairness::Strong => ", strong fairness",
    };
    let counts = &outcome.report.applied.counts;
    let reduced = if *counts == ReductionCounts::default() {
        String::new()
    } else {
        format!(", partial-order reduction ({})", shares(counts))
    };
    let symmetry = match &method.symmetry {
        Some(used) => format!(", {}", symmetry(used)),
        None => String::new(),
    };
    format!("{search}{fair}, {}{reduced}{symmetry}", machine(method.machine))
}

/// A search in sets of states. Reductions that would apply state by state are told to be off.
fn sets(outcome: &Outcome, method: &Method) -> String {
    let order = match method.order {
        Order::DepthFirst => "saturation",
        Order::BreadthFirst => "breadth-first",
    };
    let optimize = if outcome.report.applied.optimize {
        "merged steps, dead and unread variables; "
    } else {
        ""
    };
    format!(
        "sets of states (list decision diagrams, {order}), {}, {optimize}no partial-order \
         reduction, no symmetry",
        machine(method.machine)
    )
}

fn safety(outcome: &Outcome, method: &Method) -> String {
    let order = match method.order {
        Order::DepthFirst => "depth-first",
        Order::BreadthFirst => "breadth-first",
    };
    let threads = match method.threads {
        0 | 1 => String::new(),
        n => format!(", {n} threads"),
    };
    let applied = &outcome.report.applied;
    let mut kept: Vec<String> = Vec::new();
    if let Some(counts) = &method.reduction {
        kept.push(format!("partial-order reduction ({})", shares(counts)));
    }
    kept.extend(method.symmetry.as_ref().map(symmetry));
    if applied.optimize {
        kept.push("merged steps, dead and unread variables".to_owned());
    }
    if applied.jumps == Some(true) {
        kept.push("jumps in time".to_owned());
    }
    if outcome.with_times.is_some() {
        kept.push("abstract timers".to_owned());
    }
    let kept = if kept.is_empty() { "exact: no reductions".to_owned() } else { kept.join("; ") };
    format!("{order} search{threads}, {}, {kept}", machine(method.machine))
}

/// How many permutations there were, and how representatives were found.
fn symmetry((order, strategy): &(f64, Strategy)) -> String {
    let order = if *order < 1e9 { format!("{order:.0}") } else { format!("{order:.1e}") };
    format!("symmetry ({order} permutations, {})", strategy.name())
}

fn machine(kind: MachineKind) -> &'static str {
    match kind {
        MachineKind::Interpreter => "interpreter",
        MachineKind::Native => "native code",
    }
}

/// In which share of the states steps were put off, and in which not, for which reason.
fn shares(counts: &ReductionCounts) -> String {
    let reasons = [
        (counts.trivial, "one process alone"),
        (counts.no_closed_set, "all disturb each other"),
        (counts.visible, "seen by a property"),
        (counts.revoked, "on a cycle"),
        (counts.unsought, "not looked for"),
    ];
    let all = counts.reduced + reasons.iter().map(|(n, _)| n).sum::<u64>();
    let share = |n: u64| (n * 100).checked_div(all).unwrap_or(0);
    let mut text = format!("{}% of states reduced", share(counts.reduced));
    let reasons: Vec<String> = reasons
        .iter()
        .filter(|(n, _)| *n > 0)
        .map(|(n, why)| format!("{why} {}%", share(*n)))
        .collect();
    if !reasons.is_empty() {
        text += &format!("; the rest: {}", reasons.join(", "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_of_all_states_and_reasons_that_did_not_occur_are_left_out() {
        let counts = ReductionCounts { reduced: 1, trivial: 2, revoked: 1, ..Default::default() };
        let expected = "25% of states reduced; the rest: one process alone 50%, on a cycle 25%";
        assert_eq!(shares(&counts), expected);
        assert_eq!(shares(&ReductionCounts::default()), "0% of states reduced");
    }
}
