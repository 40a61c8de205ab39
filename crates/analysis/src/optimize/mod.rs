//! Optimisations that keep every property: fewer states, the same executions.
//!
//! Edges keep their numbers, so the steps of an execution of the optimised model are those of an
//! execution of the model as written.
//!
//! | file | what it does |
//! | --- | --- |
//! | `merge.rs` | steps that concern only their process follow the step before them at once |
//! | `dead.rs` | local variables whose value is not needed any more are reset to 0 |
//! | `unread.rs` | nothing is stored in variables that nobody reads |
//! | `ended.rs` | processes that have ended stay where they are |
//!
//! Jumps in time are described in [`time`].

mod dead;
mod ended;
mod merge;
mod unread;

pub use ended::keep_ended;

use crate::time;
use isospin_model::{Expr, Model};

/// Which optimisations apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Optimizations {
    /// Steps that concern only their process follow the step before them at once. Not for
    /// properties that count steps, and not under fairness: it passes over moments in which
    /// somebody cannot move for want of a partner.
    pub merge: bool,
    /// Local variables whose value is not needed any more are reset.
    pub dead: bool,
    /// Nothing is stored in global variables that nobody reads.
    pub unread: bool,
    /// Ticks in which nothing can happen and that nobody looks at are taken in one step. Not for
    /// properties that count steps.
    pub jumps: bool,
}

impl Optimizations {
    /// All of them.
    pub const ALL: Optimizations =
        Optimizations { merge: true, dead: true, unread: true, jumps: true };
    /// None of them.
    pub const NONE: Optimizations =
        Optimizations { merge: false, dead: false, unread: false, jumps: false };
}

/// Applies optimisations to a model. `observers` are the expressions that properties look at, those
/// of a never claim included: what they see is kept as it is.
pub fn optimize(model: &mut Model, observers: &[Expr], which: Optimizations) {
    if which.unread {
        unread::drop_unread(model, observers);
    }
    if which.dead {
        dead::reset_dead(model, observers);
    }
    if which.merge {
        merge::merge_steps(model, observers);
    }
    if which.jumps {
        time::allow_jumps(model, observers);
    }
}

/// Calls `visit` for every expression of the model's processes and of its observers.
fn for_each_expr<'m>(model: &'m Model, observers: &'m [Expr], visit: &mut dyn FnMut(&'m Expr)) {
    for proctype in &model.proctypes {
        for edge in &proctype.automaton.edges {
            edge.action.walk(visit);
        }
        for expr in proctype.provided.iter().chain(proctype.initializers.iter().map(|i| &i.value)) {
            expr.walk(visit);
        }
    }
    for init in &model.initializers {
        init.value.walk(visit);
    }
    for condition in model.time.iter().flat_map(|t| &t.conditions) {
        condition.holds.walk(visit);
    }
    for promise in &model.exclusives {
        promise.channel.walk(visit);
    }
    for expr in observers {
        expr.walk(visit);
    }
}
