//! The tables of Gyuris and Sistla, and of the nested search under symmetry, under fairness.

use std::fmt::Write;

use isospin_conformance::fair::{controller, count, threaded, Counts, Way, FAIRNESS, SIMPLIFIED};
use isospin_search::liveness::Fairness;

const INTRODUCTION: &str = "# Tables: fairness under symmetry

This page is written by `cargo run --release -p isospin-conformance --example tables -- fairness`. \
All figures are numbers of nodes and edges, so that they are the same everywhere.

";

const DATABASE: &str = include_str!("../../../../models/symmetry/database-manager.pml");
const PETERSON: &str = include_str!("../../../../models/symmetry/peterson-n.pml");

/// All tables, as a page of the manual.
pub fn tables() -> Result<String, String> {
    let mut out = INTRODUCTION.to_owned();
    simplified(&mut out)?;
    controllers(&mut out)?;
    others(&mut out)?;
    responses(&mut out)?;
    Ok(out)
}

fn line(out: &mut String, text: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{text}");
}

fn simplified(out: &mut String) -> Result<(), String> {
    line(out, "## The simplified controller, three clients\n");
    line(out, "The small example of Gyuris and Sistla.\n\n| | |\n| --- | ---: |");
    let whole = count(SIMPLIFIED, Way::default())?;
    let quotient = Way { symmetry: true, ..Way::default() };
    let twins = count(SIMPLIFIED, Way { twins: true, ..quotient })?;
    let tracked = count(SIMPLIFIED, Way { tracked: Some("tracked"), ..quotient })?;
    let Counts { states, edges } = count(SIMPLIFIED, quotient)?;
    let (thread, product) = threaded(SIMPLIFIED, &[0], ("state", 2))?;
    for (what, n) in [
        ("states", whole.states),
        ("orbits", states),
        ("edges of the quotient", edges),
        ("without redundant ones", twins.edges),
        ("orbits with one tracked client", tracked.states),
        ("threaded structure", thread as u64),
        ("its product with the property", product as u64),
    ] {
        line(out, &format!("| {what} | {n} |"));
    }
    Ok(())
}

fn controllers(out: &mut String) -> Result<(), String> {
    line(out, "\n## The controller (tables 1 and 2)\n");
    line(
        out,
        "n counts the server. *Edges* are those of the quotient without and with state symmetry; \
         *exclusive* are the nodes explored for mutual exclusion over all pairs; *served*, for that \
         a request of one client is granted in the end, under weak fairness (violated) and strong \
         (holds).\n",
    );
    line(out, "| n | states | edges | with state symmetry | exclusive | served, weak | strong |");
    line(out, "| ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    for n in [10, 50, 100] {
        let text = controller(n - 1);
        let quotient = Way { symmetry: true, ..Way::default() };
        let all = count(&text, quotient)?;
        let twins = Way { twins: true, ..quotient };
        let few = count(&text, twins)?;
        let exclusive = Way { tracked: Some("exclusive"), product: true, ..twins };
        let mut row = format!("| {n} | {} | {} | {}", all.states, all.edges, few.edges);
        let _ = write!(row, " | {}", count(&text, exclusive)?.states);
        for fairness in &FAIRNESS[1..] {
            let served =
                Way { tracked: Some("served"), product: true, fairness: *fairness, ..twins };
            let _ = write!(row, " | {}", count(&text, served)?.states);
        }
        line(out, &format!("{row} |"));
    }
    Ok(())
}

fn others(out: &mut String) -> Result<(), String> {
    line(out, "\n## Data base manager and Peterson's algorithm\n");
    line(
        out,
        "All nodes, without symmetry and with it; the quotient is the same under every fairness.\n",
    );
    line(out, "| model | N | without | no fairness | weak | strong |");
    line(out, "| --- | ---: | ---: | ---: | ---: | ---: |");
    let rows = [("data base manager", DATABASE, 4..=9), ("Peterson", PETERSON, 2..=4)];
    for (name, text, sizes) in rows {
        for n in sizes {
            let text = format!("#define N {n}\n{text}");
            let mut row = format!("| {name} | {n} | {}", count(&text, Way::default())?.states);
            for fairness in FAIRNESS {
                let way = Way { symmetry: true, twins: true, fairness, ..Way::default() };
                let _ = write!(row, " | {}", count(&text, way)?.states);
            }
            line(out, &format!("{row} |"));
        }
    }
    Ok(())
}

/// Tables 1 and 2 of the nested search under symmetry.
fn responses(out: &mut String) -> Result<(), String> {
    line(out, "\n## Response properties (tables 1 and 2 of the nested search under symmetry)\n");
    line(
        out,
        "Nodes of the product with the property, without symmetry and with it: that a data base \
         manager is answered, and, under weak fairness, under which it holds, that one process of \
         Peterson's algorithm does not starve. *Source* has the figures of Bošnački's paper, whose \
         models differ in details and whose representatives are several an orbit.\n",
    );
    line(out, "| model | N | without | with symmetry | source |");
    line(out, "| --- | ---: | ---: | ---: | ---: |");
    let database = ["2924, 65", "10215, 113", "35002, 179", "118109, 307", "362048, 487"];
    let peterson = ["263, 137", "11318, 2396", "–, 46804"];
    let rows = [
        ("data base manager", DATABASE, "answered", Fairness::None, 6, &database[..]),
        ("Peterson", PETERSON, "no_starve", Fairness::Weak, 2, &peterson[..]),
    ];
    for (name, text, property, fairness, first, sources) in rows {
        for (n, source) in (first..).zip(sources) {
            let text = format!("#define N {n}\n{text}");
            let way = Way { tracked: Some(property), product: true, fairness, ..Way::default() };
            let all = count(&text, way)?.states;
            // Of two processes of which one is looked at, no two can change places.
            let few = count(&text, Way { symmetry: true, ..way }).map_or(all, |few| few.states);
            line(out, &format!("| {name} | {n} | {all} | {few} | {source} |"));
        }
    }
    Ok(())
}
