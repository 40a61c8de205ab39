//! Safety: the full graph, the reduced one, two threads, and how the rate changes with the size.

use crate::cases::{self, Case};
use crate::tables::{mebibytes, seconds, Ratios, Table};
use crate::tools::{best_of, Figures, Property, Tools, EXACT};

/// Models of at least this many states count for what several threads give.
const LARGE: u64 = 1_000_000;
const SAFETY: Property = Property::Safety;

/// Everything about one model.
struct Measured {
    name: String,
    pan: Figures,
    one: Figures,
    two: Figures,
    pan_reduced: Figures,
    one_reduced: Figures,
}

fn measure(tools: &Tools, case: &Case) -> Result<Measured, String> {
    Ok(Measured {
        name: case.name.clone(),
        pan: tools.spin(case, SAFETY, false)?,
        one: tools.isospin(case, SAFETY, EXACT, 1)?,
        two: tools.isospin(case, SAFETY, EXACT, 2)?,
        pan_reduced: tools.spin(case, SAFETY, true)?,
        one_reduced: tools.isospin(case, SAFETY, &[], 1)?,
    })
}

fn best(a: Measured, b: Measured) -> Measured {
    Measured {
        name: a.name,
        pan: a.pan.best(b.pan),
        one: a.one.best(b.one),
        two: a.two.best(b.two),
        pan_reduced: a.pan_reduced.best(b.pan_reduced),
        one_reduced: a.one_reduced.best(b.one_reduced),
    }
}

/// Measures, and says what came out.
pub fn report(tools: &Tools, filter: &str, quick: bool, repeat: usize) -> String {
    let (cases, mut notices) = cases::safety(filter, quick);
    let mut all = Vec::new();
    for case in &cases {
        eprintln!("{}", case.name);
        match best_of(repeat, || measure(tools, case), best) {
            Ok(measured) => {
                // For those who do not want to wait for the tables.
                let [pan, ours] = [&measured.pan, &measured.one].map(|f| f.total.cpu);
                eprintln!("  processor time from source to verdict: {pan:.2} and {ours:.2} s");
                all.push(measured);
            }
            Err(why) => notices.push(why),
        }
    }
    let mut out = String::new();
    if !all.is_empty() {
        out += &agreement(&all);
        out += &times(&all);
        out += &memory(&all);
        out += &reduced(&all);
        out += &threads(&all);
    }
    if !quick {
        out += &scaling(tools, filter, repeat, &mut notices);
    }
    for notice in notices {
        out += &format!("\nNotice: {notice}\n");
    }
    out
}

fn agreement(all: &[Measured]) -> String {
    let mut wrong = Vec::new();
    for m in all {
        let pan = (m.pan.states, m.pan.transitions);
        for (threads, ours) in [(1, &m.one), (2, &m.two)] {
            let ours = (ours.states, ours.transitions);
            if ours != pan {
                wrong.push(format!("{}, {threads} threads: {ours:?}, pan {pan:?}", m.name));
            }
        }
    }
    if wrong.is_empty() {
        format!("\nStates and transitions are the same in all {} models.\n", all.len())
    } else {
        format!("\nDIFFERENT states or transitions:\n{}\n", wrong.join("\n"))
    }
}

