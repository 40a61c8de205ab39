//! Cluster-based partial-order reduction: the tables of chapter 2 of Bošnački's thesis.

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use isospin_analysis::facts::Facts;
use isospin_conformance::isospin::model_of;
use isospin_machine::NativeMachine;
use isospin_model::Model;
use isospin_search::reduce::AmpleSets;
use isospin_search::{check_safety, Options};

/// Models beyond this many states are not explored without reduction.
const LARGEST: u64 = 20_000_000;
/// Models beyond this many states are not explored with little reduction.
const LARGE: u64 = 2_000_000;

/// The tables, as Markdown.
pub fn table() -> Result<String, String> {
    let mut out = String::from(
        "# Clusters\n\nThe examples of chapter 2 of Bošnački's thesis: stored states with all \
         steps taken, with plain ample sets (`--por process`, single processes that nobody \
         disturbs), with clusters (`--por cluster`), and with guards looked at as well (`--por \
         stubborn`, which is the default), all without optimisations of the model \
         (`--no-optimize`). The last columns are the thesis's own figures; its models of the last \
         two examples differ from ours in details. The file is made by `cargo run --release -p \
         isospin-conformance --example tables -- clusters`.\n",
    );
    let pairs: [&str; 4] = ["65/60/30", "329/304/66", "1657/1532/138", "8313/7688/282"];
    out += "\n## N pairs of processes that share a variable (`models/reduction/pairs.pml`)\n\n";
    out += HEAD;
    for n in [2, 3, 4, 5, 6, 8, 10, 12] {
        let thesis = pairs.get(n - 2).copied().unwrap_or("");
        row(&mut out, "pairs", n, 5u64.pow(n as u32) * 3, thesis)?;
    }
    let parity = ["1749/1294", "7933/3938", "69615/21620", "320095/25228", "2782640/30377"];
    out += "\n## The parity computer with N clients (`models/reduction/parity.pml`)\n\n";
    out += HEAD;
    for n in 4..=8 {
        let states = 3u64.pow(2 * n as u32 - 1);
        row(&mut out, "parity", n, states, parity[n - 4])?;
    }
    out += "\n## The parity computer whose joins take their children in turn \
            (`models/reduction/parity-turns.pml`)\n\n";
    out += HEAD;
    for n in 4..=7 {
        row(&mut out, "parity-turns", n, LARGE, parity[n - 4])?;
    }
    out += "\n## The concurrent alternating-bit protocol (`models/reduction/cabp.pml`)\n\n";
    out += HEAD;
    row(&mut out, "cabp", 1, 0, "16384/12897")?;
    Ok(out)
}

const HEAD: &str = "| N | all steps | processes | clusters | stubborn | saved by clusters | saved \
                    by stubborn sets | thesis |\n| ---: | ---: | ---: | ---: | ---: | ---: | ---: \
                    | ---: |\n";

fn model(name: &str, n: usize) -> Result<Model, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/reduction");
    let path = root.join(format!("{name}.pml"));
    let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    model_of(&format!("#define N {n}\n{text}"))
}

/// One row: how many states are stored in each way. `expected` states are there, about.
fn row(out: &mut String, name: &str, n: usize, expected: u64, thesis: &str) -> Result<(), String> {
    let model = Arc::new(model(name, n)?);
    let all = if expected <= LARGEST { Some(states(&model, None)?) } else { None };
    let few = |ample, few: bool| if few { states(&model, Some(ample)).map(Some) } else { Ok(None) };
    let processes = few(AmpleSets::Process, expected <= LARGE)?;
    // Pairs are what clusters are made for.
    let clusters = few(AmpleSets::Cluster, expected <= LARGE || name == "pairs")?;
    let stubborn = states(&model, Some(AmpleSets::Stubborn))?;
    let cell = |n: Option<u64>| n.map_or("".to_owned(), |n| n.to_string());
    // Plain ample sets save little or nothing on these models.
    let saved = |n: Option<u64>| match (processes.or(all), n) {
        (Some(all), Some(n)) => format!("{:.1}%", 100.0 * (1.0 - n as f64 / all as f64)),
        _ => String::new(),
    };
    let _ = writeln!(
        out,
        "| {n} | {} | {} | {} | {stubborn} | {} | {} | {thesis} |",
        cell(all),
        cell(processes),
        cell(clusters),
        saved(clusters),
        saved(Some(stubborn)),
    );
    Ok(())
}

fn states(model: &Arc<Model>, ample: Option<AmpleSets>) -> Result<u64, String> {
    let reduction = ample.map(|_| Arc::new(Facts::of(model, &[])));
    let ample = ample.unwrap_or_default();
    let options = Options { reduction, ample, memory: Some(3 << 30), ..Options::default() };
    let machine = NativeMachine::new(Arc::clone(model)).map_err(|e| format!("{e:?}"))?;
    let result = check_safety(|| machine.clone(), &options, &mut |_| {});
    match result.incomplete {
        None => Ok(result.states),
        Some(why) => Err(format!("incomplete: {why:?}")),
    }
}
