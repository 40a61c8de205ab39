//! `isospin sim` of an SMV model: one execution, chosen at random.

use std::ops::ControlFlow;

use isospin_relation::interpret::{Interpreter, State, Transition};
use isospin_report::relation::trace_text;
use isospin_symbolic::Trace;

use super::load::load;
use crate::args::SimArgs;
use crate::failure::Failure;
use crate::output::Output;
use crate::Status;

/// Steps unless somebody says how many.
const STEPS: u64 = 20;

/// Among so many transitions of a state one is chosen.
const MOST: usize = 10_000;

/// Executes the model.
pub fn run(args: &SimArgs) -> Result<Status, Failure> {
    if args.interactive {
        return Err(Failure::new("SMV models are simulated at random only"));
    }
    let loaded = load(&args.model, &args.reading)?;
    let interpreter = Interpreter::new(&loaded.relation);
    let mut random = Random(args.seed.unwrap_or_else(seed) | 1);
    let mut initial: Vec<State> = Vec::new();
    let _: ControlFlow<()> = interpreter.initial(|state| {
        initial.push(state);
        enough(initial.len())
    });
    let Some(mut state) = random.choose(initial) else {
        return Err(Failure::new("there is no initial state"));
    };
    let mut states = vec![state.clone()];
    let mut ended = false;
    for _ in 0..args.steps.unwrap_or(STEPS) {
        let mut found: Vec<Transition> = Vec::new();
        let _: ControlFlow<()> = interpreter.transitions(&state, |transition| {
            found.push(transition);
            enough(found.len())
        });
        let Some(step) = random.choose(found) else {
            ended = true;
            break;
        };
        if let Some(last) = states.last_mut() {
            *last = step.from;
        }
        state = step.to;
        states.push(state.clone());
    }
    let trace = Trace { states, back: None, branches: Vec::new(), partial: false };
    let mut out = Output::new();
    out.text(&trace_text(&loaded.relation, &trace, 0));
    if ended {
        out.line("  there is no successor");
    }
    out.finish()?;
    Ok(Status::Fine)
}

fn enough(found: usize) -> ControlFlow<()> {
    if found < MOST {
        ControlFlow::Continue(())
    } else {
        ControlFlow::Break(())
    }
}

fn seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(1, |d| d.as_nanos() as u64)
}

/// Numbers in no order that anybody knows: xorshift.
struct Random(u64);

impl Random {
    fn choose<T>(&mut self, mut from: Vec<T>) -> Option<T> {
        if from.is_empty() {
            return None;
        }
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        let at = (self.0 % from.len() as u64) as usize;
        Some(from.swap_remove(at))
    }
}
