//! What a step sent and received.

use isospin_machine::{Interpreter, Step};
use isospin_model::{Action, ChannelType, Expr, Pid, Shape};

use crate::names::Names;
use crate::snapshot::messages;
use crate::story::value_of;

/// How a message passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passing {
    /// Into a channel.
    Sent,
    /// Out of a channel.
    Received,
    /// Read, and left in the channel.
    Copied,
    /// From one process to another in one step.
    Handshake,
}

/// One message that passed.
#[derive(Clone, Debug, PartialEq)]
pub struct Exchange {
    /// How it passed.
    pub passing: Passing,
    /// The channel's number.
    pub number: i32,
    /// The channel's name.
    pub channel: String,
    /// The message.
    pub message: String,
    /// Its place in the channel, from 0.
    pub position: usize,
    /// The receiver of a rendez-vous.
    pub receiver: Option<Pid>,
}

impl Exchange {
    /// `q!msg(1)` or `q?msg(1)`.
    pub fn line(&self) -> String {
        let operator = match self.passing {
            Passing::Sent | Passing::Handshake => "!",
            Passing::Received | Passing::Copied => "?",
        };
        format!("{}{operator}{}", self.channel, self.message)
    }
}

/// What passed between `before` and `after`.
pub fn exchanges(
    names: &Names,
    machine: &mut Interpreter,
    before: &[u8],
    after: &[u8],
    step: Step,
) -> Vec<Exchange> {
    let model = &names.model;
    let mut shape = Shape::default();
    shape.read(model, before);
    let Step::Process(by) = step else { return Vec::new() };
    let pid = by.pid.index();
    let Some(&(ty, _)) = shape.frames.get(pid) else {
        return Vec::new();
    };
    let edges = &model.proctypes[ty.index()].automaton.edges;
    let Some(edge) = edges.get(by.edge.index()) else {
        return Vec::new();
    };
    let view = View { names, shape: &shape, before, after };
    match &edge.action {
        Action::Send { channel, args, .. } => {
            let Some(number) = value_of(machine, before, pid, channel) else {
                return Vec::new();
            };
            match by.partner {
                Some(partner) => {
                    view.offered(machine, pid, number, args, partner.pid).into_iter().collect()
                }
                None => view.difference(number),
            }
        }
        Action::Receive { channel, copy, .. } => {
            let Some(number) = value_of(machine, before, pid, channel) else {
                return Vec::new();
            };
            if *copy {
                view.first(number).into_iter().collect()
            } else {
                view.difference(number)
            }
        }
        Action::DetStep(_) => {
            (1..=shape.channels.len() as i32).flat_map(|number| view.difference(number)).collect()
        }
        _ => Vec::new(),
    }
}

struct View<'v> {
    names: &'v Names,
    shape: &'v Shape,
    before: &'v [u8],
    after: &'v [u8],
}

