//! Dependencies for a program.

use isospin_analysis::dependencies::{Dependencies, Freedom, Instances, Object};
use isospin_model::{Model, ProcTypeId};
use serde_json::{json, Value as Json};

use super::why_not;

/// The dependencies of a model as JSON.
pub fn json(model: &Model, d: &Dependencies) -> Json {
    let name = |ty: &ProcTypeId| model.proctypes[ty.index()].name.as_str();
    json!({
        "model": model.name,
        "reduction": d.obstacle.map_or("possible", why_not),
        "processes": model.proctypes.iter().zip(&d.instances).map(|(p, there)| json!({
            "proctype": p.name,
            "instances": match there {
                Instances::None => "none",
                Instances::One => "one",
                Instances::Several(_) => "several",
            },
        })).collect::<Vec<_>>(),
        "objects": d.objects.iter().map(|o| object(model, o)).collect::<Vec<_>>(),
        "locations": locations(model, d),
        "clusters": d.clusters.iter().map(|c| json!({
            "proctypes": c.proctypes.iter().map(name).collect::<Vec<_>>(),
            "objects": c.objects.iter().map(|&k| &d.objects[k].name).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
        "declared": model.clusters.iter().map(|c| json!({
            "name": c.name,
            "members": c.members.iter().map(|m| json!({
                "proctype": name(&m.proctype),
                "process": m.pid.map(|pid| pid.0),
            })).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
    })
}

fn object(model: &Model, object: &Object) -> Json {
    let uses = object.uses.iter().map(|u| {
        let p = &model.proctypes[u.proctype.index()];
        let edge = &p.automaton.edges[u.edge.index()];
        json!({
            "proctype": p.name,
            "from": edge.from.0,
            "edge": u.edge.0,
            "location": model.place(edge.source),
            "statement": edge.text,
            "reads": u.reads,
            "writes": u.writes,
        })
    });
    json!({ "name": object.name, "uses": uses.collect::<Vec<_>>() })
}

fn locations(model: &Model, d: &Dependencies) -> Vec<Json> {
    let mut all = Vec::new();
    for (ty, (p, freedom)) in (0..).map(ProcTypeId).zip(model.proctypes.iter().zip(&d.freedom)) {
        for (id, (location, freedom)) in p.automaton.locations.iter().zip(freedom).enumerate() {
            let with: Vec<&str> = match freedom {
                Freedom::Global(who) => {
                    who.iter().map(|&ty| model.proctypes[ty.index()].name.as_str()).collect()
                }
                _ => Vec::new(),
            };
            all.push(json!({
                "proctype": p.name,
                "id": id,
                "location": model.place(location.source),
                "next": freedom.word(),
                "level": d.level(model, ty, freedom),
                "with": with,
            }));
        }
    }
    all
}
