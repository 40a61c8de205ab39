//! The outcome of a check for a program.

use isospin_model::Model;
use serde_json::{json, Value as Json};

use isospin_check::{Property, Verdict};

use super::notes::{sentences, why_open};
use super::{Outcome, Told};
use crate::story::statement;

/// The report as one JSON object.
pub fn json(outcome: &Outcome, model: &Model) -> Json {
    let report = outcome.report;
    let applied = &report.applied;
    let s = &report.statistics;
    let per_state = match s.states {
        0 => 0.0,
        n => s.store_bytes as f64 / n as f64,
    };
    let mut reductions = json!({
        "por": applied.por,
        "reduced": applied.counts.reduced,
        "not_reduced": {
            "alone": applied.counts.trivial,
            "disturbed": applied.counts.no_closed_set,
            "visible": applied.counts.visible,
            "cycle": applied.counts.revoked,
            "unsought": applied.counts.unsought,
        },
        "symmetry": applied.symmetry.map_or("off", |s| s.name()),
        "optimize": applied.optimize,
    });
    if let Some(jumps) = applied.jumps {
        reductions["jumps"] = jumps.into();
    }
    let mut object = json!({
        "isospin": outcome.version,
        "model": outcome.model,
        "verdict": report.verdict().word(),
        "states": s.states,
        "transitions": s.transitions,
        "depth": s.depth,
        "errors": s.errors,
        "exhausted": report.exhausted,
        "properties": (report.properties.iter().zip(&outcome.told))
            .map(|(p, told)| property(p, told))
            .collect::<Vec<_>>(),
        "reductions": reductions,
        "time": {
            "compile_s": s.compile.as_secs_f64(),
            "search_s": s.search.as_secs_f64(),
            "total_s": outcome.total.as_secs_f64(),
        },
        "memory": {
            "peak_bytes": s.peak_bytes,
            "store_bytes": s.store_bytes,
            "bytes_per_state": per_state,
        },
        "coverage": report.unreached.is_some(),
        "unreached": report.unreached.iter().flatten().map(|u| json!({
            "proctype": u.proctype,
            "location": model.place(u.source),
            "statement": statement(&u.text),
        })).collect::<Vec<_>>(),
        "notes": sentences(outcome),
    });
    if let Some(sets) = &s.sets {
        object["engine"] = "symbolic".into();
        object["reachable"] = sets.reachable.as_str().into();
        object["nodes"] = sets.nodes.into();
        object["peak_nodes"] = sets.peak_nodes.into();
        object["iterations"] = sets.iterations.into();
        object["slots"] = sets.slots.into();
        object["groups"] = sets.groups.into();
        // What is not counted is not said to be nothing.
        object["transitions"] = Json::Null;
        object["depth"] = Json::Null;
        object["memory"]["store_bytes"] = Json::Null;
        object["memory"]["bytes_per_state"] = Json::Null;
        if sets.reachable != s.states.to_string() {
            object["states"] = Json::Null;
        }
    }
    object
}

/// The same object for a check that was cut short before there was anything to report, with why.
pub fn nothing(version: &str, model: &str, why: &str) -> Json {
    json!({
        "isospin": version,
        "model": model,
        "verdict": Verdict::Incomplete.word(),
        "states": 0,
        "transitions": 0,
        "depth": 0,
        "errors": 0,
        "exhausted": false,
        "properties": [],
        "coverage": false,
        "unreached": [],
        "notes": [why],
    })
}

fn property(p: &Property, told: &[Told]) -> Json {
    let first = told.first().filter(|_| p.open.is_none());
    let open = p.open.map(why_open).unwrap_or_default();
    let confirmed = p.findings.iter().zip(told).filter(|(f, _)| f.unconfirmed.is_none());
    let mut property = json!({
        "name": p.name,
        "kind": p.kind.word(),
        "verdict": p.verdict.word(),
        "message": first.map_or(&open, |f| &f.message),
        "location": first.map_or("", |f| &f.location),
        "trail": told.first().and_then(|f| f.trail.as_ref()),
        "violations": confirmed.map(|(_, told)| violation(told)).collect::<Vec<_>>(),
    });
    let unconfirmed = p.findings.iter().filter_map(|f| f.unconfirmed);
    let unconfirmed: Vec<String> = unconfirmed.map(|why| why.to_string()).collect();
    if !unconfirmed.is_empty() {
        property["unconfirmed"] = unconfirmed.into();
    }
    property
}

fn violation(f: &Told) -> Json {
    let mut violation = json!({
        "message": f.message,
        "location": f.location,
        "trail": f.trail,
        "steps": f.steps,
    });
    if let Some(renaming) = &f.renaming {
        violation["renaming"] = renaming.as_str().into();
    }
    if !f.parts.is_empty() {
        violation["processes"] = f.parts.clone().into();
    }
    violation
}