impl View<'_> {
    fn channel(&self, number: i32) -> Option<(&ChannelType, usize)> {
        let index = usize::try_from(number).ok()?.checked_sub(1)?;
        let &(ty, offset) = self.shape.channels.get(index)?;
        Some((&self.names.model.channel_types[ty.index()], offset as usize))
    }

    fn exchange(&self, passing: Passing, number: i32, position: usize, m: &[i32]) -> Exchange {
        let fields = self.channel(number).map_or(&[][..], |(ty, _)| ty.fields.as_slice());
        Exchange {
            passing,
            number,
            channel: self.names.channel(self.shape, number),
            message: self.names.message(self.shape, fields, m),
            position,
            receiver: None,
        }
    }

    /// A rendez-vous: the message exists only in the sender's statement.
    fn offered(
        &self,
        machine: &mut Interpreter,
        pid: usize,
        number: i32,
        args: &[Expr],
        receiver: Pid,
    ) -> Option<Exchange> {
        let (ty, _) = self.channel(number)?;
        let mut message = Vec::new();
        for (arg, field) in args.iter().zip(&ty.fields) {
            message.push(field.truncate(value_of(machine, self.before, pid, arg)?));
        }
        let mut exchange = self.exchange(Passing::Handshake, number, 0, &message);
        exchange.receiver = Some(receiver);
        Some(exchange)
    }

    fn first(&self, number: i32) -> Option<Exchange> {
        let (ty, offset) = self.channel(number)?;
        let held = messages(ty, self.before, offset);
        Some(self.exchange(Passing::Copied, number, 0, held.first()?))
    }

    /// The messages that are in the channel on one side of the step only.
    fn difference(&self, number: i32) -> Vec<Exchange> {
        let Some((ty, offset)) = self.channel(number) else {
            return Vec::new();
        };
        let old = messages(ty, self.before, offset);
        // A channel of a process that has ended is no longer there.
        let new = if offset + ty.size() as usize <= self.after.len() {
            messages(ty, self.after, offset)
        } else {
            Vec::new()
        };
        let mut found = Vec::new();
        let front = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
        let back = old[front..]
            .iter()
            .rev()
            .zip(new[front..].iter().rev())
            .take_while(|(a, b)| a == b)
            .count();
        for message in &old[front..old.len() - back] {
            found.push(self.exchange(Passing::Received, number, front, message));
        }
        for (k, message) in new[front..new.len() - back].iter().enumerate() {
            found.push(self.exchange(Passing::Sent, number, front + k, message));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{names, start, take, walk};

    /// What passes in the last of these steps: how, its line and its place in the channel.
    fn passed(text: &str, statements: &[&str]) -> Vec<(Passing, String, usize)> {
        let names = names(text);
        let mut execution = start(&names);
        let (last, before) = statements.split_last().expect("a step");
        walk(&names, &mut execution, before);
        let story = take(&names, &mut execution, last);
        story.exchanges.iter().map(|e| (e.passing, e.line(), e.position)).collect()
    }

    const QUEUE: &str = "chan q = [3] of { byte }; active proctype P() {
        byte x; q!5; q!9; q!!7; q?<x>; q?x; q??9; d_step { q!1; q?x }; assert(x) }";

    #[test]
    fn a_message_is_sent_to_the_end_or_to_its_sorted_place() {
        assert_eq!(passed(QUEUE, &["q!5", "q!9"]), [(Passing::Sent, "q!9".to_owned(), 1)]);
        let sorted = passed(QUEUE, &["q!5", "q!9", "q!!7"]);
        assert_eq!(sorted, [(Passing::Sent, "q!7".to_owned(), 1)]);
    }

    #[test]
    fn a_message_is_copied_or_received_from_where_it_is() {
        let before = ["q!5", "q!9", "q!!7"];
        let copied = passed(QUEUE, &[&before[..], &["q?<x>"]].concat());
        assert_eq!(copied, [(Passing::Copied, "q?5".to_owned(), 0)]);
        let first = passed(QUEUE, &[&before[..], &["q?<x>", "q?x"]].concat());
        assert_eq!(first, [(Passing::Received, "q?5".to_owned(), 0)]);
        let random = passed(QUEUE, &[&before[..], &["q?<x>", "q?x", "q??9"]].concat());
        assert_eq!(random, [(Passing::Received, "q?9".to_owned(), 1)]);
    }

    #[test]
    fn a_rendezvous_names_its_receiver() {
        let names = names(
            "mtype = { hello }; chan c = [0] of { mtype, byte };
             active proctype S() { byte x = 2; c!hello(x + 1) }
             active proctype R() { byte y; c?hello(y); assert(y) }",
        );
        let story = take(&names, &mut start(&names), "c!hello(x + 1)");
        let [exchange] = &story.exchanges[..] else { panic!("one message") };
        assert_eq!(exchange.passing, Passing::Handshake);
        assert_eq!(exchange.line(), "c!hello(3)");
        assert_eq!(exchange.receiver, Some(Pid(1)));
    }

    #[test]
    fn a_step_without_messages_passes_nothing() {
        assert_eq!(passed("byte x; init { x = 1; assert(x) }", &["x = 1"]), []);
    }
}
