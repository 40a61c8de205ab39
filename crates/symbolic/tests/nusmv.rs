//! Every model of a collection, with what NuSMV 2.6 makes of it: accepted or refused, every
//! verdict, every number of states and every diameter. Where the collection is not there, nothing
//! is tested, with a notice.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use isospin_relation::Property;
use isospin_symbolic::{check, Length, Options, Report, Status, Verdict};
use serde_json::Value;

/// Models that NuSMV needed longer for are left out, unless `ISOSPIN_SMV_SECONDS` says otherwise.
const SECONDS: f64 = 0.5;

/// Where this is known to differ from NuSMV, and why.
const DIFFERENT: &[(&str, &str)] = &[
    ("hw-cbmc/smv/expressions/range2.smv", "an empty range is refused when the model is read"),
    ("hw-cbmc/smv/expressions/case1.smv", "a set after `in` chosen by a case is understood"),
];

fn folder() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/smv");
    folder.join("expected.json").exists().then_some(folder)
}

#[test]
fn every_model_is_what_nusmv_says() {
    let Some(folder) = folder() else {
        eprintln!("notice: ../shared/smv is not there, so nothing is compared with NuSMV");
        return;
    };
    let limit = std::env::var("ISOSPIN_SMV_SECONDS").ok().and_then(|text| text.parse().ok());
    let limit: f64 = limit.unwrap_or(SECONDS);
    let text = std::fs::read_to_string(folder.join("expected.json")).expect("the expectations");
    let expected: Vec<Value> = serde_json::from_str(&text).expect("JSON");
    let (mut wrong, mut compared) = (Vec::new(), 0);
    for model in &expected {
        let name = model["model"].as_str().expect("a name");
        let slow = model["seconds"].as_f64().is_some_and(|s| s > limit);
        if slow || DIFFERENT.iter().any(|(other, _)| *other == name) {
            continue;
        }
        compared += 1;
        if let Err(why) = compare(&folder, model) {
            wrong.push(format!("{name}: {why}"));
        }
    }
    eprintln!("{compared} models compared");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn compare(folder: &Path, model: &Value) -> Result<(), String> {
    let path = folder.join(model["model"].as_str().unwrap_or_default());
    let bytes = std::fs::read(&path).map_err(|error| error.to_string())?;
    let reading = isospin_smv::read(&path, bytes, &isospin_smv::Options::default());
    let accepted = model["accepted"].as_bool().unwrap_or(true);
    let Some(relation) = reading.relation else {
        return if accepted { Err("refused".into()) } else { Ok(()) };
    };
    isospin_relation::verify::verify(&relation)?;
    let text = isospin_relation::text::print(&relation);
    let again = isospin_relation::text::read(&text)?;
    if isospin_relation::text::print(&again) != text {
        return Err("its text form is read as something else".into());
    }
    let relation = Arc::new(relation);
    let start = Instant::now();
    let mut watch = |_: Option<&_>| start.elapsed() < Duration::from_secs(120);
    let report = check(&relation, &Options::default(), &mut watch);
    if report.status == Status::Refused {
        return if accepted { Err(format!("refused: {:?}", report.wrong)) } else { Ok(()) };
    }
    if !accepted {
        return Err("accepted".into());
    }
    if report.status != Status::Complete || report.unconfirmed > 0 {
        return Err(format!("{:?}, {} unconfirmed", report.status, report.unconfirmed));
    }
    counts(model, &report)?;
    if model["timeout"].as_bool() == Some(true) {
        return Ok(());
    }
    for kind in ["CTLSPEC", "INVARSPEC", "LTLSPEC", "COMPUTE"] {
        let specs = model["specs"].as_array().into_iter().flatten();
        let mut theirs: Vec<String> = specs
            .filter(|s| s["kind"] == kind)
            .map(|s| s["verdict"].to_string().replace('"', ""))
            .collect();
        let mut ours: Vec<String> = relation
            .specifications
            .iter()
            .zip(&report.found)
            .filter(|(s, _)| is_kind(&s.property, kind))
            .map(|(_, found)| verdict(found.verdict))
            .collect();
        // NuSMV prints them in an order of its own.
        theirs.sort();
        ours.sort();
        if theirs != ours {
            return Err(format!("{kind}: NuSMV {theirs:?}, here {ours:?}"));
        }
    }
    Ok(())
}

fn counts(model: &Value, report: &Report) -> Result<(), String> {
    if let Some(expected) = model["reachable"].as_str() {
        let found = report.reachable.as_ref().map(ToString::to_string).unwrap_or_default();
        let (a, b) = (expected.parse::<f64>(), found.parse::<f64>());
        let close = match (a, b) {
            // Above a million six digits are printed.
            (Ok(a), Ok(b)) => (a - b).abs() <= 6e-6 * a && (a > 1e6 || a == b),
            _ => false,
        };
        if !close {
            return Err(format!("{expected} states, here {found}"));
        }
    }
    match model["diameter"].as_u64() {
        Some(diameter) if report.diameter != Some(diameter as usize) => {
            Err(format!("diameter {diameter}, here {:?}", report.diameter))
        }
        _ => Ok(()),
    }
}

fn is_kind(property: &Property, kind: &str) -> bool {
    match property {
        Property::Ctl(_) => kind == "CTLSPEC",
        Property::Ltl(_) => kind == "LTLSPEC",
        Property::Invariant(_) => kind == "INVARSPEC",
        Property::Compute { .. } => kind == "COMPUTE",
    }
}

fn verdict(verdict: Verdict) -> String {
    match verdict {
        Verdict::Holds => "true".into(),
        Verdict::Violated => "false".into(),
        Verdict::Incomplete => "null".into(),
        Verdict::Length(Length::Steps(steps)) => steps.to_string(),
        Verdict::Length(Length::Infinite) => "infinity".into(),
        Verdict::Length(Length::Undefined) => "undefined".into(),
    }
}
