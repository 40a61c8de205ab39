//! Prints what is found, for development.
use isospin_symbolic::*;
use std::path::Path;
use std::sync::Arc;
fn main() {
    let p = std::env::args().nth(1).unwrap();
    let t = std::time::Instant::now();
    let limit: f64 = std::env::args().nth(2).map_or(60.0, |s| s.parse().unwrap());
    let verbose = std::env::args().nth(3).is_some();
    let r = isospin_smv::read(Path::new(&p), std::fs::read(&p).unwrap(), &Default::default());
    let Some(rel) = r.relation else {
        println!(
            "{{\"accepted\":false,\"why\":{:?}}}",
            r.diagnostics
                .iter()
                .find(|d| d.is_error())
                .map(|d| d.message.clone())
                .unwrap_or_default()
        );
        return;
    };
    if let Err(e) = isospin_relation::verify::verify(&rel) {
        eprintln!("VERIFY {e}");
    }
    let rel = Arc::new(rel);
    let mut o = Options::default();
    if let Ok(c) = std::env::var("CLUSTER") {
        o.cluster = c.parse().unwrap();
    }
    if std::env::var("FORCE").is_ok() {
        o.order = Some(Order::force(&rel));
    }
    let rep = check(&rel, &o, &mut |e| {
        if verbose {
            match e {
                Some(Event::Ring(a, b, c)) => {
                    eprintln!("{:.2} ring {a} nodes {b} states {c}", t.elapsed().as_secs_f64())
                }
                Some(Event::Built(_, n)) => eprintln!("{:.2} built {n}", t.elapsed().as_secs_f64()),
                Some(Event::Reached(..)) => eprintln!("{:.2} reached", t.elapsed().as_secs_f64()),
                Some(Event::Decided(i, f)) => eprintln!(
                    "{:.2} {} {:?} {}",
                    t.elapsed().as_secs_f64(),
                    rel.specifications[*i].text,
                    f.verdict,
                    f.trace.as_ref().map_or(0, |t| t.states.len())
                ),
                _ => {}
            }
        }
        t.elapsed().as_secs_f64() < limit
    });
    let kinds = rel
        .specifications
        .iter()
        .zip(&rep.found)
        .map(|(s, f)| {
            use isospin_relation::Property::*;
            let k = match s.property {
                Ctl(_) => "CTLSPEC",
                Ltl(_) => "LTLSPEC",
                Invariant(_) => "INVARSPEC",
                Compute { .. } => "COMPUTE",
            };
            let v = match f.verdict {
                Verdict::Holds => "true".into(),
                Verdict::Violated => "false".into(),
                Verdict::Incomplete => "null".into(),
                Verdict::Length(Length::Steps(n)) => n.to_string(),
                Verdict::Length(Length::Infinite) => "\"infinity\"".into(),
                Verdict::Length(Length::Undefined) => "\"undefined\"".into(),
            };
            format!("[\"{k}\",{v}]")
        })
        .collect::<Vec<_>>()
        .join(",");
    println!("{{\"accepted\":{},\"wrong\":{:?},\"status\":\"{:?}\",\"reachable\":\"{}\",\"diameter\":{},\"dead\":{},\"unconfirmed\":{},\"nodes\":{},\"specs\":[{}],\"time\":{:.3}}}",
        rep.status != Status::Refused, rep.wrong.iter().map(|w| format!("{:?}", w.what)).collect::<Vec<_>>(), rep.status, rep.reachable.map_or("null".into(), |c| c.to_string()), rep.diameter.map_or("null".into(), |d| d.to_string()), rep.deadlock.is_some(), rep.unconfirmed, rep.nodes.0, kinds, t.elapsed().as_secs_f64());
}
