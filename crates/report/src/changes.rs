//! What differs between two states.

use isospin_model::time::OFF;
use isospin_model::{Kind, Pid, Shape};
use serde_json::Value as Json;

use crate::names::{Field, Names};
use crate::snapshot::contents;

/// A variable or channel that a step gave another value.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The process whose variable it is; `None` for a global one.
    pub owner: Option<Pid>,
    /// Its name, without its owner.
    pub name: String,
    /// Its name with its owner: `P[2]:x`.
    pub full_name: String,
    /// Its new value for a person.
    pub text: String,
    /// Its new value for a program.
    pub value: Json,
}

impl Change {
    /// `P[2]:x = 3`.
    pub fn owned(&self) -> String {
        format!("{} = {}", self.full_name, self.text)
    }

    /// `x = 3`, with the owner's name unless the owner is `mover`.
    pub fn line(&self, mover: Option<Pid>) -> String {
        let name = match self.owner {
            owner @ Some(_) if owner != mover => &self.full_name,
            _ => &self.name,
        };
        format!("{name} = {}", self.text)
    }
}

/// What differs in `after`, globals first, then channels, then the processes' own variables. A
/// process that is new differs from nothing where its variables are 0 and its timers off.
pub fn changes(names: &Names, before: &[u8], after: &[u8]) -> Vec<Change> {
    let mut found = Vec::new();
    let (mut old, mut new) = (Shape::default(), Shape::default());
    old.read(&names.model, before);
    new.read(&names.model, after);
    let differ = |field: &Field, base: u32, was: bool| {
        let at = (base + field.offset) as usize;
        let value = field.ty.load(after, at);
        let earlier = if was {
            field.ty.load(before, at)
        } else if field.ty.kind == Kind::Timer {
            OFF
        } else {
            0
        };
        (value != earlier).then_some(value)
    };
    for field in &names.globals {
        if let Some(value) = differ(field, 0, true) {
            found.push(Change {
                owner: None,
                name: field.name.clone(),
                full_name: field.name.clone(),
                text: names.value(&new, field.ty, value),
                value: names.json(&new, field.ty, value),
            });
        }
    }
    channel_changes(names, before, after, &old, &new, &mut found);
    for (pid, &(ty, frame)) in new.frames.iter().enumerate() {
        // Frames never move, so a process that was there was there at the same place.
        let was = old.frames.get(pid) == Some(&(ty, frame));
        for field in &names.locals[ty.index()] {
            if let Some(value) = differ(field, frame, was) {
                found.push(Change {
                    owner: Some(Pid::at(pid)),
                    name: field.name.clone(),
                    full_name: format!("{}:{}", names.process(ty, pid), field.name),
                    text: names.value(&new, field.ty, value),
                    value: names.json(&new, field.ty, value),
                });
            }
        }
    }
    found
}

fn channel_changes(
    names: &Names,
    before: &[u8],
    after: &[u8],
    old: &Shape,
    new: &Shape,
    found: &mut Vec<Change>,
) {
    for (k, &(ty, offset)) in new.channels.iter().enumerate() {
        let channel_type = &names.model.channel_types[ty.index()];
        let bytes = offset as usize..(offset + channel_type.size()) as usize;
        let unchanged = if old.channels.get(k) == Some(&(ty, offset)) {
            before.get(bytes.clone()) == after.get(bytes)
        } else {
            channel_type.len(after, offset as usize) == 0
        };
        if unchanged {
            continue;
        }
        let now = contents(names, new, k as i32 + 1, channel_type, after, offset);
        found.push(Change {
            owner: None,
            name: now.name.clone(),
            full_name: now.name.clone(),
            text: now.text(),
            value: Json::Array(now.messages),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{names, start, take, walk};

    /// What the last of these steps changes, with its owner and without.
    fn after(text: &str, statements: &[&str]) -> Vec<(String, String)> {
        let names = names(text);
        let mut execution = start(&names);
        let (last, before) = statements.split_last().expect("a step");
        walk(&names, &mut execution, before);
        let story = take(&names, &mut execution, last);
        let line = |c: &Change| (c.line(story.part.pid), c.owned());
        story.changes.iter().map(line).collect()
    }

    fn pair(a: &str, b: &str) -> (String, String) {
        (a.to_owned(), b.to_owned())
    }

    #[test]
    fn the_mover_needs_no_name_before_its_own_variables() {
        let text = "byte g; active proctype P() { byte x; x = 3; g = x }";
        assert_eq!(after(text, &["x = 3"]), [pair("x = 3", "P[0]:x = 3")]);
        assert_eq!(after(text, &["x = 3", "g = x"]), [pair("g = 3", "g = 3")]);
    }

    #[test]
    fn the_receiver_of_a_rendezvous_is_named() {
        let text = "chan c = [0] of { byte }; active proctype S() { c!5 }
            active proctype R() { byte got; c?got; assert(got) }";
        assert_eq!(after(text, &["c!5"]), [pair("R[1]:got = 5", "R[1]:got = 5")]);
    }

    #[test]
    fn a_channel_shows_all_that_is_in_it() {
        let text =
            "chan q = [2] of { byte }; active proctype P() { byte x; q!1; q!2; q?x; x == x }";
        assert_eq!(after(text, &["q!1", "q!2"]), [pair("q = [1, 2]", "q = [1, 2]")]);
        let received = [pair("q = [2]", "q = [2]"), pair("x = 1", "P[0]:x = 1")];
        assert_eq!(after(text, &["q!1", "q!2", "q?x"]), received);
    }

    #[test]
    fn of_a_new_process_only_what_is_not_zero_is_told() {
        let text = "proctype P(byte a, b) { timer t; set(t, 1); a == b && expire(t) }
            init { run P(0, 4) }";
        assert_eq!(after(text, &["run P(0, 4)"]), [pair("P[1]:b = 4", "P[1]:b = 4")]);
    }

    #[test]
    fn what_gets_the_value_that_it_has_does_not_change() {
        assert_eq!(after("byte g = 1; init { g = 1; assert(g) }", &["g = 1"]), []);
    }
}
