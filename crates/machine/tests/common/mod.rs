//! Exploring a model with both machines and comparing everything that they say.
#![allow(dead_code)] // Not every test looks at everything.

use std::collections::{BTreeSet, HashSet, VecDeque};
use std::sync::Arc;

use isospin_machine::{Fault, Interpreter, Machine, NativeMachine, Step, Successors, Truth};
use isospin_model::{Expr, Model, Pid};

/// How far to look.
#[derive(Clone, Copy)]
pub struct Bounds {
    /// How many states are expanded.
    pub states: usize,
    /// States with more processes than this are not expanded.
    pub processes: usize,
}

/// What was looked at.
#[derive(Clone, Debug, Default)]
pub struct Looked {
    /// How many states were expanded.
    pub states: usize,
    /// How many successors were compared.
    pub successors: usize,
    /// How many of them were rendez-vous.
    pub rendezvous: usize,
    /// The sorts of faults among them.
    pub faults: BTreeSet<String>,
    /// How many locations there are.
    pub locations: usize,
    /// How many of them the interpreter steps for the native machine.
    pub interpreted: usize,
}

type Answer = (Step, Option<Fault>, Option<Pid>, Vec<u8>);

fn answers(out: &Successors) -> Vec<Answer> {
    out.list().iter().map(|s| (s.step, s.fault, s.control, out.state(s).to_vec())).collect()
}

/// Explores `model` breadth-first. In every state, both machines must give the same successors in
/// the same order, byte for byte, for each process alone and for all together, with and without
/// timeout.
pub fn compare(model: Arc<Model>, bounds: Bounds) -> Result<Looked, String> {
    let mut interpreter = Interpreter::new(Arc::clone(&model));
    let mut native = NativeMachine::new(model).map_err(|e| e.to_string())?;
    let (locations, interpreted) = native.coverage();
    let mut looked = Looked { locations, interpreted, ..Looked::default() };
    let mut initial = Vec::new();
    if interpreter.initial(&mut initial).is_err() {
        return Ok(looked);
    }
    let mut seen = HashSet::from([initial.clone()]);
    let mut queue = VecDeque::from([initial]);
    let (mut expected, mut found) = (Successors::default(), Successors::default());
    while let Some(state) = queue.pop_front() {
        if looked.states >= bounds.states {
            break;
        }
        let processes = interpreter.process_count(&state);
        if processes > bounds.processes {
            continue;
        }
        looked.states += 1;
        expected.clear();
        found.clear();
        interpreter.tick(&state, &mut expected);
        native.tick(&state, &mut found);
        check(&state, usize::MAX, false, &expected, &found)?;
        for successor in expected.list() {
            let next = expected.state(successor);
            if seen.insert(next.to_vec()) {
                queue.push_back(next.to_vec());
            }
        }
        for timeout in [false, true] {
            expected.clear();
            found.clear();
            for pid in (0..processes).rev() {
                interpreter.steps(&state, Pid::at(pid), timeout, &mut expected);
                native.steps(&state, Pid::at(pid), timeout, &mut found);
                check(&state, pid, timeout, &expected, &found)?;
            }
            found.clear();
            native.all_steps(&state, timeout, &mut found);
            check(&state, usize::MAX, timeout, &expected, &found)?;
            looked.successors += expected.len();
            for successor in expected.list() {
                looked.rendezvous += usize::from(successor.step.partner().is_some());
                looked.faults.extend(successor.fault.map(sort));
                let next = expected.state(successor);
                if !matches!(successor.fault, Some(Fault::Runtime(_))) && !seen.contains(next) {
                    seen.insert(next.to_vec());
                    queue.push_back(next.to_vec());
                }
            }
        }
    }
    Ok(looked)
}

/// What was asked about atoms.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asked {
    /// How many atoms there are.
    pub atoms: usize,
    /// How many of them the interpreter evaluates for the native machine.
    pub interpreted: usize,
    /// How often one held.
    pub held: usize,
    /// How often one could not be evaluated.
    pub failed: usize,
}

/// Explores `model` breadth-first. In every state, both machines must say the same about atoms, and
/// step as if nobody had asked.
pub fn compare_atoms(model: Arc<Model>, atoms: &[Expr], bounds: Bounds) -> Result<Asked, String> {
    let mut interpreter = Interpreter::new(Arc::clone(&model));
    let mut native = NativeMachine::new(model).map_err(|e| e.to_string())?;
    interpreter.watch(atoms);
    native.watch(atoms);
    let interpreted = native.interpreted_atoms();
    let mut asked = Asked { atoms: atoms.len(), interpreted, ..Asked::default() };
    let mut initial = Vec::new();
    if interpreter.initial(&mut initial).is_err() {
        return Ok(asked);
    }
    let mut queue = vec![initial];
    let (mut expected, mut found) = (Successors::default(), Successors::default());
    let mut at = 0;
    while at < queue.len().min(bounds.states) {
        let state = queue[at].clone();
        at += 1;
        if interpreter.process_count(&state) > bounds.processes {
            continue;
        }
        let timeout = interpreter.is_quiet(&state, &mut expected);
        let values = interpreter.watched(&state, timeout).to_vec();
        if native.watched(&state, timeout) != values {
            let found = native.watched(&state, timeout);
            return Err(format!("state {state:?}: {found:?} and should be {values:?}: {atoms:#?}"));
        }
        asked.held += values.iter().filter(|&&value| value == Truth::True).count();
        asked.failed += values.iter().filter(|&&value| value == Truth::Error).count();
        expected.clear();
        found.clear();
        interpreter.all_steps(&state, false, &mut expected);
        native.all_steps(&state, false, &mut found);
        check(&state, usize::MAX, false, &expected, &found)?;
        for successor in expected.list() {
            let next = expected.state(successor);
            let real = !matches!(successor.fault, Some(Fault::Runtime(_)));
            if real && !queue.iter().any(|s| s == next) {
                queue.push(next.to_vec());
            }
        }
    }
    Ok(asked)
}

/// The name of a fault, without its details.
fn sort(fault: Fault) -> String {
    let name = match fault {
        Fault::Assertion => "Assertion".to_owned(),
        Fault::Runtime(error) => format!("{error:?}"),
    };
    name.chars().take_while(|c| c.is_alphabetic()).collect()
}

fn check(
    state: &[u8],
    pid: usize,
    timeout: bool,
    expected: &Successors,
    found: &Successors,
) -> Result<(), String> {
    let (expected, found) = (answers(expected), answers(found));
    if expected == found {
        return Ok(());
    }
    let at = expected.iter().zip(&found).position(|(e, f)| e != f);
    let at = at.unwrap_or(expected.len().min(found.len()));
    Err(format!(
        "process {pid}, timeout {timeout}, state {state:?}: {} successors expected, {} found; \
         number {at} is\n{:?}\nand should be\n{:?}",
        expected.len(),
        found.len(),
        found.get(at),
        expected.get(at),
    ))
}
