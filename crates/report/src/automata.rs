//! The model's automata as text, JSON and DOT.

use std::fmt::Write;

use isospin_model::{Action, Edge, Location, LocationId, Model, ProcKind, ProcType};
use serde_json::{json, Value as Json};

use crate::format::dot_label;
use crate::narrate::short_place;

fn all(model: &Model) -> impl Iterator<Item = &ProcType> {
    model.proctypes.iter().chain(&model.claims)
}

fn kind(p: &ProcType) -> &'static str {
    match p.kind {
        ProcKind::Process => "proctype",
        ProcKind::Init => "init",
        ProcKind::NeverClaim => "never",
    }
}

fn title(p: &ProcType) -> String {
    match kind(p) {
        kind if kind == p.name => p.name.clone(),
        kind => format!("{kind} {}", p.name),
    }
}

fn marks(location: &Location) -> Vec<&'static str> {
    let mut marks = Vec::new();
    if location.end {
        marks.push("end");
    }
    if location.progress {
        marks.push("progress");
    }
    if location.accept {
        marks.push("accept");
    }
    marks
}

/// Where an edge leads; an ending process is nowhere afterwards.
fn target(edge: &Edge) -> Option<u32> {
    (!matches!(edge.action, Action::End)).then_some(edge.target.0)
}

/// Every automaton, location by location.
pub fn text(model: &Model) -> String {
    let mut out = String::new();
    for p in all(model) {
        let _ = writeln!(out, "{} ({})", title(p), model.place(p.source));
        for (id, location) in p.automaton.locations.iter().enumerate() {
            let mut notes: Vec<String> = location.labels.iter().map(|l| format!("{l}:")).collect();
            notes.extend(marks(location).into_iter().map(|m| format!("({m})")));
            if p.automaton.initial.index() == id {
                notes.push("(initial)".to_owned());
            }
            let line =
                format!("  {id:>4}  {}  {}", short_place(model, location.source), notes.join(" "));
            let _ = writeln!(out, "{}", line.trim_end());
            for edge in p.automaton.edges_of(LocationId::at(id)) {
                let to = target(edge).map_or("ends".to_owned(), |t| format!("→ {t}"));
                let mut flags = String::new();
                if edge.atomic {
                    flags.push_str("  atomic");
                }
                if edge.escape > 0 {
                    let _ = write!(flags, "  escape {}", edge.escape);
                }
                let place = short_place(model, edge.source);
                let _ = writeln!(out, "          {to:<7} {place}  {}{flags}", edge.text);
            }
        }
        out.push('\n');
    }
    out
}

/// Every automaton as JSON.
pub fn json(model: &Model) -> Json {
    json!({
        "model": model.name,
        "automata": all(model).map(|p| automaton(model, p)).collect::<Vec<_>>(),
    })
}

fn automaton(model: &Model, p: &ProcType) -> Json {
    let locations = p.automaton.locations.iter().enumerate();
    let edges = p.automaton.edges.iter().enumerate();
    json!({
        "name": p.name,
        "kind": kind(p),
        "location": model.place(p.source),
        "initial": p.automaton.initial.0,
        "locations": locations.map(|(id, l)| json!({
            "id": id,
            "number": l.number,
            "location": model.place(l.source),
            "labels": l.labels,
            "end": l.end,
            "progress": l.progress,
            "accept": l.accept,
        })).collect::<Vec<_>>(),
        "edges": edges.map(|(id, e)| json!({
            "id": id,
            "from": e.from.0,
            "to": target(e),
            "statement": e.text,
            "location": model.place(e.source),
            "atomic": e.atomic,
            "escape": e.escape,
        })).collect::<Vec<_>>(),
    })
}

/// Every automaton as a cluster of one DOT graph.
pub fn dot(model: &Model) -> String {
    let mut out = String::from("digraph automata {\n  node [shape=circle, fontname=\"sans-serif\"];\n  edge [fontname=\"monospace\", fontsize=10];\n");
    for (k, p) in all(model).enumerate() {
        let _ = writeln!(out, "  subgraph cluster_{k} {{");
        let _ = writeln!(out, "    label=\"{}\";", dot_label(&title(p)));
        let ends = p.automaton.edges.iter().any(|e| target(e).is_none());
        if ends {
            let _ = writeln!(out, "    p{k}_end [shape=point];");
        }
        let _ = writeln!(out, "    p{k}_start [shape=none, label=\"\", width=0];");
        for (id, location) in p.automaton.locations.iter().enumerate() {
            let shape = match (location.end, location.accept) {
                (_, true) => "doublecircle",
                (true, false) => "Mcircle",
                _ => "circle",
            };
            let label = std::iter::once(id.to_string())
                .chain(location.labels.iter().cloned())
                .collect::<Vec<_>>()
                .join("\n");
            let _ =
                writeln!(out, "    p{k}_{id} [shape={shape}, label=\"{}\"];", dot_label(&label));
        }
        let _ = writeln!(out, "    p{k}_start -> p{k}_{};", p.automaton.initial);
        for edge in &p.automaton.edges {
            let to = target(edge).map_or("end".to_owned(), |t| t.to_string());
            let style = if edge.atomic { ", style=bold" } else { "" };
            let _ = writeln!(
                out,
                "    p{k}_{} -> p{k}_{to} [label=\"{}\"{style}];",
                edge.from,
                dot_label(&edge.text)
            );
        }
        out.push_str("  }\n");
    }
    out.push_str("}\n");
    out
}
