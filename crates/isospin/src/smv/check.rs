//! `isospin check` of an SMV model.

use std::collections::BTreeMap;
use std::time::{Duration, Instant, SystemTime};

use isospin_report::format::count;
use isospin_report::relation::{json, kind, name, refused as refused_json, text, vcd, Outcome};
use isospin_symbolic::{
    check, explicit, Event, Options, Order, Report, Status as Ending, Strategy, Verdict,
};

use super::load::{read_model, Loaded};
use super::trail::Trails;
use super::write;
use crate::args::{CheckArgs, Engine, Fairness, Steps};
use crate::check::trails::refuse_other_files;
use crate::failure::Failure;
use crate::files;
use crate::interrupt::token;
use crate::memory::default_limit;
use crate::output::{complain, Output};
use crate::progress::ProgressLine;
use crate::Status;

/// How much memory diagrams may take unless somebody says more.
const MEMORY: u64 = 4 << 30;

/// Verifies the model.
pub fn run(args: &CheckArgs) -> Result<Status, Failure> {
    let start = Instant::now();
    refuse(args)?;
    let started = SystemTime::now();
    refuse_other_files(args)?;
    let loaded = match read_model(&args.model, &args.reading, &mut |_| Ok(()))? {
        Ok(loaded) => loaded,
        Err(said) => return refused(args, &said),
    };
    let reading = start.elapsed();
    let asked = asked(args, &loaded)?;
    let order = match &args.order {
        Some(path) => {
            let text = files::read_text(path).map_err(|error| {
                Failure::new(format_args!("cannot read {}: {error}", path.display()))
            })?;
            let order = Order::read(&loaded.relation, &text);
            Some(order.map_err(|e| Failure::new(format_args!("{}: {e}", path.display())))?)
        }
        None => None,
    };
    let memory = args.memory.unwrap_or_else(|| default_limit().unwrap_or(MEMORY).min(MEMORY));
    let strategy = match args.strategy {
        Steps::Auto => Strategy::Automatic,
        Steps::Breadth => Strategy::Breadth,
        Steps::Chaining => Strategy::Chaining,
        Steps::Saturation => Strategy::Saturation,
    };
    let only = Some(asked.clone());
    // Whoever asks for invariants by name does not ask for all states.
    let enough = !args.property.is_empty();
    let options = Options { order, memory, only, strategy, enough, ..Options::default() };
    let interrupt = token();
    let mut line = ProgressLine::new(args.reading.quiet);
    let mut watch = |event: Option<&Event>| {
        if let Some(Event::Ring(ring, nodes, states)) = event {
            let text = format!(
                "{:>4} s  ring {}  states {states}  nodes {}",
                start.elapsed().as_secs(),
                count(*ring as u64),
                count(*nodes as u64)
            );
            line.show(start.elapsed(), text);
        }
        !interrupt.is_asked() && args.time.is_none_or(|limit| start.elapsed() < limit)
    };
    let engine = args.engine.unwrap_or(Engine::Symbolic);
    let report = match engine {
        Engine::Symbolic => check(&loaded.relation, &options, &mut watch),
        Engine::Explicit => explicit(&loaded.relation, &options, &mut watch),
    };
    line.clear();
    if report.status == Ending::Refused {
        return refused(args, &loaded.complain(&report.wrong));
    }
    let mut trails = Trails::new(args, &loaded.relation, &loaded.hash, started);
    let mut written = BTreeMap::new();
    for &index in &asked {
        let found = &report.found[index];
        if let (Verdict::Violated, Some(trace)) = (found.verdict, &found.trace) {
            written.extend(trails.write(index, trace).map(|file| (index, file)));
        }
    }
    tell(args, &loaded, &report, (asked, written), engine, (reading, start.elapsed()))
}

