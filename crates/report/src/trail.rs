//! Executions as files: self-contained, one step per line, readable by people and programs.

use std::io;

use isospin_machine::{Fault, Move, Partner, Passing, RuntimeError, Step};
use isospin_model::{EdgeId, Pid};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use crate::names::Names;
use crate::story::{retell, Part, Retold, Story, Untellable};
use isospin_replay::{cycle, Renaming};

/// The format's number; it grows when a field changes its meaning.
pub const FORMAT: u32 = 2;

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
    /// Where the cycle repeats with other names, who takes whose place from one round to the next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub renaming: Option<TrailRenaming>,
}

/// Who takes whose place from one round of a cycle to the next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrailRenaming {
    /// For each process, by number.
    pub pids: Vec<u8>,
    /// After how many rounds everybody is back in place.
    pub order: u64,
}

impl From<&Renaming> for TrailRenaming {
    fn from(renaming: &Renaming) -> TrailRenaming {
        TrailRenaming { pids: renaming.pids.clone(), order: renaming.order }
    }
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
    /// Who takes it, or how time passes.
    #[serde(flatten)]
    pub act: TrailAct,
    /// How much time has passed before it, in a model with timers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<u64>,
    /// What has a new value: full names to values; a channel's value is its messages.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub changes: Map<String, Json>,
}

/// What happens in a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum TrailAct {
    /// A process moves.
    Process {
        /// Its part.
        #[serde(flatten)]
        mover: TrailMove,
        /// The receiver of a rendez-vous.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        partner: Option<TrailMove>,
    },
    /// Time passes.
    Time {
        /// How.
        passing: TrailPassing,
    },
}

/// How time passes in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TrailPassing {
    /// So many units of it.
    Units(u32),
    /// Until the timers of this set expire, a bit for each that runs.
    Expiring(u32),
}

/// A process's part in a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrailMove {
    /// The process.
    pub pid: u8,
    /// Its type's name.
    pub proctype: String,
    /// Its edge, counted in its type's automaton.
    pub edge: u32,
    /// Where the statement stands, as `file:line:column`.
    pub location: String,
    /// The statement as written.
    pub statement: String,
}

impl TrailMove {
    fn of(names: &Names, part: &Part, pid: Pid, edge: EdgeId) -> TrailMove {
        TrailMove {
            pid: pid.0,
            proctype: part.proctype.clone(),
            edge: edge.0,
            location: names.model.place(part.source),
            statement: part.text.clone(),
        }
    }

    /// The same without the place, which names files as the command line did.
    fn unplaced(&self) -> TrailMove {
        TrailMove { location: String::new(), ..self.clone() }
    }
}

impl TrailStep {
    /// What a trail keeps of a story.
    pub fn of(names: &Names, story: &Story) -> TrailStep {
        TrailStep {
            act: match story.step {
                Step::Process(by) => TrailAct::Process {
                    mover: TrailMove::of(names, &story.part, by.pid, by.edge),
                    partner: (story.partner.as_ref().zip(by.partner))
                        .map(|(part, p)| TrailMove::of(names, part, p.pid, p.edge)),
                },
                Step::Time(Passing::Units(n)) => TrailAct::Time { passing: TrailPassing::Units(n) },
                Step::Time(Passing::Expiring(set)) => {
                    TrailAct::Time { passing: TrailPassing::Expiring(set) }
                }
            },
            time: names.model.time.as_ref().map(|_| story.time),
            changes: story.changes.iter().map(|c| (c.full_name.clone(), c.value.clone())).collect(),
        }
    }

    /// Whether the other step did the same. Places are left out: they name files as the command
    /// line did.
    pub fn agrees(&self, other: &TrailStep) -> bool {
        let unplaced = |step: &TrailStep| match &step.act {
            TrailAct::Process { mover, partner } => TrailAct::Process {
                mover: mover.unplaced(),
                partner: partner.as_ref().map(TrailMove::unplaced),
            },
            time => time.clone(),
        };
        unplaced(self) == unplaced(other) && self.changes == other.changes
    }

