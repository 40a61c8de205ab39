//! `isospin replay`: following the execution that a check has written down.

use std::io::{self, BufRead, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use isospin_check::{reconfirm, Claimed, Property, PropertyKind, Verdict};
use isospin_machine::Step;
use isospin_replay::Execution;
use isospin_report::check::{tell, Told};
use isospin_report::format::bytes;
use isospin_report::msc::Chart;
use isospin_report::narrate::Narrator;
use isospin_report::snapshot::Snapshot;
use isospin_report::story::{Retold, Story};
use isospin_report::trail::{self, Ending, Trail, TrailAutomaton, TrailStep};
use isospin_report::Names;
use isospin_source::visible;
use serde_json::json;

use crate::args::{Language, ModelArgs, ReplayArgs};
use crate::beside::{Beside, Read};
use crate::check::hoa::Automaton;
use crate::failure::Failure;
use crate::given::Given;
use crate::output::{say, Output};
use crate::Status;

/// Larger files than this are not read.
pub const MAX_TRAIL: u64 = 1 << 30;

/// Cycles that have come back only after more steps than this are not gone.
const MAX_ROUNDS: u64 = 100_000;

/// A trail that fits its model.
pub struct Opened {
    /// The trail.
    pub trail: Trail,
    /// The model's file.
    pub model: PathBuf,
    /// The model, and what everything in it is called.
    pub names: Names,
    /// How the execution ends.
    pub ending: Ending,
    /// What it shows, told anew.
    pub told: Told,
}

/// How a trail is followed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Following {
    /// No warnings.
    pub quiet: bool,
    /// The model may have another text than the one that the trail was made from.
    pub changed: bool,
    /// Nothing outside the model's folder is read.
    pub untrusted: bool,
}

/// Reads a trail, or a model and then its trail, and re-executes it on the interpreter. A trail
/// that does not fit the model, or does not show what it claims, is refused.
pub fn open(files: &[PathBuf], following: Following) -> Result<Opened, Failure> {
    let (model, path) = match files {
        [trail] => (None, trail),
        [model, trail, ..] => (Some(model.as_path()), trail),
        [] => return Err(Failure::new("a trail is needed")),
    };
    let text = read_text(path)?;
    let refuse = |why: &str| {
        Failure::new(format_args!("the trail {} cannot be followed: {why}", path.display()))
    };
    let trail = trail::read(&text).map_err(|why| refuse(&why))?;
    let property = &trail.header.property;
    let kind = PropertyKind::of_word(&property.kind)
        .ok_or_else(|| refuse(&format!("there is no kind of property `{}`", property.kind)))?;
    let cycle = match trail.header.cycle_start {
        Some(0) => return Err(refuse("its cycle starts with step 0, and the first is step 1")),
        start => start.map(|start| start - 1),
    };
    // The replayer goes round after round until the cycle has come back, or it has seen enough of
    // them; what a search has proved is not believed here.
    let length = trail.steps.len().saturating_sub(cycle.unwrap_or(0)) as u64;
    if trail.header.renaming.as_ref().is_some_and(|r| r.order.saturating_mul(length) > MAX_ROUNDS) {
        return Err(refuse("its cycle takes too many rounds until it has come back"));
    }
    let model = model_of(&trail, model, path)?;
    let Read { loaded, automaton, .. } = read_model(&trail, &model, following, &mut |hash| {
        if hash == trail.header.model_hash {
            Ok(())
        } else if following.changed {
            say("warning: the model is not the text that the trail was made from\n");
            Ok(())
        } else {
            Err(refuse(&format!(
                "{} is not the text that it was made from (--changed tries all the same)",
                model.display()
            )))
        }
    })?;
    let names = Names::new(Arc::clone(&loaded.model));
    let ending = trail::follow(&names, &trail, &mut |_| {}).map_err(|why| refuse(&why))?;
    let steps: Vec<Step> = trail.steps.iter().map(TrailStep::step).collect();
    let fairness = trail.header.options.fairness.into();
    let name = &property.name;
    let automaton = automaton.as_ref();
    let unreadable = property.unreadable;
    let renaming = trail.header.renaming.as_ref().map(Into::into);
    let renaming = renaming.as_ref();
    let claimed =
        Claimed { name, kind, automaton, fairness, steps: &steps, cycle, renaming, unreadable };
    let finding = reconfirm(&loaded.model, &claimed).map_err(|why| refuse(&why.to_string()))?;
    let violated = Property {
        name: name.clone(),
        kind,
        verdict: Verdict::Violated,
        open: None,
        findings: Vec::new(),
    };
    let told = tell(&names, &violated, &finding, fairness, 1);
    if told.message != property.message {
        return Err(refuse(&format!(
            "it claims `{}`, and what it shows is `{}`",
            property.message, told.message
        )));
    }
    Ok(Opened { trail, model, names, ending, told })
}

/// The text of a trail, which is a regular file that is not too large.
fn read_text(path: &Path) -> Result<String, Failure> {
    let refuse = |why: &dyn std::fmt::Display| {
        Failure::new(format_args!("cannot read {}: {why}", path.display()))
    };
    let found = std::fs::metadata(path).map_err(|error| refuse(&error))?;
    if !found.is_file() {
        return Err(refuse(&"it is not a regular file"));
    }
    if found.len() > MAX_TRAIL {
        return Err(refuse(&format_args!("it is larger than {}", bytes(MAX_TRAIL))));
    }
    let mut text = String::new();
    let file = std::fs::File::open(path).map_err(|error| refuse(&error))?;
    file.take(MAX_TRAIL).read_to_string(&mut text).map_err(|error| refuse(&error))?;
    Ok(text)
}

