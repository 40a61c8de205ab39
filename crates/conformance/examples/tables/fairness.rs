//! The tables of Gyuris and Sistla, and of the nested search under symmetry, under fairness.

use std::fmt::Write;

use isospin_conformance::fair::{controller, count, Counts, Way, FAIRNESS, SIMPLIFIED};

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
    for (what, n) in [
        ("states", whole.states),
        ("orbits", states),
        ("edges of the quotient", edges),
        ("without redundant ones", twins.edges),
        ("orbits with one tracked client", tracked.states),
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
        // Detection compares thousands of conjuncts for each pair of clients; ten will do.
        let explored =
            if n <= 10 { count(&text, exclusive)?.states.to_string() } else { "–".into() };
        let _ = write!(row, " | {explored}");
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
