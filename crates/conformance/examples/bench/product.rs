//! What looking for cycles costs: a nested and a component-based search beside a search that visits
//! the same product and looks for none. In one program, alternating, without reductions.

use std::path::Path;
use std::sync::Arc;

use isospin_conformance::isospin::read_model_with;
use isospin_machine::NativeMachine;
use isospin_search::liveness::{
    check_liveness, Emptiness, Fairness, LivenessResult, PropertyAutomaton,
};
use isospin_search::{Options, Verdict};

use crate::cases::{self, Case};
use crate::tables::{seconds, Ratios, Table};

const WAYS: [Emptiness; 3] = [Emptiness::Reachability, Emptiness::Nested, Emptiness::Components];

/// Measures, and says what came out.
pub fn report(filter: &str, quick: bool, repeat: usize) -> String {
    let mut table = Table::new(&[
        "formula",
        "nodes",
        "arcs",
        "reachability",
        "nested",
        "ratio",
        "components",
        "ratio",
        "B/node",
        "nested B/node",
    ]);
    let (mut nested, mut components) = (Ratios::default(), Ratios::default());
    let mut notices = Vec::new();
    for (case, formulas) in cases::products(filter, quick) {
        for formula in formulas {
            let name = format!("{} `{formula}`", case.name);
            eprintln!("{name}");
            let [plain, one, other] = match measure(&case, formula, repeat) {
                Ok(results) => results,
                Err(why) => {
                    notices.push(format!("{name}: {why}"));
                    continue;
                }
            };
            let time = |r: &LivenessResult| r.time.as_secs_f64();
            let per_node =
                |r: &LivenessResult| format!("{:.1}", r.store_bytes as f64 / r.states as f64);
            table.row(vec![
                name.clone(),
                plain.states.to_string(),
                plain.transitions.to_string(),
                seconds(time(&plain)),
                seconds(time(&one)),
                nested.add(&name, time(&one), time(&plain)),
                seconds(time(&other)),
                components.add(&name, time(&other), time(&plain)),
                per_node(&plain),
                per_node(&one),
            ]);
        }
    }
    let mut out = format!(
        "\n## Formulas that hold, beside reachability of the same product (seconds)\n\n{}\n\
         Nested search / reachability: {}\n\
         Components / reachability: {}\n",
        table.text(),
        nested.summary(),
        components.summary()
    );
    for notice in notices {
        out += &format!("\nNotice: {notice}\n");
    }
    out
}

/// The median of several runs of each search, taken in turns.
fn measure(case: &Case, formula: &str, repeat: usize) -> Result<[LivenessResult; 3], String> {
    let defines = case.defines.iter().map(|d| d.trim_start_matches("-D").to_owned()).collect();
    let formulas = vec![formula.to_owned()];
    let options = isospin_promela::Options { defines, formulas, ..Default::default() };
    let model = read_model_with(Path::new(&case.file), &options)?;
    let formula = model.formulas.last().ok_or("there is no formula")?;
    let automaton =
        PropertyAutomaton::violating(&formula.temporal, false).map_err(|e| e.to_string())?;
    let machine = NativeMachine::new(Arc::new(model)).map_err(|e| e.to_string())?;
    let mut runs: [Vec<LivenessResult>; 3] = Default::default();
    for _ in 0..repeat {
        for (way, runs) in WAYS.into_iter().zip(&mut runs) {
            let none = Fairness::None;
            let (machine, automaton) = (machine.clone(), automaton.clone());
            let options = Options::default();
            let result = check_liveness(machine, automaton, none, way, &options, &mut |_| {});
            if way != Emptiness::Reachability && result.verdict != Verdict::Holds {
                return Err(format!("{way:?}: {:?}", result.verdict));
            }
            runs.push(result);
        }
    }
    let nodes = runs[0][0].states;
    if runs.iter().any(|runs| runs[0].states != nodes) {
        return Err("the searches visit different nodes".to_owned());
    }
    Ok(runs.map(|mut runs| {
        runs.sort_by_key(|r| r.time);
        runs.swap_remove(repeat / 2)
    }))
}
