//! Whether Isospin's own searches say the same as the brute-force explorer, on either machine and
//! in either order, and whether the executions that they hand back can be executed.

use std::sync::Arc;

use isospin_machine::{Interpreter, Machine, NativeMachine};
use isospin_model::Model;
use isospin_search::{check_safety, replay, Options, Order, SearchResult};

use crate::isospin::Graph;

/// Searches `model` in every way that must not make a difference, and replays every violation. The
/// error says what differs from `graph`.
pub fn check_searches(model: &Arc<Model>, graph: &Graph) -> Result<(), String> {
    let interpreter = || Interpreter::new(Arc::clone(model));
    for order in [Order::DepthFirst, Order::BreadthFirst] {
        let result = search(interpreter, order);
        confirm(model, graph, &result).map_err(|why| format!("interpreter, {order:?}: {why}"))?;
    }
    let native = || NativeMachine::new(Arc::clone(model)).expect("it was compiled before");
    if NativeMachine::new(Arc::clone(model)).is_ok() {
        let result = search(native, Order::DepthFirst);
        confirm(model, graph, &result).map_err(|why| format!("native: {why}"))?;
    }
    Ok(())
}

fn search<M: Machine>(machines: impl Fn() -> M + Sync, order: Order) -> SearchResult {
    let options = Options { order, errors: 0, ..Options::default() };
    check_safety(machines, &options, &mut |_| {})
}

fn confirm(model: &Arc<Model>, graph: &Graph, result: &SearchResult) -> Result<(), String> {
    let found = (result.states, result.transitions, result.errors);
    let expected = (graph.states, graph.transitions, graph.errors);
    // A search may stop where it cannot even start; there is no graph then.
    if found != expected && graph.states > 0 {
        return Err(format!(
            "(states, transitions, errors) are {found:?} and should be {expected:?}"
        ));
    }
    if (result.errors > 0) != (graph.errors > 0)
        || (result.errors > 0 && result.violations.is_empty())
    {
        return Err(format!("{} errors, {} violations", result.errors, result.violations.len()));
    }
    for violation in &result.violations {
        replay(model, violation).map_err(|why| format!("{:?}: {why}", violation.kind))?;
    }
    Ok(())
}
