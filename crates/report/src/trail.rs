//! Executions as files: self-contained, one step per line, readable by people and programs.

use std::io;

use isospin_machine::{Fault, Partner, RuntimeError, Step};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use crate::cycle;
use crate::names::Names;
use crate::story::{retell, Part, Retold, Story, Untellable};

/// The format's number; it grows when a field changes its meaning.
pub const FORMAT: u32 = 1;

/// Everything about a trail but its steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The version of Isospin that wrote it.
    pub isospin: String,
    /// The format's number.
    pub format: u32,
    /// The model's file, as it was named on the command line.
    pub model: String,
    /// The hash of the model's sources, see [`hash_sources`].
    pub model_hash: String,
    /// What the model was read and checked with.
    pub options: TrailOptions,
    /// What is violated.
    pub property: TrailProperty,
    /// For an execution that goes on for ever, the number of the step (from 1) that its cycle
    /// starts with.
    pub cycle_start: Option<usize>,
}

/// The options that decide what the model is and what was looked for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TrailOptions {
    /// `-D`, in order.
    pub defines: Vec<String>,
    /// `-I`, in order.
    pub include_dirs: Vec<String>,
    /// The command line's other options, for people.
    pub arguments: Vec<String>,
}

/// The property that the execution violates.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrailProperty {
    /// Its name.
    pub name: String,
    /// Its kind: `assertion`, `end-state`, `runtime`, ...
    pub kind: String,
    /// What is wrong.
    pub message: String,
    /// Where, as `file:line:column`.
    pub location: String,
}

/// A trail as it is read back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trail {
    /// Everything but the steps.
    #[serde(flatten)]
    pub header: Header,
    /// The steps, from the initial state on.
    pub steps: Vec<TrailStep>,
}

/// One step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrailStep {
    /// The process; 255 where time passes.
    pub pid: u8,
    /// Its type's name; `time` where time passes.
    pub proctype: String,
    /// Its edge, counted in its type's automaton; where time passes, how many ticks.
    pub edge: u32,
    /// How much time has passed before it, in a model with timers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<u64>,
    /// The receiver of a rendez-vous.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partner: Option<TrailPartner>,
    /// Where the statement stands, as `file:line:column`.
    pub location: String,
    /// The statement as written.
    pub statement: String,
    /// What has a new value: full names to values; a channel's value is its messages.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub changes: Map<String, Json>,
}

/// The receiver's part in a rendez-vous.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrailPartner {
    /// The process.
    pub pid: u8,
    /// Its type's name.
    pub proctype: String,
    /// Its edge.
    pub edge: u32,
    /// Where its statement stands.
    pub location: String,
    /// Its statement.
    pub statement: String,
}

impl TrailStep {
    /// What a trail keeps of a story.
    pub fn of(names: &Names, story: &Story) -> TrailStep {
        let place = |part: &Part| match part.pid {
            Step::NOBODY => String::new(),
            _ => names.model.place(part.source),
        };
        TrailStep {
            pid: story.step.pid,
            proctype: story.part.proctype.clone(),
            edge: story.step.edge,
            time: names.model.time.as_ref().map(|_| story.time),
            partner: story.partner.as_ref().zip(story.step.partner).map(|(part, p)| TrailPartner {
                pid: p.pid,
                proctype: part.proctype.clone(),
                edge: p.edge,
                location: place(part),
                statement: part.text.clone(),
            }),
            location: place(&story.part),
            statement: story.part.text.clone(),
            changes: story.changes.iter().map(|c| (c.full_name.clone(), c.value.clone())).collect(),
        }
    }

    /// Whether the other step did the same. Places are left out: they name files as the command
    /// line did.
    pub fn agrees(&self, other: &TrailStep) -> bool {
        self.step() == other.step()
            && self.proctype == other.proctype
            && self.statement == other.statement
            && self.changes == other.changes
    }

    /// The step alone.
    pub fn step(&self) -> Step {
        Step {
            pid: self.pid,
            edge: self.edge,
            partner: self.partner.as_ref().map(|p| Partner { pid: p.pid, edge: p.edge }),
        }
    }
}

