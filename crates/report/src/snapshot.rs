//! One state, in the model's own names.

use isospin_model::{ChannelType, LocationId, Pid, ProcTypeId, Shape, SourceRef};
use serde::Serialize;
use serde_json::Value as Json;

use crate::names::{Field, Names};

/// Everything that a state vector says.
#[derive(Clone, Debug, Serialize)]
pub struct Snapshot {
    /// The global variables.
    pub globals: Vec<Variable>,
    /// The channels that have room for messages, and what is in them.
    pub channels: Vec<ChannelContents>,
    /// The processes.
    pub processes: Vec<ProcessState>,
}

/// A variable and its value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its value for a program.
    pub value: Json,
    /// Its value for a person.
    #[serde(skip)]
    pub text: String,
}

/// What is in a channel.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ChannelContents {
    /// Its name.
    pub name: String,
    /// How many messages it can hold.
    pub capacity: u16,
    /// The messages, first in, first out.
    pub messages: Vec<Json>,
    /// The messages for a person.
    #[serde(skip)]
    pub texts: Vec<String>,
}

/// Where a process stands, and what its variables are.
#[derive(Clone, Debug, Serialize)]
pub struct ProcessState {
    /// Its number.
    pub pid: usize,
    /// Its type's name.
    pub proctype: String,
    /// Where it stands, as `file:line:column`.
    pub location: String,
    /// The labels there.
    pub labels: Vec<String>,
    /// Whether it may stand there for ever.
    pub may_end: bool,
    /// Its parameters and local variables.
    pub locals: Vec<Variable>,
    /// Where it stands in its automaton.
    #[serde(skip)]
    pub at: LocationId,
    /// Where that is in the source.
    #[serde(skip)]
    pub source: SourceRef,
    /// Its type.
    #[serde(skip)]
    pub ty: ProcTypeId,
    /// What it is called.
    #[serde(skip)]
    pub name: String,
    /// Whether it is there, and not only room for it.
    #[serde(skip)]
    pub present: bool,
}

impl Snapshot {
    /// Reads a state.
    pub fn read(names: &Names, state: &[u8]) -> Snapshot {
        let model = &names.model;
        let mut shape = Shape::default();
        shape.read(model, state);
        let globals = variables(names, &shape, &names.globals, state, 0);
        let mut channels = Vec::new();
        for (k, &(ty, offset)) in shape.channels.iter().enumerate() {
            let channel_type = &model.channel_types[ty.index()];
            if channel_type.capacity > 0 {
                channels.push(contents(names, &shape, k as i32 + 1, channel_type, state, offset));
            }
        }
        let processes =
            (0..shape.frames.len()).map(|pid| process(names, &shape, state, pid)).collect();
        Snapshot { globals, channels, processes }
    }

    /// The processes' numbers and names, as a chart starts with them.
    pub fn heads(&self) -> impl Iterator<Item = (Pid, String)> + '_ {
        self.processes.iter().map(|p| (Pid::at(p.pid), p.name.clone()))
    }
}

fn process(names: &Names, shape: &Shape, state: &[u8], pid: usize) -> ProcessState {
    let (ty, frame) = shape.frames[pid];
    let proctype = &names.model.proctypes[ty.index()];
    let at = proctype.frame.location(state, frame as usize);
    let location = &proctype.automaton.locations[at.index()];
    ProcessState {
        pid,
        proctype: proctype.name.clone(),
        location: names.model.place(location.source),
        labels: location.labels.clone(),
        may_end: location.end || !names.model.is_present(state, pid),
        locals: variables(names, shape, &names.locals[ty.index()], state, frame),
        at,
        source: location.source,
        ty,
        name: names.process(ty, pid),
        // Process 0 of a model that names its processes stands for nobody.
        present: names.model.is_present(state, pid)
            && (pid > 0 || names.model.process_names.is_empty()),
    }
}

