//! What Isospin says of a model beside what NuSMV says of it.

use std::fmt;

use serde_json::Value;

/// What Isospin says.
pub struct Answer {
    verdict: String,
    /// The kind of each specification and what was found out about it.
    found: Vec<(String, String)>,
    /// The number of reachable states.
    pub reachable: Option<String>,
    diameter: Option<u64>,
}

impl Answer {
    /// From the JSON object of a check; nothing if there is none.
    pub fn read(text: &str) -> Option<Answer> {
        let object: Value = serde_json::from_str(text).ok()?;
        let of = |p: &Value| {
            let value = if p["value"].is_null() { &p["verdict"] } else { &p["value"] };
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            (p["kind"].as_str().unwrap_or_default().to_owned(), text)
        };
        Some(Answer {
            verdict: object["verdict"].as_str().unwrap_or_default().to_owned(),
            found: object["properties"].as_array().into_iter().flatten().map(of).collect(),
            reachable: object["reachable"].as_str().map(str::to_owned),
            diameter: object["diameter"].as_u64(),
        })
    }
}

/// How they compare.
pub enum Outcome {
    /// Everything that both say is the same, and Isospin says something about everything.
    Same,
    /// Isospin did not come to an end; what it said is the same.
    Unfinished(String),
    /// They say different things.
    Different(String),
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Same => write!(f, "the same"),
            Outcome::Unfinished(what) => write!(f, "not finished: {what}"),
            Outcome::Different(what) => write!(f, "different: {what}"),
        }
    }
}

/// Compares what both say.
pub fn compare(expected: &Value, answer: Option<&Answer>) -> Outcome {
    let accepted = expected["accepted"].as_bool().unwrap_or(true);
    let answer = answer.filter(|a| a.verdict != "refused");
    let Some(answer) = answer else {
        return if accepted { Outcome::Different("refused".into()) } else { Outcome::Same };
    };
    if !accepted {
        return Outcome::Different("accepted".into());
    }
    let different = counts(expected, answer).or_else(|| verdicts(expected, answer));
    if let Some(what) = different {
        return Outcome::Different(what);
    }
    if answer.reachable.is_none() {
        return Outcome::Unfinished("not all states were found".into());
    }
    let undecided = answer.found.iter().filter(|(_, verdict)| verdict == "incomplete").count();
    if undecided > 0 {
        let all = answer.found.len();
        return Outcome::Unfinished(format!("{undecided} of {all} specifications are open"));
    }
    Outcome::Same
}

fn counts(expected: &Value, answer: &Answer) -> Option<String> {
    if let (Some(theirs), Some(ours)) = (expected["reachable"].as_str(), &answer.reachable) {
        let close = match (theirs.parse::<f64>(), ours.parse::<f64>()) {
            // Above a million six digits are printed.
            (Ok(a), Ok(b)) => (a - b).abs() <= 6e-6 * a && (a > 1e6 || a == b),
            _ => false,
        };
        if !close {
            return Some(format!("{theirs} states, here {ours}"));
        }
    }
    match (expected["diameter"].as_u64(), answer.diameter) {
        (Some(theirs), Some(ours)) if theirs != ours => {
            Some(format!("diameter {theirs}, here {ours}"))
        }
        (Some(theirs), None) if answer.reachable.is_some() => {
            Some(format!("diameter {theirs}, here unknown"))
        }
        _ => None,
    }
}

/// Verdicts kind by kind, in the order of the file; what one of them did not decide is left out.
fn verdicts(expected: &Value, answer: &Answer) -> Option<String> {
    let kinds = [
        ("CTLSPEC", "ctl"),
        ("INVARSPEC", "invariant"),
        ("LTLSPEC", "ltl"),
        ("COMPUTE", "compute"),
    ];
    for (theirs, ours) in kinds {
        let specs = expected["specs"].as_array().into_iter().flatten();
        let theirs: Vec<String> = specs
            .filter(|s| s["kind"] == theirs)
            .map(|s| match &s["verdict"] {
                Value::Bool(true) => "holds".into(),
                Value::Bool(false) => "violated".into(),
                other => other.as_str().map_or_else(|| other.to_string(), str::to_owned),
            })
            .collect();
        let ours_here: Vec<&String> =
            answer.found.iter().filter(|(kind, _)| kind == ours).map(|(_, v)| v).collect();
        // NuSMV prints them in an order of its own, so that only complete lists are compared.
        let complete = theirs.len() == ours_here.len()
            && !theirs.iter().any(|v| v == "null")
            && !ours_here.iter().any(|v| *v == "incomplete");
        if !complete {
            continue;
        }
        let (mut a, mut b) = (theirs.clone(), ours_here.into_iter().cloned().collect::<Vec<_>>());
        a.sort();
        b.sort();
        if a != b {
            return Some(format!("{ours}: NuSMV {theirs:?}, here {b:?}"));
        }
    }
    None
}
