//! Diagnostics as text, in the style of rustc.

use super::{sort, Diagnostic, Severity};
use crate::source::{Excerpt, ExpansionKind, SourceMap, Span};
use std::fmt::Write;

/// More diagnostics than this are counted and not shown.
pub const MAX_SHOWN: usize = 50;

/// An expansion inside an expansion inside ...: after this many, it is enough.
const MAX_EXPANSIONS_SHOWN: usize = 4;

/// With or without colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// Text alone.
    Plain,
    /// With the terminal's colours.
    Coloured,
}

/// Renders diagnostics in source order, each with its place, source line and
/// caret, and a line that counts them.
pub fn render(sources: &SourceMap, diagnostics: &[Diagnostic], style: Style) -> String {
    let mut sorted = diagnostics.to_vec();
    sort(sources, &mut sorted);
    // Errors are what the person needs; warnings give way when there are many.
    let errors = sorted.iter().filter(|d| d.is_error()).count();
    let mut warnings_left = MAX_SHOWN.saturating_sub(errors);
    let mut shown = 0;
    let mut out = String::new();
    for diagnostic in &sorted {
        if !diagnostic.is_error() {
            if warnings_left == 0 {
                continue;
            }
            warnings_left -= 1;
        } else if shown >= MAX_SHOWN {
            break;
        }
        shown += 1;
        Renderer { sources, style, out: &mut out }.diagnostic(diagnostic);
        out.push('\n');
    }
    if sorted.len() > shown {
        let _ = writeln!(out, "... and {} more\n", sorted.len() - shown);
    }
    summary(&mut out, errors, sorted.len() - errors);
    out
}

fn summary(out: &mut String, errors: usize, warnings: usize) {
    let count = |n: usize, what: &str| match n {
        0 => None,
        1 => Some(format!("1 {what}")),
        n => Some(format!("{n} {what}s")),
    };
    let parts: Vec<String> =
        [count(errors, "error"), count(warnings, "warning")].into_iter().flatten().collect();
    if !parts.is_empty() {
        let _ = writeln!(out, "{}", parts.join(", "));
    }
}

struct Renderer<'a> {
    sources: &'a SourceMap,
    style: Style,
    out: &'a mut String,
}

const RED: &str = "\x1b[1;31m";
const YELLOW: &str = "\x1b[1;33m";
const BLUE: &str = "\x1b[1;34m";
const BOLD: &str = "\x1b[1m";

impl Renderer<'_> {
    fn paint(&self, colour: &str, text: &str) -> String {
        match self.style {
            Style::Plain => text.to_owned(),
            Style::Coloured => format!("{colour}{text}\x1b[0m"),
        }
    }

    fn diagnostic(&mut self, d: &Diagnostic) {
        let (colour, word) = match d.severity {
            Severity::Error => (RED, "error"),
            Severity::Warning => (YELLOW, "warning"),
        };
        let head = match d.lint {
            Some(lint) => format!("{word}[{lint}]"),
            None => word.to_owned(),
        };
        let head = self.paint(colour, &head);
        let message = self.paint(BOLD, &format!(": {}", escape(&d.message)));
        let _ = writeln!(self.out, "{head}{message}");
        if d.span != Span::NONE {
            self.excerpt(self.sources.written(d.span), &d.label, colour, '^');
            self.expansions(d.span);
        }
        for note in &d.notes {
            self.note(&note.message, note.span);
        }
        if let Some(help) = &d.help {
            let word = self.paint(BOLD, "help");
            let _ = writeln!(self.out, "  = {word}: {help}");
        }
    }

    /// How the text came to its place: macros from the use inwards, then the
    /// calls of inlines from the body outwards.
    fn expansions(&mut self, span: Span) {
        let mut at = span;
        let mut left = MAX_EXPANSIONS_SHOWN;
        for expansion in self.sources.chain(span) {
            if left == 0 {
                self.note("... and more expansions around that", None);
                return;
            }
            left -= 1;
            match expansion.kind {
                ExpansionKind::Macro => {
                    let place = if at.start == 0 { expansion.definition } else { at };
                    let message = format!("in this expansion of macro `{}`", expansion.name);
                    self.note(&message, (place != Span::NONE).then_some(place));
                }
                ExpansionKind::Inline => {
                    let message = format!("in this call of inline `{}`", expansion.name);
                    let place = self.sources.written(expansion.call);
                    self.note(&message, Some(place));
                }
            }
            at = expansion.call;
        }
    }

    fn note(&mut self, message: &str, span: Option<Span>) {
        let word = self.paint(BOLD, "note");
        let message = escape(message);
        match span {
            Some(span) => {
                let _ = writeln!(self.out, "{word}: {message}");
                self.excerpt(span, "", BLUE, '-');
            }
            None => {
                let _ = writeln!(self.out, "  = {word}: {message}");
            }
        }
    }

    fn excerpt(&mut self, span: Span, label: &str, colour: &str, mark: char) {
        let Excerpt { location, line, width, lines } = self.sources.excerpt(span);
        let number = location.line.to_string();
        let pad = " ".repeat(number.len());
        let bar = self.paint(BLUE, "|");
        let arrow = self.paint(BLUE, "-->");
        let _ = writeln!(self.out, "{pad}{arrow} {location}");
        // A very long line shows only the part around the caret.
        let column = location.column - 1;
        let from = if column > 100 { column - 60 } else { 0 };
        let cut: String = line.chars().skip(from).take(160).collect();
        // Tabs keep their place under the line; other control characters go.
        let indent: String =
            cut.chars().take(column - from).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
        let marks = mark.to_string().repeat(width.min(160));
        let more = if lines > 1 { "..." } else { "" };
        let marks = self.paint(colour, &format!("{marks}{more}"));
        let number = self.paint(BLUE, &number);
        let _ = writeln!(self.out, "{pad} {bar}");
        let _ = writeln!(self.out, "{number} {bar} {}", escape(&cut));
        let label = match label {
            "" => String::new(),
            label => format!(" {}", escape(label)),
        };
        let _ = writeln!(self.out, "{pad} {bar} {indent}{marks}{label}");
    }
}

/// Control characters would garble a terminal; they show as a dot.
fn escape(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\t' { '·' } else { c }).collect()
}
