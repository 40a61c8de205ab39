//! Why a process cannot move.

use std::collections::HashSet;

use isospin_machine::Interpreter;
use isospin_model::{Action, Edge, Expr, Pid, Place, Region, Shape, SourceRef};

use crate::format::plural;
use crate::names::Names;
use crate::snapshot::messages;
use crate::story::statement;

/// More values than this do not explain anything.
const MAX_VALUES: usize = 6;

/// A statement that a process waits at, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Wait {
    /// Where the statement stands.
    pub source: SourceRef,
    /// The statement as written.
    pub text: String,
    /// Why it cannot be taken, as a clause.
    pub reason: String,
}

/// Says why process `pid` can take none of its edges in `state`.
pub fn waits(names: &Names, machine: &mut Interpreter, state: &[u8], pid: usize) -> Vec<Wait> {
    let mut shape = Shape::default();
    shape.read(&names.model, state);
    let Some(&(ty, frame)) = shape.frames.get(pid) else {
        return Vec::new();
    };
    let proctype = &names.model.proctypes[ty.index()];
    let at = proctype.frame.location(state, frame as usize);
    let mut explainer = Explainer { names, machine, state, shape: &shape, pid };
    if let Some(reason) = explainer.held_back(proctype.provided.as_ref()) {
        let location = &proctype.automaton.locations[at.index()];
        let text =
            proctype.automaton.edges_of(at).first().map(|e| statement(&e.text)).unwrap_or_default();
        return vec![Wait { source: location.source, text, reason }];
    }
    let mut all = Vec::new();
    for edge in proctype.automaton.edges_of(at) {
        let wait =
            Wait { source: edge.source, text: statement(&edge.text), reason: explainer.edge(edge) };
        if !all.contains(&wait) {
            all.push(wait);
        }
    }
    all
}

struct Explainer<'e> {
    names: &'e Names,
    machine: &'e mut Interpreter,
    state: &'e [u8],
    shape: &'e Shape,
    pid: usize,
}

