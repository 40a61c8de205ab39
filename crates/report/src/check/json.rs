//! The outcome of a check for a program.

use isospin_model::Model;
use serde_json::{json, Value as Json};

use super::{CheckReport, Finding, Property};

/// The report as one JSON object.
pub fn json(report: &CheckReport, model: &Model) -> Json {
    let s = &report.statistics;
    let per_state = match s.states {
        0 => 0.0,
        n => s.store_bytes as f64 / n as f64,
    };
    let mut reductions = json!({
        "por": report.reductions.por,
        "reduced": report.reductions.reduced.reduced,
        "not_reduced": {
            "alone": report.reductions.reduced.alone,
            "disturbed": report.reductions.reduced.disturbed,
            "visible": report.reductions.reduced.visible,
            "cycle": report.reductions.reduced.cycle,
            "unsought": report.reductions.reduced.unsought,
        },
        "symmetry": report.reductions.symmetry,
        "optimize": report.reductions.optimize,
    });
    if let Some(jumps) = report.reductions.jumps {
        reductions["jumps"] = jumps.into();
    }
    json!({
        "isospin": report.version,
        "model": report.model,
        "verdict": report.verdict().word(),
        "states": s.states,
        "transitions": s.transitions,
        "depth": s.depth,
        "errors": s.errors,
        "exhausted": report.exhausted,
        "properties": report.properties.iter().map(property).collect::<Vec<_>>(),
        "reductions": reductions,
        "time": {
            "compile_s": s.compile.as_secs_f64(),
            "search_s": s.search.as_secs_f64(),
            "total_s": s.total.as_secs_f64(),
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
            "statement": u.text,
        })).collect::<Vec<_>>(),
        "notes": report.notes,
    })
}

fn property(p: &Property) -> Json {
    let first = p.findings.first();
    json!({
        "name": p.name,
        "kind": p.kind.word(),
        "verdict": p.verdict.word(),
        "message": first.map_or(&p.message, |f| &f.message),
        "location": first.map_or("", |f| &f.location),
        "trail": first.and_then(|f| f.trail.as_ref()),
        "violations": p.findings.iter().map(finding).collect::<Vec<_>>(),
    })
}

fn finding(f: &Finding) -> Json {
    json!({
        "message": f.message,
        "location": f.location,
        "trail": f.trail,
        "steps": f.steps,
    })
}
