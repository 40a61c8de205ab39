//! Models in IF: as labelled transition systems in the words of the reference tools, at random
//! ([`random`]), and on both machines ([`machines`]).

pub mod machines;
pub mod random;

use std::path::Path;
use std::sync::Arc;

use isospin_analysis::{optimize, Optimizations};
use isospin_if::labels::Moment;
use isospin_if::{read, Choices, Reading};
use isospin_machine::{Interpreter, Passing, Step};
use isospin_model::time::Pace;
use isospin_model::{Expr, Model, Shape};
use isospin_replay::graph::{graph, Naming};

use crate::bisimulation::System;

/// Reads a model in IF, or says what is wrong with it.
pub fn read_model(name: &str, text: &str, choices: &Choices) -> Result<Reading, String> {
    let reading = read(Path::new(name), text.as_bytes().to_vec(), None, &[], choices);
    if reading.lowered.is_some() {
        return Ok(reading);
    }
    let told = reading.diagnostics.iter();
    let told = told.map(|d| format!("{}: {}", reading.sources.location(d.span), d.message));
    Err(told.collect::<Vec<_>>().join("\n"))
}

/// The transition system of a model, with jumps in time; of the optimised one, if asked for.
pub fn system(reading: &Reading, optimized: bool, most: usize) -> Option<System> {
    let mut model = reading.lowered.as_ref()?.model.clone();
    if optimized {
        let which = Optimizations { merge: false, ..Optimizations::ALL };
        optimize(&mut model, &[], which);
    }
    if let Some(time) = &mut model.time {
        time.pace = Pace::Event;
    }
    let model = Arc::new(model);
    let mut words = Words { reading, model: &model };
    let found = graph(&model, most, &mut words).ok()?;
    if found.cut {
        return None;
    }
    let mut edges: Vec<_> = found.edges;
    edges.iter_mut().for_each(|e| e.1.truncate(e.1.trim_end().len()));
    edges.extend(found.ends.iter().map(|end| (*end, "{time}0 t/oo".to_owned(), *end)));
    Some(System { initial: 0, states: found.states, edges })
}

struct Words<'r> {
    reading: &'r Reading,
    model: &'r Model,
}

impl Naming for Words<'_> {
    fn step(
        &mut self,
        machine: &mut Interpreter,
        before: &[u8],
        step: Step,
        after: &[u8],
    ) -> String {
        let by = match step {
            Step::Time(Passing::Units(units)) => return format!("{{time}}0 t/{units} "),
            Step::Time(Passing::Expiring(_)) => return "{time}0 t/ ".to_owned(),
            Step::Process(by) => by,
        };
        let mut shape = Shape::default();
        shape.read(self.model, before);
        let (ty, pid) = (shape.frames[by.pid.index()].0, by.pid.index());
        let mut value = |expr: &Expr, moment: Moment| {
            let state = if moment == Moment::Before { before } else { after };
            machine.eval(state, Some(pid), false, expr).unwrap_or(0)
        };
        let Some(lowered) = &self.reading.lowered else { return String::new() };
        let words = lowered.words(&self.reading.known.system, ty, by.edge, pid as u32, &mut value);
        words.iter().map(|word| format!("{word} ")).collect()
    }

    fn whole(&mut self, words: &str, step: Step) -> String {
        match (step, &self.reading.lowered) {
            (Step::Process(by), Some(lowered)) if words.is_empty() => {
                lowered.silent(&self.reading.known.system, by.pid.index() as u32)
            }
            _ => words.to_owned(),
        }
    }
}
