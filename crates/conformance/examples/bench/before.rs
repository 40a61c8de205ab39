//! One Isospin beside an earlier one, in the same run, alternating: what a change costs or gives.

use crate::cases::{self, Case};
use crate::tables::{seconds, Ratios, Table};
use crate::tools::{best_of, best_pair, Property, Tools, EXACT};

/// Searches that take less time than this say nothing.
const TOO_SHORT: f64 = 0.02;

/// One way of searching that is measured.
struct Way {
    name: &'static str,
    options: &'static [&'static str],
    threads: usize,
}

const SAFETY: &[Way] = &[
    Way { name: "Safety, reductions off, one thread", options: EXACT, threads: 1 },
    Way { name: "Safety, reductions off, two threads", options: EXACT, threads: 2 },
    Way { name: "Safety, partial-order reduction", options: &["--no-symmetry"], threads: 1 },
    Way { name: "Safety, as by default, one thread", options: &[], threads: 1 },
];

const FORMULAS: &[Way] = &[
    Way { name: "Formulas, reductions off", options: EXACT, threads: 1 },
    Way { name: "Formulas, as by default, one thread", options: &[], threads: 1 },
];

/// Measures, and says what came out.
pub fn report(before: &Tools, now: &Tools, filter: &str, quick: bool, repeat: usize) -> String {
    let (models, mut notices) = cases::safety(filter, quick);
    let models: Vec<_> = models.into_iter().map(|case| (case, Property::Safety)).collect();
    let formulas = cases::formulas(filter, quick);
    let formulas: Vec<_> =
        formulas.into_iter().map(|(case, name)| (case, Property::Formula(name))).collect();
    let mut out = String::from(
        "\nRatios are the figure before over the figure now: above 1, it has become better.\n",
    );
    for (ways, cases) in [(SAFETY, &models), (FORMULAS, &formulas)] {
        for way in ways {
            out += &compare([before, now], way, cases, repeat, &mut notices);
        }
    }
    for notice in notices {
        out += &format!("\nNotice: {notice}\n");
    }
    out
}

fn compare(
    [before, now]: [&Tools; 2],
    way: &Way,
    cases: &[(Case, Property)],
    repeat: usize,
    notices: &mut Vec<String>,
) -> String {
    let mut table = Table::new(&[
        "model",
        "states before",
        "now",
        "search before",
        "now",
        "ratio",
        "all cpu before",
        "now",
        "ratio",
    ]);
    let (mut search, mut cpu) = (Ratios::default(), Ratios::default());
    for (case, property) in cases {
        eprintln!("{}: {}", way.name, case.name);
        let run = |tools: &Tools| tools.isospin(case, *property, way.options, way.threads);
        let once = || Ok((run(before)?, run(now)?));
        let (old, new) = match best_of(repeat, once, best_pair) {
            Ok(both) => both,
            Err(why) => {
                notices.push(why);
                continue;
            }
        };
        if old.violated != new.violated {
            notices.push(format!("DIFFERENT verdicts: {}, {}", way.name, case.name));
        }
        let short = old.search.min(new.search) < TOO_SHORT;
        let ratio = |ratios: &mut Ratios, above, below| {
            if short {
                "-".to_owned()
            } else {
                ratios.add(&case.name, above, below)
            }
        };
        table.row(vec![
            case.name.clone(),
            old.states.to_string(),
            new.states.to_string(),
            seconds(old.search),
            seconds(new.search),
            ratio(&mut search, old.search, new.search),
            seconds(old.total.cpu),
            seconds(new.total.cpu),
            ratio(&mut cpu, old.total.cpu, new.total.cpu),
        ]);
    }
    format!(
        "\n## {} (seconds)\n\n{}\nSearch by the clock, before / now: {}\n\
         Processor time of all, before / now: {}\n",
        way.name,
        table.text(),
        search.summary(),
        cpu.summary()
    )
}
