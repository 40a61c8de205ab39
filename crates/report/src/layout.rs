//! The state vector's layout as text, JSON and DOT.

use std::fmt::Write;

use isospin_model::{ChannelInstance, FrameLayout, Kind, Model, Scalar, Slot};
use serde_json::{json, Value as Json};

/// One row: from which byte, how many, what, of which type.
struct Row {
    offset: u32,
    bytes: u32,
    name: String,
    ty: String,
}

struct Part {
    title: String,
    size: Option<u32>,
    rows: Vec<Row>,
}

/// A type as a declaration would name it.
fn type_name(model: &Model, ty: Scalar) -> String {
    match (ty.kind, ty.bits, ty.signed) {
        (Kind::Bool, ..) => "bool".to_owned(),
        (Kind::Mtype(set), ..) => match model.mtypes.get(set as usize) {
            Some(set) if !set.name.is_empty() && set.name != "_unnamed_" => {
                format!("mtype:{}", set.name)
            }
            _ => "mtype".to_owned(),
        },
        (Kind::Channel, ..) => "chan".to_owned(),
        (Kind::Timer, ..) => "timer".to_owned(),
        (Kind::Clock { .. }, ..) => "clock".to_owned(),
        (Kind::Pid, ..) => "pid".to_owned(),
        (Kind::Name(set), ..) => match model.scalarsets.get(set as usize) {
            Some(set) => format!("scalarset({}, {})", set.name, set.size),
            None => "byte".to_owned(),
        },
        (Kind::Number, 8, false) => "byte".to_owned(),
        (Kind::Number, 16, true) => "short".to_owned(),
        (Kind::Number, 32, true) => "int".to_owned(),
        (Kind::Number, bits, _) => format!("unsigned:{bits}"),
    }
}

fn slot(model: &Model, slot: &Slot) -> Row {
    let mut name = String::new();
    let mut count = 1;
    for segment in &slot.path {
        if !name.is_empty() {
            name.push('.');
        }
        name.push_str(&segment.name);
        if let Some((len, _)) = segment.array {
            let _ = write!(name, "[{len}]");
            count *= len;
        }
    }
    let parameter = if slot.parameter { ", parameter" } else { "" };
    Row {
        offset: slot.offset,
        bytes: count * slot.ty.width(),
        name,
        ty: format!("{}{parameter}", type_name(model, slot.ty)),
    }
}

fn channel(model: &Model, c: &ChannelInstance) -> Row {
    let ty = &model.channel_types[c.ty.index()];
    let fields: Vec<String> = ty.fields.iter().map(|f| type_name(model, *f)).collect();
    Row {
        offset: c.offset,
        bytes: ty.size(),
        name: c.name.clone(),
        ty: format!("chan [{}] of {{ {} }}", ty.capacity, fields.join(", ")),
    }
}

fn single(offset: u32, bytes: u32, name: &str) -> Row {
    Row { offset, bytes, name: name.to_owned(), ty: String::new() }
}

fn parts(model: &Model) -> Vec<Part> {
    let layout = &model.layout;
    let mut rows = vec![single(layout.process_count, 1, "number of processes")];
    if let Some(last) = layout.last {
        rows.push(single(last, 1, "_last"));
    }
    rows.extend(layout.slots.iter().map(|s| slot(model, s)));
    rows.extend(layout.channels.iter().map(|c| channel(model, c)));
    let mut parts = vec![Part { title: "global".to_owned(), size: Some(layout.frames), rows }];
    for p in &model.proctypes {
        let frame = &p.frame;
        let mut rows = vec![
            single(FrameLayout::TYPE, 1, "process type"),
            single(FrameLayout::LOCATION, frame.location_width, "location"),
        ];
        if let Some(priority) = frame.priority {
            rows.push(single(priority, 1, "priority"));
        }
        rows.extend(frame.slots.iter().map(|s| slot(model, s)));
        rows.extend(frame.channels.iter().map(|c| channel(model, c)));
        parts.push(Part { title: p.name.clone(), size: Some(frame.size), rows });
    }
    for part in &mut parts {
        part.rows.sort_by_key(|r| r.offset);
    }
    parts
}

/// How many bytes the initial state takes.
fn initial_bytes(model: &Model) -> u32 {
    let frames = model.initial.iter().filter_map(|a| model.proctypes.get(a.proctype.index()));
    model.layout.frames + frames.map(|p| p.frame.size).sum::<u32>()
}

/// The layout, part by part: the global part first, then one process's frame per type.
pub fn text(model: &Model) -> String {
    let mut out = format!(
        "initial state: {} bytes, {} processes\n",
        initial_bytes(model),
        model.initial.len()
    );
    if model.layout.hidden > 0 {
        let _ = writeln!(
            out,
            "the first {} bytes are hidden: they do not tell states apart",
            model.layout.hidden
        );
    }
    for part in parts(model) {
        let size = part.size.map_or(String::new(), |s| format!(", {s} bytes"));
        let what = if part.title == "global" { "" } else { "frame of " };
        let _ = writeln!(out, "\n{what}{}{size}", part.title);
        for row in part.rows {
            let line =
                format!("  {:>5}  {:>4}  {:<24}  {}", row.offset, row.bytes, row.name, row.ty);
            let _ = writeln!(out, "{}", line.trim_end());
        }
    }
    out
}

/// The layout as JSON.
pub fn json(model: &Model) -> Json {
    json!({
        "model": model.name,
        "initial_bytes": initial_bytes(model),
        "hidden_bytes": model.layout.hidden,
        "parts": parts(model).into_iter().map(|p| json!({
            "name": p.title,
            "bytes": p.size,
            "slots": p.rows.into_iter().map(|r| json!({
                "offset": r.offset,
                "bytes": r.bytes,
                "name": r.name,
                "type": r.ty,
            })).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
    })
}

/// The layout as a DOT graph: one record per part.
pub fn dot(model: &Model) -> String {
    let mut out =
        String::from("digraph layout {\n  node [shape=record, fontname=\"monospace\"];\n");
    for (k, part) in parts(model).into_iter().enumerate() {
        let mut cells = vec![record(&part.title)];
        for row in part.rows {
            let ty = if row.ty.is_empty() { String::new() } else { format!(" : {}", row.ty) };
            cells.push(record(&format!("{}  {}{ty}", row.offset, row.name)));
        }
        let _ = writeln!(out, "  part_{k} [label=\"{{{}}}\"];", cells.join("|"));
    }
    out.push_str("}\n");
    out
}

fn record(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if matches!(c, '{' | '}' | '|' | '<' | '>' | '"' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
