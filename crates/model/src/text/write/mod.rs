//! A model as text.

mod expr;
mod process;
mod property;

use std::fmt::Write;

use super::names::{find_channel, quoted, spelled, spelled_channel};
use crate::automaton::SourceRef;
use crate::layout::{ChannelInstance, ChannelType, Slot};
use crate::model::{Features, Model};
use crate::scalar::{Kind, Scalar};
use crate::time::Pace;

/// The whole model as text that [`read()`](super::read()) makes the same model of.
pub fn write(model: &Model) -> String {
    let mut writer = Writer { model, out: String::new() };
    writer.model();
    writer.out
}

/// Who evaluates an expression: a process of this type, or nobody in particular.
type Scope = Option<usize>;

struct Writer<'m> {
    model: &'m Model,
    out: String,
}

/// Adds a line.
macro_rules! line {
    ($self:ident, $($arg:tt)*) => {
        // Writing to a string does not fail.
        let _ = writeln!($self.out, $($arg)*);
    };
}
use line;

impl Writer<'_> {
    fn model(&mut self) {
        let model = self.model;
        line!(self, "model {}", quoted(&model.name));
        if !model.files.is_empty() {
            let files: Vec<String> = model.files.iter().map(|f| quoted(f)).collect();
            line!(self, "files {}", files.join(", "));
        }
        line!(self, "uses {}", features(&model.features));
        line!(self, "statements {}", model.statements);
        if let Some(at) = model.present {
            line!(self, "present {at}");
        }
        if !model.process_names.is_empty() {
            let names: Vec<String> = model.process_names.iter().map(|n| quoted(n)).collect();
            line!(self, "names {}", names.join(", "));
        }
        if let Some(time) = &model.time {
            let watched = if time.watched { " watched" } else { "" };
            let open = if time.open { " open" } else { "" };
            line!(self, "time {}{watched}{open}", pace(time.pace));
            for condition in &time.conditions {
                let at =
                    format!("{}@{}", self.proctype(condition.proctype.index()), condition.location);
                let holds = self.expr(Some(condition.proctype.index()), &condition.holds);
                line!(self, "while {at} {holds}");
            }
        }
        self.types();
        self.variables();
        for activation in runs(&model.initial) {
            let (activation, count) = activation;
            let many = if count > 1 { format!("[{count}] ") } else { String::new() };
            let priority = priority(activation.priority);
            line!(self, "active {many}{}{priority}", self.proctype(activation.proctype.index()));
        }
        for (id, proctype) in model.proctypes.iter().enumerate() {
            self.process(id, proctype);
        }
        self.properties();
    }

    fn types(&mut self) {
        let model = self.model;
        for set in &model.mtypes {
            let name = if set.name.is_empty() { String::new() } else { spelled(&set.name) + " " };
            let members: Vec<String> =
                set.members.iter().map(|(n, value)| format!("{} = {value}", spelled(n))).collect();
            line!(self, "mtype {name}{}", braced(&members));
        }
        for set in &model.scalarsets {
            line!(self, "scalarset {} {}{}", spelled(&set.name), set.size, source(set.source));
        }
        for ty in &model.channel_types {
            line!(self, "channels {}", self.contents(ty));
        }
    }

    fn contents(&self, ty: &ChannelType) -> String {
        let fields: Vec<String> = ty.fields.iter().map(|&f| self.scalar(f)).collect();
        format!("[{}] of {}", ty.capacity, braced(&fields))
    }

    fn variables(&mut self) {
        let (model, layout) = (self.model, &self.model.layout);
        let mut line = format!("vector hidden {} count {}", layout.hidden, layout.process_count);
        for (word, at) in [("last", layout.last), ("event", layout.event)] {
            if let Some(at) = at {
                let _ = write!(line, " {word} {at}");
            }
        }
        line!(self, "{line} frames {}", layout.frames);
        for slot in &layout.slots {
            let hidden = if slot.offset < layout.hidden { "hidden " } else { "" };
            line!(self, "{hidden}{}", self.slot(slot));
        }
        for channel in &layout.channels {
            line!(self, "{}", channel_line(channel));
        }
        for init in &model.initializers {
            let (place, value) = (self.place(None, &init.place), self.expr(None, &init.value));
            line!(self, "initially {place} = {value}");
        }
    }

    /// The declaration of a variable.
    fn slot(&self, slot: &Slot) -> String {
        let mut inner = slot.ty.width();
        let mut parts = Vec::new();
        for segment in slot.path.iter().rev() {
            let name = spelled(&segment.name);
            parts.push(match segment.array {
                None => name,
                Some((len, stride)) => {
                    let by = if stride == inner { String::new() } else { format!(" by {stride}") };
                    inner = len.wrapping_mul(stride);
                    format!("{name}[{len}{by}]")
                }
            });
        }
        parts.reverse();
        format!("{} {} at {}", self.scalar(slot.ty), parts.join("."), slot.offset)
    }

    /// The type of a value.
    fn scalar(&self, ty: Scalar) -> String {
        let (name, usual) = match ty.kind {
            Kind::Number if ty == Scalar::BYTE => ("byte".to_owned(), 8),
            Kind::Number if ty == Scalar::SHORT => ("short".to_owned(), 16),
            Kind::Number if ty == Scalar::INT => ("int".to_owned(), 32),
            Kind::Number if ty.signed => (format!("signed {}", ty.bits), ty.bits),
            Kind::Number => (format!("unsigned {}", ty.bits), ty.bits),
            Kind::Bool => ("bit".to_owned(), 1),
            Kind::Channel => ("chan".to_owned(), 8),
            Kind::Pid => ("pid".to_owned(), 8),
            Kind::Timer => ("timer".to_owned(), 32),
            Kind::Clock { base, top } => {
                (format!("clock {base} {top}"), Scalar::clock(base, top).bits)
            }
            Kind::Mtype(set) => {
                let name = self.model.mtypes.get(usize::from(set)).map_or("", |s| &s.name);
                let named =
                    if name.is_empty() { String::new() } else { format!(":{}", spelled(name)) };
                (format!("mtype{named}"), 8)
            }
            Kind::Name(set) => {
                let name = self.model.scalarsets.get(usize::from(set)).map_or("", |s| &s.name);
                (format!("name:{}", spelled(name)), 8)
            }
        };
        if ty.bits == usual {
            name
        } else {
            format!("{name}/{}", ty.bits)
        }
    }

    /// The name of a process type; with its number where another one before it has the same.
    fn proctype(&self, id: usize) -> String {
        let proctypes = &self.model.proctypes;
        let Some(proctype) = proctypes.get(id) else { return format!("?#{id}") };
        let name = spelled(&proctype.name);
        if proctypes.iter().position(|p| p.name == proctype.name) == Some(id) {
            name
        } else {
            format!("{name}#{id}")
        }
    }

    /// The channels of a process type, and all of them for nobody in particular.
    fn channels(&self, scope: Scope) -> &[ChannelInstance] {
        match scope {
            Some(ty) => &self.model.proctypes[ty].frame.channels,
            None => &self.model.layout.channels,
        }
    }

    /// Whether a name of a channel means one of the process's own.
    fn is_own_channel(&self, scope: Scope, name: &str) -> bool {
        scope.is_some() && find_channel(self.channels(scope), name).is_some()
    }
}

