//! The same formula on the same model: `pan -a` and `isospin check --property`.

use crate::cases;
use crate::tables::{seconds, Ratios, Table};
use crate::tools::{best_of, best_pair, Property, Tools, EXACT};

/// Measures, and says what came out.
pub fn report(tools: &Tools, filter: &str, quick: bool, repeat: usize) -> String {
    let mut out = String::new();
    let mut notices = Vec::new();
    for reduce in [false, true] {
        let mut table = Table::new(&[
            "formula",
            "verdict",
            "pan states",
            "Isospin states",
            "pan",
            "search",
            "ratio",
            "pan cpu",
            "all cpu",
            "ratio",
            "Spin total",
            "Isospin total",
            "ratio",
        ]);
        let (mut search, mut cpu, mut total) =
            (Ratios::default(), Ratios::default(), Ratios::default());
        for (case, formula) in cases::formulas(filter, quick) {
            let property = Property::Formula(formula);
            let name = format!("{} {formula}", case.name);
            eprintln!("{name}");
            let options = if reduce { &[] } else { EXACT };
            let once = || {
                let pan = tools.spin(&case, property, reduce)?;
                Ok((pan, tools.isospin(&case, property, options, 1)?))
            };
            let (pan, ours) = match best_of(repeat, once, best_pair) {
                Ok(both) => both,
                Err(why) => {
                    notices.push(why);
                    continue;
                }
            };
            if pan.violated != ours.violated {
                notices.push(format!("DIFFERENT verdicts: {name}"));
            }
            table.row(vec![
                name.clone(),
                if ours.violated { "violated" } else { "holds" }.to_owned(),
                pan.states.to_string(),
                ours.states.to_string(),
                seconds(pan.search),
                seconds(ours.search),
                search.add(&name, pan.search, ours.search),
                seconds(pan.search_cpu()),
                seconds(ours.total.cpu),
                cpu.add(&name, pan.search_cpu(), ours.total.cpu),
                seconds(pan.total.wall),
                seconds(ours.total.wall),
                total.add(&name, pan.total.wall, ours.total.wall),
            ]);
        }
        out += &format!(
            "\n## Formulas, reductions {}, one thread (seconds)\n\n{}\n\
             Search by the clock, pan / Isospin: {}\n\
             Processor time, pan / all of Isospin: {}\n\
             Source to verdict by the clock, Spin / Isospin: {}\n",
            if reduce { "on" } else { "off" },
            table.text(),
            search.summary(),
            cpu.summary(),
            total.summary()
        );
    }
    for notice in notices {
        out += &format!("\nNotice: {notice}\n");
    }
    out
}
