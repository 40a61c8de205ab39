//! The model's own names for what is in a state vector.

use std::sync::Arc;

use isospin_model::time::Pace;
use isospin_model::{Kind, Model, ProcTypeId, Scalar, Shape, Slot};
use serde_json::Value as Json;

/// A single value in the vector: its name, where it is, and its type.
#[derive(Clone, Debug)]
pub struct Field {
    /// The full name, indices included.
    pub name: String,
    /// Where it is, from the start of the vector or of the frame.
    pub offset: u32,
    /// Its type.
    pub ty: Scalar,
}

/// Every variable of a model, flattened to single values once, so that states can be printed and
/// compared without building a name twice.
#[derive(Clone, Debug)]
pub struct Names {
    /// The model.
    pub model: Arc<Model>,
    /// The global variables.
    pub globals: Vec<Field>,
    /// The parameters and local variables, by process type.
    pub locals: Vec<Vec<Field>>,
}

impl Names {
    /// The names of `model`.
    pub fn new(model: Arc<Model>) -> Names {
        Names {
            globals: flatten(&model.layout.slots),
            locals: model.proctypes.iter().map(|p| flatten(&p.frame.slots)).collect(),
            model,
        }
    }

    /// The name of a process: `P[2]`, as a remote reference spells it.
    pub fn process(&self, ty: ProcTypeId, pid: usize) -> String {
        if let Some(name) = self.model.process_names.get(pid) {
            return name.clone();
        }
        let name = self.proctype(ty);
        format!("{name}[{pid}]")
    }

    /// The name of a process type.
    pub fn proctype(&self, ty: ProcTypeId) -> &str {
        self.model.proctypes.get(ty.index()).map_or("?", |p| p.name.as_str())
    }

    /// The name of the channel with this number (from 1) in a state of this shape: a global one's
    /// own name, and for a process's own `P[2]:q`.
    pub fn channel(&self, shape: &Shape, number: i32) -> String {
        let Ok(index) = usize::try_from(i64::from(number) - 1) else {
            return "no channel".to_owned();
        };
        if let Some(channel) = self.model.layout.channels.get(index) {
            return channel.name.clone();
        }
        for (pid, &first) in shape.first_channel.iter().enumerate().rev() {
            let (ty, _) = shape.frames[pid];
            let own = &self.model.proctypes[ty.index()].frame.channels;
            if let Some(channel) = index.checked_sub(first as usize).and_then(|k| own.get(k)) {
                return format!("{}:{}", self.process(ty, pid), channel.name);
            }
        }
        format!("channel {number}")
    }

    /// A value as the model's text would write it. Truth values are 0 and 1, as Spin shows them:
    /// the model does not tell `bool` from `bit`.
    pub fn value(&self, shape: &Shape, ty: Scalar, value: i32) -> String {
        match ty.kind {
            Kind::Mtype(set) => match self.model.mtype_name(set, value) {
                Some(name) => name.to_owned(),
                None => value.to_string(),
            },
            Kind::Pid if !self.model.process_names.is_empty() => {
                let name =
                    usize::try_from(value).ok().and_then(|v| self.model.process_names.get(v));
                name.map_or_else(
                    || value.to_string(),
                    |n| if value == 0 { "nil" } else { n }.to_owned(),
                )
            }
            Kind::Channel if value == 0 => "none".to_owned(),
            Kind::Channel => self.channel(shape, value),
            Kind::Clock { .. } if value == 0 => "inactive".to_owned(),
            Kind::Clock { base, top } => {
                let beyond = if value == i32::from(top) { "≥" } else { "" };
                format!("{beyond}{}", value - i32::from(base))
            }
            Kind::Timer if value < 0 => "off".to_owned(),
            // How much time is left is forgotten.
            Kind::Timer if self.is_abstract() => {
                ["expired", "runs"][value.signum() as usize].to_owned()
            }
            _ => value.to_string(),
        }
    }

    /// Whether timers have no times.
    pub fn is_abstract(&self) -> bool {
        self.model.time.as_ref().is_some_and(|t| t.pace == Pace::Abstract)
    }