fn braced(items: &[String]) -> String {
    if items.is_empty() {
        "{ }".to_owned()
    } else {
        format!("{{ {} }}", items.join(", "))
    }
}

fn channel_line(channel: &ChannelInstance) -> String {
    let name = spelled_channel(&channel.name);
    format!("channel {name} = type {} at {}", channel.ty, channel.offset)
}

fn source(at: SourceRef) -> String {
    if at == SourceRef::default() {
        String::new()
    } else if at.file == 0 {
        format!(" @{}:{}", at.line, at.column)
    } else {
        format!(" @{}:{}:{}", at.file, at.line, at.column)
    }
}

fn priority(priority: u8) -> String {
    if priority == 1 {
        String::new()
    } else {
        format!(" priority {priority}")
    }
}

pub(super) fn pace(pace: Pace) -> &'static str {
    match pace {
        Pace::Tick => "tick",
        Pace::Expiry => "expiry",
        Pace::Event => "event",
        Pace::Abstract => "abstract",
    }
}

/// The names of what a model can make use of, and whether it does.
pub(super) fn flags(features: &mut Features) -> [(&'static str, &mut bool); 6] {
    [
        ("priorities", &mut features.priorities),
        ("provided", &mut features.provided),
        ("last", &mut features.last),
        ("enabled", &mut features.enabled),
        ("rendezvous", &mut features.rendezvous),
        ("escapes", &mut features.escapes),
    ]
}

fn features(features: &Features) -> String {
    let mut features = *features;
    let used: Vec<&str> = flags(&mut features).iter().filter(|f| *f.1).map(|f| f.0).collect();
    if used.is_empty() {
        "none".to_owned()
    } else {
        used.join(", ")
    }
}

/// Neighbours that are equal, and how many they are.
fn runs<T: PartialEq>(items: &[T]) -> Vec<(&T, usize)> {
    let mut runs: Vec<(&T, usize)> = Vec::new();
    for item in items {
        match runs.last_mut() {
            Some((last, count)) if *last == item => *count += 1,
            _ => runs.push((item, 1)),
        }
    }
    runs
}
