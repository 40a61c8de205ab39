//! One step of a trail: who took it, and what it changed.

use isospin_machine::{Move, Partner, Passing, Step};
use isospin_model::{EdgeId, Pid};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use crate::names::Names;
use crate::story::{Part, Story};

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
        unplaced(self) == unplaced(other)
            && (self.time, &self.changes) == (other.time, &other.changes)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{names, start, take};

    #[test]
    fn time_and_processes_are_told_apart_by_their_fields() {
        let time: TrailStep = serde_json::from_str(r#"{"passing": {"units": 3}}"#).unwrap();
        assert_eq!(time.step(), Step::units(3));
        let text = r#"{"pid": 255, "proctype": "P", "edge": 1, "location": "", "statement": "x"}"#;
        let process: TrailStep = serde_json::from_str(text).unwrap();
        assert_eq!(process.step(), Step::alone(Pid(255), EdgeId(1)));
    }

    #[test]
    fn where_the_files_are_does_not_matter_to_a_step() {
        let names = names("byte x; active proctype P() { x = 1; assert(x == 1) }");
        let story = take(&names, &mut start(&names), "x = 1");
        let told = TrailStep::of(&names, &story);
        let mut moved = told.clone();
        let TrailAct::Process { mover, .. } = &mut moved.act else { panic!("{moved:?}") };
        mover.location = "elsewhere/m.pml:1:31".to_owned();
        assert!(moved.agrees(&told));
        let late = TrailStep { time: Some(1), ..told.clone() };
        assert!(!late.agrees(&told));
        let TrailAct::Process { mover, .. } = &mut moved.act else { panic!("{moved:?}") };
        mover.statement = "x = 9".to_owned();
        assert!(!moved.agrees(&told));
    }
}
