//! `isospin replay` of an SMV model's trail: it is judged by the definition, and shown.

use std::path::{Path, PathBuf};

use isospin_report::relation::{read_trace, trace_text, vcd};
use isospin_source::visible;
use isospin_symbolic::judge;
use serde_json::{json, Value};

use super::load::load_if;
use super::trail::{property_named, FORMAT};
use crate::args::{ModelArgs, ReplayArgs};
use crate::failure::Failure;
use crate::output::{say, Output};
use crate::Status;

/// The object of a trail, if it is one of an SMV model.
pub fn is_trail(text: &str) -> Option<Value> {
    let object: Value = serde_json::from_str(text).ok()?;
    (object["language"] == "smv").then_some(object)
}

/// Judges and shows an execution. Nothing of one that does not fit is shown.
pub fn run(args: &ReplayArgs, object: &Value) -> Result<Status, Failure> {
    let (given, path) = match args.files.as_slice() {
        [trail] => (None, trail),
        [model, trail, ..] => (Some(model), trail),
        [] => return Err(Failure::new("a trail is needed")),
    };
    let refuse = |why: &dyn std::fmt::Display| {
        let why = format!("the trail {} cannot be followed: {why}", path.display());
        Failure::new(visible(&why))
    };
    if object["format"] != FORMAT {
        return Err(refuse(&format_args!("its format is not {FORMAT}")));
    }
    let model = model_of(object, given, path)?;
    let options = &object["options"];
    let defines = options["defines"].as_array().into_iter().flatten();
    let reading = ModelArgs {
        defines: defines.filter_map(|d| d.as_str().map(str::to_owned)).collect(),
        old_booleans: options["old_booleans"].as_bool().unwrap_or(false),
        allow: vec!["warnings".to_owned()],
        quiet: args.quiet,
        untrusted: args.untrusted,
        ..ModelArgs::default()
    };
    let loaded = load_if(&model, &reading, &mut |hash| {
        if object["model_hash"] == hash {
            Ok(())
        } else if args.changed {
            say("warning: the model is not the text that the trail was made from\n");
            Ok(())
        } else {
            Err(refuse(&format_args!(
                "{} is not the text that it was made from (--changed tries all the same)",
                model.display()
            )))
        }
    })?;
    let relation = &*loaded.relation;
    let trace = read_trace(relation, &object["trace"]).map_err(|why| refuse(&why))?;
    let wanted = object["property"]["name"].as_str().unwrap_or_default();
    let property = property_named(relation, wanted)
        .ok_or_else(|| refuse(&format_args!("the model has no specification `{wanted}`")))?;
    judge(relation, property, &trace).map_err(|why| refuse(&why))?;
    if let Some(file) = &args.vcd {
        super::write(file, &vcd(relation, &trace, env!("CARGO_PKG_VERSION")))?;
    }
    let mut out = Output::new();
    if args.json {
        let report = json!({
            "isospin": env!("CARGO_PKG_VERSION"),
            "fits": true,
            "model": model.display().to_string(),
            "trail": object,
        });
        out.line(&format!("{report:#}"));
    } else {
        out.text(&trace_text(relation, &trace, 0));
        let style = out.style();
        let text = object["property"]["text"].as_str().unwrap_or_default();
        out.line("");
        out.line(&style.bad(&visible(&format!("{wanted} violated: {text}"))));
    }
    out.finish()?;
    Ok(Status::Fine)
}

/// The model's file: the one that was given, or the one that the trail names, from here or from
/// beside the trail.
fn model_of(object: &Value, given: Option<&PathBuf>, trail: &Path) -> Result<PathBuf, Failure> {
    if let Some(given) = given {
        return Ok(given.clone());
    }
    let named = PathBuf::from(object["model"].as_str().unwrap_or_default());
    let beside = trail.parent().zip(named.file_name()).map(|(folder, name)| folder.join(name));
    let chosen = [Some(named.clone()), beside].into_iter().flatten().find(|p| p.is_file());
    let chosen = chosen.ok_or_else(|| {
        Failure::new(format_args!(
            "the trail's model {} is not here; name it: isospin replay MODEL {}",
            named.display(),
            trail.display()
        ))
    })?;
    let name = chosen.display().to_string();
    say(&format!("note: as the trail says, the model is {}\n", visible(&name)));
    Ok(chosen)
}
