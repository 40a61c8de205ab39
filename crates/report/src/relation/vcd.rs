//! Executions as value change dumps (IEEE 1364), for waveform viewers.

use std::fmt::Write;

use isospin_relation::text::variable_value;
use isospin_relation::{Domain, Relation};
use isospin_symbolic::Trace;

/// The dump of an execution; a loop is written twice, so that a viewer shows that it is one.
pub fn vcd(relation: &Relation, trace: &Trace, version: &str) -> String {
    let mut out = format!("$version Isospin {version} $end\n$timescale 1 ns $end\n");
    out.push_str("$scope module main $end\n");
    for (id, variable) in relation.numbered() {
        let name: String =
            variable.name.chars().map(|c| if c.is_whitespace() { '_' } else { c }).collect();
        let kind = match variable.domain {
            Domain::Boolean => "wire 1".to_owned(),
            Domain::Word { width, .. } => format!("wire {width}"),
            Domain::Range(..) => "integer 32".to_owned(),
            Domain::Values(_) => "string 1".to_owned(),
        };
        let _ = writeln!(out, "$var {kind} {} {name} $end", code(id.index()));
    }
    out.push_str("$upscope $end\n$enddefinitions $end\n");
    let repeated = trace.back.map_or(&[][..], |back| &trace.states[back..]);
    let mut before: Option<&Vec<i64>> = None;
    for (time, state) in trace.states.iter().chain(repeated).enumerate() {
        let _ = writeln!(out, "#{time}");
        for (id, variable) in relation.numbered() {
            let value = state[id.index()];
            if before.is_some_and(|b| b[id.index()] == value) {
                continue;
            }
            let code = code(id.index());
            let _ = match variable.domain {
                Domain::Boolean => writeln!(out, "{value}{code}"),
                Domain::Word { width, .. } => {
                    writeln!(out, "b{:0width$b} {code}", value as u64, width = width as usize)
                }
                Domain::Range(..) => writeln!(out, "b{:b} {code}", value as i32),
                Domain::Values(_) => {
                    writeln!(out, "s{} {code}", variable_value(relation, id, value))
                }
            };
        }
        before = Some(state);
    }
    out
}

/// A short name of printable characters.
fn code(mut index: usize) -> String {
    let mut name = String::new();
    loop {
        name.push((b'!' + (index % 94) as u8) as char);
        index /= 94;
        if index == 0 {
            return name;
        }
    }
}