/// Re-executes the trail. Nothing of one that does not fit is shown.
pub fn run(args: &ReplayArgs) -> Result<Status, Failure> {
    let last = args.files.last().map(|path| read_text(path)).transpose()?;
    if let Some(object) = last.and_then(|text| crate::smv::is_trail(&text)) {
        return crate::smv::replay(args, &object);
    }
    let ReplayArgs { quiet, changed, untrusted, .. } = *args;
    let opened = open(&args.files, Following { quiet, changed, untrusted })?;
    let mut out = Output::new();
    if args.json {
        return json_report(&opened, args.files.len() == 1, out);
    }
    let Opened { trail, names, .. } = &opened;
    if args.msc {
        chart(trail, names, &mut out);
    } else {
        steps(trail, names, args.step, &mut out);
    }
    end(opened, &mut out);
    out.finish()?;
    Ok(Status::Fine)
}

/// The model's file: the one that was given, or the one that the trail names, from here or from
/// beside the trail. What the trail has chosen is said.
fn model_of(trail: &Trail, given: Option<&Path>, beside: &Path) -> Result<PathBuf, Failure> {
    let named = PathBuf::from(&trail.header.model);
    let chosen = match given {
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
    let defines = options.defines.iter().map(|d| format!("-D{d}"));
    let folders = options.include_dirs.iter().map(|d| format!("-I {d}"));
    let with: Vec<String> = defines.chain(folders).collect();
    let with = if with.is_empty() { String::new() } else { format!(" with {}", with.join(" ")) };
    if given.is_none() {
        let chosen = chosen.display().to_string();
        say(&format!(
            "note: as the trail says, the model is {}{}\n",
            visible(&chosen),
            visible(&with)
        ));
    } else if !with.is_empty() {
        say(&format!("note: as the trail says, the model is read{}\n", visible(&with)));
    }
    Ok(chosen)
}

/// Reads the model with what the trail says that was given beside it.
fn read_model(
    trail: &Trail,
    path: &Path,
    following: Following,
    accept: &mut dyn FnMut(&str) -> Result<(), Failure>,
) -> Result<Read, Failure> {
    let options = &trail.header.options;
    let reading = ModelArgs {
        defines: options.defines.clone(),
        include_dirs: options.include_dirs.iter().map(PathBuf::from).collect(),
        // The check has warned already.
        allow: vec!["warnings".to_owned()],
        quiet: following.quiet,
        untrusted: following.untrusted,
        language: options.intermediate.as_ref().map(|_| Language::If),
        intermediate: options
            .intermediate
            .as_ref()
            .map(crate::intermediate::args)
            .unwrap_or_default(),
        ..ModelArgs::default()
    };
    let origin = Some("a formula of the trail".to_owned());
    let formulas =
        options.formulas.iter().map(|text| Given { text: text.clone(), origin: origin.clone() });
    let automaton = options
        .automaton
        .clone()
        .map(|TrailAutomaton { name, text }| Automaton::of_text(visible(&name).into_owned(), text));
    let beside = Beside {
        formulas: formulas.collect(),
        automaton: automaton.transpose()?,
        exact: options.exact,
        abstract_timers: options.abstract_timers,
    };
    beside.read(path, &reading, accept)
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
    let _ = trail::follow(names, trail, &mut tell);
}

fn say_keys() {
    crate::output::say("Enter: next step; c: all the rest; q: to the end\n");
}

fn chart(trail: &Trail, names: &Names, out: &mut Output) {
    let Ok(start) = Execution::new(Arc::clone(&names.model)) else {
        return;
    };
    let mut chart = Chart::new(Snapshot::read(names, start.state()).heads());
    let _ = trail::follow(names, trail, &mut |story| chart.add(&story));
    let text = chart.text(out.style());
    out.text(&text);
}

/// What is violated, and the state.
fn end(opened: Opened, out: &mut Output) {
    let Opened { trail, names, ending, told, .. } = opened;
    let style = out.style();
    let property = &trail.header.property;
    let steps = isospin_report::format::plural(trail.steps.len() as u64, "step");
    out.line("");
    let sentence = format!("{} violated after {steps}: {}", property.name, told.message);
    out.line(&style.bad(&visible(&sentence)));
    if !told.location.is_empty() {
        out.line(&format!("  at {}", visible(&told.location)));
    }
    if let Some(formula) = names.model.formulas.iter().find(|f| f.name == property.name) {
        out.line(&format!("  the formula: {}", visible(&formula.text)));
    }
    if let Ending::At(Retold { mut execution, .. }) = ending {
        let narrator = Narrator::new(&names, style);
        out.line("\nThe state then:");
        let snapshot = Snapshot::read(&names, execution.state());
        match property.kind.as_str() {
            "end-state" => {
                out.text(&narrator.values(&snapshot));
                out.text(&narrator.standing(&mut execution, &[]));
            }
            _ => out.text(&narrator.state(&snapshot)),
        }
    }
}

fn json_report(opened: &Opened, chosen: bool, mut out: Output) -> Result<Status, Failure> {
    let Opened { trail, model, names, ending, .. } = opened;
    let state = match ending {
        Ending::At(retold) => {
            serde_json::to_value(Snapshot::read(names, retold.execution.state())).ok()
        }
        Ending::NoStart(_) => None,
    };
    let report = json!({
        "isospin": env!("CARGO_PKG_VERSION"),
        "fits": true,
        "model": model.display().to_string(),
        "model_named_by": if chosen { "trail" } else { "command line" },
        "trail": trail,
        "state": state,
    });
    out.line(&format!("{report:#}"));
    out.finish()?;
    Ok(Status::Fine)
}