impl Explainer<'_> {
    fn eval(&mut self, expr: &Expr) -> Result<i32, String> {
        self.machine
            .eval(self.state, Some(self.pid), false, expr)
            .map_err(|error| error.to_string())
    }

    /// What keeps the process from moving whatever it would do.
    fn held_back(&mut self, provided: Option<&Expr>) -> Option<String> {
        if let Some(condition) = provided {
            match self.eval(condition) {
                Ok(0) => {
                    let values = self.values(condition);
                    return Some(format!("the process's provided clause is false{values}"));
                }
                Ok(_) => {}
                Err(error) => return Some(error),
            }
        }
        if !self.names.model.features.priorities {
            return None;
        }
        let own = self.priority(self.pid);
        for other in 0..self.shape.frames.len() {
            let theirs = self.priority(other);
            if theirs > own && self.machine.can_move(self.state, Pid::at(other), false) {
                let name = self.process(other);
                return Some(format!("{name} has a higher priority ({theirs} > {own})"));
            }
        }
        None
    }

    fn priority(&self, pid: usize) -> u8 {
        let (ty, frame) = self.shape.frames[pid];
        match self.names.model.proctypes[ty.index()].frame.priority {
            Some(offset) => self.state[(frame + offset) as usize],
            None => 1,
        }
    }

    fn process(&self, pid: usize) -> String {
        self.names.process(self.shape.frames[pid].0, pid)
    }

    fn edge(&mut self, edge: &Edge) -> String {
        match &edge.action {
            Action::DetStep(step) => {
                let reasons: Vec<String> =
                    step.nodes[0].edges.iter().map(|e| self.action(&e.action)).collect();
                reasons.join("; ")
            }
            action => self.action(action),
        }
    }

    fn action(&mut self, action: &Action) -> String {
        match action {
            Action::Condition(Expr::Timeout) => "something else can still happen".to_owned(),
            Action::Condition(condition) => match self.eval(condition) {
                Ok(0) => format!("is false{}", self.values(condition)),
                Ok(_) => "can be taken".to_owned(),
                Err(error) => error,
            },
            Action::Send { channel, .. } => match self.channel(channel) {
                Ok(c) if c.capacity == 0 => format!("waits for a receiver on {}", c.name),
                Ok(c) if c.held.len() == c.capacity => {
                    let held = plural(c.capacity as u64, "message");
                    format!("channel {} is full ({held})", c.name)
                }
                Ok(_) => "can be taken".to_owned(),
                Err(error) => error,
            },
            Action::Receive { channel, random, .. } => match self.channel(channel) {
                Ok(c) if c.capacity == 0 => format!("waits for a sender on {}", c.name),
                Ok(c) if c.held.is_empty() => format!("channel {} is empty", c.name),
                Ok(c) if *random => {
                    format!("no message in {} fits (it holds {})", c.name, c.held.join(", "))
                }
                Ok(c) => format!("the first message in {} is {}", c.name, c.held[0]),
                Err(error) => error,
            },
            Action::End => {
                let last = self.shape.frames.len().saturating_sub(1);
                if self.pid == last {
                    "can be taken".to_owned()
                } else {
                    format!("it is not the youngest process: {} must end first", self.process(last))
                }
            }
            Action::Else => "another way is open".to_owned(),
            _ => "can be taken".to_owned(),
        }
    }

    fn channel(&mut self, expr: &Expr) -> Result<Channel, String> {
        let number = self.eval(expr)?;
        let found = usize::try_from(number)
            .ok()
            .and_then(|n| n.checked_sub(1))
            .and_then(|k| self.shape.channels.get(k));
        let Some(&(ty, offset)) = found else {
            return Err("there is no such channel".to_owned());
        };
        let ty = &self.names.model.channel_types[ty.index()];
        let held = messages(ty, self.state, offset as usize)
            .iter()
            .map(|m| self.names.message(self.shape, &ty.fields, m))
            .collect();
        Ok(Channel {
            name: self.names.channel(self.shape, number),
            capacity: ty.capacity as usize,
            held,
        })
    }

    /// The values of what a condition reads, in parentheses.
    fn values(&mut self, condition: &Expr) -> String {
        let mut reads = Vec::new();
        condition.walk(&mut |e| reads.push(e));
        let mut seen = HashSet::new();
        let mut texts = Vec::new();
        for expr in reads {
            let text = match expr {
                Expr::Load(place) => self.place(place),
                Expr::Len(c) | Expr::Full(c) | Expr::Empty(c) => {
                    let channel = self.channel(c).ok();
                    channel.map(|c| format!("{} holds {} of {}", c.name, c.held.len(), c.capacity))
                }
                Expr::Poll { channel, .. } => {
                    let channel = self.channel(channel).ok();
                    channel.map(|c| format!("{} = [{}]", c.name, c.held.join(", ")))
                }
                Expr::ProcessCount => Some(format!("_nr_pr = {}", self.shape.frames.len())),
                _ => None,
            };
            if let Some(text) = text.filter(|t| seen.insert(t.clone())) {
                texts.push(text);
            }
        }
        if texts.is_empty() {
            return String::new();
        }
        if texts.len() > MAX_VALUES {
            texts.truncate(MAX_VALUES);
            texts.push("...".to_owned());
        }
        format!(" ({})", texts.join(", "))
    }

    /// `name = value` of a place.
    fn place(&mut self, place: &Place) -> Option<String> {
        let value = self.eval(&Expr::Load(place.clone())).ok()?;
        let mut offset = place.offset;
        for index in &place.indices {
            offset += u32::try_from(self.eval(&index.expr).ok()?).ok()? * index.stride;
        }
        let (owner, fields) = match &place.region {
            Region::Global => (String::new(), &self.names.globals),
            Region::Local => {
                let (ty, _) = self.shape.frames[self.pid];
                (String::new(), &self.names.locals[ty.index()])
            }
            Region::Remote { proctype, pid } => {
                let pid = match pid {
                    Some(pid) => usize::try_from(self.eval(pid).ok()?).ok()?,
                    None => self.shape.frames.iter().position(|f| f.0 == *proctype)?,
                };
                let owner = format!("{}:", self.names.process(*proctype, pid));
                (owner, &self.names.locals[proctype.index()])
            }
        };
        let field = fields.iter().find(|f| f.offset == offset)?;
        let value = self.names.value(self.shape, field.ty, value);
        Some(format!("{owner}{} = {value}", field.name))
    }
}

