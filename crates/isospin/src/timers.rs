//! Timers without their times: the model under `--abstract-timers`.

use std::sync::Arc;

use isospin_analysis::time::abstract_timers;
use isospin_model::{Expr, Model, SourceRef};

use crate::failure::Failure;

/// Forgets how long timers are set for. Refuses where the model, or one of its properties, asks how
/// much time is left.
pub fn forget(model: &mut Arc<Model>) -> Result<(), Failure> {
    if model.time.as_ref().is_none_or(|t| t.open) {
        return Err(Failure::new("--abstract-timers is given, and the model has no timers"));
    }
    let observers = observers(model);
    let model = Arc::make_mut(model);
    abstract_timers(model, &observers).map_err(|at| {
        let place =
            if at == SourceRef::default() { "a property".to_owned() } else { model.place(at) };
        Failure::new(format_args!(
            "{place}: this asks how much time a timer has left, which --abstract-timers forgets; \
             only whether it is off, has expired or runs can be asked"
        ))
    })
}

/// The expressions that formulas and claims look at.
fn observers(model: &Model) -> Vec<Expr> {
    let mut found = Vec::new();
    for formula in &model.formulas {
        formula.temporal.for_each_atom(&mut |e| found.push(e.clone()));
    }
    for edge in model.claims.iter().flat_map(|c| &c.automaton.edges) {
        if let isospin_model::Action::Condition(e) | isospin_model::Action::Assert(e) = &edge.action
        {
            found.push(e.clone());
        }
    }
    found
}
