//! What is said about a model: errors, warnings with names, and their places.

use std::collections::HashSet;

use crate::{Lint, SourceMap, Span};

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Severity {
    /// The model is accepted all the same.
    Warning,
    /// The model is rejected.
    Error,
}

/// A second place, or a remark, that belongs to a diagnostic.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Note {
    /// What is said.
    pub message: String,
    /// About which place, if about one.
    pub span: Option<Span>,
}

/// One message about the model.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Diagnostic {
    /// Warning or error.
    pub severity: Severity,
    /// The kind of warning, by which it can be silenced or made an error.
    pub lint: Option<Lint>,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// Where.
    pub span: Span,
    /// What to say at the caret, or nothing.
    pub label: String,
    /// Further places and remarks.
    pub notes: Vec<Note>,
    /// What to do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(span: Span, message: impl Into<String>) -> Self {
        Diagnostic {
            severity: Severity::Error,
            lint: None,
            message: message.into(),
            span,
            label: String::new(),
            notes: Vec::new(),
            help: None,
        }
    }

    /// A warning of the given kind at a place.
    pub fn warning(lint: Lint, span: Span, message: impl Into<String>) -> Self {
        Diagnostic {
            severity: Severity::Warning,
            lint: Some(lint),
            ..Diagnostic::error(span, message)
        }
    }

    /// With words at the caret.
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// With a remark about another place.
    pub fn note_at(mut self, span: Span, message: impl Into<String>) -> Self {
        self.notes.push(Note { message: message.into(), span: Some(span) });
        self
    }

    /// With a remark.
    pub fn note(mut self, message: impl Into<String>) -> Self {
        self.notes.push(Note { message: message.into(), span: None });
        self
    }

    /// With advice.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Whether the model is rejected for this.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// Puts diagnostics into source order (by the place that the person wrote) and
/// drops those that say the same about the same place.
pub fn sort(sources: &SourceMap, diagnostics: &mut Vec<Diagnostic>) {
    diagnostics.sort_by_key(|d| {
        let outer = sources.chain(d.span).last().map_or(d.span, |e| e.call);
        let written = sources.written(d.span);
        (outer.start, written.start, d.severity == Severity::Warning)
    });
    let mut seen = HashSet::new();
    diagnostics.retain(|d| {
        let written = sources.written(d.span);
        seen.insert((written.start, written.end, d.message.clone()))
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn diagnostics_come_in_source_order_errors_first_and_each_once() {
        let mut sources = SourceMap::new();
        sources.add_file(Path::new("a.txt"), b"one two".to_vec());
        let (one, two) = (Span::new(1, 4), Span::new(5, 8));
        let lint = Lint::new("shy", "");
        let mut diagnostics = vec![
            Diagnostic::error(two, "second"),
            Diagnostic::warning(lint, one, "first of all"),
            Diagnostic::error(one, "first"),
            Diagnostic::error(two, "second"),
        ];
        sort(&sources, &mut diagnostics);
        let messages: Vec<&str> = diagnostics.iter().map(|d| d.message.as_str()).collect();
        assert_eq!(messages, ["first", "first of all", "second"]);
    }
}
