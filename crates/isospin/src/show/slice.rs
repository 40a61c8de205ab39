//! `isospin show slice`: what a property of a system in IF depends on.

use std::fmt::Write;

use crate::args::SliceArgs;
use crate::failure::Failure;
use crate::given::Given;
use crate::intermediate;

/// What matters to the property, and what does not, as text.
pub fn slice(args: &SliceArgs) -> Result<String, Failure> {
    if !intermediate::is_if(&args.model, &args.reading) {
        return Err(Failure::new(
            "slices are of systems in IF; `show dependencies` says what processes share",
        ));
    }
    let given: Vec<Given> =
        args.of.iter().map(|text| Given { text: text.clone(), origin: None }).collect();
    let read = intermediate::load(&args.model, &args.reading, &given, &mut |_| Ok(()))?;
    let (mut kept, mut dropped) = (Vec::new(), Vec::new());
    let system = &read.known.system;
    let mut sort = |matters: bool, what: String| {
        if matters { &mut kept } else { &mut dropped }.push(what);
    };
    for (v, variable) in system.globals.iter().enumerate() {
        sort(read.live.variable(None, v), format!("variable {}", variable.name));
    }
    for (p, process) in system.processes.iter().enumerate() {
        for (v, variable) in process.variables.iter().enumerate() {
            let what = format!("variable {{{}}}.{}", process.name, variable.name);
            sort(read.live.variable(Some(p), v), what);
        }
    }
    for (s, signal) in system.signals.iter().enumerate() {
        for k in 0..signal.parameters.len() {
            let what = format!("parameter {} of signal {}", k + 1, signal.name);
            sort(read.live.parameter(s, k), what);
        }
    }
    let mut out = String::new();
    for (title, list) in [("It depends on", kept), ("It does not depend on", dropped)] {
        let _ = writeln!(out, "{title}{}", if list.is_empty() { " nothing" } else { ":" });
        for what in list {
            let _ = writeln!(out, "  {what}");
        }
    }
    Ok(out)
}