fn times(all: &[Measured]) -> String {
    let mut table = Table::new(&[
        "model",
        "states",
        "transitions",
        "spin+gcc",
        "isospin",
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
    let (mut search, mut cpu) = (Ratios::default(), Ratios::default());
    let (mut total, mut total_cpu) = (Ratios::default(), Ratios::default());
    for Measured { name, pan, one, .. } in all {
        total_cpu.add(name, pan.total.cpu, one.total.cpu);
        table.row(vec![
            name.clone(),
            pan.states.to_string(),
            pan.transitions.to_string(),
            seconds(pan.compile.wall),
            seconds(one.compile.wall),
            seconds(pan.search),
            seconds(one.search),
            search.add(name, pan.search, one.search),
            seconds(pan.search_cpu()),
            seconds(one.total.cpu),
            cpu.add(name, pan.search_cpu(), one.total.cpu),
            seconds(pan.total.wall),
            seconds(one.total.wall),
            total.add(name, pan.total.wall, one.total.wall),
        ]);
    }
    format!(
        "\n## Time, reductions off, one thread (seconds)\n\n{}\n\
         Search by the clock, pan / Isospin: {}\n\
         Processor time, pan / all of Isospin: {}\n\
         Source to verdict by the clock, Spin / Isospin: {}\n\
         Source to verdict in processor time, Spin / Isospin: {}\n",
        table.text(),
        search.summary(),
        cpu.summary(),
        total.summary(),
        total_cpu.summary()
    )
}

fn memory(all: &[Measured]) -> String {
    let mut table = Table::new(&[
        "model",
        "pan peak MiB",
        "Isospin peak MiB",
        "ratio",
        "pan B/state",
        "with its table",
        "Isospin B/state",
        "ratio",
        "ratio with tables",
    ]);
    let (mut peak, mut states, mut tables) =
        (Ratios::default(), Ratios::default(), Ratios::default());
    for Measured { name, pan, one, .. } in all {
        let per_state = |bytes: f64| format!("{:.1}", bytes / pan.states.max(1) as f64);
        table.row(vec![
            name.clone(),
            mebibytes(pan.total.peak),
            mebibytes(one.total.peak),
            peak.add(name, pan.total.peak as f64, one.total.peak as f64),
            per_state(pan.state_bytes),
            per_state(pan.store_bytes),
            per_state(one.store_bytes),
            states.add(name, pan.state_bytes, one.store_bytes),
            tables.add(name, pan.store_bytes, one.store_bytes),
        ]);
    }
    format!(
        "\n## Memory, reductions off, one thread\n\n{}\n\
         Peak, pan / Isospin: {}\n\
         Bytes per state, pan without its table / Isospin with it: {}\n\
         Bytes per state, both with their tables: {}\n",
        table.text(),
        peak.summary(),
        states.summary(),
        tables.summary()
    )
}

fn reduced(all: &[Measured]) -> String {
    let mut table = Table::new(&[
        "model",
        "pan states",
        "Isospin states",
        "ratio",
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
    let (mut states, mut search) = (Ratios::default(), Ratios::default());
    let (mut cpu, mut total) = (Ratios::default(), Ratios::default());
    for Measured { name, pan_reduced: pan, one_reduced: one, .. } in all {
        table.row(vec![
            name.clone(),
            pan.states.to_string(),
            one.states.to_string(),
            states.add(name, pan.states as f64, one.states as f64),
            seconds(pan.search),
            seconds(one.search),
            search.add(name, pan.search, one.search),
            seconds(pan.search_cpu()),
            seconds(one.total.cpu),
            cpu.add(name, pan.search_cpu(), one.total.cpu),
            seconds(pan.total.wall),
            seconds(one.total.wall),
            total.add(name, pan.total.wall, one.total.wall),
        ]);
    }
    let names = |of: &dyn Fn(&Measured) -> bool| {
        let names: Vec<&str> = all.iter().filter(|m| of(m)).map(|m| m.name.as_str()).collect();
        names.join(", ")
    };
    let refused = names(&|m| m.pan_reduced.refused);
    let different =
        names(&|m| !m.pan_reduced.refused && m.pan_reduced.violated != m.one_reduced.violated);
    let mut verdicts = if different.is_empty() {
        "The verdicts are the same.".to_owned()
    } else {
        format!("DIFFERENT verdicts: {different}")
    };
    if !refused.is_empty() {
        verdicts += &format!(" pan calls its own reduction invalid: {refused}.");
    }
    format!(
        "\n## Reductions on, one thread (seconds)\n\n{}\n{verdicts}\n\
         States, pan / Isospin: {}\n\
         Search by the clock, pan / Isospin: {}\n\
         Processor time, pan / all of Isospin: {}\n\
         Source to verdict by the clock, Spin / Isospin: {}\n",
        table.text(),
        states.summary(),
        search.summary(),
        cpu.summary(),
        total.summary()
    )
}

fn threads(all: &[Measured]) -> String {
    let mut table =
        Table::new(&["model", "states", "one", "two", "ratio", "cpu one", "cpu two", "cpu ratio"]);
    let (mut speedup, mut cpu) = (Ratios::default(), Ratios::default());
    for Measured { name, one, two, .. } in all.iter().filter(|m| m.one.states >= LARGE) {
        table.row(vec![
            name.clone(),
            one.states.to_string(),
            seconds(one.search),
            seconds(two.search),
            speedup.add(name, one.search, two.search),
            seconds(one.total.cpu),
            seconds(two.total.cpu),
            // Twice the processor time of one thread, shared by two, is no gain.
            cpu.add(name, 2.0 * one.total.cpu, two.total.cpu),
        ]);
    }
    format!(
        "\n## Two threads, reductions off, models of a million states and more (seconds)\n\n{}\n\
         By the clock, one thread / two: {}\n\
         What two free cores could give at most, from processor time: {}\n",
        table.text(),
        speedup.summary(),
        cpu.summary()
    )
}

fn scaling(tools: &Tools, filter: &str, repeat: usize, notices: &mut Vec<String>) -> String {
    let mut table = Table::new(&[
        "family",
        "states",
        "M transitions/s",
        "states",
        "M transitions/s",
        "ratio",
        "cpu ratio",
    ]);
    let (mut clock, mut cpu) = (Ratios::default(), Ratios::default());
    for (small, large) in cases::families(filter) {
        eprintln!("{} and {}", small.name, large.name);
        let run =
            |case: &Case| best_of(repeat, || tools.isospin(case, SAFETY, EXACT, 1), Figures::best);
        let (a, b) = match (run(&small), run(&large)) {
            (Ok(a), Ok(b)) => (a, b),
            (Err(why), _) | (_, Err(why)) => {
                notices.push(why);
                continue;
            }
        };
        let rate = |f: &Figures, seconds: f64| f.transitions as f64 / seconds;
        let million = |f: &Figures| format!("{:.2}", rate(f, f.search) / 1e6);
        table.row(vec![
            format!("{} to {}", small.name, large.defines.join(" ")),
            a.states.to_string(),
            million(&a),
            b.states.to_string(),
            million(&b),
            clock.add(&small.name, rate(&b, b.search), rate(&a, a.search)),
            cpu.add(&small.name, rate(&b, b.total.cpu), rate(&a, a.total.cpu)),
        ]);
    }
    format!(
        "\n## The rate as models grow, reductions off, one thread\n\n{}\n\
         Large / small by the clock: {}\n\
         Large / small in processor time, compiling included: {}\n",
        table.text(),
        clock.summary(),
        cpu.summary()
    )
}
