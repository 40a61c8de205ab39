//! The tables of chapter 4 of Bošnački's thesis: discrete time with partial-order reduction.

use std::fmt::Write;

use crate::counts::{cell, Count, How, Isospin};

/// Up to so many processes every state of Fischer's protocol is counted.
const FISCHER_FULL: usize = 6;
/// Up to so many, with partial-order reduction.
const FISCHER_REDUCED: usize = 8;
/// And with everything.
const FISCHER_ALL: usize = 8;

/// All tables, as a page of the manual.
pub fn tables(isospin: &Isospin) -> Result<String, String> {
    let mut out = String::from(INTRODUCTION);
    fischer(isospin, &mut out)?;
    par(isospin, &mut out)?;
    retransmission(isospin, &mut out)?;
    Ok(out)
}

const INTRODUCTION: &str = "# Tables: discrete time

This page is written by `cargo run --release -p isospin-conformance --example tables -- time`. \
It has the tables of chapter 4 of D. Bošnački's thesis for the models in `models/timed`. The \
models differ from those of the thesis in details, so it is the shares that can be compared: \
*thesis* has its states without and with partial-order reduction.

*Full* is `--exact`; *reduced* is partial-order reduction alone (`--no-optimize`), with its share \
of all states; *symmetry* adds symmetry, where a model has any; *all* is what `isospin check` does \
without more: merged steps, forgotten variables and jumps in time as well. *Without jumps* is the \
same with `--no-jumps --no-symmetry`. All searches are for assertions, end states and run-time \
errors.

";

/// The searches of one row.
struct Row {
    full: Option<Count>,
    reduced: Option<Count>,
    symmetric: Option<Count>,
    all: Option<Count>,
}

impl Row {
    fn of(isospin: &Isospin, model: &str, defines: &[String]) -> Result<Row, String> {
        let count = |how| isospin.count(model, defines, how);
        Ok(Row {
            full: count(How::Full)?,
            reduced: count(How::Reduced)?,
            symmetric: count(How::Symmetric)?,
            all: count(How::All)?,
        })
    }

    fn cells(&self) -> String {
        format!(
            "{} | {} | {} | {}",
            cell(self.full, None),
            cell(self.reduced, self.full),
            cell(self.symmetric, self.full),
            cell(self.all, self.full)
        )
    }
}

fn line(out: &mut String, text: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{text}");
}

fn fischer(isospin: &Isospin, out: &mut String) -> Result<(), String> {
    line(out, "## Fischer's protocol (table 1)\n");
    line(out, "| processes | full | reduced | symmetry | all | thesis |");
    line(out, "| --- | ---: | ---: | ---: | ---: | ---: |");
    for n in 2..=FISCHER_ALL {
        let model = "timed/dt/fischer.pml";
        let defines = [format!("N={n}")];
        let count =
            |how, most| if n <= most { isospin.count(model, &defines, how) } else { Ok(None) };
        let row = Row {
            full: count(How::Full, FISCHER_FULL)?,
            reduced: count(How::Reduced, FISCHER_REDUCED)?,
            symmetric: count(How::Symmetric, FISCHER_REDUCED)?,
            all: count(How::All, FISCHER_ALL)?,
        };
        let thesis = match n {
            2 => "528, 378 (72 %)",
            3 => "8425, 3813 (45 %)",
            4 => "128286, 34157 (27 %)",
            5 => "288313 reduced",
            _ => "–",
        };
        line(out, &format!("| {n} | {} | {thesis} |", row.cells()));
    }
    out.push('\n');
    Ok(())
}

fn par(isospin: &Isospin, out: &mut String) -> Result<(), String> {
    line(out, "## PAR (table 2)\n");
    line(out, "With jumps the number of states does not depend on the times.\n");
    line(out, "| times | full | reduced | symmetry | without jumps | all | thesis |");
    line(out, "| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    let rows = [
        (1, "1318, 1116 (85 %)"),
        (10, "7447, 7295 (98 %)"),
        (100, "68737, 68585 (100 %)"),
        (1000, "–"),
    ];
    for (scale, thesis) in rows {
        let (model, defines) = ("timed/dt/par.pml", [format!("SCALE={scale}")]);
        let Row { full, reduced, symmetric, all } = Row::of(isospin, model, &defines)?;
        let ticks = isospin.count(model, &defines, How::Ticks)?;
        let cells = [
            cell(full, None),
            cell(reduced, full),
            cell(symmetric, full),
            cell(ticks, full),
            cell(all, full),
        ];
        line(out, &format!("| ×{scale} | {} | {thesis} |", cells.join(" | ")));
    }
    out.push('\n');
    Ok(())
}

fn retransmission(isospin: &Isospin, out: &mut String) -> Result<(), String> {
    line(out, "## Bounded retransmission and the train gate (tables 3 and 4)\n");
    line(
        out,
        "Without time the protocol is nearly sequential; with a client behind the receiver there \
         is something to put off, and as in the thesis less of it than with time.\n",
    );
    line(out, "| model | full | reduced | symmetry | all | thesis |");
    line(out, "| --- | ---: | ---: | ---: | ---: | ---: |");
    for (name, model, defines, thesis) in [
        ("BRP, timed", "timed/dt/brp.pml", vec![], "32967, 12742 (39 %)"),
        ("BRP, timed, larger", "timed/dt/brp.pml", vec!["CHUNKS=6", "RETRIES=3"], "–"),
        ("BRP, untimed", "timed/brp-untimed.pml", vec![], "–"),
        ("BRP, untimed, larger", "timed/brp-untimed.pml", vec!["CHUNKS=100", "RETRIES=50"], "–"),
        (
            "BRP, untimed, larger, with a client",
            "timed/brp-untimed.pml",
            vec!["CLIENT", "CHUNKS=100", "RETRIES=50"],
            "199454, 113566 (57 %)",
        ),
        ("train gate, 2 trains", "timed/dt/train-gate.pml", vec![], "–"),
        ("train gate, 3 trains", "timed/dt/train-gate.pml", vec!["TRAINS=3"], "–"),
    ] {
        let defines: Vec<String> = defines.into_iter().map(str::to_owned).collect();
        let row = Row::of(isospin, model, &defines)?;
        line(out, &format!("| {name} | {} | {thesis} |", row.cells()));
    }
    Ok(())
}
