//! `isospin sim` of an SMV model: one execution, chosen at random.

use isospin_report::relation::trace_text;
use isospin_symbolic::simulate;

use super::load::load;
use crate::args::SimArgs;
use crate::failure::Failure;
use crate::interrupt::listens;
use crate::output::Output;
use crate::Status;

/// Steps unless somebody says how many.
const STEPS: u64 = 20;

/// Executes the model.
pub fn run(args: &SimArgs) -> Result<Status, Failure> {
    if args.interactive {
        return Err(Failure::new("SMV models are simulated at random only"));
    }
    listens(false);
    let loaded = load(&args.model, &args.reading)?;
    let steps = args.steps.unwrap_or(STEPS);
    let Some(trace) = simulate(&loaded.relation, steps, args.seed.unwrap_or_else(seed)) else {
        return Err(Failure::new("there is no room for the model's decision diagrams"));
    };
    if trace.states.is_empty() {
        return Err(Failure::new("there is no initial state"));
    }
    let mut out = Output::new();
    out.text(&trace_text(&loaded.relation, &trace, 0));
    if (trace.states.len() as u64) <= steps {
        out.line("  there is no successor");
    }
    out.finish()?;
    Ok(Status::Fine)
}

fn seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(1, |d| d.as_nanos() as u64)
}