struct Channel {
    name: String,
    capacity: usize,
    held: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{names, start, walk};

    /// Why a process waits after these steps.
    fn reasons(text: &str, statements: &[&str], pid: usize) -> Vec<String> {
        let names = names(text);
        let mut execution = start(&names);
        walk(&names, &mut execution, statements);
        let state = execution.state().to_vec();
        let waits = waits(&names, execution.machine(), &state, pid);
        waits.into_iter().map(|w| format!("{}: {}", w.text, w.reason)).collect()
    }

    /// Why the only process of a model with these variables waits at once at this statement.
    fn reason(variables: &str, statement: &str) -> String {
        let text = format!("{variables}\nactive proctype P() {{ {statement} }}");
        reasons(&text, &[], 0).join(" | ")
    }

    #[test]
    fn a_condition_shows_the_values_that_it_reads() {
        let variables = "byte x = 2, a[3], i = 1;";
        assert_eq!(reason(variables, "x > 5"), "x > 5: is false (x = 2)");
        assert_eq!(reason(variables, "a[i] == x"), "a[i] == x: is false (a[1] = 0, i = 1, x = 2)");
        assert_eq!(reason(variables, "1 > 2"), "1 > 2: is false");
    }

    #[test]
    fn of_many_values_a_few_are_shown() {
        let all = "a + b + c + d + e + f + g > 9";
        let reason = reason("byte a, b, c, d, e, f, g;", all);
        assert_eq!(reason.matches(" = 0").count(), MAX_VALUES, "{reason}");
        assert!(reason.ends_with(", ...)"), "{reason}");
    }

    #[test]
    fn a_channel_is_empty_or_full_or_holds_something_else() {
        let text = "chan q = [1] of { byte }; active proctype S() { q!1; q!2 }
            active proctype R() { q?7 } active proctype Any() { q??7 }";
        assert_eq!(reasons(text, &[], 1), ["q?7: channel q is empty"]);
        assert_eq!(reasons(text, &["q!1"], 0), ["q!2: channel q is full (1 message)"]);
        assert_eq!(reasons(text, &["q!1"], 1), ["q?7: the first message in q is 1"]);
        assert_eq!(reasons(text, &["q!1"], 2), ["q??7: no message in q fits (it holds 1)"]);
    }

    #[test]
    fn who_meets_nobody_waits_for_a_partner() {
        let text = "chan c = [0] of { byte }; active proctype S() { c!1 }";
        assert_eq!(reasons(text, &[], 0), ["c!1: waits for a receiver on c"]);
        assert_eq!(reason("chan c = [0] of { byte };", "c?_"), "c?_: waits for a sender on c");
    }

    #[test]
    fn only_the_youngest_process_can_end() {
        let text = "active proctype Old() { skip } active proctype Young() { false }";
        let reason = "end of the process: it is not the youngest process: Young[1] must end first";
        assert_eq!(reasons(text, &["skip"], 0), [reason]);
    }

    #[test]
    fn who_may_not_move_at_all_says_what_holds_it_back() {
        let text = "byte turn; active proctype P() provided (turn == 1) { skip }";
        let reason = "skip: the process's provided clause is false (turn = 0)";
        assert_eq!(reasons(text, &[], 0), [reason]);
    }

    #[test]
    fn every_way_out_has_its_reason() {
        let text = "byte x; active proctype P() { if :: x == 1 :: timeout -> skip :: x == 1 fi }
            active proctype Q() { do :: x = 0 od }";
        let reasons = reasons(text, &[], 0);
        assert_eq!(reasons[0], "x == 1: is false (x = 0)");
        assert_eq!(reasons[1], "timeout: something else can still happen");
    }

    #[test]
    fn a_process_that_is_not_there_waits_for_nothing() {
        assert_eq!(reasons("init { skip }", &[], 7), [""; 0]);
    }
}
