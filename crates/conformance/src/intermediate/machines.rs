//! Whether both machines take the same steps, in every state of a model.

use std::collections::HashSet;
use std::sync::Arc;

use isospin_machine::{Fault, Interpreter, Machine, NativeMachine, Successors};
use isospin_model::Model;

/// Compares the machines on up to so many states; says how many there were, or what differs.
pub fn compare_machines(model: &Arc<Model>, limit: usize) -> Result<usize, String> {
    let mut interpreter = Interpreter::new(Arc::clone(model));
    let native = NativeMachine::new(Arc::clone(model));
    let mut native = native.map_err(|error| format!("no machine code: {error}"))?;
    let mut state = Vec::new();
    interpreter.initial(&mut state).map_err(|error| error.to_string())?;
    let (mut seen, mut todo) = (HashSet::new(), vec![state]);
    while let Some(state) = todo.pop() {
        if seen.len() >= limit || !seen.insert(state.clone()) {
            continue;
        }
        let (mut a, mut b) = (Successors::default(), Successors::default());
        interpreter.all_steps(&state, false, &mut a);
        native.all_steps(&state, false, &mut b);
        interpreter.tick(&state, &mut a);
        native.tick(&state, &mut b);
        let told = |out: &Successors| -> Vec<String> {
            let list = out.list().iter();
            let told = list.map(|s| match s.fault {
                Some(Fault::Runtime(_)) => format!("{:?} {:?}", s.step, s.fault),
                _ => format!("{:?} {:?} {:?} {:?}", s.step, s.fault, s.control, out.state(s)),
            });
            told.collect()
        };
        let (x, y) = (told(&a), told(&b));
        if x != y {
            return Err(format!("in {state:?} the interpreter takes {x:#?}, machine code {y:#?}"));
        }
        let going_on = a.list().iter().filter(|s| s.fault.is_none());
        todo.extend(going_on.map(|s| a.state(s).to_vec()));
    }
    Ok(seen.len())
}
