//! Process types: frames, locations, edges.

use super::super::TextError;
use super::layout::{Declared, Fixed};
use super::{Reader, Scope};
use crate::action::Action;
use crate::automaton::{Automaton, Edge, Location, SourceRef, Urgency};
use crate::ids::{EdgeId, LocationId};
use crate::layout::FrameLayout;
use crate::model::{ProcKind, ProcType};

/// The locations that are looked up by label.
#[derive(Clone, Copy)]
pub(super) enum Locations {
    Process(usize),
    Claim(usize),
}

impl Reader<'_> {
    /// What follows `process`.
    pub(super) fn process(&mut self, initial: bool) -> Result<(), TextError> {
        let id = self.model.proctypes.len();
        let scope = Some(id);
        let name = self.name()?;
        let kind = if initial { ProcKind::Init } else { ProcKind::Process };
        self.model.proctypes.push(empty(name, kind));
        self.frames.push(Declared::default());
        self.expect("(")?;
        let parameters = self.list_to(")", |me| me.declare(scope, false, true))?;
        let source = self.source()?;
        self.expect("{")?;
        let mut start = LocationId(0);
        while !self.is_sign("}") && !self.is_word("location") {
            let at = self.here();
            match self.word()?.as_str() {
                "frame" => self.frame(id)?,
                "channel" => self.channel(scope)?,
                "initially" => {
                    let init = self.initializer(scope)?;
                    self.model.proctypes[id].initializers.push(init);
                }
                "provided" => {
                    let provided = self.expr(scope)?;
                    self.model.proctypes[id].provided = Some(provided);
                }
                "deterministic" => self.model.proctypes[id].deterministic = true,
                "start" => start = self.target_in(Locations::Process(id))?,
                _ => {
                    self.back_to(at);
                    self.variable(scope, false)?;
                }
            }
        }
        let mut automaton = self.locations(scope, Locations::Process(id))?;
        automaton.initial = start;
        let proctype = &mut self.model.proctypes[id];
        proctype.parameters = parameters.len() as u32;
        proctype.automaton = automaton;
        proctype.source = source;
        Ok(())
    }

    fn frame(&mut self, id: usize) -> Result<(), TextError> {
        self.expect_word("location")?;
        let location = self.number()?;
        let priority = self.accept_number("priority")?;
        self.expect_word("size")?;
        let size = self.number()?;
        self.frames[id].fixed = Some(Fixed::Frame { location, priority, size });
        Ok(())
    }

    /// What follows `never`.
    pub(super) fn never(&mut self) -> Result<(), TextError> {
        let name = self.name()?;
        let source = self.source()?;
        self.expect("{")?;
        let of = Locations::Claim(self.model.claims.len());
        let start = if self.accept_word("start") { self.target_in(of)? } else { LocationId(0) };
        let mut automaton = self.locations(None, of)?;
        automaton.initial = start;
        let claim = ProcType { automaton, source, ..empty(name, ProcKind::NeverClaim) };
        self.model.claims.push(claim);
        Ok(())
    }

    /// The locations of an automaton, and the brace that closes it.
    fn locations(&mut self, scope: Scope, of: Locations) -> Result<Automaton, TextError> {
        let mut automaton = Automaton::default();
        while !self.accept("}") {
            self.expect_word("location")?;
            let mut location = self.location(automaton.locations.len())?;
            location.first_edge = EdgeId::at(automaton.edges.len());
            let from = LocationId::at(automaton.locations.len());
            while !self.is_sign("}") && !self.is_word("location") {
                automaton.edges.push(self.edge(scope, of, from)?);
            }
            location.edge_count = (automaton.edges.len() - location.first_edge.index()) as u32;
            automaton.locations.push(location);
        }
        Ok(automaton)
    }

    /// What follows `location`, apart from its edges.
    fn location(&mut self, id: usize) -> Result<Location, TextError> {
        self.counted(id)?;
        let mut location = Location { number: id as u32, ..Location::default() };
        if self.accept("(") {
            location.labels = self.list_to(")", Self::name)?;
        }
        if let Some(number) = self.accept_number("number")? {
            location.number = number;
        }
        location.end = self.accept_word("end");
        location.progress = self.accept_word("progress");
        location.accept = self.accept_word("accept");
        location.source = self.source()?;
        Ok(location)
    }

    /// A number that may be left out, and is `expected` if it is not.
    pub(super) fn counted(&mut self, expected: usize) -> Result<(), TextError> {
        let start = self.here();
        if !matches!(self.peek(), super::super::lex::Token::Number(_)) {
            return Ok(());
        }
        if self.number::<usize>()? == expected {
            Ok(())
        } else {
            Err(self.error_at(start, format!("this is number {expected}")))
        }
    }

    fn edge(&mut self, scope: Scope, of: Locations, from: LocationId) -> Result<Edge, TextError> {
        let start = self.here();
        let action = self.action(scope)?;
        let written = self.text_since(start);
        let target = if self.accept("->") {
            self.target_in(of)?
        } else if action == Action::End {
            LocationId(0)
        } else {
            return Err(self.unexpected("`->`"));
        };
        let atomic = self.accept_word("atomic");
        let urgency = if self.accept_word("delayable") {
            Urgency::Delayable
        } else if self.accept_word("lazy") {
            Urgency::Lazy
        } else {
            Urgency::Eager
        };
        let escape = self.accept_number("escape")?.unwrap_or(0);
        let mut resets = Vec::new();
        if self.accept_word("reset") {
            resets = self.comma_separated(|me| {
                let start = me.number()?;
                me.expect("+")?;
                Ok((start, me.number()?))
            })?;
        }
        let statement = match self.accept_number("statement")? {
            Some(statement) => statement,
            None => self.statements_read,
        };
        self.statements_read = self.statements_read.max(statement.saturating_add(1));
        let source = self.source()?;
        let text = self.accept_string().unwrap_or(written);
        Ok(Edge { from, target, action, atomic, urgency, escape, resets, statement, source, text })
    }

    /// A location of a process type, by its number or a label.
    pub(super) fn target(&mut self, proctype: usize) -> Result<LocationId, TextError> {
        self.target_in(Locations::Process(proctype))
    }

    fn target_in(&mut self, of: Locations) -> Result<LocationId, TextError> {
        if !self.is_name() {
            return self.number().map(LocationId);
        }
        let start = self.here();
        let label = self.name()?;
        let Some(model) = self.known else { return Ok(LocationId(0)) };
        let automaton = match of {
            Locations::Process(k) => &model.proctypes[k].automaton,
            Locations::Claim(k) => &model.claims[k].automaton,
        };
        let found = automaton.locations.iter().position(|l| l.labels.contains(&label));
        let none = || self.error_at(start, format!("there is no location `{label}`"));
        found.map(LocationId::at).ok_or_else(none)
    }
}

fn empty(name: String, kind: ProcKind) -> ProcType {
    ProcType {
        name,
        kind,
        parameters: 0,
        frame: FrameLayout::default(),
        initializers: Vec::new(),
        provided: None,
        deterministic: false,
        automaton: Automaton::default(),
        source: SourceRef::default(),
    }
}
