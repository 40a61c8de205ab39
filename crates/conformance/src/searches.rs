//! Whether Isospin's own searches say the same as the brute-force explorer, on either machine and
//! in either order, and whether the executions that they hand back can be executed.

use std::sync::Arc;

use isospin_check::{MachineKind, Options, Order, Report};
use isospin_machine::NativeMachine;
use isospin_model::Model;

use crate::checks::{everything, run, safety, wrongs};
use crate::isospin::Graph;

/// Searches `model` in every way that must not make a difference, and has every violation
/// confirmed. The error says what differs from `graph`.
pub fn check_searches(model: &Arc<Model>, graph: &Graph) -> Result<(), String> {
    let mut ways = vec![
        (MachineKind::Interpreter, Order::DepthFirst),
        (MachineKind::Interpreter, Order::BreadthFirst),
    ];
    if NativeMachine::new(Arc::clone(model)).is_ok() {
        ways.push((MachineKind::Native, Order::DepthFirst));
    }
    for (machine, order) in ways {
        let machine = Some(machine);
        let options = Options { machine, order, memory: None, time: None, ..everything(0, 0) };
        let report = run(model, &safety(), &options);
        report
            .and_then(|report| compare(graph, &report))
            .map_err(|why| format!("{machine:?}, {order:?}: {why}"))?;
    }
    Ok(())
}

fn compare(graph: &Graph, report: &Report) -> Result<(), String> {
    let s = &report.statistics;
    let found = (s.states, s.transitions, s.errors);
    let expected = (graph.states, graph.transitions, graph.errors);
    // A search may stop where it cannot even start; there is no graph then.
    if found != expected && graph.states > 0 {
        return Err(format!(
            "(states, transitions, errors) are {found:?} and should be {expected:?}"
        ));
    }
    if (s.errors > 0) != (graph.errors > 0) {
        return Err(format!("{} errors, and there are {}", s.errors, graph.errors));
    }
    wrongs(report).map(drop)
}
