//! Names for what is shared, for people who want to see it.

use isospin_model::{EdgeId, Model, ProcTypeId};

use super::access::{Access, Reader};
use super::set::{End, Objects};
use super::{settled_variables, Facts};

/// One shared object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shared {
    /// A value of the global part, or something that is counted as one: what can be seen of a
    /// process type, how many processes were started, how many there are.
    Value(usize),
    /// An end of a global channel, by position; a rendez-vous channel has only one, both.
    Channel(usize, End),
}

impl Objects {
    /// Whether the object is in it.
    pub fn has(&self, object: Shared) -> bool {
        if self.everything {
            return true;
        }
        match object {
            Shared::Value(value) => self.has_value(value),
            Shared::Channel(channel, end) => {
                let mut one = Objects::default();
                one.add_channel(channel, end);
                self.meets(&one)
            }
        }
    }
}

impl Facts {
    /// Every shared object of the model with its name.
    pub fn shared(&self, model: &Model) -> Vec<(Shared, String)> {
        let mut all = Vec::new();
        for slot in &model.layout.slots {
            for (name, at) in slot.values() {
                if let Some(value) = self.values.at.get(at as usize).copied().flatten() {
                    all.push((Shared::Value(value), name));
                }
            }
        }
        for (position, channel) in model.layout.channels.iter().enumerate() {
            let name = &channel.name;
            if model.channel_types[channel.ty.index()].capacity == 0 {
                all.push((Shared::Channel(position, End::Both), name.clone()));
                continue;
            }
            all.push((Shared::Channel(position, End::Send), format!("{name} (sending end)")));
            all.push((Shared::Channel(position, End::Receive), format!("{name} (receiving end)")));
        }
        for (proctype, value) in model.proctypes.iter().zip(&self.values.visible) {
            if let Some(value) = value {
                all.push((Shared::Value(*value), format!("what is seen of {}", proctype.name)));
            }
        }
        let counts =
            [(self.values.started, "the numbers of new processes"), (self.values.count, "_nr_pr")];
        for (value, name) in counts {
            all.extend(value.map(|v| (Shared::Value(v), name.to_owned())));
        }
        all
    }

    /// What one edge by itself may read and write while it can be taken.
    pub fn touched(&self, model: &Model, ty: ProcTypeId, edge: EdgeId) -> Access {
        let proctype = &model.proctypes[ty.index()];
        let settled = settled_variables(proctype);
        let (values, settled) = (&self.values, settled.as_slice());
        let reader = Reader { model, proctype, ty, values, settled, elements: None };
        reader.action(&proctype.automaton.edges[edge.index()].action)
    }
}
