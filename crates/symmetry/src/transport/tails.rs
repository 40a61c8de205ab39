//! What follows an arc before anybody else can move: the rest of an atomic sequence.
//!
//! Alternatives that are written out for each name, `atomic { a[0] == 1 -> a[0] = 2 }` and so on,
//! lead through locations of their own. No state is ever stored in which a process stands at one of
//! them, because it goes on at once; so nothing has to be said about those states, and it is enough
//! that alternatives go over into alternatives as a whole.

use isospin_model::{Action, Model, ProcTypeId};

use crate::flow::{Flow, FlowArc};
use crate::loops::Loop;
use crate::sorts::is_starting;
use crate::startup::Startup;

/// The points of a process type at which nobody ever stands: every arc that leads there keeps
/// control, and the only one that leads on can always be taken.
pub fn passed_through(
    model: &Model,
    startup: &Startup,
    flow: &Flow,
    ty: ProcTypeId,
    loops: &[Loop],
) -> Vec<bool> {
    let mut passed = vec![false; flow.points];
    let initial = model.proctype(ty).automaton.initial.index();
    for point in (0..flow.locations).filter(|&p| p != initial) {
        let mut out = flow.arcs.iter().filter(|a| a.from == point);
        let (Some(only), None) = (out.next(), out.next()) else { continue };
        let goes = matches!(
            only.action,
            Action::Assign(..) | Action::Skip | Action::Print { .. } | Action::PrintSymbol(_)
        );
        let edge = &flow.proctype.automaton.edges[only.edge.index()];
        let plain = goes && edge.escape == 0 && only.to < flow.locations;
        let mut into = flow.arcs.iter().filter(|a| a.to == point).peekable();
        let starting = &startup.starting[ty.index()];
        let kept = into.peek().is_some()
            && into.all(|a| {
                a.keeps_control && a.from < flow.locations && !is_starting(flow, starting, a.edge)
            });
        let in_loop = loops.iter().any(|l| l.points.contains(&point) || l.is_control(flow, only));
        passed[point] = plain && kept && !in_loop && !is_starting(flow, starting, only.edge);
    }
    passed
}

/// The arcs that follow one through points at which nobody stands; `None` if they go round in
/// circles.
pub fn tail<'f, 'm>(
    flow: &'f Flow<'m>,
    passed: &[bool],
    arc: &FlowArc<'m>,
) -> Option<Vec<&'f FlowArc<'m>>> {
    let mut tail = Vec::new();
    let mut at = arc.to;
    while passed.get(at) == Some(&true) {
        let next = flow.arcs.iter().find(|a| a.from == at)?;
        tail.push(next);
        if tail.len() > flow.points {
            return None;
        }
        at = next.to;
    }
    Some(tail)
}

/// Whether two arcs are alike apart from what they do, and lead to the same place in the end.
pub fn same_way(flow: &Flow, a: &[&FlowArc], b: &[&FlowArc]) -> bool {
    let edges = &flow.proctype.automaton.edges;
    let alike = a.len() == b.len()
        && a.iter().zip(b).all(|(a, b)| {
            let (x, y) = (&edges[a.edge.index()], &edges[b.edge.index()]);
            x.atomic == y.atomic && x.escape == y.escape && x.resets == y.resets
        });
    let end = |arcs: &[&FlowArc]| arcs.last().map(|a| edges[a.edge.index()].target);
    alike && end(a) == end(b)
}