/// Writes a trail: the header, then one line per step as they are executed once more. Says how the
/// execution ends, so that what was written is known to be true.
pub fn write(
    out: &mut dyn io::Write,
    names: &Names,
    header: &Header,
    steps: &[Step],
    hear: &mut dyn FnMut(Story),
) -> io::Result<Result<Retold, Untellable>> {
    let header = serde_json::to_string_pretty(header)?;
    let open = header.trim_end().trim_end_matches('}').trim_end();
    write!(out, "{open},\n  \"steps\": [")?;
    let mut failed = None;
    let mut first = true;
    let told = retell(names, steps, &mut |story| {
        if failed.is_none() {
            let comma = if first { "" } else { "," };
            first = false;
            let line = serde_json::to_string(&TrailStep::of(names, &story));
            let written =
                line.map_err(io::Error::from).and_then(|line| write!(out, "{comma}\n    {line}"));
            failed = written.err();
        }
        hear(story);
    });
    if let Some(error) = failed {
        return Err(error);
    }
    write!(out, "\n  ]\n}}\n")?;
    Ok(told)
}

/// Reads a trail.
pub fn read(text: &str) -> Result<Trail, String> {
    let trail: Trail =
        serde_json::from_str(text).map_err(|error| format!("it is not a trail ({error})"))?;
    if trail.header.format != FORMAT {
        return Err(format!(
            "it is written in format {}, and this version reads format {FORMAT}",
            trail.header.format
        ));
    }
    Ok(trail)
}

/// How a trail's execution ends.
#[allow(clippy::large_enum_variant)] // There is one of it.
pub enum Ending {
    /// After its last step.
    At(Retold),
    /// Before its first: the model cannot start, as the trail says.
    NoStart(RuntimeError),
}

/// Executes a trail and compares every step with what the trail says happened. The error says, as
/// a clause, what does not fit.
pub fn verify(names: &Names, trail: &Trail, hear: &mut dyn FnMut(Story)) -> Result<Ending, String> {
    let steps: Vec<Step> = trail.steps.iter().map(TrailStep::step).collect();
    let kind = trail.header.property.kind.as_str();
    let mut wrong = None;
    let told = retell(names, &steps, &mut |story| {
        let number = story.number;
        if wrong.is_none() && !trail.steps[number - 1].agrees(&TrailStep::of(names, &story)) {
            wrong = Some(number);
        }
        if wrong.is_none() {
            hear(story);
        }
    });
    if let Some(number) = wrong {
        return Err(format!("step {number} does something else in this model"));
    }
    let mut retold = match told {
        Ok(retold) => retold,
        Err(Untellable::Start(error)) if kind == "runtime" && steps.is_empty() => {
            return Ok(Ending::NoStart(error));
        }
        Err(Untellable::Start(error)) => return Err(format!("the model cannot start: {error}")),
        Err(Untellable::Misfit(misfit)) => return Err(format!("{misfit} in this model")),
    };
    let fits = match kind {
        "assertion" => retold.fault == Some(Fault::Assertion),
        "runtime" | "trace" => matches!(retold.fault, Some(Fault::Runtime(_))),
        "end-state" => retold.execution.choices().is_empty(),
        // Processes go on for ever and time does not.
        "time"
            if trail.header.cycle_start.is_none_or(|start| {
                steps.iter().skip(start - 1).any(Step::is_tick) || start > steps.len()
            }) =>
        {
            false
        }
        _ => trail.header.cycle_start.is_none_or(|start| {
            let cycle = cycle::examine(&names.model, &steps, start.saturating_sub(1));
            cycle.is_some_and(|c| c.closes)
        }),
    };
    match fits {
        true => Ok(Ending::At(retold)),
        false => Err(format!(
            "its last step does not end in what it claims: {}",
            trail.header.property.message
        )),
    }
}

/// A hash of the texts of all files that a model was read from, the command line's definitions
/// included. FNV-1a: it tells versions apart and is no protection against forgery.
pub fn hash_sources<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for text in texts {
        // A byte that no UTF-8 text contains keeps the files apart.
        for byte in text.bytes().chain([0xff]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    format!("fnv1a64:{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_tells_texts_and_their_borders_apart() {
        let hash = |texts: &[&str]| hash_sources(texts.iter().copied());
        assert_eq!(hash(&["a", "b"]), hash(&["a", "b"]));
        assert_ne!(hash(&["a", "b"]), hash(&["ab"]));
        assert_ne!(hash(&["a", "b"]), hash(&["b", "a"]));
    }

    #[test]
    fn what_is_no_trail_is_refused_in_a_clause() {
        for text in ["", "{}", "[1]", "{\"isospin\": 3}"] {
            assert!(read(text).is_err_and(|why| why.starts_with("it is not a trail")));
        }
    }
}
