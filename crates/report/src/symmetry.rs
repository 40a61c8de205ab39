//! The names of a model that can change places, as text, JSON and DOT.

use std::fmt::Write;

use isospin_model::Model;
use isospin_symmetry::{DomainReport, Prepared};
use serde_json::{json, Value as Json};

/// The symmetry of a model for a person, and how many permutations each of its formulas leaves.
pub fn text(found: &Prepared, formulas: &[(&str, f64)]) -> String {
    let Prepared { model: searched, keeps_ended, detection } = found;
    let mut out = String::new();
    if let Some(obstacle) = &detection.obstacle {
        let _ = writeln!(out, "no symmetry: {obstacle}");
        if let Err(why) = keeps_ended {
            let _ = writeln!(out, "  processes that have ended cannot be kept: {why}");
        }
        return out;
    }
    match &detection.symmetry {
        None => out += "no symmetry\n",
        Some(symmetry) => {
            let _ = writeln!(out, "a group of {} permutations", number(symmetry.group.order()));
        }
    }
    if detection.domains.is_empty() {
        out += "\nthere are no two processes of one type\n";
    }
    for report in &detection.domains {
        out += "\n";
        out += &domain(searched, report);
    }
    let all = detection.symmetry.as_ref().map_or(1.0, |s| s.group.order());
    for &(name, left) in formulas {
        let _ = if left == all {
            writeln!(out, "\nltl {name}: leaves all of it")
        } else {
            let (left, all) = (number(left), number(all));
            writeln!(out, "\nltl {name}: leaves {left} of {all} permutations")
        };
    }
    out
}

fn domain(model: &Model, report: &DomainReport) -> String {
    let domain = &report.domain;
    let mut out = String::new();
    let families: Vec<String> = domain
        .families
        .iter()
        .map(|f| {
            let pids: Vec<String> = f.pids.iter().map(usize::to_string).collect();
            format!("{}[{}]", model.proctypes[f.ty.index()].name, pids.join(", "))
        })
        .collect();
    let set = domain.declared.map(|k| format!("scalarset {}", model.scalarsets[k].name));
    let bearers = if families.is_empty() { None } else { Some(families.join(" and ")) };
    let what: Vec<String> = set.into_iter().chain(bearers).collect();
    let _ = writeln!(out, "{} names: {}", domain.size(), what.join(", "));
    let name = |m: u8| domain.values[usize::from(m)].to_string();
    let list = |members: &[u8]| members.iter().map(|&m| name(m)).collect::<Vec<_>>().join(", ");
    let what = if domain.sort.is_some() { "names" } else { "process numbers" };
    for block in &report.blocks {
        let _ = writeln!(out, "  {what} {} can change places in every way", list(block));
    }
    if report.listed > 1 {
        let _ = writeln!(out, "  a ring: {} rotations and reflections", report.listed);
    }
    if report.blocks.is_empty() && report.listed < 2 {
        out += "  no two of them can change places\n";
    }
    for carrier in &report.carriers {
        let _ = writeln!(out, "  carried by {carrier}");
    }
    for (a, b, breach) in &report.breaches {
        let (a, b) = (name(*a), name(*b));
        match breach.source.line {
            0 => {
                let _ = writeln!(out, "  {a} and {b} cannot change places: {}", breach.why);
            }
            _ => {
                let place = model.place(breach.source);
                let _ =
                    writeln!(out, "  {a} and {b} cannot change places: {place}: {}", breach.text);
                let _ = writeln!(out, "    {}", breach.why);
            }
        }
    }
    out
}

fn number(order: f64) -> String {
    if order < 1e15 {
        format!("{order:.0}")
    } else {
        format!("{order:.2e}")
    }
}

/// The symmetry of a model as JSON.
pub fn json(found: &Prepared) -> Json {
    let Prepared { model: searched, detection, .. } = found;
    let domains: Vec<Json> = detection
        .domains
        .iter()
        .map(|report| {
            let domain = &report.domain;
            json!({
                "families": domain.families.iter().map(|f| json!({
                    "proctype": searched.proctypes[f.ty.index()].name,
                    "pids": f.pids,
                })).collect::<Vec<_>>(),
                "names": domain.values,
                "blocks": report.blocks,
                "listed": report.listed,
                "carriers": report.carriers,
                "breaches": report.breaches.iter().map(|(a, b, breach)| json!({
                    "members": [a, b],
                    "location": match breach.source.line {
                        0 => Json::Null,
                        _ => searched.place(breach.source).into(),
                    },
                    "statement": breach.text,
                    "reason": breach.why,
                })).collect::<Vec<_>>(),
            })
        })
        .collect();
    json!({
        "permutations": detection.symmetry.as_ref().map_or(1.0, |s| s.group.order()),
        "obstacle": detection.obstacle,
        "domains": domains,
    })
}

/// The symmetry of a model as a DOT graph: names that can change places are joined.
pub fn dot(found: &Prepared) -> String {
    let Prepared { model: searched, detection, .. } = found;
    let mut out = String::from("graph symmetry {\n");
    for (d, report) in detection.domains.iter().enumerate() {
        for (m, value) in report.domain.values.iter().enumerate() {
            let types: Vec<&str> = report
                .domain
                .families
                .iter()
                .map(|f| searched.proctypes[f.ty.index()].name.as_str())
                .collect();
            let _ = writeln!(out, "  n{d}_{m} [label=\"{} {value}\"];", types.join(", "));
        }
        for block in &report.blocks {
            for pair in block.windows(2) {
                let _ = writeln!(out, "  n{d}_{} -- n{d}_{};", pair[0], pair[1]);
            }
        }
    }
    out + "}\n"
}

#[cfg(test)]
mod tests {
    use isospin_analysis::Optimizations;

    use super::*;
    use crate::testing::model;

    fn found(model: &Model) -> Prepared {
        isospin_symmetry::prepare(model, &[], Some(Optimizations::ALL))
    }

    const THREE: &str = "byte n; active [3] proctype P() { do :: n < 9 -> n++ :: n > 0 -> n-- od }";

    #[test]
    fn the_group_is_counted_and_its_names_are_listed() {
        let text = text(&found(&model(THREE)), &[("p", 6.0), ("q", 2.0)]);
        assert!(text.starts_with("a group of 6 permutations\n\n3 names: P[0, 1, 2]\n"), "{text}");
        assert!(
            text.contains("process numbers 0, 1, 2 can change places in every way\n"),
            "{text}"
        );
        let formulas = "\nltl p: leaves all of it\n\nltl q: leaves 2 of 6 permutations\n";
        assert!(text.ends_with(formulas), "{text}");
    }

    #[test]
    fn where_names_cannot_change_places_there_is_no_symmetry() {
        let alone = found(&model("byte n; active proctype P() { n++; assert(n) }"));
        let text = text(&alone, &[]);
        assert_eq!(text, "no symmetry\n\nthere are no two processes of one type\n");
        assert_eq!(json(&alone)["permutations"], 1.0);
    }

    #[test]
    fn a_graph_joins_names_that_can_change_places() {
        let graph = dot(&found(&model(THREE)));
        assert!(graph.contains("n0_0 [label=\"P 0\"];"), "{graph}");
        assert_eq!(graph.matches(" -- ").count(), 2, "{graph}");
    }
}
