//! `isospin sim` of an SMV model: one execution, chosen at random or by hand.

use isospin_relation::Relation;
use isospin_report::relation::{trace_text, vcd};
use isospin_symbolic::{simulate, Trace};

use super::interactive::run as interactive;
use super::load::load;
use super::write;
use crate::args::SimArgs;
use crate::failure::Failure;
use crate::interrupt::listens;
use crate::output::Output;
use crate::Status;

/// Steps unless somebody says how many.
const STEPS: u64 = 20;

/// Executes the model.
pub fn run(args: &SimArgs) -> Result<Status, Failure> {
    listens(false);
    let loaded = load(&args.model, &args.reading)?;
    let mut out = Output::new();
    if args.interactive {
        let trace = interactive(&loaded.relation, args.steps.unwrap_or(u64::MAX), &mut out);
        dump(args, &loaded.relation, &trace)?;
        out.finish()?;
        return Ok(Status::Fine);
    }
    let steps = args.steps.unwrap_or(STEPS);
    let Some(trace) = simulate(&loaded.relation, steps, args.seed.unwrap_or_else(seed)) else {
        return Err(Failure::new("there is no room for the model's decision diagrams"));
    };
    if trace.states.is_empty() {
        return Err(Failure::new("there is no initial state"));
    }
    dump(args, &loaded.relation, &trace)?;
    out.text(&trace_text(&loaded.relation, &trace, 0));
    if (trace.states.len() as u64) <= steps {
        out.line("  there is no successor");
    }
    out.finish()?;
    Ok(Status::Fine)
}

/// Writes an execution for waveform viewers, if that was asked for.
fn dump(args: &SimArgs, relation: &Relation, trace: &Trace) -> Result<(), Failure> {
    match &args.vcd {
        Some(path) => write(path, &vcd(relation, trace, env!("CARGO_PKG_VERSION"))),
        None => Ok(()),
    }
}

fn seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(1, |d| d.as_nanos() as u64)
}
