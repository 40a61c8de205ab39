//! What names mean, and where.

use std::collections::HashMap;

use isospin_source::{Diagnostic, Span};

use super::Elaborator;
use crate::system::Type;

/// What a name of the system, or of a process, means.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Meaning {
    Const(i32, Type),
    Type(Type),
    /// A variable: its number in its scope.
    Variable(usize),
    Procedure {
        code: bool,
    },
    Resource(usize),
    Signal(usize),
    Route(usize),
    Process(usize),
}

impl Meaning {
    fn what(&self) -> &'static str {
        match self {
            Meaning::Const(..) => "a constant",
            Meaning::Type(_) => "a type",
            Meaning::Variable(_) => "a variable",
            Meaning::Procedure { .. } => "a procedure",
            Meaning::Resource(_) => "a resource",
            Meaning::Signal(_) => "a signal",
            Meaning::Route(_) => "a route",
            Meaning::Process(_) => "a process",
        }
    }
}

/// A variable of a quantifier or of a choice.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Bound {
    pub name: String,
    pub ty: Type,
    pub number: usize,
}

/// Names of one scope.
type Table = HashMap<String, (Meaning, Span)>;

/// All names.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// The system's.
    pub system: Table,
    /// Those of each process.
    pub processes: Vec<Table>,
    /// The states of each process with all that they contain: the leaves.
    pub states: Vec<HashMap<String, Vec<usize>>>,
}

impl Elaborator<'_> {
    /// Gives a name of the current scope a meaning.
    pub(super) fn define(&mut self, name: &str, span: Span, meaning: Meaning) {
        let table = match self.scope.process {
            Some(process) => &mut self.names.processes[process],
            None => &mut self.names.system,
        };
        if let Some((_, before)) = table.get(name) {
            let error = Diagnostic::error(span, format!("`{name}` is declared twice"))
                .note_at(*before, "it is declared here as well");
            self.errors.push(error);
            return;
        }
        table.insert(name.to_owned(), (meaning, span));
    }

    /// What a name means here, whatever that is.
    pub(super) fn meaning(&self, name: &str) -> Option<&Meaning> {
        let own = self.scope.process.and_then(|p| self.names.processes[p].get(name));
        own.or_else(|| self.names.system.get(name)).map(|(meaning, _)| meaning)
    }

    /// The names that are seen here and mean such a thing.
    pub(super) fn seen(&self, test: impl Fn(&Meaning) -> bool) -> Vec<String> {
        let own = self.scope.process.map(|p| &self.names.processes[p]);
        let all = own.into_iter().chain([&self.names.system]).flatten();
        all.filter(|(_, (meaning, _))| test(meaning)).map(|(name, _)| name.clone()).collect()
    }

    /// Complains that a name does not mean what it has to.
    pub(super) fn unknown(
        &mut self,
        name: &str,
        span: Span,
        wanted: &str,
        test: impl Fn(&Meaning) -> bool,
    ) {
        let message = match self.meaning(name) {
            Some(meaning) => format!("`{name}` is {}, not {wanted}", meaning.what()),
            None => format!("there is no {} `{name}`", wanted.trim_start_matches("a ")),
        };
        let mut near = self.seen(test);
        near.sort();
        let error =
            Diagnostic::error(span, message).did_you_mean(name, near.iter().map(String::as_str));
        self.errors.push(error);
    }

    pub(super) fn signal(&mut self, name: &str, span: Span) -> Option<usize> {
        if let Some(Meaning::Signal(signal)) = self.meaning(name) {
            return Some(*signal);
        }
        self.unknown(name, span, "a signal", |m| matches!(m, Meaning::Signal(_)));
        None
    }

    pub(super) fn process_named(&mut self, name: &str, span: Span) -> Option<usize> {
        if let Some(Meaning::Process(process)) = self.meaning(name) {
            return Some(*process);
        }
        self.unknown(name, span, "a process", |m| matches!(m, Meaning::Process(_)));
        None
    }

    pub(super) fn resource(&mut self, name: &str, span: Span) -> Option<usize> {
        if let Some(Meaning::Resource(resource)) = self.meaning(name) {
            return Some(*resource);
        }
        self.unknown(name, span, "a resource", |m| matches!(m, Meaning::Resource(_)));
        None
    }
}
