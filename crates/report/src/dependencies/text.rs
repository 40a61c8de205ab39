//! Dependencies for a person.

use std::fmt::Write;

use isospin_analysis::dependencies::{Dependencies, Freedom, Instances, Object};
use isospin_model::{LocationId, Member, Model, ProcTypeId};

use super::why_not;
use crate::narrate::{cut, short_place};

/// More objects than this in one line are counted only.
const MAX_NAMES: usize = 4;
/// More places than this are counted only.
const MAX_PLACES: usize = 6;

/// The dependencies of a model as text.
pub fn text(model: &Model, d: &Dependencies) -> String {
    let mut out = String::from("Shared objects\n");
    if d.objects.is_empty() {
        out.push_str("  none\n");
    }
    // Elements of an array are mostly touched by the same statements.
    for group in d.objects.chunk_by(|a, b| a.uses == b.uses) {
        let names: Vec<&str> = group.iter().map(|o| o.name.as_str()).collect();
        let _ = writeln!(out, "  {}", few(&names, MAX_NAMES));
        for (word, writes) in [("written", true), ("read", false)] {
            for line in users(model, &group[0], writes) {
                let _ = writeln!(out, "    {word:<7}  {line}");
            }
        }
    }
    out.push_str("\nThe next step of a process, and the level at which it is safe\n");
    for (ty, (p, there)) in (0..).map(ProcTypeId).zip(model.proctypes.iter().zip(&d.instances)) {
        let _ = writeln!(out, "  {}{}", p.name, count(*there));
        steps(&mut out, model, d, ty);
    }
    out.push_str("\nClusters\n");
    for (k, cluster) in d.clusters.iter().enumerate() {
        let names: Vec<String> = (cluster.proctypes.iter())
            .map(|&ty| {
                let name = &model.proctypes[ty.index()].name;
                format!("{name}{}", count(d.instances[ty.index()]))
            })
            .collect();
        let objects: Vec<&str> =
            cluster.objects.iter().map(|&o| d.objects[o].name.as_str()).collect();
        let through = if objects.is_empty() {
            "alone".to_owned()
        } else {
            format!("through {}", few(&objects, MAX_NAMES))
        };
        let _ = writeln!(out, "  {}  {}: {through}", k + 1, names.join(", "));
    }
    declared(&mut out, model, d);
    let reduction = d.obstacle.map_or("possible", why_not);
    let _ = writeln!(out, "\nPartial-order reduction\n  {reduction}");
    out
}

/// The clusters that the model declares, each with what keeps it from being left alone.
fn declared(out: &mut String, model: &Model, d: &Dependencies) {
    if !model.clusters.is_empty() {
        out.push_str("\nDeclared clusters\n");
    }
    for cluster in &model.clusters {
        let members: Vec<String> = (cluster.members.iter())
            .map(|m| {
                let name = &model.proctypes[m.proctype.index()].name;
                m.pid.map_or_else(|| name.clone(), |pid| format!("{name}[{pid}]"))
            })
            .collect();
        // Of a type of which some processes are inside and others outside, everything counts.
        let all_inside = |ty| {
            let all = Member { proctype: ty, pid: None };
            cluster.members.iter().any(|m| m.has(all)) || {
                let mine = cluster.members.iter().any(|m| m.proctype == ty);
                mine && d.instances[ty.index()] == Instances::One
            }
        };
        let shared: Vec<&str> = (d.objects.iter())
            .filter(|o| {
                let inside =
                    o.uses.iter().any(|u| cluster.members.iter().any(|m| m.proctype == u.proctype));
                inside && o.uses.iter().any(|u| !all_inside(u.proctype))
            })
            .map(|o| o.name.as_str())
            .collect();
        let with = if shared.is_empty() {
            "shares nothing with others".to_owned()
        } else {
            format!("shares {} with others", few(&shared, MAX_NAMES))
        };
        let _ = writeln!(out, "  {}  {}: {with}", cluster.name, members.join(", "));
    }
}

fn count(instances: Instances) -> String {
    match instances {
        Instances::None => " (never started)".to_owned(),
        Instances::One => String::new(),
        Instances::Several(n) if n < 2 => " (several)".to_owned(),
        Instances::Several(n) => format!(" ({n})"),
    }
}

fn few(names: &[&str], most: usize) -> String {
    match names.len() {
        n if n <= most + 1 => names.join(", "),
        n => format!("{}, and {} more", names[..most].join(", "), n - most),
    }
}

/// For each process type, where it writes the object, or where it only reads it.
fn users(model: &Model, object: &Object, writes: bool) -> Vec<String> {
    let uses: Vec<_> = object.uses.iter().filter(|u| u.writes == writes).collect();
    let mut lines = Vec::new();
    for group in uses.chunk_by(|a, b| a.proctype == b.proctype) {
        let p = &model.proctypes[group[0].proctype.index()];
        let mut places: Vec<String> = (group.iter())
            .map(|u| short_place(model, p.automaton.edges[u.edge.index()].source))
            .collect();
        places.dedup();
        let places: Vec<&str> = places.iter().map(String::as_str).collect();
        lines.push(format!("{}: {}", p.name, few(&places, MAX_PLACES)));
    }
    lines
}

/// Location by location: how free the next step is, and what it can be.
fn steps(out: &mut String, model: &Model, d: &Dependencies, ty: ProcTypeId) {
    let automaton = &model.proctypes[ty.index()].automaton;
    for (id, location) in automaton.locations.iter().enumerate() {
        let freedom = &d.freedom[ty.index()][id];
        let what: Vec<&str> =
            automaton.edges_of(LocationId::at(id)).iter().map(|e| e.text.as_str()).collect();
        let place = short_place(model, location.source);
        let mut line = format!(
            "    {id:>4}  {place:<9}  {:<11}  {}  {}",
            freedom.word(),
            d.level(model, ty, freedom),
            cut(&what.join(" | "), 50)
        );
        if let Freedom::Global(who) = freedom {
            let names: Vec<&str> =
                who.iter().map(|&ty| model.proctypes[ty.index()].name.as_str()).collect();
            if !names.is_empty() {
                let _ = write!(line, "  (with {})", few(&names, MAX_NAMES));
            }
        }
        let _ = writeln!(out, "{}", line.trim_end());
    }
}