/// The model was refused, and everything has been said: a program gets an object all the same.
fn refused(args: &CheckArgs, said: &[(String, String)]) -> Result<Status, Failure> {
    if args.json {
        let mut out = Output::new();
        let model = args.model.display().to_string();
        out.line(&format!("{:#}", refused_json(env!("CARGO_PKG_VERSION"), &model, said)));
        return out.finish_with(Status::BadInput);
    }
    Err(Failure::Silent)
}

/// Says what was found.
fn tell(
    args: &CheckArgs,
    loaded: &Loaded,
    report: &Report,
    (asked, trails): (Vec<usize>, BTreeMap<usize, String>),
    engine: Engine,
    times: (Duration, Duration),
) -> Result<Status, Failure> {
    let relation = &*loaded.relation;
    let specifications = relation.specifications.iter();
    let outcome = Outcome {
        version: env!("CARGO_PKG_VERSION"),
        model: &args.model.display().to_string(),
        relation,
        report,
        asked,
        locations: specifications.map(|s| loaded.location(s.place)).collect(),
        engine: match engine {
            Engine::Symbolic => "symbolic",
            Engine::Explicit => "explicit",
        },
        trails,
        last: args.last,
        times,
    };
    let mut out = Output::new();
    if args.json {
        out.line(&format!("{:#}", json(&outcome)));
    } else {
        out.text(&text(&outcome, out.style()));
    }
    out.finish()?;
    if let Some(path) = &args.write_order {
        write(path, &report.order.write(relation))?;
    }
    if let Some(path) = &args.vcd {
        let first = outcome.asked.iter().find_map(|k| report.found[*k].trace.as_ref());
        if let Some(trace) = first {
            write(path, &vcd(relation, trace, outcome.version))?;
        }
    }
    if report.unconfirmed > 0 {
        complain(&format!(
            "internal error: {} of the executions found do not replay; please report this with \
             the model {}",
            report.unconfirmed, outcome.model
        ));
        return Ok(Status::Incomplete);
    }
    Ok(match outcome.verdict() {
        Verdict::Violated => Status::Violated,
        Verdict::Incomplete => Status::Incomplete,
        Verdict::Holds | Verdict::Length(_) => Status::Fine,
    })
}

/// The specifications that are asked for, by name or by kind.
fn asked(args: &CheckArgs, loaded: &Loaded) -> Result<Vec<usize>, Failure> {
    let relation = &loaded.relation;
    let all = 0..relation.specifications.len();
    if args.property.is_empty() {
        return Ok(all.collect());
    }
    let mut asked = Vec::new();
    for wanted in &args.property {
        let matches = |k: &usize| {
            name(relation, *k) == *wanted
                || kind(&relation.specifications[*k].property) == wanted.as_str()
        };
        let found: Vec<usize> = all.clone().filter(matches).collect();
        if found.is_empty() {
            let names: Vec<String> = all.clone().map(|k| name(relation, k)).collect();
            return Err(Failure::new(format_args!(
                "there is no specification named `{wanted}`; there are {}",
                if names.is_empty() { "none".into() } else { names.join(", ") }
            )));
        }
        asked.extend(found);
    }
    asked.sort_unstable();
    asked.dedup();
    Ok(asked)
}

/// Refuses what only makes sense for models that are made of processes.
fn refuse(args: &CheckArgs) -> Result<(), Failure> {
    let given = [
        (
            !args.ltl.is_empty() || !args.ltl_file.is_empty(),
            "--ltl",
            "write LTLSPEC into the model",
        ),
        (args.hoa.is_some(), "--hoa", "write LTLSPEC into the model"),
        (args.safety, "--safety", "--property invariant checks invariants only"),
        (args.acceptance, "--acceptance", "write LTLSPEC into the model"),
        (args.progress, "--progress", "write LTLSPEC into the model"),
        (args.fair != Fairness::None, "--fair", "write FAIRNESS into the model"),
        (args.abstract_timers, "--abstract-timers", "SMV has no timers"),
    ];
    for (is_given, option, instead) in given {
        if is_given {
            return Err(Failure::new(format_args!("{option} is not for SMV models; {instead}")));
        }
    }
    Ok(())
}
