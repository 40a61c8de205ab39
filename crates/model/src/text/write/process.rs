//! Process types as text: frames, locations, edges.

use std::fmt::Write;

use super::super::names::{quoted, spelled};
use super::{channel_line, line, source, Scope, Writer};
use crate::action::{Action, DetStep};
use crate::automaton::{Edge, Location, Urgency};
use crate::ids::LocationId;
use crate::model::{ProcKind, ProcType};

impl Writer<'_> {
    pub(super) fn process(&mut self, id: usize, proctype: &ProcType) {
        let scope = Some(id);
        let initial = if proctype.kind == ProcKind::Init { "initial " } else { "" };
        let (parameters, locals) = proctype
            .frame
            .slots
            .split_at((proctype.parameters as usize).min(proctype.frame.slots.len()));
        let parameters: Vec<String> = parameters.iter().map(|s| self.slot(s)).collect();
        let name = spelled(&proctype.name);
        let at = source(proctype.source);
        line!(self, "\n{initial}process {name}({}){at} {{", parameters.join(", "));
        let frame = &proctype.frame;
        let priority = frame.priority.map_or_else(String::new, |at| format!(" priority {at}"));
        line!(self, "  frame location {}{priority} size {}", frame.location_width, frame.size);
        for slot in locals {
            line!(self, "  {}", self.slot(slot));
        }
        for channel in &frame.channels {
            line!(self, "  {}", channel_line(channel));
        }
        for init in &proctype.initializers {
            let (place, value) = (self.place(scope, &init.place), self.expr(scope, &init.value));
            line!(self, "  initially {place} = {value}");
        }
        if let Some(provided) = &proctype.provided {
            line!(self, "  provided {}", self.expr(scope, provided));
        }
        if proctype.deterministic {
            line!(self, "  deterministic");
        }
        self.automaton(scope, proctype);
        line!(self, "}}");
    }

    pub(super) fn automaton(&mut self, scope: Scope, proctype: &ProcType) {
        let automaton = &proctype.automaton;
        if automaton.initial != LocationId(0) {
            line!(self, "  start {}", automaton.initial);
        }
        for (id, location) in automaton.locations.iter().enumerate() {
            line!(self, "  {}", location_line(id, location));
            for edge in automaton.edges_of(LocationId::at(id)) {
                line!(self, "    {}", self.edge(scope, edge));
            }
        }
    }

    fn edge(&self, scope: Scope, edge: &Edge) -> String {
        let mut out = format!("{} -> {}", self.action(scope, &edge.action, "    "), edge.target);
        if edge.atomic {
            out.push_str(" atomic");
        }
        match edge.urgency {
            Urgency::Eager => {}
            Urgency::Delayable => out.push_str(" delayable"),
            Urgency::Lazy => out.push_str(" lazy"),
        }
        if edge.escape != 0 {
            let _ = write!(out, " escape {}", edge.escape);
        }
        let resets: Vec<String> =
            edge.resets.iter().map(|(start, len)| format!("{start} + {len}")).collect();
        if !resets.is_empty() {
            let _ = write!(out, " reset {}", resets.join(", "));
        }
        let (at, text) = (source(edge.source), quoted(&edge.text));
        let _ = write!(out, " statement {}{at} {text}", edge.statement);
        out
    }

    fn action(&self, scope: Scope, action: &Action, indent: &str) -> String {
        let expr = |e| self.expr(scope, e);
        match action {
            Action::Skip => "skip".to_owned(),
            Action::Else => "else".to_owned(),
            Action::End => "exit".to_owned(),
            Action::Condition(e) => format!("when {}", expr(e)),
            Action::Assign(None, e) => format!("_ = {}", expr(e)),
            Action::Assign(Some(place), e) => format!("{} = {}", self.place(scope, place), expr(e)),
            Action::Send { channel, args, sorted } => {
                let sorted = if *sorted { "sorted " } else { "" };
                format!("send {sorted}{} ({})", self.named(scope, channel), self.list(scope, args))
            }
            Action::Fail(failure) => {
                let (word, _, number) = failure.parts();
                format!("fail {word} {number}")
            }
            Action::Receive { channel, pattern, random, copy, saved } => {
                let any = if *random { "any " } else { "" };
                let copy = if *copy { "copy " } else { "" };
                let channel = self.named(scope, channel);
                let saved: Vec<String> = saved.iter().map(|s| s.to_string()).collect();
                let past = if saved.is_empty() {
                    String::new()
                } else {
                    format!("past {} ", saved.join(", "))
                };
                format!("receive {any}{copy}{past}{channel} ({})", self.patterns(scope, pattern))
            }
            Action::Assert(e) => format!("assert {}", expr(e)),
            Action::Print { format, args } => {
                format!("print {} ({})", quoted(format), self.list(scope, args))
            }
            Action::PrintSymbol(e) => format!("printm {}", expr(e)),
            Action::SetPriority { pid, priority } => {
                format!("set_priority({}, {})", expr(pid), expr(priority))
            }
            Action::DetStep(step) => self.det_step(scope, step, indent),
        }
    }

    fn det_step(&self, scope: Scope, step: &DetStep, indent: &str) -> String {
        let mut out = String::from("d_step {\n");
        for (id, node) in step.nodes.iter().enumerate() {
            let _ = writeln!(out, "{indent}  node {id}");
            for edge in &node.edges {
                // Sequences are not nested.
                let action = self.action(scope, &edge.action, indent);
                let target = edge.target.map_or_else(|| "out".to_owned(), |t| t.to_string());
                let (at, text) = (source(edge.source), quoted(&edge.text));
                let _ = writeln!(out, "{indent}    {action} -> {target}{at} {text}");
            }
        }
        out + indent + "}"
    }
}

fn location_line(id: usize, location: &Location) -> String {
    let mut out = format!("location {id}");
    if !location.labels.is_empty() {
        let labels: Vec<String> = location.labels.iter().map(|l| spelled(l)).collect();
        let _ = write!(out, " ({})", labels.join(", "));
    }
    let _ = write!(out, " number {}", location.number);
    let flags =
        [("end", location.end), ("progress", location.progress), ("accept", location.accept)];
    for (word, _) in flags.iter().filter(|f| f.1) {
        let _ = write!(out, " {word}");
    }
    out + &source(location.source)
}
