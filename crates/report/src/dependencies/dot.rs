//! Dependencies as a graph: process types, what they share, and who reads and writes it.

use std::fmt::Write;

use isospin_analysis::dependencies::{Dependencies, Instances};
use isospin_model::Model;

use crate::format::dot_label;

/// The dependencies of a model as a DOT graph; a cluster is a frame.
pub fn dot(model: &Model, d: &Dependencies) -> String {
    let mut out =
        String::from("digraph dependencies {\n  rankdir=LR;\n  node [fontname=\"sans-serif\"];\n");
    if let Some(obstacle) = d.obstacle {
        let why = super::why_not(obstacle);
        let _ = writeln!(out, "  label=\"partial-order reduction is {why}\";");
    }
    for (k, cluster) in d.clusters.iter().enumerate() {
        let _ = writeln!(out, "  subgraph cluster_{k} {{");
        for &ty in &cluster.proctypes {
            let name = dot_label(&model.proctypes[ty.index()].name);
            let more = match d.instances[ty.index()] {
                Instances::Several(n) if n > 1 => format!(" ({n})"),
                Instances::Several(_) => " (several)".to_owned(),
                _ => String::new(),
            };
            let mut safe = [0; 3];
            for freedom in &d.freedom[ty.index()] {
                safe[usize::from(d.level(model, ty, freedom))] += 1;
            }
            let levels: Vec<String> = (safe.iter().enumerate().filter(|(_, n)| **n > 0))
                .map(|(level, n)| format!("{n} safe at level {level}"))
                .collect();
            let levels = levels.join(", ");
            let _ = writeln!(out, "    p{ty} [label=\"{name}{more}\\n{levels}\"];");
        }
        for &object in &cluster.objects {
            let name = dot_label(&d.objects[object].name);
            let _ = writeln!(out, "    o{object} [shape=box, label=\"{name}\"];");
        }
        out.push_str("  }\n");
    }
    for cluster in &d.clusters {
        for &object in &cluster.objects {
            for &ty in &cluster.proctypes {
                let uses = || d.objects[object].uses.iter().filter(|u| u.proctype == ty);
                if uses().any(|u| u.writes) {
                    let _ = writeln!(out, "  p{ty} -> o{object};");
                }
                if uses().any(|u| u.reads) {
                    let _ = writeln!(out, "  o{object} -> p{ty} [style=dashed];");
                }
            }
        }
    }
    out.push_str("}\n");
    out
}
