//! What partial-order reduction costs a state: the same model with it and without, everything else
//! being equal.

use std::fmt::Write as _;

use crate::cases;
use crate::tables::{seconds, Ratios, Table};
use crate::tools::{best_of, best_pair, Property, Tools};

/// States that are searched in less time than this say nothing.
const TOO_SHORT: f64 = 0.02;

/// Measures, and says what came out.
pub fn report(tools: &Tools, filter: &str, quick: bool, repeat: usize) -> String {
    let mut out = String::from("\n## Time per state with partial-order reduction (seconds)\n\n");
    let headings = ["model", "states without", "with", "time without", "with", "per state"];
    let mut table = Table::new(&headings);
    let mut ratios = Ratios::default();
    let (cases, mut notices) = cases::safety(filter, quick);
    for case in cases {
        eprintln!("{}", case.name);
        let run = |options: &[&str]| tools.isospin(&case, Property::Safety, options, 1);
        let once = || Ok((run(&["--no-symmetry", "--no-por"])?, run(&["--no-symmetry"])?));
        let (without, with) = match best_of(repeat, once, best_pair) {
            Ok(both) => both,
            Err(why) => {
                notices.push(why);
                continue;
            }
        };
        let per_state = if without.search.min(with.search) < TOO_SHORT {
            "-".to_owned()
        } else {
            let per_state = |search: f64, states: u64| search / states as f64;
            let above = per_state(with.search, with.states);
            ratios.add(&case.name, above, per_state(without.search, without.states))
        };
        table.row(vec![
            case.name,
            without.states.to_string(),
            with.states.to_string(),
            seconds(without.search),
            seconds(with.search),
            per_state,
        ]);
    }
    let _ = writeln!(out, "{}\nTime per state, with / without: {}", table.text(), ratios.summary());
    for notice in notices {
        let _ = writeln!(out, "{notice}");
    }
    out
}
