//! The result of a check for programs.

use isospin_relation::text::variable_value;
use isospin_relation::{Domain, Kind, Relation, VarId, Variable};
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
        "vacuous": found.vacuous,
        "trail": outcome.trails.get(&index),
    });
    if let (Verdict::Length(of), Some(fields)) = (found.verdict, value.as_object_mut()) {
        fields.insert("value".into(), Value::String(length(of)));
    }
    value
}

/// An execution: states as objects, the state that the last one goes back to, branches. Inputs
/// belong to the transition that leaves a state, so a last state has none.
pub fn trace(relation: &Relation, of: &Trace) -> Value {
    let write_state = |(k, state): (usize, &Vec<i64>)| {
        let leaves = k + 1 < of.states.len() || of.back.is_some();
        let written = relation.numbered().filter(|(_, v)| leaves || v.kind != Kind::Input);
        let fields = written.map(|(id, variable)| {
            let value = variable_value(relation, id, state[id.index()]);
            (variable.name.clone(), Value::String(value))
        });
        Value::Object(fields.collect::<Map<String, Value>>())
    };
    let states: Vec<Value> = of.states.iter().enumerate().map(write_state).collect();
    let branches: Vec<Value> = of
        .branches
        .iter()
        .map(|(at, branch)| json!({ "from": at, "trace": trace(relation, branch) }))
        .collect();
    json!({ "states": states, "loop": of.back, "branches": branches, "partial": of.partial })
}

/// The object of a check of a model that was refused, with what was said about it.
pub fn refused(version: &str, model: &str, diagnostics: &[(String, String)]) -> Value {
    let diagnostics: Vec<Value> = diagnostics
        .iter()
        .map(|(location, message)| json!({ "location": location, "message": message }))
        .collect();
    json!({
        "isospin": version,
        "model": model,
        "language": "smv",
        "verdict": "refused",
        "states": 0,
        "reachable": Value::Null,
        "diameter": Value::Null,
        "errors": 0,
        "exhausted": false,
        "properties": [],
        "diagnostics": diagnostics,
    })
}

/// Executions nest at most so deep.
const MAX_DEPTH: usize = 64;

/// The execution that [`trace`] has written; otherwise what is wrong with it.
pub fn read_trace(relation: &Relation, of: &Value) -> Result<Trace, String> {
    read_nested(relation, of, 0)
}

fn read_nested(relation: &Relation, of: &Value, depth: usize) -> Result<Trace, String> {
    if depth > MAX_DEPTH {
        return Err("its branches are nested too deeply".into());
    }
    let states = of["states"].as_array().ok_or("it has no list of states")?;
    let (count, back) = (states.len(), of["loop"].as_u64().map(|at| at as usize));
    let read_state = |(k, object): (usize, &Value)| {
        let leaves = k + 1 < count || back.is_some();
        let read_value = |(id, variable): (VarId, &Variable)| {
            if !leaves && variable.kind == Kind::Input {
                return Ok(variable.domain.value(0));
            }
            let name = &variable.name;
            let text = object[name].as_str();
            let text = text.ok_or_else(|| format!("state {} has no value of `{name}`", k + 1))?;
            value_of(relation, id, text)
                .ok_or_else(|| format!("`{text}` is no value of `{name}` (state {})", k + 1))
        };
        relation.numbered().map(read_value).collect::<Result<Vec<i64>, String>>()
    };
    let states: Vec<Vec<i64>> =
        states.iter().enumerate().map(read_state).collect::<Result<_, String>>()?;
    if back.is_some_and(|at| at >= states.len()) {
        return Err("it goes back to a state that is not there".into());
    }
    let mut branches = Vec::new();
    for branch in of["branches"].as_array().into_iter().flatten() {
        let at = branch["from"].as_u64().ok_or("a branch begins nowhere")? as usize;
        branches.push((at, read_nested(relation, &branch["trace"], depth + 1)?));
    }
    Ok(Trace { states, back, branches, partial: of["partial"].as_bool().unwrap_or(false) })
}

/// The value of a variable that is written so.
fn value_of(relation: &Relation, id: VarId, text: &str) -> Option<i64> {
    let domain = &relation.variable(id).domain;
    let is_it = |value: &i64| variable_value(relation, id, *value) == text;
    let quick = match domain {
        Domain::Boolean => (text == "TRUE").then_some(1).or((text == "FALSE").then_some(0)),
        Domain::Range(..) => text.parse().ok(),
        Domain::Values(values) => values.iter().copied().find(is_it),
        Domain::Word { width, .. } => {
            let (sign, digits) = text.rsplit_once('_').map(|(t, d)| (t.starts_with('-'), d))?;
            let number = digits.parse::<u64>().ok()?;
            let number = if sign { number.wrapping_neg() } else { number };
            Some((number & (u64::MAX >> (64 - width))) as i64)
        }
    };
    quick.filter(|value| domain.contains(*value) && is_it(value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use isospin_relation::{Kind, SYMBOL_BASE};

    #[test]
    fn an_execution_is_read_back_as_it_was_written() {
        let domains = [
            Domain::Boolean,
            Domain::Range(-3, 4),
            Domain::Values(vec![7, SYMBOL_BASE]),
            Domain::Word { signed: true, width: 4 },
            Domain::Word { signed: false, width: 64 },
        ];
        let mut relation = Relation { symbols: vec!["red".into()], ..Relation::default() };
        for (k, domain) in domains.into_iter().enumerate() {
            relation.variables.push(Variable { name: format!("v{k}"), domain, kind: Kind::State });
        }
        let states = vec![vec![1, -3, SYMBOL_BASE, 15, -1], vec![0, 4, 7, 8, 1]];
        let branch = Trace { states: states.clone(), back: None, branches: vec![], partial: true };
        let of = Trace { states, back: Some(1), branches: vec![(0, branch)], partial: false };
        assert_eq!(read_trace(&relation, &trace(&relation, &of)), Ok(of.clone()));
        let mut wrong = trace(&relation, &of);
        wrong["states"][0]["v1"] = json!("5");
        assert_eq!(read_trace(&relation, &wrong), Err("`5` is no value of `v1` (state 1)".into()));
    }
}
