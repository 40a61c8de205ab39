//! All states of small models: both machines agree on them, and they are as expected.

mod common;
#[path = "../../model/tests/support/files.rs"]
mod files;

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use common::{compare, Bounds};
use isospin_machine::{Fault, Interpreter, Machine, Passing, Step, Successors};
use isospin_model::{Model, Pid, Shape, Slot};

/// Models with more states than this are not small.
const STATES: usize = 40;

/// Every state with what can happen in it. Steps that wait for `timeout` are asked for where nothing
/// else can happen, and time passes where no process can move.
fn answer(model: &Model) -> String {
    let model = Arc::new(model.clone());
    let bounds = Bounds { states: STATES, processes: 8 };
    compare(Arc::clone(&model), bounds).unwrap_or_else(|why| panic!("{}: {why}", model.name));
    let mut machine = Interpreter::new(Arc::clone(&model));
    let mut initial = Vec::new();
    if let Err(error) = machine.initial(&mut initial) {
        return format!("there is no initial state: {error}\n");
    }
    let mut states = vec![initial];
    let mut out = String::new();
    let mut at = 0;
    while at < states.len() {
        assert!(states.len() <= STATES, "{} is not small", model.name);
        let state = states[at].clone();
        let _ = writeln!(out, "{at}: {}", shown(&model, &state));
        let mut next = Successors::default();
        machine.all_steps(&state, false, &mut next);
        if next.is_empty() {
            machine.tick(&state, &mut next);
        }
        if next.is_empty() {
            machine.all_steps(&state, true, &mut next);
        }
        for successor in next.list() {
            let step = told(&model, &state, &successor.step);
            if let Some(Fault::Runtime(error)) = successor.fault {
                let _ = writeln!(out, "  {step}: {error}");
                continue;
            }
            let bytes = next.state(successor);
            let to = states.iter().position(|s| s == bytes).unwrap_or_else(|| {
                states.push(bytes.to_vec());
                states.len() - 1
            });
            let fault = if successor.fault.is_some() { " (assertion violated)" } else { "" };
            let control = successor.control.map_or_else(String::new, |p| format!(", {p} goes on"));
            let _ = writeln!(out, "  {step}{fault} -> {to}{control}");
        }
        at += 1;
    }
    out
}

/// A step in the model's words.
fn told(model: &Model, state: &[u8], step: &Step) -> String {
    let mut shape = Shape::default();
    shape.read(model, state);
    let edge = |pid: Pid, edge: isospin_model::EdgeId| {
        let proctype = &model.proctypes[shape.frames[pid.index()].0.index()];
        format!("{}[{pid}] {}", proctype.name, proctype.automaton.edges[edge.index()].text)
    };
    match step {
        Step::Time(Passing::Units(units)) => format!("{units} pass"),
        Step::Time(Passing::Expiring(set)) => format!("timers {set:b} expire"),
        Step::Process(step) => match step.partner {
            None => edge(step.pid, step.edge),
            Some(p) => format!("{} with {}", edge(step.pid, step.edge), edge(p.pid, p.edge)),
        },
    }
}

/// The values that are not 0, the messages in channels, and where processes stand.
fn shown(model: &Model, state: &[u8]) -> String {
    let mut parts = Vec::new();
    let values = |slots: &[Slot], base: u32, owner: &str, parts: &mut Vec<String>| {
        for slot in slots {
            for (name, offset) in slot.values() {
                let value = slot.ty.load(state, (base + offset) as usize);
                if value != 0 {
                    parts.push(format!("{owner}{name} = {value}"));
                }
            }
        }
    };
    values(&model.layout.slots, 0, "", &mut parts);
    let mut shape = Shape::default();
    shape.read(model, state);
    let mut names: Vec<String> = model.layout.channels.iter().map(|c| c.name.clone()).collect();
    for (pid, &(ty, frame)) in shape.frames.iter().enumerate() {
        let proctype = &model.proctypes[ty.index()];
        let at = proctype.frame.location(state, frame as usize);
        let owner = format!("{}[{pid}]", proctype.name);
        parts.push(format!("{owner}@{at}"));
        values(&proctype.frame.slots, frame, &format!("{owner}:"), &mut parts);
        names.extend(proctype.frame.channels.iter().map(|c| format!("{owner}:{}", c.name)));
    }
    for (name, &(ty, offset)) in names.iter().zip(&shape.channels) {
        let ty = &model.channel_types[ty.index()];
        for slot in 0..ty.len(state, offset as usize) {
            let message = ty.message(offset as usize, slot);
            let field = |(f, at): (&isospin_model::Scalar, &u32)| {
                f.load(state, message + *at as usize).to_string()
            };
            let fields: Vec<String> = ty.fields.iter().zip(&ty.field_offsets).map(field).collect();
            parts.push(format!("{name} holds ({})", fields.join(", ")));
        }
    }
    parts.join("  ")
}

#[test]
fn both_machines_take_the_steps_that_are_expected() {
    files::check_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models"), answer);
}