    /// The step alone.
    pub fn step(&self) -> Step {
        match &self.act {
            TrailAct::Process { mover, partner } => Step::Process(Move {
                pid: Pid(mover.pid),
                edge: EdgeId(mover.edge),
                partner: partner
                    .as_ref()
                    .map(|p| Partner { pid: Pid(p.pid), edge: EdgeId(p.edge) }),
            }),
            TrailAct::Time { passing: TrailPassing::Units(n) } => Step::units(*n),
            TrailAct::Time { passing: TrailPassing::Expiring(set) } => {
                Step::Time(Passing::Expiring(*set))
            }
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

/// Reads a trail. The error says, as a clause, why it is none, or none of this version's.
pub fn read(text: &str) -> Result<Trail, String> {
    let no_trail = |error: serde_json::Error| format!("it is not a trail ({error})");
    let json: Json = serde_json::from_str(text).map_err(no_trail)?;
    match json.get("format").and_then(Json::as_u64) {
        Some(format) if format != u64::from(FORMAT) => Err(format!(
            "it is written in format {format}, and this version reads format {FORMAT}: check the \
             model again to have it written anew"
        )),
        _ => serde_json::from_value(json).map_err(no_trail),
    }
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
                steps.iter().skip(start - 1).any(Step::is_time) || start > steps.len()
            }) =>
        {
            false
        }
        _ => trail.header.cycle_start.is_none_or(|start| {
            let renaming = trail.header.renaming.as_ref();
            let renaming = renaming.map(|r| Renaming { pids: r.pids.clone(), order: r.order });
            let start = start.saturating_sub(1);
            let cycle = cycle::examine(&names.model, &steps, start, renaming.as_ref());
            cycle.is_some_and(|c| c.closes)
        }),
    };
    if fits {
        Ok(Ending::At(retold))
    } else {
        Err(format!(
            "its last step does not end in what it claims: {}",
            trail.header.property.message
        ))
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
    use crate::testing::{names, start, take};

    #[test]
    fn the_hash_tells_texts_and_their_borders_apart() {
        let hash = |texts: &[&str]| hash_sources(texts.iter().copied());
        assert_eq!(hash(&["a", "b"]), hash(&["a", "b"]));
        assert_ne!(hash(&["a", "b"]), hash(&["ab"]));
        assert_ne!(hash(&["a", "b"]), hash(&["b", "a"]));
    }

    #[test]
    fn a_trail_of_an_earlier_format_is_refused_by_its_number() {
        let old = r#"{"isospin": "0.1.0", "format": 1, "steps": [{"pid": 255, "edge": 3}]}"#;
        assert!(read(old).is_err_and(|why| why.starts_with("it is written in format 1,")));
    }

    #[test]
    fn time_and_processes_are_told_apart_by_their_fields() {
        let time: TrailStep = serde_json::from_str(r#"{"passing": {"units": 3}}"#).unwrap();
        assert_eq!(time.step(), Step::units(3));
        let text = r#"{"pid": 255, "proctype": "P", "edge": 1, "location": "", "statement": "x"}"#;
        let process: TrailStep = serde_json::from_str(text).unwrap();
        assert_eq!(process.step(), Step::alone(Pid(255), EdgeId(1)));
    }

    const MODEL: &str = "byte x; active proctype P() { x = 1; x = 2; assert(x == 1) }
        active proctype Q() { end: false }";

    /// The trail of an execution with these statements that claims to end like this.
    fn written(names: &Names, statements: &[&str], kind: &str) -> Trail {
        let mut execution = start(names);
        let steps: Vec<Step> =
            statements.iter().map(|s| take(names, &mut execution, s).step).collect();
        let header = Header {
            isospin: "1.2.3".to_owned(),
            format: FORMAT,
            model: "m.pml".to_owned(),
            model_hash: hash_sources([MODEL].into_iter()),
            options: TrailOptions::default(),
            property: TrailProperty {
                name: "p".to_owned(),
                kind: kind.to_owned(),
                message: "as claimed".to_owned(),
                location: String::new(),
            },
            cycle_start: None,
            renaming: None,
        };
        let mut text = Vec::new();
        let told = write(&mut text, names, &header, &steps, &mut |_| {}).expect("memory is there");
        assert!(told.is_ok());
        let trail = read(std::str::from_utf8(&text).expect("text")).expect("a trail");
        assert_eq!(trail.header, header);
        trail
    }

    #[test]
    fn what_is_written_is_read_back_and_fits_the_model() {
        let names = names(MODEL);
        let trail = written(&names, &["x = 1", "x = 2", "assert(x == 1)"], "assertion");
        let TrailAct::Process { mover, partner: None } = &trail.steps[1].act else {
            panic!("{trail:?}")
        };
        assert_eq!((mover.proctype.as_str(), mover.statement.as_str()), ("P", "x = 2"));
        assert_eq!(mover.location, "m.pml:1:38");
        assert_eq!(trail.steps[1].changes["x"], 2);
        let mut heard = 0;
        let ending = verify(&names, &trail, &mut |_| heard += 1);
        assert!(matches!(ending, Ok(Ending::At(r)) if r.fault == Some(Fault::Assertion)));
        assert_eq!(heard, 3);
    }

    #[test]
    fn a_trail_that_does_not_end_as_it_claims_is_refused() {
        let names = names(MODEL);
        for (statements, kind) in [
            (&["x = 1", "x = 2"][..], "assertion"),
            (&["x = 1"], "end-state"),
            (&["x = 1", "x = 2", "assert(x == 1)"], "runtime"),
        ] {
            let trail = written(&names, statements, kind);
            let refused = verify(&names, &trail, &mut |_| {}).err();
            assert_eq!(
                refused.as_deref(),
                Some("its last step does not end in what it claims: as claimed"),
                "{kind}"
            );
        }
    }

    #[test]
    fn a_step_that_did_something_else_is_refused_by_its_number() {
        let names = names(MODEL);
        let statements = ["x = 1", "x = 2", "assert(x == 1)"];
        let mut trail = written(&names, &statements, "assertion");
        trail.steps[1].changes.insert("x".to_owned(), 3.into());
        let refused = verify(&names, &trail, &mut |_| {}).err();
        assert_eq!(refused.as_deref(), Some("step 2 does something else in this model"));
        let mut trail = written(&names, &statements, "assertion");
        trail.steps.remove(0);
        assert!(verify(&names, &trail, &mut |_| {}).is_err());
    }

    #[test]
    fn where_the_files_are_does_not_matter_to_a_step() {
        let names = names(MODEL);
        let trail = written(&names, &["x = 1"], "progress");
        let mut moved = trail.steps[0].clone();
        let TrailAct::Process { mover, .. } = &mut moved.act else { panic!("{moved:?}") };
        mover.location = "elsewhere/m.pml:1:31".to_owned();
        assert!(moved.agrees(&trail.steps[0]));
        let TrailAct::Process { mover, .. } = &mut moved.act else { panic!("{moved:?}") };
        mover.statement = "x = 9".to_owned();
        assert!(!moved.agrees(&trail.steps[0]));
    }

    #[test]
    fn what_is_no_trail_is_refused_in_a_clause() {
        for text in ["", "{}", "[1]", "{\"isospin\": 3}"] {
            assert!(read(text).is_err_and(|why| why.starts_with("it is not a trail")));
        }
    }
}
