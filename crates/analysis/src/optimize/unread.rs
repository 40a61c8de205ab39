//! Nothing is stored in global variables that nobody reads: their values would tell states apart
//! that behave the same.

use super::for_each_expr;
use isospin_model::{Action, BinaryOp, Expr, Kind, Model, Place, ReceiveArg, Region};

/// Drops what is stored in unread globals. The values are still computed, for what may go wrong.
pub(super) fn drop_unread(model: &mut Model, observers: &[Expr]) {
    let mut read = vec![false; model.layout.frames as usize];
    for_each_expr(model, observers, &mut |expr| {
        if let Expr::Load(place) = expr {
            mark(place, &mut read);
        }
    });
    // As long as a timer runs time goes on, whether or not anybody asks for it.
    let unread = |place: &Place| {
        place.region == Region::Global
            && place.ty.kind != Kind::Timer
            && (0..place.ty.width()).all(|k| {
                let (from, to) = span(place);
                (from..=to).all(|at| !read[at + k as usize])
            })
    };
    for proctype in &mut model.proctypes {
        for edge in &mut proctype.automaton.edges {
            drop_stores(&mut edge.action, &unread);
        }
    }
}

fn span(place: &Place) -> (usize, usize) {
    let reach: u32 = place.indices.iter().map(|i| (i.len - 1) * i.stride).sum();
    (place.offset as usize, (place.offset + reach) as usize)
}

fn mark(place: &Place, read: &mut [bool]) {
    if place.region == Region::Global {
        let (from, to) = span(place);
        read[from..to + place.ty.width() as usize].fill(true);
    }
}

fn drop_stores(action: &mut Action, unread: &impl Fn(&Place) -> bool) {
    match action {
        Action::Assign(target, value) if target.as_ref().is_some_and(unread) => {
            // An index may still be out of range: look there instead of storing there.
            if let Some(place) = target.take().filter(|p| !p.indices.is_empty()) {
                let stored = std::mem::replace(value, Expr::Const(0));
                *value = Expr::binary(BinaryOp::BitAnd, Expr::Load(place), stored);
            }
        }
        Action::Receive { pattern, .. } => {
            for arg in pattern {
                if matches!(arg, ReceiveArg::Store(place)
                    if unread(place) && place.indices.is_empty())
                {
                    *arg = ReceiveArg::Ignore;
                }
            }
        }
        Action::DetStep(step) => {
            for edge in step.nodes.iter_mut().flat_map(|n| &mut n.edges) {
                drop_stores(&mut edge.action, unread);
            }
        }
        _ => {}
    }
}