    /// A value for a program to read: numbers as numbers, names as strings.
    pub fn json(&self, shape: &Shape, ty: Scalar, value: i32) -> Json {
        match ty.kind {
            Kind::Mtype(set) => match self.model.mtype_name(set, value) {
                Some(name) => Json::from(name),
                None => Json::from(value),
            },
            Kind::Channel if value == 0 => Json::Null,
            Kind::Channel => Json::from(self.channel(shape, value)),
            Kind::Clock { .. } if value == 0 => Json::Null,
            Kind::Clock { base, .. } => Json::from(value - i32::from(base)),
            _ => Json::from(value),
        }
    }

    /// A message: `msg(1,0)` where the first field is a symbolic name, else `(1,0)` or `1`.
    pub fn message(&self, shape: &Shape, fields: &[Scalar], values: &[i32]) -> String {
        let texts: Vec<String> =
            fields.iter().zip(values).map(|(ty, v)| self.value(shape, *ty, *v)).collect();
        match (fields.first().map(|f| f.kind), texts.as_slice()) {
            (_, [one]) => one.clone(),
            (Some(Kind::Mtype(_)), [first, rest @ ..]) => format!("{first}({})", rest.join(",")),
            _ => format!("({})", texts.join(",")),
        }
    }
}

fn flatten(slots: &[Slot]) -> Vec<Field> {
    slots
        .iter()
        .flat_map(|slot| {
            slot.values().into_iter().map(|(name, offset)| Field { name, offset, ty: slot.ty })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{names, shape, start};

    const MODEL: &str = "mtype = { red, green }; timer t; mtype colour; chan none; byte n;
        chan q = [1] of { mtype, byte }; chan pair = [1] of { byte, byte };
        active proctype P() { chan own = [1] of { byte }; own!1; q!red(1); pair!1,2; t > 0 }";

    /// The type of the variable with this name.
    fn ty(names: &Names, name: &str) -> Scalar {
        names.globals.iter().find(|f| f.name == name).expect(name).ty
    }

    #[test]
    fn channels_have_the_names_of_the_model_and_their_owners() {
        let names = names(MODEL);
        let shape = shape(&names, &start(&names));
        let channel = |number| names.channel(&shape, number);
        assert_eq!([1, 2, 3].map(channel), ["q", "pair", "P[0]:own"]);
        assert_eq!([0, -1, 4].map(channel), ["no channel", "no channel", "channel 4"]);
    }

    #[test]
    fn values_are_written_as_the_model_would_write_them() {
        let names = names(MODEL);
        let shape = shape(&names, &start(&names));
        let value = |name, value| names.value(&shape, ty(&names, name), value);
        assert_eq!(["red", "green"], [value("colour", 2), value("colour", 1)]);
        assert_eq!(value("colour", 7), "7");
        assert_eq!([value("none", 0), value("none", 1)], ["none", "q"]);
        assert_eq!([value("t", -1), value("t", 3)], ["off", "3"]);
        assert_eq!(value("n", 255), "255");
    }

    #[test]
    fn a_program_gets_numbers_as_numbers_and_names_as_strings() {
        let names = names(MODEL);
        let shape = shape(&names, &start(&names));
        let json = |name, value| names.json(&shape, ty(&names, name), value);
        assert_eq!(json("n", 3), Json::from(3));
        assert_eq!(json("colour", 1), Json::from("green"));
        assert_eq!([json("none", 0), json("none", 2)], [Json::Null, Json::from("pair")]);
    }

    #[test]
    fn a_message_that_starts_with_a_name_is_written_as_a_call() {
        let names = names(MODEL);
        let shape = shape(&names, &start(&names));
        let (mtype, byte) = (ty(&names, "colour"), ty(&names, "n"));
        assert_eq!(names.message(&shape, &[mtype, byte], &[2, 5]), "red(5)");
        assert_eq!(names.message(&shape, &[byte, byte], &[1, 2]), "(1,2)");
        assert_eq!(names.message(&shape, &[mtype], &[2]), "red");
    }

    #[test]
    fn elements_and_fields_have_full_names() {
        let names = names(
            "typedef R { byte a[2]; bit b }; R r[2]; init { r[1].a[0] = r[0].b; r[0].a[1] = r[1].b }",
        );
        let all: Vec<&str> = names.globals.iter().map(|f| f.name.as_str()).collect();
        for name in ["r[0].a[0]", "r[0].a[1]", "r[1].b"] {
            assert!(all.contains(&name), "{name} is not in {all:?}");
        }
    }
}