fn variables(
    names: &Names,
    shape: &Shape,
    fields: &[Field],
    state: &[u8],
    base: u32,
) -> Vec<Variable> {
    fields
        .iter()
        .map(|f| {
            let value = f.ty.load(state, (base + f.offset) as usize);
            Variable {
                name: f.name.clone(),
                value: names.json(shape, f.ty, value),
                text: names.value(shape, f.ty, value),
            }
        })
        .collect()
}

/// The messages in the channel of this type at `offset`, as plain values.
pub fn messages(ty: &ChannelType, state: &[u8], offset: usize) -> Vec<Vec<i32>> {
    (0..ty.len(state, offset))
        .map(|slot| {
            let at = ty.message(offset, slot);
            ty.fields
                .iter()
                .zip(&ty.field_offsets)
                .map(|(field, o)| field.load(state, at + *o as usize))
                .collect()
        })
        .collect()
}

/// What is in the channel with this number.
pub fn contents(
    names: &Names,
    shape: &Shape,
    number: i32,
    ty: &ChannelType,
    state: &[u8],
    offset: u32,
) -> ChannelContents {
    let held = messages(ty, state, offset as usize);
    ChannelContents {
        name: names.channel(shape, number),
        capacity: ty.capacity,
        messages: held
            .iter()
            .map(|m| {
                let fields = ty.fields.iter().zip(m);
                Json::Array(fields.map(|(f, v)| names.json(shape, *f, *v)).collect())
            })
            .collect(),
        texts: held.iter().map(|m| names.message(shape, &ty.fields, m)).collect(),
    }
}

impl ChannelContents {
    /// The messages in brackets.
    pub fn text(&self) -> String {
        format!("[{}]", self.texts.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{names, start, walk};

    const MODEL: &str = "mtype = { ask };
        chan q = [2] of { mtype, byte }; chan direct = [0] of { byte }; byte n = 3;
        active proctype P() { byte mine = 7; q!ask(mine); q!ask(n); end: mine == 0; direct!1 }
        active proctype Q() { byte got; direct?got; assert(got) }";

    fn after(statements: &[&str]) -> Snapshot {
        let names = names(MODEL);
        let mut execution = start(&names);
        walk(&names, &mut execution, statements);
        Snapshot::read(&names, execution.state())
    }

    #[test]
    fn a_state_says_the_values_of_its_variables() {
        let snapshot = after(&[]);
        let n = &snapshot.globals[0];
        assert_eq!((n.name.as_str(), n.text.as_str(), &n.value), ("n", "3", &Json::from(3)));
        assert_eq!(snapshot.processes[0].locals[0].text, "7");
    }

    #[test]
    fn a_channel_holds_its_messages_in_order_and_one_without_room_is_left_out() {
        let snapshot = after(&["q!ask(mine)", "q!ask(n)"]);
        assert_eq!(snapshot.channels.len(), 1);
        let q = &snapshot.channels[0];
        assert_eq!((q.name.as_str(), q.capacity), ("q", 2));
        assert_eq!(q.text(), "[ask(7), ask(3)]");
        assert_eq!(q.messages[0], serde_json::json!(["ask", 7]));
    }

    #[test]
    fn a_process_says_where_it_stands_and_whether_it_may_stay_there() {
        let snapshot = after(&["q!ask(mine)", "q!ask(n)"]);
        let [p, q] = &snapshot.processes[..] else { panic!("two processes") };
        assert_eq!((p.proctype.as_str(), p.labels.as_slice()), ("P", &["end".to_owned()][..]));
        assert_eq!(p.location, "m.pml:3:74");
        assert!(p.may_end && !q.may_end);
        let heads: Vec<_> = snapshot.heads().map(|(_, name)| name).collect();
        assert_eq!(heads, ["P[0]", "Q[1]"]);
    }

    #[test]
    fn a_program_gets_values_and_not_their_texts() {
        let json = serde_json::to_value(after(&["q!ask(mine)"])).expect("JSON");
        assert_eq!(json["globals"][0], serde_json::json!({"name": "n", "value": 3}));
        assert_eq!(json["channels"][0]["messages"], serde_json::json!([["ask", 7]]));
    }
}
