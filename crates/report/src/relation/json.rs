//! The result of a check for programs.

use isospin_relation::text::variable_value;
use isospin_relation::Relation;
use isospin_symbolic::{Status, Trace, Verdict};
use serde_json::{json, Map, Value};

use super::{kind, length, Outcome};

/// One object; the fields are those of every check, with `reachable`, `diameter` and `nodes`.
pub fn json(outcome: &Outcome<'_>) -> Value {
    let report = outcome.report;
    let properties: Vec<Value> = outcome.asked.iter().map(|k| property(outcome, *k)).collect();
    let violated = |k: &&usize| report.found[**k].verdict == Verdict::Violated;
    let reachable = report.reachable.as_ref().map(ToString::to_string);
    let states = reachable.as_ref().and_then(|text| text.parse::<u64>().ok());
    let (reading, total) = outcome.times;
    json!({
        "isospin": outcome.version,
        "model": outcome.model,
        "language": "smv",
        "engine": outcome.engine,
        "verdict": verdict(outcome.verdict()),
        "states": states,
        "reachable": reachable,
        "diameter": report.diameter,
        "depth": report.rings,
        "nodes": report.nodes.0,
        "peak_nodes": report.nodes.1,
        "errors": outcome.asked.iter().filter(violated).count(),
        "exhausted": report.status == Status::Complete,
        "deadlock": report.deadlock.as_ref().map(|t| trace(outcome.relation, t)),
        "properties": properties,
        "time": {
            "compile_s": reading.as_secs_f64(),
            "search_s": total.saturating_sub(reading).as_secs_f64(),
            "total_s": total.as_secs_f64(),
        },
    })
}

fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds | Verdict::Length(_) => "holds",
        Verdict::Violated => "violated",
        Verdict::Incomplete => "incomplete",
    }
}

fn property(outcome: &Outcome<'_>, index: usize) -> Value {
    let specification = &outcome.relation.specifications[index];
    let found = &outcome.report.found[index];
    let message = match found.verdict {
        Verdict::Incomplete => outcome.cut_short(),
        _ => "",
    };
    let mut value = json!({
        "name": outcome.name(index),
        "kind": kind(&specification.property),
        "text": specification.text,
        "verdict": verdict(found.verdict),
        "message": message,
        "location": outcome.locations.get(index).cloned().unwrap_or_default(),
        "time_s": found.time.as_secs_f64(),
        "trace": found.trace.as_ref().map(|t| trace(outcome.relation, t)),
    });
    if let (Verdict::Length(of), Some(fields)) = (found.verdict, value.as_object_mut()) {
        fields.insert("value".into(), Value::String(length(of)));
    }
    value
}

/// An execution: states as objects, the state that the last one goes back to, branches.
fn trace(relation: &Relation, of: &Trace) -> Value {
    let states: Vec<Value> = of
        .states
        .iter()
        .map(|state| {
            let fields = relation.numbered().map(|(id, variable)| {
                let value = variable_value(relation, id, state[id.index()]);
                (variable.name.clone(), Value::String(value))
            });
            Value::Object(fields.collect::<Map<String, Value>>())
        })
        .collect();
    let branches: Vec<Value> = of
        .branches
        .iter()
        .map(|(at, branch)| json!({ "from": at, "trace": trace(relation, branch) }))
        .collect();
    json!({ "states": states, "loop": of.back, "branches": branches, "partial": of.partial })
}
