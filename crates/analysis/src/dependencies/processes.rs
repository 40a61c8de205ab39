//! Who is there, and who belongs together.

use crate::facts::Shared;
use isospin_model::{Automaton, Expr, LocationId, Model, ProcTypeId};

use super::{Cluster, Instances, Object};

/// A `run` that may happen: who starts whom, and whether more than once.
struct Start {
    by: usize,
    started: usize,
    again: bool,
}

/// For each process type, how many processes of it there may be.
pub(super) fn instances(model: &Model) -> Vec<Instances> {
    let mut initial = vec![0usize; model.proctypes.len()];
    for activation in &model.initial {
        initial[activation.proctype.index()] += 1;
    }
    let starts = starts(model);
    // One, or "several" for everything beyond; it can only grow, so this comes to an end.
    let mut counts: Vec<usize> = initial.iter().map(|&n| n.min(2)).collect();
    loop {
        let mut next: Vec<usize> = initial.clone();
        for start in &starts {
            next[start.started] += match (counts[start.by], start.again) {
                (0, _) => 0,
                (_, true) => 2,
                (n, false) => n,
            };
        }
        next.iter_mut().for_each(|n| *n = (*n).min(2));
        if next == counts {
            break;
        }
        counts = next;
    }
    let instances = counts.iter().zip(initial).map(|(count, initial)| match count {
        0 => Instances::None,
        1 => Instances::One,
        _ => Instances::Several(initial),
    });
    instances.collect()
}

fn starts(model: &Model) -> Vec<Start> {
    let mut starts = Vec::new();
    for (by, p) in model.proctypes.iter().enumerate() {
        for edge in &p.automaton.edges {
            edge.action.walk(&mut |e| {
                if let Expr::Run { proctype, .. } = e {
                    let again = on_cycle(&p.automaton, edge.from);
                    starts.push(Start { by, started: proctype.index(), again });
                }
            });
        }
    }
    starts
}

/// Whether a process can come back to this location.
fn on_cycle(automaton: &Automaton, home: LocationId) -> bool {
    let mut seen = vec![false; automaton.locations.len()];
    let mut todo = vec![home];
    while let Some(location) = todo.pop() {
        for edge in automaton.edges_of(location) {
            if edge.target == home {
                return true;
            }
            if !std::mem::replace(&mut seen[edge.target.index()], true) {
                todo.push(edge.target);
            }
        }
    }
    false
}

/// The groups of process types that are connected through objects which one of them writes. The
/// ends of a channel count as one object here: who sends and who receives belong together.
pub(super) fn clusters(instances: &[Instances], objects: &[Object]) -> Vec<Cluster> {
    let mut group: Vec<usize> = (0..instances.len()).collect();
    let mut shared = Vec::new();
    for (k, object) in objects.iter().enumerate() {
        let related = objects.iter().filter(|o| same(o.id, object.id));
        let uses: Vec<_> = related
            .flat_map(|o| &o.uses)
            .filter(|u| instances[u.proctype.index()] != Instances::None)
            .collect();
        let mut users: Vec<usize> = uses.iter().map(|u| u.proctype.index()).collect();
        users.sort_unstable();
        users.dedup();
        let several =
            users.len() > 1 || users.iter().any(|&u| matches!(instances[u], Instances::Several(_)));
        if !several || !uses.iter().any(|u| u.writes) {
            continue;
        }
        shared.push((k, users[0]));
        for pair in users.windows(2) {
            let (a, b) = (group[pair[0]], group[pair[1]]);
            group.iter_mut().filter(|g| **g == a.max(b)).for_each(|g| *g = a.min(b));
        }
    }
    let mut clusters = Vec::new();
    for root in 0..instances.len() {
        let members = (0..instances.len())
            .filter(|&ty| group[ty] == root && instances[ty] != Instances::None);
        let proctypes: Vec<ProcTypeId> = members.map(|ty| ProcTypeId(ty as u16)).collect();
        let objects = shared.iter().filter(|(_, user)| group[*user] == root).map(|(k, _)| *k);
        if !proctypes.is_empty() {
            clusters.push(Cluster { proctypes, objects: objects.collect() });
        }
    }
    clusters
}

fn same(a: Shared, b: Shared) -> bool {
    match (a, b) {
        (Shared::Value(a), Shared::Value(b)) => a == b,
        (Shared::Channel(a, _), Shared::Channel(b, _)) => a == b,
        _ => false,
    }
}
