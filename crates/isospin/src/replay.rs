//! `isospin replay`: following the execution that a check has written down.

use std::io::{self, BufRead};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use isospin_replay::Execution;
use isospin_report::msc::Chart;
use isospin_report::narrate::Narrator;
use isospin_report::snapshot::Snapshot;
use isospin_report::story::{Retold, Story};
use isospin_report::trail::{self, Ending, Trail};
use isospin_report::Names;
use isospin_source::visible;
use serde_json::json;

use crate::args::{ModelArgs, ReplayArgs};
use crate::failure::Failure;
use crate::load::{load, Loaded};
use crate::output::Output;
use crate::{timers, Status};

/// A trail that fits its model.
pub struct Opened {
    /// The trail.
    pub trail: Trail,
    /// The model, and what everything in it is called.
    pub names: Names,
    /// How the execution ends.
    pub ending: Ending,
}

/// Reads a trail, or a model and then its trail, and re-executes it on the interpreter. A trail
/// that does not fit the model is refused.
pub fn open(files: &[PathBuf], quiet: bool) -> Result<Opened, Failure> {
    let (model, path) = match files {
        [trail] => (None, trail),
        [model, trail, ..] => (Some(model.as_path()), trail),
        [] => return Err(Failure::new("a trail is needed")),
    };
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::new(format_args!("cannot read {}: {error}", path.display())))?;
    let refuse = |why: &str| {
        Failure::new(format_args!("the trail {} cannot be followed: {why}", path.display()))
    };
    let trail = trail::read(&text).map_err(|why| refuse(&why))?;
    let loaded = model_of(&trail, model, path, quiet)?;
    if loaded.hash != trail.header.model_hash {
        return Err(refuse(&format!(
            "{} is not the text that it was made from",
            loaded.model.name
        )));
    }
    let names = Names::new(Arc::clone(&loaded.model));
    let ending = trail::verify(&names, &trail, &mut |_| {}).map_err(|why| refuse(&why))?;
    Ok(Opened { trail, names, ending })
}

/// Re-executes the trail. Nothing of one that does not fit is shown.
pub fn run(args: &ReplayArgs) -> Result<Status, Failure> {
    let Opened { trail, names, ending } = open(&args.files, args.quiet)?;
    let mut out = Output::new();
    if args.json {
        return json_report(&trail, &names, ending, out);
    }
    if args.msc {
        chart(&trail, &names, &mut out);
    } else {
        steps(&trail, &names, args.step, &mut out);
    }
    end(&trail, &names, ending, &mut out);
    out.finish()?;
    Ok(Status::Fine)
}

/// The model: the one that was given, or the one that the trail names, from here or from beside
/// the trail.
fn model_of(
    trail: &Trail,
    given: Option<&Path>,
    beside: &Path,
    quiet: bool,
) -> Result<Loaded, Failure> {
    let named = PathBuf::from(&trail.header.model);
    let path = match given {
        Some(path) => path.to_owned(),
        None if named.exists() => named,
        None => match (beside.parent(), named.file_name()) {
            (Some(folder), Some(name)) if folder.join(name).exists() => folder.join(name),
            _ => {
                return Err(Failure::new(format_args!(
                    "the trail's model {} is not here; name it: isospin replay MODEL {}",
                    named.display(),
                    beside.display()
                )));
            }
        },
    };
    let options = &trail.header.options;
    let reading = ModelArgs {
        defines: options.defines.clone(),
        include_dirs: options.include_dirs.iter().map(PathBuf::from).collect(),
        // The check has warned already.
        allow: vec!["warnings".to_owned()],
        quiet,
        ..ModelArgs::default()
    };
    let mut loaded = load(&path, &reading)?;
    if options.arguments.iter().any(|a| a == "--exact") {
        // Such a check does not look at promises, and goes on where one was broken.
        Arc::make_mut(&mut loaded.model).exclusives.clear();
    }
    if options.arguments.iter().any(|a| a == "--abstract-timers") {
        timers::forget(&mut loaded.model)?;
    }
    Ok(loaded)
}

/// Tells every step; with `pause`, waits for Enter after each.
fn steps(trail: &Trail, names: &Names, pause: bool, out: &mut Output) {
    let style = out.style();
    let narrator = Narrator::new(names, style);
    let mut lines = io::stdin().lock().lines();
    let mut pausing = pause;
    let mut stopped = false;
    let last = trail.steps.len();
    let mut tell = |story: Story| {
        if stopped {
            return;
        }
        if trail.header.cycle_start == Some(story.number) {
            out.line(&style.bold("from here on, again and again:"));
        }
        out.line(&narrator.step(&story));
        if !story.printed.is_empty() {
            out.line(&format!("         prints {:?}", story.printed));
        }
        if pausing && story.number < last {
            out.flush();
            match lines.next() {
                Some(Ok(line)) if line.trim() == "q" => stopped = true,
                Some(Ok(line)) if line.trim() == "c" => pausing = false,
                Some(Ok(_)) => {}
                _ => pausing = false,
            }
        }
    };
    if pause {
        say_keys();
    }
    // It was verified a moment ago.
    let _ = trail::verify(names, trail, &mut tell);
}

fn say_keys() {
    crate::output::say("Enter: next step; c: all the rest; q: to the end\n");
}

fn chart(trail: &Trail, names: &Names, out: &mut Output) {
    let Ok(start) = Execution::new(Arc::clone(&names.model)) else {
        return;
    };
    let mut chart = Chart::new(Snapshot::read(names, start.state()).heads());
    let _ = trail::verify(names, trail, &mut |story| chart.add(&story));
    let text = chart.text(out.style());
    out.text(&text);
}

/// The failing statement and the state.
fn end(trail: &Trail, names: &Names, ending: Ending, out: &mut Output) {
    let style = out.style();
    let property = &trail.header.property;
    let steps = isospin_report::format::plural(trail.steps.len() as u64, "step");
    out.line("");
    out.line(
        &style.bad(&visible(&format!(
            "{} violated after {steps}: {}",
            property.name, property.message
        ))),
    );
    if !property.location.is_empty() {
        out.line(&format!("  at {}", visible(&property.location)));
    }
    if let Ending::At(Retold { mut execution, .. }) = ending {
        let narrator = Narrator::new(names, style);
        out.line("\nThe state then:");
        let snapshot = Snapshot::read(names, execution.state());
        match property.kind.as_str() {
            "end-state" => {
                out.text(&narrator.values(&snapshot));
                out.text(&narrator.standing(&mut execution, &[]));
            }
            _ => out.text(&narrator.state(&snapshot)),
        }
    }
}

fn json_report(
    trail: &Trail,
    names: &Names,
    ending: Ending,
    mut out: Output,
) -> Result<Status, Failure> {
    let state = match &ending {
        Ending::At(retold) => {
            serde_json::to_value(Snapshot::read(names, retold.execution.state())).ok()
        }
        Ending::NoStart(_) => None,
    };
    let report = json!({
        "isospin": env!("CARGO_PKG_VERSION"),
        "fits": true,
        "trail": trail,
        "state": state,
    });
    out.line(&format!("{report:#}"));
    out.finish()?;
    Ok(Status::Fine)
}
